import { mediaType, parameterOf, parseFields, valueOf } from "../../core/head.js";

/**
 * @typedef {object} Part
 * @property {[string, string][]} fields
 * @property {string} name
 * @property {string} file
 * @property {string} type
 * @property {Uint8Array} bytes
 * @property {boolean} isWhole
 */

/**
 * Splits a multipart body into its parts (RFC 2046 §5.1).
 *
 * @param {Uint8Array} bytes
 * @param {string} boundary
 * @returns {Part[]}
 */
export function partsOf(bytes, boundary) {
  // Latin-1 gives each byte a character, so that places in the text are places in the bytes.
  const text = new TextDecoder("latin1").decode(bytes);
  const mark = `--${boundary}`;
  const parts = [];
  let at = text.indexOf(mark);
  while (boundary && at >= 0) {
    const start = text.indexOf("\n", at) + 1;
    if (start === 0 || text.startsWith("--", at + mark.length)) break;
    const next = text.indexOf(`\n${mark}`, start - 1);
    const end = next < 0 ? text.length : next - (text[next - 1] === "\r" ? 1 : 0);
    parts.push(part(text, bytes, start, Math.max(start, end), next >= 0));
    at = next < 0 ? -1 : next + 1;
  }
  return parts;
}

function part(text, bytes, start, end, isWhole) {
  const empty = /\r?\n\r?\n/g;
  empty.lastIndex = start;
  // A part without fields begins with the empty line.
  const isBare = text.startsWith("\r\n", start) || text[start] === "\n";
  const found = isBare ? null : empty.exec(text);
  const headEnd = isBare ? start : found && found.index < end ? found.index : end;
  const bodyStart = isBare ? start + (text[start] === "\r" ? 2 : 1) : found && found.index < end
    ? empty.lastIndex : end;
  // File names are UTF-8 in practice (RFC 7578 §5.1).
  const fields = parseFields(new TextDecoder().decode(bytes.subarray(start, headEnd)));
  const disposition = valueOf(fields, "content-disposition");
  return { fields, name: parameterOf(disposition, "name"), file: parameterOf(disposition, "filename"),
    type: mediaType(valueOf(fields, "content-type")),
    bytes: bytes.subarray(bodyStart, Math.max(bodyStart, end)), isWhole };
}
