import { announce } from "../../core/announce.js";
import { preferences } from "../../core/preferences.js";
import { columns } from "./columns.js";

/**
 * The order that the user chose by the head of a column.
 *
 * @typedef {object} Sorting
 * @property {import("./columns.js").Column} column
 * @property {boolean} isDescending
 */

/** The chosen order; `null` for the order of arrival. @returns {Sorting | null} */
export function sorting() {
  const text = preferences.get("sort");
  const column = columns.find((one) => one.sort && one.sort === text.replace(/^-/, ""));
  return column ? { column, isDescending: text.startsWith("-") } : null;
}

/** @param {Sorting | null} order */
export function setSorting(order) {
  announce(order ? `Sorted by ${labelOf(order.column)}, ${order.isDescending ? "descending" : "ascending"}`
    : `In the order of arrival, ${preferences.get("newestFirst") ? "newest" : "oldest"} first`);
  preferences.set("sort", order ? `${order.isDescending ? "-" : ""}${order.column.sort}` : "");
}

/** Whether two orders are the same. @param {Sorting | null} one @param {Sorting | null} other */
export function isSame(one, other) {
  return one?.column.id === other?.column.id && one?.isDescending === other?.isDescending;
}

/**
 * Handles a press of a column's head: ascending, descending, and back to the order of arrival.
 *
 * @param {import("./columns.js").Column} column
 */
export function press(column) {
  const now = sorting();
  // The number is the order of arrival.
  if (column.id === "id") {
    preferences.set("newestFirst", now ? false : !preferences.get("newestFirst"));
    setSorting(null);
  } else if (now?.column.id !== column.id) {
    setSorting({ column, isDescending: false });
  } else {
    setSorting(now.isDescending ? null : { column, isDescending: true });
  }
}

/** Reverses the order of the list. */
export function turn() {
  const now = sorting();
  if (now) return setSorting({ ...now, isDescending: !now.isDescending });
  preferences.set("newestFirst", !preferences.get("newestFirst"));
  setSorting(null);
}

/** The direction in which the list is sorted by a column. @param {import("./columns.js").Column} column @returns {"ascending" | "descending" | undefined} */
export function directionOf(column) {
  const now = sorting();
  const isDescending = now?.column.id === column.id ? now.isDescending
    : !now && column.id === "id" ? preferences.get("newestFirst") : undefined;
  return isDescending === undefined ? undefined : isDescending ? "descending" : "ascending";
}

/** @param {import("./columns.js").Column} column */
export function labelOf(column) {
  return column.name ?? column.title;
}

// Removing the sorted column ends its order, because no head would show the order any more.
preferences.on("change", (name) => {
  const now = name === "columns" ? sorting() : null;
  if (now && !preferences.get("columns").includes(now.column.id)) setSorting(null);
});
