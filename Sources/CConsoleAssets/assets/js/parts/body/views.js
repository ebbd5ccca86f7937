import { mediaType, parameterOf } from "../../core/head.js";
import { binaryLayouts } from "./binary-text.js";
import { isGraphQL } from "./graphql-text.js";

/**
 * @typedef {object} View
 * @property {string} id
 * @property {string} label
 * @property {"text" | "hex" | "form" | "multipart" | "image" | "media" | "font" | "tokens" | "protobuf" | "raw"} kind
 * @property {string} [layout] The layout for the worker.
 * @property {string} [language] The language for colours.
 */

/** @type {Record<string, View>} */
const views = {
  json: { id: "json", label: "JSON", kind: "text", layout: "json", language: "json" },
  graphql: { id: "graphql", label: "GraphQL", kind: "text", layout: "graphql", language: "graphql" },
  msgpack: { id: "msgpack", label: "MessagePack", kind: "text", layout: "msgpack", language: "msgpack" },
  cbor: { id: "cbor", label: "CBOR", kind: "text", layout: "cbor", language: "msgpack" },
  xml: { id: "xml", label: "XML", kind: "text", layout: "xml", language: "markup" },
  html: { id: "html", label: "HTML", kind: "text", layout: "html", language: "markup" },
  script: { id: "script", label: "JavaScript", kind: "text", layout: "script", language: "script" },
  style: { id: "style", label: "CSS", kind: "text", layout: "style", language: "style" },
  form: { id: "form", label: "Form", kind: "form" },
  multipart: { id: "multipart", label: "Multipart", kind: "multipart" },
  protobuf: { id: "protobuf", label: "Protobuf", kind: "protobuf", layout: "json", language: "json" },
  tokens: { id: "tokens", label: "Tokens (JWT)", kind: "tokens" },
  font: { id: "font", label: "Font", kind: "font" },
  image: { id: "image", label: "Image", kind: "image" },
  audio: { id: "audio", label: "Audio", kind: "media" },
  video: { id: "video", label: "Video", kind: "media" },
  text: { id: "text", label: "Text", kind: "text" },
  hex: { id: "hex", label: "Hex", kind: "hex" },
  raw: { id: "raw", label: "Raw, as sent", kind: "raw" },
};

/**
 * The views that fit a body, the best first.
 *
 * @param {string} contentType
 * @param {Uint8Array} bytes The loaded bytes of the body.
 * @param {"request" | "response"} owner
 * @returns {View[]}
 */
export function viewsFor(contentType, bytes, owner) {
  const type = mediaType(contentType);
  const fitting = [];
  if (type === "application/graphql" || (owner === "request" && asksGraphQL(bytes))) fitting.push(views.graphql);
  if (type.includes("json")) fitting.push(views.json);
  if (type.startsWith("image/")) fitting.push(views.image);
  if (type.startsWith("audio/")) fitting.push(views.audio);
  if (type.startsWith("video/")) fitting.push(views.video);
  if (/^font\/|^application\/(x-)?font-|\bopentype\b|truetype/.test(type)) fitting.push(views.font);
  if (type.includes("html")) fitting.push(views.html);
  if (/[/+]xml$/.test(type)) fitting.push(views.xml);
  if (type.includes("javascript") || type.includes("ecmascript")) fitting.push(views.script);
  if (type === "text/css") fitting.push(views.style);
  if (type === "application/x-www-form-urlencoded") fitting.push(views.form);
  if (type.startsWith("multipart/")) fitting.push(views.multipart);
  if (/[/+.-](protobuf|protobuffer|proto)$/.test(type)) fitting.push(views.protobuf);
  if (/^application\/(x-|vnd\.)?(msgpack|messagepack)$|\+msgpack$/.test(type)) fitting.push(views.msgpack);
  if (/^application\/cbor(-seq)?$|\+cbor(-seq)?$/.test(type)) fitting.push(views.cbor);
  const looks = looksLike(bytes, parameterOf(contentType, "charset"));
  if (looks === "json" && fitting.length === 0) fitting.push(views.json);
  if (looks === "markup" && fitting.length === 0) fitting.push(views.xml);
  const all = looks === "binary" ? [views.hex, ...without(fitting, views.protobuf), views.text] : [views.text, views.hex];
  // Bytes with the type of a text that are no text are shown in the hex view first.
  const isMisnamed = looks === "binary" && fitting[0]?.kind === "text" && !binaryLayouts.has(fitting[0].layout ?? "");
  if (looks !== "binary" && hasToken(bytes)) all.push(views.tokens);
  const ordered = isMisnamed ? [views.hex, ...fitting, views.text] : [...fitting, ...all];
  return [...(looks === "json" ? addedOnce(ordered, views.json) : ordered), views.raw];
}

/** The most bytes of a request that are searched for GraphQL; nobody writes longer requests. */
const longestAsked = 1 << 20;

/** Whether a body is a GraphQL request, by its content: most clients send it as plain JSON. @param {Uint8Array} bytes */
function asksGraphQL(bytes) {
  const first = bytes.subarray(0, 64).find((byte) => byte > 32);
  if (bytes.length > longestAsked || (first !== 0x7b && first !== 0x5b)) return false;
  try {
    const text = new TextDecoder().decode(bytes);
    return /"query"|"persistedQuery"/.test(text) && isGraphQL(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Whether a body seems to hold a JSON Web Token. @param {Uint8Array} bytes */
function hasToken(bytes) {
  return /\beyJ[\w-]+\.[\w-]+\.[\w-]*/.test(new TextDecoder("latin1").decode(bytes.subarray(0, 1 << 16)));
}

/** The view in a list of its own; an empty list if the views include it already. */
function without(list, view) {
  return list.includes(view) ? [] : [view];
}

function addedOnce(list, view) {
  return list.includes(view) ? list : [...list, view];
}

/**
 * Whether a body is binary: control characters, or much invalid UTF-8 if the type names no other charset.
 *
 * @param {Uint8Array} bytes
 * @param {string} charset
 */
export function isBinary(bytes, charset) {
  const start = bytes.subarray(0, 1024);
  const controls = start.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  if (controls > start.length / 50) return true;
  if (charset && !/^utf-?8$/i.test(charset)) return false;
  // A character that is cut off at the end is no mistake.
  const text = new TextDecoder().decode(start, { stream: true });
  return text.split("\ufffd").length - 1 > text.length / 5;
}

function looksLike(bytes, charset) {
  if (isBinary(bytes, charset)) return "binary";
  const start = bytes.subarray(0, 1024);
  const first = String.fromCharCode(start.find((byte) => byte > 32) ?? 32);
  return first === "{" || first === "[" ? "json" : first === "<" ? "markup" : "text";
}
