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
  preferences.set("widths", { ...preferences.get("widths"),
    [id]: Math.round(Math.max(narrowest, Math.min(widest, width))) });
}

/** Who leaves first where there is no room; the detail has all of it. */
const leaving = ["notes", "client", "flow", "comment", "sent", "protocol", "type", "size", "id", "duration",
  "time", "mark"];

/** @param {Column} column */
function leastOf(column) {
  return Math.min(column.least ?? Infinity, widthOf(column));
}

/**
 * The columns that there is room for.
 *
 * @param {Column[]} columns
 * @param {number} room
 */
export function fitting(columns, room) {
  const staying = new Set(columns);
  let width = columns.reduce((sum, column) => sum + leastOf(column), 0);
  for (const id of leaving) {
    if (width <= room) break;
    const column = columns.find((column) => column.id === id);
    if (column && staying.delete(column)) width -= leastOf(column);
  }
  return columns.filter((column) => staying.has(column));
}

/**
 * The tracks of a row, and how narrow it can become.
 *
 * @param {Column[]} columns
 */
export function tracks(columns) {
  const growing = columns.findLast((column) => column.grows) ?? columns.at(-1);
  return {
    tracks: columns.map(
      (column) => `minmax(${leastOf(column)}px, ${column === growing ? "1fr" : `${widthOf(column)}px`})`)
      .join(" "),
    least: columns.reduce((sum, column) => sum + leastOf(column), 0),
  };
}

/** The place of a column among those that were chosen, counted from 1. @param {Column} column */
export function placeOf(column) {
  return preferences.get("columns").indexOf(column.id) + 1;
}

/**
 * @param {HTMLElement} row
 * @param {Column[]} columns
 * @param {() => void} turned Called when the order was turned round.
 */
export function renderHeader(row, columns, turned) {
  fill(row, ...columns.map((column) => cell(column, turned)));
}

function cell(column, turned) {
  const isTime = column.id === "time";
  const isNewestFirst = preferences.get("newestFirst");
  const header = el("div", { role: "columnheader", class: column.isNumber ? "cell number" : "cell",
    "aria-colindex": placeOf(column), title: column.name,
    "aria-label": column.name, "aria-sort": isTime ? (isNewestFirst ? "descending" : "ascending")
      : undefined });
  if (isTime) {
    header.append(el("button", { type: "button", class: "order", tabindex: "-1",
      title: "Turn the order round (o)", onclick: turned },
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
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move),
      { once: true });
  });
  handle.addEventListener("dblclick", () => setWidth(column.id, column.width));
  return handle;
}
