/**
 * @typedef {object} Head
 * @property {string} start The start line.
 * @property {[string, string][]} fields The fields in order, with names as received.
 */

/**
 * Parses a head for display. No line is lost: a line without a colon becomes a field without a value.
 *
 * @param {string} bytes One character each, as the API hands heads over.
 * @returns {Head}
 */
export function parseHead(bytes) {
  const [start, ...lines] = bytes.split(/\r?\n/);
  return { start: readable(start), fields: readableFields(lines) };
}

/**
 * Field lines as names and values. Bytes stay bytes, and text stays text.
 *
 * @param {string | string[]} text
 * @returns {[string, string][]}
 */
export function parseFields(text) {
  const lines = typeof text === "string" ? text.split(/\r?\n/) : text;
  return lines.filter((line) => line !== "").map((line) => {
    // The name of a pseudo-field of HTTP/2 begins with a colon.
    const colon = line.indexOf(":", 1);
    // HTTP has no other white space here (RFC 9110 §5.5). A byte of UTF-8 may look like a space of Latin-1.
    return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "")];
  });
}

/** Field lines as readable text. @param {string | string[]} bytes One character each. @returns {[string, string][]} */
export function readableFields(bytes) {
  return parseFields(bytes).map(([name, value]) => [readable(name), readable(value)]);
}

/** The field lines of a head as bytes, one character each. @param {string} head */
export function fieldBytes(head) {
  return parseFields(head.split(/\r?\n/).slice(1));
}

/** Bytes decoded as UTF-8; `null` if they are no UTF-8. @param {string} bytes One character each. */
export function utf8Of(bytes) {
  if (!/[^\0-\x7f]/.test(bytes)) return bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** Bytes as readable text: UTF-8, or else Latin-1, which has a character for each byte. @param {string} bytes */
function readable(bytes) {
  return utf8Of(bytes) ?? bytes;
}

/**
 * The protocol of an exchange: `h1`, `h2` or `ws`, as in the list.
 *
 * @param {import("./types.js").Detail} detail
 */
export function protocolOf(detail) {
  if (detail.exchange?.notes?.includes("webSocket")) return "ws";
  return / HTTP\/2/.test(parseHead(detail.request?.head ?? "").start) ? "h2" : "h1";
}

/**
 * The first value of a field.
 *
 * @param {[string, string][]} fields
 * @param {string} name In lower case.
 * @returns {string}
 */
export function valueOf(fields, name) {
  return fields.find(([other]) => other.toLowerCase() === name)?.[1] ?? "";
}

/** @param {[string, string][]} fields @param {string} name In lower case. */
export function valuesOf(fields, name) {
  return fields.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
}

/** The cookies of the request's Cookie fields. @param {[string, string][]} fields @returns {[string, string][]} */
export function sentCookies(fields) {
  return valuesOf(fields, "cookie").flatMap((value) => value.split(";")).map((pair) => pair.trim())
    .filter(Boolean).map(splitPair);
}

/**
 * The cookies of Set-Cookie fields: name, value, attributes.
 *
 * @param {[string, string][]} fields
 * @returns {[string, string, string][]}
 */
export function setCookies(fields) {
  return valuesOf(fields, "set-cookie").map((value) => {
    const [pair, ...attributes] = value.split(";");
    return [...splitPair(pair.trim()), attributes.map((part) => part.trim()).join("; ")];
  });
}

function splitPair(pair) {
  const equals = pair.indexOf("=");
  return equals < 0 ? ["", pair] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/**
 * Decoded pairs of a query or a form. A pair that cannot be decoded stays unchanged.
 *
 * @param {string} text
 * @returns {[string, string][]}
 */
export function formPairs(text) {
  return text.split("&").filter(Boolean).map((pair) => {
    const equals = pair.indexOf("=");
    const [name, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    return [decodePart(name), decodePart(value)];
  });
}

function decodePart(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The query of a URL, without the question mark. @param {string} url */
export function queryOf(url) {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1).split("#")[0];
}

/** A media type without parameters, and a parameter of it. @param {string} value @param {string} name */
export function parameterOf(value, name) {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*("(?:[^"\\\\]|\\\\.)*"|[^;\\s]+)`, "i").exec(value)?.[1]
    ?? "";
  return found.startsWith('"') ? found.slice(1, -1).replace(/\\(.)/g, "$1") : found;
}

/** @param {string} value */
export function mediaType(value) {
  return value.split(";")[0].trim().toLowerCase();
}
