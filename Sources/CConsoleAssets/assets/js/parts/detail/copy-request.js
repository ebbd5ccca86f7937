import { ask, askJSON, withQuery } from "../../core/api.js";
import { copy } from "../../core/clipboard.js";
import { preferences } from "../../core/preferences.js";
import { toast } from "../../core/announce.js";
import { fieldBytes, protocolOf } from "../../core/head.js";

/** The commands and programs of a copy, as `flows export --language` names them. */
const commands = [
  { id: "curl", label: "curl" },
  { id: "httpie", label: "HTTPie" },
  { id: "wget", label: "wget" },
  { id: "powershell", label: "PowerShell" },
];
const programs = [
  { id: "fetch", label: "JavaScript (fetch)" },
  { id: "axios", label: "JavaScript (axios)" },
  { id: "requests", label: "Python (requests)" },
  { id: "httpx", label: "Python (httpx)" },
  { id: "go", label: "Go" },
  { id: "java", label: "Java" },
  { id: "swift", label: "Swift (URLSession)" },
  { id: "csharp", label: "C#" },
];
const longest = 1_000_000;

/**
 * @typedef {object} CopiedRequest
 * @property {string} method
 * @property {string} url
 * @property {[string, string][]} fields Fields that a client does not write itself; values are bytes, one character each.
 * @property {Uint8Array} body
 * @property {string | null} text The body if the body is UTF-8 without NUL.
 * @property {number} length Bytes of the whole body, of which `body` may be a part.
 * @property {string} protocol `h1`, `h2` or `ws`.
 * @property {string[]} remarks The parts of the request that the copy lacks.
 */

/**
 * Copies a request to the clipboard as a command or a program.
 *
 * @param {number} id
 * @param {string} [as]
 */
export async function copyRequest(id, as = preferences.get("copyAs")) {
  const language = [...commands, ...programs].find((language) => language.id === as) ?? commands[0];
  try {
    const text = await (await ask(withQuery(`/api/traffic/${id}/code`, { language: language.id }))).text();
    preferences.set("copyAs", language.id);
    await copy(text, language.label);
  } catch (error) {
    toast(`Not copied: ${error instanceof Error ? error.message : error}`);
  }
}

/** The entries of a menu, one for each command. @param {number} id */
export const commandItems = (id) => items(id, commands);

/** The entries of a menu, one for each language of a program. @param {number} id */
export const programItems = (id) => items(id, programs);

/** @param {number} id @param {{ id: string, label: string }[]} languages @returns {import("../../core/menu.js").MenuItem[]} */
function items(id, languages) {
  return languages.map((language) => ({ label: `Copy as ${language.label}`,
    hint: language.id === preferences.get("copyAs") ? "y" : "", choose: () => copyRequest(id, language.id) }));
}

/**
 * @param {number} id
 * @param {number} [most] Bytes of the body.
 * @returns {Promise<CopiedRequest | null>}
 */
export async function requestOf(id, most = longest) {
  const detail = await askJSON(`/api/traffic/${id}`);
  if (!detail.exchange || !detail.request) return null;
  const all = fieldBytes(detail.request.head);
  const fields = all.filter(([name, value]) => name.startsWith(":") || isWhole(name, value));
  const remarks = [];
  if (fields.length < all.length) remarks.push("a malformed header is left out");
  let body = new Uint8Array();
  if (detail.request.body?.length > 0) {
    body = new Uint8Array(
      await (await ask(withQuery(`/api/traffic/${id}/request-body`, { offset: "0", length: most })))
      .arrayBuffer());
    if (body.length < detail.request.body.length) remarks.push(
      `only ${body.length} of ${detail.request.body.length} bytes of the body are here`);
  }
  return { method: detail.exchange.method, url: detail.exchange.url,
    fields: written(fields, detail.exchange.url), body, text: textOf(body), length: detail.request.body?.length ?? 0,
    protocol: protocolOf(detail), remarks };
}

/** Whether a field is valid (RFC 9110 §5.1). An invalid field could inject other parts into a command or program. */
function isWhole(name, value) {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[\r\n\0]/.test(value);
}

/** Leaves out fields that the client computes itself. */
function written(fields, url) {
  const host = hostOf(url);
  const own = new Set(["content-length", "transfer-encoding", "connection", "proxy-connection", "keep-alive",
    "expect", "te"]);
  return fields.filter(([name, value]) => {
    const lower = name.toLowerCase();
    return !own.has(lower) && !lower.startsWith(":") && !(lower === "host" && value.toLowerCase() === host);
  });
}

function hostOf(url) {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1].toLowerCase() ?? "";
}

/** A body as text; `null` for a body that is no text. @param {Uint8Array} body */
export function textOf(body) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
