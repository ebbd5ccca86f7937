import { el, fill } from "../core/dom.js";
import { preferences } from "../core/preferences.js";

/** @typedef {import("./columns.js").Column} Column */

const narrowest = 24;
const widest = 1200;

/** @param {Column} column */
export function widthOf(column) {
  return preferences.get("widths")[column.id] ?? column.width;
}

/** @param {string} id @param {number} width */
export function setWidth(id, width) {
  preferences.set("widths", { ...preferences.get("widths"), [id]: Math.round(Math.max(narrowest, Math.min(widest, width))) });
}

/**
 * The tracks of a row, and how narrow it can become.
 *
 * @param {Column[]} columns
 */
export function tracks(columns) {
  const growing = columns.findLast((column) => column.grows) ?? columns.at(-1);
  const least = (/** @type {Column} */ column) => Math.min(column.least ?? Infinity, widthOf(column));
  return {
    tracks: columns.map((column) => `minmax(${least(column)}px, ${column === growing ? "1fr" : `${widthOf(column)}px`})`).join(" "),
    least: columns.reduce((sum, column) => sum + least(column), 0),
  };
}

/** @param {HTMLElement} row @param {Column[]} columns @param {() => void} turned Called when the order was turned round. */
export function renderHeader(row, columns, turned) {
  fill(row, ...columns.map((column, place) => cell(column, place, turned)));
}

function cell(column, place, turned) {
  const isTime = column.id === "time";
  const isNewestFirst = preferences.get("newestFirst");
  const header = el("div", { role: "columnheader", class: column.isNumber ? "cell number" : "cell", "aria-colindex": place + 1, title: column.name,
    "aria-label": column.name, "aria-sort": isTime ? (isNewestFirst ? "descending" : "ascending") : undefined });
  if (isTime) {
    header.append(el("button", { type: "button", class: "order", tabindex: "-1", title: "Turn the order round (o)", onclick: turned },
      column.title, el("span", { "aria-hidden": "true" }, isNewestFirst ? " ↓" : " ↑")));
  } else {
    header.append(el("span", {}, column.title));
  }
  header.append(grip(column, header));
  return header;
}

function grip(column, header) {
  const handle = el("span", { class: "grip", "aria-hidden": "true" });
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const start = event.clientX;
    const width = header.getBoundingClientRect().width;
    const move = (/** @type {PointerEvent} */ moved) => setWidth(column.id, width + moved.clientX - start);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
  });
  handle.addEventListener("dblclick", () => setWidth(column.id, column.width));
  return handle;
}
