import { utf8Of } from "../../core/head.js";

/** The limit on the bytes of one argument; Linux allows 128 KiB. */
export const longestArgument = 32_768;

/** Characters that stay readable in quotes: no control characters, and none that change the direction of text. */
const readable = /^[\t\n\x20-\x7e\u00a0-\u200d\u2010-\u2027\u202f-\u2065\u2070-\ufefe\uff00-\uffef\u{10000}-\u{e0000}]*$/u;

/**
 * Bytes as one word of `sh`. Readable text is put in single quotes, where only the quote itself has a meaning.
 * `printf` makes other bytes, so that a pasted command hands the terminal no control characters.
 *
 * @param {string} bytes One character each; none is NUL.
 */
export function shellWord(bytes) {
  if (/^[\w@%+=:,./-]+$/.test(bytes)) return bytes;
  const whole = readableText(bytes);
  if (whole !== null) return quoted(whole);
  return bytes.replace(/[\t\n\x20-\x7e]+|[^\t\n\x20-\x7e]+/g, (run) => /^[\t\n\x20-\x7e]/.test(run) ? quoted(run)
    : `"$(printf '${[...run].map((byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")}')"`);
}

/** Bytes as text; `null` if the text is not readable. @param {string} bytes */
export function readableText(bytes) {
  const text = utf8Of(bytes);
  return text !== null && readable.test(text) ? text : null;
}

function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A command that writes bytes to the standard input of the next command. `printf` is built into the shell and has no limit.
 *
 * @param {Uint8Array} body
 */
export function pipe(body) {
  const text = readableText(latin1(body));
  return text !== null ? `printf %s ${quoted(text)} | ` : `printf %s ${base64(body)} | base64 -d | `;
}

/** A text as a word of `sh`. @param {string} text */
export function textWord(text) {
  return shellWord(latin1(new TextEncoder().encode(text)));
}

/** Bytes as a text with one character for each. @param {Uint8Array} body */
export function latin1(body) {
  let text = "";
  for (let at = 0; at < body.length; at += 0x8000) text += String.fromCharCode(...body.subarray(at, at + 0x8000));
  return text;
}

/** @param {Uint8Array} body */
export function base64(body) {
  return btoa(latin1(body));
}

/** @param {string[]} remarks @param {string} mark The start of a comment. */
export function comments(remarks, mark) {
  return remarks.map((remark) => `${mark} ${remark}\n`).join("");
}
