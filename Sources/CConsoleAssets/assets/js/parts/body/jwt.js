import { el } from "../../core/dom.js";
import { dateAndClock } from "../../core/format.js";
import { facts } from "../../core/fields-table.js";

/** The limit on the characters of a text that are searched for tokens. */
const longest = 1 << 18;
/** The limit on the number of tokens in the view. */
const most = 20;

/** Times in claims (RFC 7519 §4.1, OpenID Connect). */
const times = { exp: "expires", nbf: "valid from", iat: "issued", auth_time: "logged in", updated_at: "changed" };

/**
 * @typedef {object} Token A JSON Web Token (RFC 7519), signed or encrypted.
 * @property {string} place The place of the token, such as a field.
 * @property {any} header
 * @property {any} claims `undefined` if the claims are encrypted.
 * @property {number} signature Bytes of the signature.
 * @property {boolean} isEncrypted
 */

/**
 * The distinct tokens in texts. The page sends tokens nowhere and verifies no signature, because it has no key.
 *
 * @param {[string, string][]} texts Places and texts.
 * @returns {Token[]}
 */
export function tokensIn(texts) {
  const seen = new Set();
  const tokens = [];
  for (const [place, text] of texts) {
    for (const [found] of text.slice(0, longest).matchAll(/\beyJ[\w-]+(?:\.[\w-]*){2,4}/g)) {
      const token = seen.has(found) ? null : read(found, place);
      seen.add(found);
      if (token) tokens.push(token);
      if (tokens.length === most) return tokens;
    }
  }
  return tokens;
}

/** @param {string} text @param {string} place @returns {Token | null} */
function read(text, place) {
  const parts = text.split(".");
  const header = objectOf(parts[0]);
  if (!header) return null;
  const isEncrypted = parts.length === 5;
  const claims = isEncrypted ? null : objectOf(parts[1]);
  if (!isEncrypted && (parts.length !== 3 || !claims)) return null;
  return { place, header, claims, signature: Math.floor((parts[2].length * 6) / 8), isEncrypted };
}

/** @param {string} part */
function objectOf(part) {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** A view of tokens: their claims, with times in words, and their signatures. @param {Token[]} tokens @param {number} [now] */
export function tokensView(tokens, now = Date.now()) {
  if (tokens.length === 0) return el("p", { class: "soft" }, "This body has no complete token.");
  return el("div", { class: "tokens" }, ...tokens.map((token) => el("article", { class: "token" },
    el("h4", {}, token.place), el("p", { class: token.header.alg === "none" ? "notice failed" : "soft" }, signatureOf(token)),
    token.claims && facts(timesOf(token.claims, now)),
    el("pre", { tabindex: "0", "aria-label": `Header of the token in ${token.place}` }, JSON.stringify(token.header, null, 2)),
    token.claims && el("pre", { tabindex: "0", "aria-label": `Claims of the token in ${token.place}` },
      JSON.stringify(token.claims, null, 2)))));
}

/** @param {Token} token */
function signatureOf({ header, signature, isEncrypted }) {
  const key = typeof header.kid === "string" ? `, by the key “${header.kid}”` : "";
  if (isEncrypted) return `Encrypted with ${header.alg} and ${header.enc}${key}: its claims cannot be read.`;
  if (header.alg === "none") return "Not signed (alg is “none”): anybody can have written its claims.";
  return `Signed with ${header.alg}${key}; ${signature} bytes, not verified.`;
}

/** @param {any} claims @param {number} now @returns {[string, string][]} */
function timesOf(claims, now) {
  return Object.entries(times).filter(([name]) => Number.isFinite(claims[name])).map(([name, label]) => {
    const moment = claims[name] * 1000;
    if (Math.abs(moment) > 8.64e15) return [label, `${claims[name]}, which is no date`];
    const ago = `${spoken(Math.abs(now - moment) / 1000)} ${moment < now ? "ago" : "from now"}`;
    const remark = name === "exp" && moment < now ? ": expired" : name === "nbf" && moment > now ? ": not yet valid" : "";
    return [label, `${dateAndClock(new Date(moment).toISOString())} (${ago}${remark})`];
  });
}

/** A duration in its largest unit. @param {number} seconds */
function spoken(seconds) {
  for (const [unit, length] of /** @type {[string, number][]} */ ([["day", 86_400], ["hour", 3600], ["minute", 60]])) {
    const number = Math.floor(seconds / length);
    if (number > 0) return `${number} ${unit}${number === 1 ? "" : "s"}`;
  }
  return `${Math.floor(seconds)} s`;
}
