/**
 * @typedef {object} Head
 * @property {string} start The start line.
 * @property {[string, string][]} fields In order, names as they came.
 */

/**
 * Takes a head apart. Nothing is thrown away: a line without a colon is a field without a value.
 *
 * @param {string} text
 * @returns {Head}
 */
export function parseHead(text) {
  const lines = text.split(/\r?\n/);
  const start = lines.shift() ?? "";
  return { start, fields: parseFields(lines) };
}

/** @param {string | string[]} text @returns {[string, string][]} */
export function parseFields(text) {
  const lines = typeof text === "string" ? text.split(/\r?\n/) : text;
  return lines.filter((line) => line !== "").map((line) => {
    // The name of a pseudo-field of HTTP/2 begins with a colon.
    const colon = line.indexOf(":", 1);
    return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
}

/**
 * What an exchange was carried by: `h1`, `h2` or `ws`, as the list says it.
 *
 * @param {import("../core/types.js").Detail} detail
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

/** What the request's Cookie fields hold. @param {[string, string][]} fields @returns {[string, string][]} */
export function sentCookies(fields) {
  return valuesOf(fields, "cookie").flatMap((value) => value.split(";")).map((pair) => pair.trim())
    .filter(Boolean).map(splitPair);
}

/**
 * What Set-Cookie fields hold: name, value, attributes.
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
 * Pairs of a query or a form, decoded; what cannot be decoded stays as it came.
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
