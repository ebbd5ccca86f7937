/** @typedef {import("./lines.js").Lines} Lines */

/**
 * The pointer (RFC 6901) to the value in a row of laid out JSON. The row of a closing bracket has the pointer of the
 * array or object that it closes.
 *
 * @param {Lines} lines
 * @param {number} row
 */
export function pointerTo(lines, row) {
  const tokens = [];
  let at = headOf(lines, row);
  for (let holder = holderOf(lines, at); holder >= 0; holder = holderOf(lines, at)) {
    const closes = lines.folds[holder] === at;
    if (!closes) tokens.unshift(keyOf(lines, at) ?? String(placeOf(lines, holder, at)));
    at = holder;
  }
  return tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * The row of the value at a pointer.
 *
 * @param {Lines} lines
 * @param {string} pointer
 * @returns {number | string} The row, or a message that says why the pointer has none.
 */
export function rowOf(lines, pointer) {
  if (pointer !== "" && !pointer.startsWith("/")) return "A JSON Pointer begins with “/”.";
  const wrong = /~(?![01])/.exec(pointer);
  if (wrong) return "“~” is written as “~0”, and “/” in a name as “~1”.";
  let at = 0;
  let done = "";
  for (const written of pointer.split("/").slice(1)) {
    const token = written.replaceAll("~1", "/").replaceAll("~0", "~");
    const place = done === "" ? "The whole" : `“${done}”`;
    const last = lines.folds[at];
    if (last < 0) return `${place} has nothing in it.`;
    const found = childOf(lines, at, last, token);
    if (found < 0) return `${place} has no ${isArray(lines, at) ? "element" : "member"} “${token}”.`;
    at = found;
    done += `/${written}`;
  }
  return at;
}

/** The key of a row; `undefined` outside of objects. @param {Lines} lines @param {number} row @returns {string | undefined} */
export function keyAt(lines, row) {
  return keyOf(lines, valueRow(lines, row));
}

/**
 * The value in a row, or the value that the row closes: a string as its text, any other value as JSON.
 *
 * @param {Lines} lines
 * @param {number} row
 * @returns {string}
 */
export function valueAt(lines, row) {
  const first = valueRow(lines, row);
  const last = lines.folds[first] >= 0 ? lines.folds[first] : first;
  const end = lines.text.indexOf("\n", lines.starts[last]);
  const written = lines.text.slice(lines.starts[first], end < 0 ? undefined : end);
  const depth = /^\s*/.exec(written)?.[0].length ?? 0;
  // In an array, a string before a colon is no key.
  const value = written.replace(/^\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*)?/, "")
    .replace(/,\s*$/, "").replaceAll(`\n${" ".repeat(depth)}`, "\n");
  if (!value.startsWith('"')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The first row of the value in a row, also for a continued or closing row. */
function valueRow(lines, row) {
  const at = headOf(lines, row);
  const holder = holderOf(lines, at);
  return holder >= 0 && lines.folds[holder] === at ? holder : at;
}

function childOf(lines, holder, last, token) {
  const isList = isArray(lines, holder);
  let count = 0;
  for (let at = nextLine(lines, holder); at < last; at = afterOf(lines, at)) {
    if (isList ? String(count) === token : keyOf(lines, at) === token) return at;
    count += 1;
  }
  return -1;
}

/** The nearest row before a row that opens the array or object around it. */
function holderOf(lines, row) {
  for (let at = row - 1; at >= 0; at -= 1) if (lines.folds[at] >= row) return at;
  return -1;
}

function placeOf(lines, holder, row) {
  let count = 0;
  for (let at = nextLine(lines, holder); at < row; at = afterOf(lines, at)) count += 1;
  return count;
}

/** The row after a value. */
function afterOf(lines, row) {
  return nextLine(lines, lines.folds[row] >= 0 ? lines.folds[row] : row);
}

/** The next row that begins a line: a line wider than the view continues in further rows. */
function nextLine(lines, row) {
  let at = row + 1;
  while (at < lines.numbers.length && lines.numbers[at] === 0) at += 1;
  return at;
}

/** The row in which a line begins. */
function headOf(lines, row) {
  let at = row;
  while (at > 0 && lines.numbers[at] === 0) at -= 1;
  return at;
}

function keyOf(lines, row) {
  const end = lines.text.indexOf("\n", lines.starts[row]);
  const line = lines.text.slice(lines.starts[row], end < 0 ? undefined : end);
  const written = /^\s*("(?:[^"\\]|\\.)*")\s*:/.exec(line)?.[1];
  if (written === undefined) return undefined;
  try {
    return JSON.parse(written);
  } catch {
    return written.slice(1, -1);
  }
}

function isArray(lines, row) {
  const end = lines.text.indexOf("\n", lines.starts[row]);
  return lines.text[(end < 0 ? lines.text.length : end) - 1] === "[";
}
