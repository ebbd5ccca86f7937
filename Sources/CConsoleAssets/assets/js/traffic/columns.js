import { setText } from "../core/dom.js";
import { bytes, clockOrDate, duration } from "../core/format.js";
import { authorityOf, began, hostOf, isFailed, lasted, noteNames, originOf, pathOrCause, portOf, receivedBytes, sentBytes, standing } from "./facts.js";

/** @typedef {import("../core/types.js").Traffic} Traffic */

/**
 * @typedef {object} Column
 * @property {string} id
 * @property {string} title
 * @property {string} [name] Where the title is a sign: what it means.
 * @property {number} width
 * @property {number} [least] How narrow it becomes where there is no room; else as wide as `width`.
 * @property {number} [dated] How wide it is where something is of another day than today.
 * @property {boolean} [grows]
 * @property {boolean} [isNumber]
 * @property {string} [sort] What the server calls it, where the list can be sorted by it.
 * @property {(item: Traffic) => any} [key] What decides the place then, where that is not the text.
 * @property {(item: Traffic) => string} text
 * @property {(item: Traffic) => string} [whole] What its tool tip says, where that is more than the text.
 * @property {(item: Traffic) => string} [kind] A class for the cell.
 */

/** @type {Column[]} */
export const columns = [
  { id: "mark", title: "★", name: "Mark", width: 38, sort: "marked", key: (item) => Boolean(item.isMarked),
    text: (item) => [item.isMarked ? "★" : item.comment ? "✎" : "", item.notes?.includes("ruled") ? "⚙\ufe0e" : ""].join(""),
    kind: () => "sign" },
  { id: "id", title: "#", name: "Number", width: 76, isNumber: true, text: (item) => String(item.id) },
  { id: "time", title: "Time", width: 100, dated: 176, isNumber: true, sort: "time", key: began,
    text: (item) => clockOrDate(began(item)) },
  { id: "method", title: "Method", width: 70, sort: "method", text: (item) => item.method
    ?? (item.handshakeFailure ? "TLS" : "tunnel"), kind: () => "method" },
  { id: "status", title: "Status", width: 62, sort: "status", key: (item) => item.status, text: statusText,
    kind: (item) => `standing-${standing(item).kind}` },
  { id: "protocol", title: "Proto", name: "Protocol", width: 54, sort: "protocol", text: (item) => item.protocol ?? "" },
  { id: "scheme", title: "Scheme", width: 66, sort: "scheme", text: (item) => item.scheme ?? "" },
  { id: "host", title: "Host", width: 190, least: 96, sort: "host", key: hostOf, text: authorityOf, whole: originOf },
  { id: "port", title: "Port", width: 58, isNumber: true, sort: "port", text: (item) => hostOf(item) && String(portOf(item)) },
  { id: "path", title: "Path", width: 320, least: 130, grows: true, sort: "path", text: pathOrCause,
    kind: (item) => (isFailed(item) ? "cause" : "") },
  { id: "url", title: "URL", width: 320, least: 130, sort: "url", text: (item) => item.url ?? item.authority ?? "" },
  { id: "type", title: "Type", width: 96, least: 56, sort: "type", text: (item) => item.typeWord ?? "" },
  { id: "size", title: "Size", name: "Size of the response", width: 76, isNumber: true, sort: "response.size", key: receivedBytes,
    text: (item) => bytes(receivedBytes(item)) },
  { id: "sent", title: "Sent", name: "Size of the request", width: 76, isNumber: true, sort: "request.size", key: sentBytes,
    text: (item) => bytes(sentBytes(item)) },
  { id: "duration", title: "Duration", width: 82, isNumber: true, sort: "duration", key: lasted,
    text: (item) => duration(lasted(item)) },
  { id: "client", title: "Client", width: 130, sort: "client", text: (item) => item.client ?? "" },
  { id: "process", title: "Process", name: "Client process", width: 120, sort: "process",
    text: (item) => item.clientProcess?.name ?? "" },
  { id: "user", title: "User", name: "Proxy user", width: 110, sort: "proxy.user", text: (item) => item.proxyUser ?? "" },
  { id: "flow", title: "Flow", width: 76, isNumber: true, sort: "flow",
    text: (item) => String(item.type === "flow" ? item.id : item.flow ?? "") },
  { id: "notes", title: "Notes", width: 130, text: noteNames },
  { id: "comment", title: "Comment", width: 160, sort: "comment", text: (item) => item.comment ?? "" },
];

/** @param {string} id */
export function column(id) {
  return columns.find((column) => column.id === id);
}

/** Whether an item would stand elsewhere in a list that is sorted by a column. @param {Column} column @param {Traffic | undefined} before @param {Traffic} after */
export function movesBy(column, before, after) {
  const key = column.key ?? column.text;
  return !before || key(before) !== key(after);
}

/** @param {Column} column @param {HTMLElement} cell @param {Traffic | undefined} item */
export function renderCell(column, cell, item) {
  const kind = ["cell", column.isNumber ? "number" : "", item && column.kind ? column.kind(item) : ""].filter(
    Boolean).join(" ");
  if (cell.className !== kind) cell.className = kind;
  const text = item ? column.text(item) : "";
  setText(cell, text);
  const whole = (item && column.whole?.(item)) || text;
  // Long ones are cut off in the cell.
  if (whole !== text || text.length > 6) cell.title = whole.slice(0, 1000);
  else cell.removeAttribute("title");
}

function statusText(item) {
  const { sign } = standing(item);
  return [sign, item.status ?? ""].filter((part) => part !== "").join(" ");
}
