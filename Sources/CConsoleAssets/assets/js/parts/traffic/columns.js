import { el, fill, setText } from "../../core/dom.js";
import { bytes, clock, clockOrDate, counted, duration } from "../../core/format.js";
import { authorityOf, began, causeOf, hostOf, isFailed, lasted, noteNames, originOf, pathOrCause, portOf, receivedBytes, sentBytes, standing, typeKind } from "../../core/facts.js";
import { fields } from "../../core/fields.js";
import { drawStages, stagesText } from "./waterfall-column.js";

/** @typedef {import("../../core/types.js").Traffic} Traffic */

/**
 * @typedef {object} Column
 * @property {string} id
 * @property {string} title
 * @property {string} [name] The meaning of a title that is a sign.
 * @property {number} width
 * @property {number} [least] The least width when room is scarce; `width` if left out.
 * @property {number} [scant] The least width once no other column can be hidden.
 * @property {(item: Traffic) => string} [brief] A shorter text, for a cell too narrow for `text`.
 * @property {number} [dated] The width if the list has rows of another day than today.
 * @property {boolean} [grows]
 * @property {boolean} [isNumber]
 * @property {boolean} [isPlain] Whether the cells show the value of a field unchanged; such columns are hidden first when room is scarce.
 * @property {string} [sort] The server's name of the column, if the list can be sorted by it.
 * @property {(item: Traffic) => any} [key] The key of the sort, if it differs from the text.
 * @property {(item: Traffic) => string} text
 * @property {(item: Traffic) => string} [whole] The tool tip, if it differs from the text.
 * @property {(item: Traffic) => string} [cause] Why the item failed, beside the text.
 * @property {(item: Traffic) => string} [tail] The end of the text, which is shown where the text is cut off.
 * @property {(item: Traffic) => string} [kind] A class for the cell.
 * @property {(cell: HTMLElement, item: Traffic | undefined) => void} [draw] Fills a cell that shows more than a text.
 */

/** The looks of columns whose cells show more than the value of their field. @type {Record<string, Partial<Column>>} */
const looks = {
  // The number is the order of arrival, which needs no sorting.
  id: { width: 76, sort: undefined },
  time: { width: 106, dated: 176, key: began, text: (item) => clockOrDate(began(item)), brief: (item) => clock(began(item)) },
  method: { width: 66, text: (item) => item.method ?? (item.handshakeFailure ? "TLS" : "tunnel"), kind: (item) => `method method-${(item.method ?? "other").toLowerCase().replace(/[^a-z]/g, "")}` },
  status: { width: 60, isNumber: false, key: (item) => item.status, text: statusText,
    kind: (item) => `standing-${standing(item).kind}` },
  scheme: { width: 66 },
  host: { width: 190, least: 96, key: hostOf, text: authorityOf, whole: originOf },
  port: { width: 58, text: (item) => hostOf(item) && String(portOf(item)) },
  path: { width: 320, least: 244, scant: 130, grows: true, key: (item) => (item.type === "exchange" ? item.path : undefined), text: (item) => [pathOrCause(item), item.graphql].filter(Boolean).join(" "),
    cause: causeOf, tail: operationOf, kind: (item) => (isFailed(item) ? "cause" : (causeOf(item) || operationOf(item)) && "caused") },
  url: { width: 320, least: 130, text: (item) => item.url ?? item.authority ?? "" },
  // A WebSocket has no bodies, so its messages count.
  size: { width: 76, key: (item) => item.messageBytes ?? receivedBytes(item), text: (item) => bytes(item.messageBytes ?? receivedBytes(item)) },
  sent: { width: 76, key: sentBytes, text: (item) => bytes(sentBytes(item)) },
  duration: { width: 82, key: lasted, text: (item) => duration(lasted(item)) },
  client: { width: 130 },
  process: { width: 120, text: (item) => item.clientProcess?.name ?? "" },
  user: { width: 110 },
  flow: { width: 76, text: (item) => String(item.type === "flow" ? item.id : item.flow ?? "") },
  notes: { width: 130, text: noteNames },
};

/** The operation of GraphQL or the method of gRPC, at the end of a path. @param {Traffic} item */
function operationOf(item) {
  return item.graphql ? ` ${item.graphql}` : item.grpcStatus === undefined ? "" : `/${(item.path ?? "").split("/").at(-1)}`;
}

/** The type, and how many messages a WebSocket has had. @param {Traffic} item */
function typeText(item) {
  return [item.typeWord, item.messages !== undefined && counted(item.messages, "message")].filter(Boolean).join(", ");
}

/** The columns that are no fields of records. @type {Column[]} */
const others = [
  { id: "mark", title: "★", name: "Mark", width: 38, sort: "marked", key: (item) => Boolean(item.isMarked),
    text: (item) => [item.isMarked ? "★" : item.comment ? "✎" : "", item.notes?.includes("ruled") ? "⚙\ufe0e" : ""].join(""),
    kind: () => "sign" },
  { id: "protocol", title: "Proto", name: "Protocol", width: 54, sort: "protocol", text: (item) => item.protocol ?? "" },
  { id: "type", title: "Type", width: 118, least: 72, sort: "type", text: typeText, brief: (item) => item.typeWord ?? "", kind: (item) => (typeKind(item) ? `type type-${typeKind(item)}` : "") },
  { id: "comment", title: "Comment", width: 160, sort: "comment", text: (item) => item.comment ?? "" },
  { id: "waterfall", title: "Waterfall", width: 280, least: 150, text: stagesText, draw: drawStages, kind: () => "stages" },
];

/** The order of columns; columns that are not named come last. */
const places = ["mark", "id", "time", "method", "status", "protocol", "scheme", "host", "port", "path", "url", "type", "size", "sent",
  "duration", "client", "process", "user", "flow", "notes", "comment",
  "waterfall"];

/** @param {Column} column */
function placeOf(column) {
  const place = places.indexOf(column.id);
  return place < 0 ? places.length : place;
}

/** @type {Column[]} */
export const columns = [
  ...fields.map((field) => ({ width: 130, text: (/** @type {any} */ item) => String(item[field.member] ?? ""),
    isPlain: !(field.id in looks), ...field, ...looks[field.id] })),
  ...others,
].sort((one, other) => placeOf(one) - placeOf(other));

/** @param {string} id */
export function column(id) {
  return columns.find((column) => column.id === id);
}

/** Whether a change moves an item in a list that is sorted by a column. @param {Column} column @param {Traffic | undefined} before @param {Traffic} after */
export function movesBy(column, before, after) {
  const key = column.key ?? column.text;
  return !before || key(before) !== key(after);
}

/** @param {Column} column @param {HTMLElement} cell @param {Traffic | undefined} item */
export function renderCell(column, cell, item) {
  const kind = ["cell", column.isNumber ? "number" : "", item && column.kind ? column.kind(item) : ""].filter(
    Boolean).join(" ");
  if (cell.className !== kind) cell.className = kind;
  if (column.draw) return column.draw(cell, item);
  const text = item ? column.text(item) : "";
  const cause = (item && column.cause?.(item)) || "";
  const tail = (item && column.tail?.(item)) || "";
  if (cause || tail) fill(cell, el("span", { class: "text" }, text.slice(0, text.length - tail.length)), tail && el("span", { class: "tail" }, tail), cause && el("span", { class: "why" }, ` – ${cause}`));
  else setText(cell, text);
  const whole = (item && column.whole?.(item)) || (cause ? `${text} – ${cause}` : text);
  // The cell cuts off a long text, so the tool tip has the whole.
  if (whole !== text || text.length > 6) cell.title = whole.slice(0, 1000);
  else cell.removeAttribute("title");
}

function statusText(item) {
  const { sign } = standing(item);
  return [sign, item.status ?? ""].filter((part) => part !== "").join(" ");
}
