/** A whole number with a thin space between thousands; the first formatter of `Intl` takes 13 ms. @param {number} value */
export function count(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

/** @param {number} number @param {string} one @param {string} [many] */
export function counted(number, one, many = one + "s") {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** @param {number | undefined} value Bytes. */
export function bytes(value) {
  if (value === undefined || value === null) return "";
  if (value < 1000) return `${value} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let scaled = value;
  let unit = -1;
  // 999.5 kB would round to four figures, so the next unit begins there.
  do {
    scaled /= 1000;
    unit += 1;
  } while (scaled >= 999.5 && unit < units.length - 1);
  return `${scaled < 9.995 ? scaled.toFixed(2) : scaled < 99.95 ? scaled.toFixed(1) : scaled.toFixed(0)} ${units[unit]}`;
}

/** @param {number | undefined} value Milliseconds. */
export function duration(value) {
  if (value === undefined || value === null) return "";
  if (value < 1) return `${Math.round(value * 1000)} µs`;
  if (value < 10) return `${value.toFixed(1)} ms`;
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 60_000) return `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(value / 60_000)} min ${Math.round((value % 60_000) / 1000)} s`;
}

/** @param {string | undefined} text ISO 8601; shown in the reader's own time. */
export function clock(text) {
  const moment = moments(text);
  return moment ? `${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}.${String(moment.getMilliseconds()).padStart(3, "0")}` : "";
}

/** @param {string | undefined} text ISO 8601. */
export function dateAndClock(text) {
  const moment = moments(text);
  return moment ? `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${clock(text)}` : "";
}

/** @param {string | undefined} text ISO 8601. */
export function isToday(text) {
  return moments(text)?.toDateString() === new Date().toDateString();
}

/** The time of a moment today; the date and time of any other. @param {string | undefined} text ISO 8601. */
export function clockOrDate(text) {
  return isToday(text) ? clock(text) : dateAndClock(text);
}

function moments(text) {
  const moment = text ? new Date(text) : null;
  return moment && !Number.isNaN(moment.getTime()) ? moment : null;
}

function two(value) {
  return String(value).padStart(2, "0");
}
