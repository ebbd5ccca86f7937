/** A message as it is written in a form, and what somebody has changed of it. */

import { textOf, toBase64 } from "../compose/body-text.js";
import { parseFields } from "../detail/head.js";

/** What the server takes at once, with room for the rest of the request: bytes. */
export const longestBody = 700_000;

/**
 * @typedef {object} Written
 * @property {string} method
 * @property {string} path
 * @property {string} status
 * @property {string} fields One a line.
 * @property {string} body
 * @property {"text" | "base64"} encoding
 * @property {boolean} isKept Whether the body stays as it is held: it is too long to be written here.
 */

/** @param {import("../core/types.js").Held} held @returns {Written} */
export function written(held) {
  const isKept = held.length > longestBody;
  const data = isKept ? new Uint8Array() : Uint8Array.from(atob(held.bodyBase64 ?? ""), (one) => one.charCodeAt(0));
  const text = textOf(data);
  return { method: held.method, path: held.path, status: held.status === undefined ? "" : String(held.status),
    fields: (held.fields ?? []).map(([name, value]) => `${name}: ${value}`).join("\n"),
    body: text ?? toBase64(data), encoding: text === null ? "base64" : "text", isKept };
}

/** The line of the fields that is none, from 0; -1 where all are. @param {string} text */
export function wrongLine(text) {
  return text.split(/\r?\n/).findIndex((line) => line.trim() !== "" && line.indexOf(":", 1) < 0);
}

/**
 * What `continue` is asked: nothing of what stayed the same.
 *
 * @param {Written} before @param {Written} now @param {boolean} isRequest
 */
export function changes(before, now, isRequest) {
  /** @type {Record<string, any>} */
  const asked = {};
  if (isRequest && now.method !== before.method) asked.method = now.method;
  if (isRequest && now.path !== before.path) asked.path = now.path;
  if (!isRequest && now.status !== before.status) asked.status = numberOf(now.status);
  if (now.fields !== before.fields) asked.fields = parseFields(now.fields);
  if (!now.isKept && (now.body !== before.body || now.encoding !== before.encoding || before.isKept)) {
    asked[now.encoding === "base64" ? "bodyBase64" : "body"] = now.body;
  }
  return asked;
}

/** What `respond` is asked. @param {Written} now */
export function answered(now) {
  return { status: numberOf(now.status), fields: parseFields(now.fields),
    ...(now.body === "" ? {} : { [now.encoding === "base64" ? "bodyBase64" : "body"]: now.body }) };
}

/** What is no number is sent as it is, so that it is refused. @param {string} text */
function numberOf(text) {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}

/** What an answer of one's own begins with. @type {Written} */
export const emptyAnswer = { method: "", path: "", status: "200", fields: "Content-Type: text/plain; charset=utf-8", body: "",
  encoding: "text", isKept: false };

/** Which part of a form a complaint of the server is about. @param {string} complaint */
export function partOf(complaint) {
  const name = /^(\w+)(?:\[\d+\])*: /.exec(complaint)?.[1] ?? "";
  return { method: "method", path: "path", status: "status", fields: "fields", body: "body", bodyBase64: "body" }[name];
}
