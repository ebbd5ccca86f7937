import { textOf, toBase64 } from "./body-text.js";

/**
 * @typedef {{name: string, value: string, isOn?: boolean}} WrittenField A field that is off is kept and not sent.
 *
 * @typedef {object} WrittenRequest A request as the user wrote it, with variables such as {{token}} unfilled.
 * @property {string} [name] The name in a collection.
 * @property {string} method
 * @property {string} url
 * @property {WrittenField[]} fields
 * @property {string} body
 * @property {"text" | "crlf" | "base64"} encoding `crlf`: a text whose lines end with CR and LF.
 * @property {number} [bodyOf] The captured exchange whose body is sent instead.
 * @property {"proxy" | "direct"} [through]
 * @property {boolean} http2
 * @property {boolean} addsFields Whether User-Agent and Accept are added if missing.
 * @property {boolean} [fillsVariables] Whether {{name}} stands for a variable; the default is true.
 */

/** @returns {WrittenRequest} */
export function newRequest() {
  return { method: "GET", url: "", fields: [], body: "", encoding: "text", http2: false, addsFields: true, fillsVariables: true };
}

/**
 * A body in the form of the editor: text if a text area preserves the bytes, otherwise Base64.
 *
 * @param {Uint8Array} data
 * @returns {Pick<WrittenRequest, "body" | "encoding">}
 */
export function editableBody(data) {
  const text = textOf(data);
  if (text !== null) return { body: text, encoding: "text" };
  try {
    // A text area keeps one kind of line ending, so every line must end with CR and LF.
    const lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data).replaceAll("\r\n", "\n");
    const isWhole = !/[\0\r]/.test(lines) && new TextEncoder().encode(lines.replaceAll("\n", "\r\n")).length === data.length;
    if (isWhole) return { body: lines, encoding: "crlf" };
  } catch {
    // The body is no UTF-8, so the editor shows Base64.
  }
  return { body: toBase64(data), encoding: "base64" };
}

/** The bytes to send; `null` for invalid Base64. @param {Pick<WrittenRequest, "body" | "encoding">} request */
export function bytesOf({ body, encoding }) {
  if (encoding !== "base64") return new TextEncoder().encode(encoding === "crlf" ? body.replaceAll("\n", "\r\n") : body);
  try {
    return Uint8Array.from(atob(body.replace(/\s/g, "")), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** The order for the server to send a request. @param {WrittenRequest} request The request with the values of its variables. */
export function orderOf({ method, url, fields, body, encoding, bodyOf, through, http2, addsFields }) {
  const content = bodyOf ? { bodyOf } : encoding === "base64" ? { bodyBase64: body.replace(/\s/g, "") }
    : { body: encoding === "crlf" ? body.replaceAll("\n", "\r\n") : body };
  return { method, url, fields: fields.filter((field) => field.isOn !== false).map(({ name, value }) => [name, value]), ...content,
    through: through ?? "direct", http2, addsFields };
}
