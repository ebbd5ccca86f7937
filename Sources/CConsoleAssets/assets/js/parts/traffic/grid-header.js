import { el, fill } from "../../core/dom.js";
import { preferences } from "../../core/preferences.js";
import { columns } from "./columns.js";
import { directionOf, labelOf, press } from "./sorting.js";

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

/** Shows a column or hides it; the last one stays. @param {string} id */
export function toggleColumn(id) {
  const chosen = preferences.get("columns");
  if (!chosen.includes(id)) {
    // A new column goes to its place in the default order.
    const order = columns.map((one) => one.id);
    const after = chosen.findIndex((other) => order.indexOf(other) > order.indexOf(id));
    preferences.set("columns", after < 0 ? [...chosen, id] : chosen.toSpliced(after, 0, id));
  } else if (chosen.length > 1) {
    preferences.set("columns", chosen.filter((other) => other !== id));
  }
}

/** Columns in the order in which they are hidden when room is scarce; the detail shows all facts. The path shrinks only after these. */
const leaving = ["notes", "scheme", "port", "client", "process", "user", "flow", "comment", "sent", "protocol", "id", "type", "size",
  "duration", "time", "mark"];

/** The least width of the hosts beside a waterfall, for 16 characters. */
const hostBesideWaterfall = 130;

/** @param {Column} column */
function leastOf(column) {
  return Math.min(column.least ?? Infinity, widthOf(column));
}

/**
 * The columns that fit into the room.
 *
 * @param {Column[]} columns
 * @param {number} room
 */
export function fitting(columns, room) {
  const sum = (/** @type {Column[]} */ some) => some.reduce((width, column) => width + leastOf(column), 0);
  if (columns.some((column) => column.draw)) {
    // A waterfall leaves room for the names of the hosts.
    const beside = columns.map((column) => (column.id === "host" ? { ...column, least: hostBesideWaterfall } : column));
    return sum(beside) <= room ? beside : fitting(columns.filter((column) => !column.draw), room);
  }
  const staying = new Set(columns);
  let width = sum(columns);
  for (const id of [...columns.filter((column) => column.isPlain).map((column) => column.id), ...leaving]) {
    if (width <= room) break;
    const column = columns.find((column) => column.id === id);
    if (column && staying.delete(column)) width -= leastOf(column);
  }
  const fit = columns.filter((column) => staying.has(column));
  return width > room ? fit.map((column) => (column.scant ? { ...column, least: column.scant } : column)) : fit;
}

/**
 * The tracks of a row, and the least width of the row.
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

/** The place of a column among the chosen columns, counted from 1. @param {Column} column */
export function placeOf(column) {
  return preferences.get("columns").indexOf(column.id) + 1;
}

/**
 * The heads of the columns. Tab reaches one of them; the arrow keys reach the others.
 *
 * @param {HTMLElement} row
 * @param {Column[]} columns
 */
export function renderHeader(row, columns) {
  const focused = /** @type {HTMLElement} */ (row.contains(document.activeElement) ? document.activeElement : null);
  const reached = row.querySelector("button[tabindex='0']")?.dataset.column;
  fill(row, ...columns.map(cell));
  const buttons = [...row.querySelectorAll("button")];
  const at = buttons.find((button) => button.dataset.column === reached) ?? buttons[0];
  if (at) at.tabIndex = 0;
  if (focused) at?.focus({ preventScroll: true });
}

/**
 * Moves the focus from head to head.
 *
 * @param {HTMLElement} row
 * @param {number} by
 */
export function stepHeader(row, by) {
  const buttons = [...row.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button.tabIndex === 0);
  const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + by))];
  if (!next) return;
  buttons[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function cell(column) {
  const direction = directionOf(column);
  const header = el("div", { role: "columnheader", class: column.isNumber ? "cell number" : "cell",
    "aria-colindex": placeOf(column), title: column.name, "aria-label": column.name, "aria-sort": direction });
  if (column.sort || column.id === "id") {
    header.append(el("button", { type: "button", class: direction ? "order sorted" : "order", tabindex: "-1",
      "data-column": column.id, title: `Sort by ${labelOf(column)}`, "aria-label": column.name,
      onclick: () => press(column) },
      el("span", { class: "title" }, column.title),
      direction && el("span", { "aria-hidden": "true" }, direction === "ascending" ? "↑" : "↓")));
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
