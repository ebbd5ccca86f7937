import { announce } from "../core/announce.js";
import { preferences } from "../core/preferences.js";
import { columns } from "./columns.js";

/**
 * An order that was asked for by the head of a column.
 *
 * @typedef {object} Sorting
 * @property {import("./columns.js").Column} column
 * @property {boolean} isDescending
 */

/** What the list is to be sorted by; nothing where it stands in the order of arrival. @returns {Sorting | null} */
export function sorting() {
  const text = preferences.get("sort");
  const column = columns.find((one) => one.sort && one.sort === text.replace(/^-/, ""));
  return column ? { column, isDescending: text.startsWith("-") } : null;
}

/** @param {Sorting | null} order */
export function setSorting(order) {
  announce(order ? `Sorted by ${nameOf(order.column)}, ${order.isDescending ? "descending" : "ascending"}`
    : `In the order of arrival, ${preferences.get("newestFirst") ? "newest" : "oldest"} first`);
  preferences.set("sort", order ? `${order.isDescending ? "-" : ""}${order.column.sort}` : "");
}

/** Whether two orders are the same. @param {Sorting | null} one @param {Sorting | null} other */
export function isSame(one, other) {
  return one?.column.id === other?.column.id && one?.isDescending === other?.isDescending;
}

/**
 * What the head of a column does: ascending, descending, and back to the order of arrival.
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

/** Turns the order round, whichever it is. */
export function turn() {
  const now = sorting();
  if (now) return setSorting({ ...now, isDescending: !now.isDescending });
  preferences.set("newestFirst", !preferences.get("newestFirst"));
  setSorting(null);
}

/** How the list stands to a column. @param {import("./columns.js").Column} column @returns {"ascending" | "descending" | undefined} */
export function directionOf(column) {
  const now = sorting();
  const isDescending = now?.column.id === column.id ? now.isDescending
    : !now && column.id === "id" ? preferences.get("newestFirst") : undefined;
  return isDescending === undefined ? undefined : isDescending ? "descending" : "ascending";
}

/** @param {import("./columns.js").Column} column */
export function nameOf(column) {
  return column.name ?? column.title;
}

// An order that no head shows any more would be a riddle.
preferences.on("change", (name) => {
  const now = name === "columns" ? sorting() : null;
  if (now && !preferences.get("columns").includes(now.column.id)) setSorting(null);
});
