import { el } from "../core/dom.js";
import { bytes } from "../core/format.js";

/** The text of a body; nothing where it is none. @param {Uint8Array} data @returns {string | null} */
export function textOf(data) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
    // A text area would change what lines end with.
    return /[\0\r]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** @param {Uint8Array} data */
export function toBase64(data) {
  let text = "";
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
  return btoa(text);
}

/** The body of an answer as far as it is here. @param {Uint8Array} data @param {number} length */
export function showBytes(data, length) {
  if (length === 0) return el("p", { class: "soft" }, "No body.");
  const text = new TextDecoder().decode(data);
  return el("div", {}, data.length < length && el("p", { class: "notice" },
    `The first ${bytes(data.length)} of ${bytes(length)}.`),
  text.includes("\0") ? el("p", { class: "soft" }, `${bytes(length)} that are no text; open it to see them.`)
    : el("pre", { class: "answer-body", tabindex: "0", role: "region", "aria-label": "Body" }, text));
}
