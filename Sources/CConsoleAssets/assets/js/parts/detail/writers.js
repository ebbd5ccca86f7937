import { curl } from "./curl.js";
import { utf8Of } from "../../core/head.js";
import { httpie, rewritten } from "./httpie.js";
import { base64, comments } from "./shell-word.js";

/** @typedef {import("./copy-request.js").CopiedRequest} CopiedRequest */

/** @type {{id: string, label: string, write: (request: CopiedRequest) => string}[]} */
export const writers = [
  { id: "curl", label: "curl", write: curl },
  { id: "httpie", label: "HTTPie", write: httpie },
  { id: "fetch", label: "fetch (JavaScript)", write: fetchCall },
  { id: "python", label: "Python (requests)", write: python },
  { id: "swift", label: "Swift (URLSession)", write: swift },
];

/** A call of `fetch`. Fields are passed as bytes, one character each, here as for `requests`. */
function fetchCall(request) {
  const remarks = [...request.remarks];
  const isBodyless = /^(GET|HEAD)$/i.test(request.method);
  const hasBody = request.body.length > 0 && !isBodyless;
  if (request.body.length > 0 && isBodyless) remarks.push(
    `fetch sends no body with ${request.method}: it is left out`);
  if (request.fields.some(([, value]) => /[^\0-\x7f]/.test(value))) remarks.push(
    "fetch takes bytes: each character of a field is one, so UTF-8 looks odd here");
  const url = new URL(request.url).href;
  if (url !== request.url) remarks.push(`fetch asks for ${url}`);
  remarks.push(...joined(request, "fetch"));
  const options = { method: request.method, headers: request.fields };
  const text = JSON.stringify(options, null, 2);
  let body = "";
  if (hasBody) {
    // With a text as its body, fetch would add a Content-Type of its own.
    const hasType = request.fields.some(([name]) => name.toLowerCase() === "content-type");
    const text = JSON.stringify(request.text);
    body = request.text !== null ? `,\n  "body": ${hasType ? text : `new TextEncoder().encode(${text})`}\n}`
      : `,\n  "body": Uint8Array.from(atob("${base64(request.body)}"), (c) => c.charCodeAt(0))\n}`;
  }
  return `${comments(remarks, "//")}const response = await fetch(${JSON.stringify(request.url)}, ${body ? text.slice(0, -2) + body : text});\n`;
}

function python(request) {
  const remarks = [...request.remarks, ...joined(request, "requests")];
  const target = request.url.replace(/^\w+:\/\/[^/?]*/, "");
  // `requests` resolves dot segments of the path (RFC 3986 §5.2.4).
  if (rewritten.test(target) || /\/\.\.?(?![^/?])/.test(target)) remarks.push("requests writes the URL in its own way");
  const lines = ["import requests", ""];
  // A dictionary has each name once, and `requests` joins no fields itself.
  const fields = new Map();
  for (const [name, value] of request.fields) fields.set(
    name, fields.has(name) ? `${fields.get(name)}${name.toLowerCase() === "cookie" ? "; " : ", "}${value}`
    : value);
  lines.push("response = requests.request(", `    ${pythonText(request.method)},`,
    `    ${pythonText(request.url)},`);
  if (fields.size > 0) {
    lines.push("    headers={");
    for (const [name, value] of fields) lines.push(
      `        ${pythonText(name)}: ${pythonText(value)},`);
    lines.push("    },");
  }
  if (request.body.length > 0) lines.push(`    data=${pythonBytes(request.body)},`);
  lines.push("    allow_redirects=False,", ")", "print(response.status_code, response.text)");
  return comments(remarks, "#") + lines.join("\n") + "\n";
}

/** Adds a remark about repeated fields, which most clients join into one. */
function joined(request, tool) {
  const names = request.fields.map(([name]) => name.toLowerCase());
  return request.fields.filter(([name], place) => names.indexOf(name.toLowerCase()) < place
    && names.lastIndexOf(name.toLowerCase()) === place)
    .map(([name]) => `${tool} makes one field of those that are named ${name}`);
}

/** A text as a literal of Python. JSON's escapes are valid in Python, except for surrogate pairs. */
function pythonText(text) {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

function pythonBytes(bytes) {
  let text = "";
  for (const byte of bytes) {
    if (byte === 10) text += "\\n";
    else if (byte === 34 || byte === 92) text += "\\" + String.fromCharCode(byte);
    else text += byte >= 32 && byte < 127 ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `b"${text}"`;
}

function swift(request) {
  const remarks = [...request.remarks, ...joined(request, "URLSession")];
  if (/[^!-~]|["<>[\]\\^`{|}]/.test(request.url.replace(/^\w+:\/\/[^/?]*/, ""))) remarks.push("URL escapes in its own way");
  const lines = ["import Foundation", "#if canImport(FoundationNetworking)", "import FoundationNetworking", "#endif", "",
    `var request = URLRequest(url: URL(string: ${swiftText(request.url)})!)`,
    `request.httpMethod = ${swiftText(request.method)}`];
  for (const [name, value] of request.fields) {
    const text = utf8Of(value);
    if (text === null) remarks.push(`the field ${name} is no UTF-8, which a String has to be: it is left out`);
    else lines.push(`request.addValue(${swiftText(text)}, forHTTPHeaderField: ${swiftText(name)})`);
  }
  if (request.body.length > 0) {
    lines.push(request.text !== null ? `request.httpBody = Data(${swiftText(request.text)}.utf8)`
      : `request.httpBody = Data(base64Encoded: "${base64(request.body)}")`);
  }
  lines.push("let (data, response) = try await URLSession.shared.data(for: request)");
  return comments(remarks, "//") + lines.join("\n") + "\n";
}

function swiftText(text) {
  const escaped = text.replace(/[\\"\x00-\x1f\x7f\u0085\u2028\u2029]/g, (character) => {
    if (character === "\\" || character === '"') return "\\" + character;
    return `\\u{${character.charCodeAt(0).toString(16)}}`;
  });
  return `"${escaped}"`;
}
