/** The editable form of a message, and the user's changes to it. */

import { textOf, toBase64 } from "../../parts/compose/body-text.js";
import { parseFields } from "../../core/head.js";

/** The most bytes of a body that the server accepts, with room for the rest of the request. */
export const longestBody = 700_000;

/**
 * @typedef {object} Written
 * @property {string} method
 * @property {string} path
 * @property {string} status
 * @property {string} fields The fields, one a line.
 * @property {string} body
 * @property {"text" | "base64"} encoding
 * @property {boolean} isKept Whether the body stays unchanged because it is too long for the editor.
 */

/** @param {import("../../core/types.js").Held} held @returns {Written} */
export function written(held) {
  const isKept = held.length > longestBody;
  const data = isKept ? new Uint8Array() : Uint8Array.from(atob(held.bodyBase64 ?? ""), (one) => one.charCodeAt(0));
  const text = textOf(data);
  return { method: held.method, path: held.path, status: held.status === undefined ? "" : String(held.status),
    fields: (held.fields ?? []).map(([name, value]) => `${name}: ${value}`).join("\n"),
    body: text ?? toBase64(data), encoding: text === null ? "base64" : "text", isKept };
}

/** The index of the first line that is no field; -1 if all lines are fields. @param {string} text */
export function wrongLine(text) {
  return text.split(/\r?\n/).findIndex((line) => line.trim() !== "" && line.indexOf(":", 1) < 0);
}

/**
 * The parameters of `continue`: changed parts only.
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

/** The parameters of `respond`. @param {Written} now */
export function answered(now) {
  return { status: numberOf(now.status), fields: parseFields(now.fields),
    ...(now.body === "" ? {} : { [now.encoding === "base64" ? "bodyBase64" : "body"]: now.body }) };
}

/** A number, or the text unchanged, so that the server refuses it. @param {string} text */
function numberOf(text) {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}

/** The initial form of the user's own response. @type {Written} */
export const emptyAnswer = { method: "", path: "", status: "200", fields: "Content-Type: text/plain; charset=utf-8", body: "",
  encoding: "text", isKept: false };

/** The part of the form that a complaint of the server names. @param {string} complaint */
export function partOf(complaint) {
  const name = /^(\w+)(?:\[\d+\])*: /.exec(complaint)?.[1] ?? "";
  return { method: "method", path: "path", status: "status", fields: "fields", body: "body", bodyBase64: "body" }[name];
}
