/** @typedef {import("./copy-request.js").CopiedRequest} CopiedRequest */

/** @type {{id: string, label: string, write: (request: CopiedRequest) => string}[]} */
export const writers = [
  { id: "curl", label: "curl", write: curl },
  { id: "httpie", label: "HTTPie", write: httpie },
  { id: "fetch", label: "fetch (JavaScript)", write: fetchCall },
  { id: "python", label: "Python (requests)", write: python },
  { id: "swift", label: "Swift (URLSession)", write: swift },
];

/**
 * A word of `sh`. Inside single quotes nothing has a meaning but the quote itself.
 *
 * @param {string} text
 */
export function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Fields go on one line: CR, LF and NUL would begin something else. */
function clean(value) {
  return value.replace(/[\r\n\0]/g, " ");
}

function remarks(request, mark) {
  return request.remarks.map((remark) => `${mark} ${remark}\n`).join("");
}

function curl(request) {
  const parts = ["curl"];
  const isGet = request.method === "GET" && request.body.length === 0;
  const isPost = request.method === "POST" && request.body.length > 0;
  // --request HEAD would wait for a body.
  if (request.method === "HEAD") parts.push("--head");
  else if (!isGet && !isPost) parts.push(`--request ${shellWord(request.method)}`);
  parts.push(`--url ${shellWord(request.url)}`, "--globoff", "--path-as-is");
  for (const [name, value] of request.fields) {
    if (name.toLowerCase() === "accept-encoding") parts.push("--compressed");
    // A semicolon sends a field without a value.
    parts.push(`--header ${shellWord(value ? `${clean(name)}: ${clean(value)}` : `${clean(name)};`)}`);
  }
  // A field without anything after the colon is one that curl leaves out.
  for (const own of ["User-Agent", "Accept", ...(request.body.length > 0 ? ["Content-Type"] : [])]) {
    if (!request.fields.some(([name]) => name.toLowerCase() === own.toLowerCase())) parts.push(
      `--header ${own}:`);
  }
  let before = "";
  if (request.body.length > 0) {
    if (request.text !== null) parts.push(`--data-raw ${shellWord(request.text)}`);
    else {
      before = `printf %s ${base64(request.body)} | base64 -d | `;
      parts.push("--data-binary @-");
    }
  }
  return remarks(request, "#") + before + parts.join(" \\\n  ") + "\n";
}

function httpie(request) {
  const hasText = request.body.length > 0 && request.text !== null;
  const hasBytes = request.body.length > 0 && request.text === null;
  const parts = [`http${hasBytes ? "" : " --ignore-stdin"}`];
  if (hasText) parts.push(`--raw ${shellWord(request.text ?? "")}`);
  parts.push(shellWord(request.method), shellWord(request.url));
  for (const [name, value] of request.fields) parts.push(
    shellWord(value ? `${escapeItem(clean(name))}:${clean(value)}` : `${escapeItem(clean(name))};`));
  const before = hasBytes ? `printf %s ${base64(request.body)} | base64 -d | ` : "";
  return remarks(request, "#") + before + parts.join(" \\\n  ") + "\n";
}

/** HTTPie reads the first separator; those in the name are escaped. */
function escapeItem(name) {
  return name.replace(/[:=@;\\]/g, "\\$&");
}

function fetchCall(request) {
  const options = { method: request.method, headers: request.fields.map(
    ([name, value]) => [clean(name), clean(value)]) };
  const text = JSON.stringify(options, null, 2);
  let body = "";
  if (request.body.length > 0) {
    body = request.text !== null ? `,\n  "body": ${JSON.stringify(request.text)}\n}`
      : `,\n  "body": Uint8Array.from(atob("${base64(request.body)}"), (c) => c.charCodeAt(0))\n}`;
  }
  return `${remarks(request, "//")}const response = await fetch(${JSON.stringify(request.url)}, ${body ? text.slice(0, -2) + body : text});\n`;
}

function python(request) {
  const lines = ["import requests", ""];
  // A dictionary has each name once; requests joins nothing itself.
  const fields = new Map();
  for (const [name, value] of request.fields) fields.set(
    name, fields.has(name) ? `${fields.get(name)}${name.toLowerCase() === "cookie" ? "; " : ", "}${value}`
    : value);
  lines.push("response = requests.request(", `    ${pythonText(request.method)},`,
    `    ${pythonText(request.url)},`);
  if (fields.size > 0) {
    lines.push("    headers={");
    for (const [name, value] of fields) lines.push(
      `        ${pythonText(clean(name))}: ${pythonText(clean(value))},`);
    lines.push("    },");
  }
  if (request.body.length > 0) lines.push(`    data=${pythonBytes(request.body)},`);
  lines.push("    allow_redirects=False,", ")", "print(response.status_code, response.text)");
  return remarks(request, "#") + lines.join("\n") + "\n";
}

/** JSON's escapes are Python's, but for half of a surrogate pair. */
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
  const lines = ["import Foundation", "",
    `var request = URLRequest(url: URL(string: ${swiftText(request.url)})!)`,
    `request.httpMethod = ${swiftText(request.method)}`];
  for (const [name, value] of request.fields) lines.push(
    `request.addValue(${swiftText(clean(value))}, forHTTPHeaderField: ${swiftText(clean(name))})`);
  if (request.body.length > 0) {
    lines.push(request.text !== null ? `request.httpBody = Data(${swiftText(request.text)}.utf8)`
      : `request.httpBody = Data(base64Encoded: "${base64(request.body)}")`);
  }
  lines.push("let (data, response) = try await URLSession.shared.data(for: request)");
  return remarks(request, "//") + lines.join("\n") + "\n";
}

function swiftText(text) {
  const escaped = text.replace(/[\\"\x00-\x1f\x7f\u0085\u2028\u2029]/g, (character) => {
    if (character === "\\" || character === '"') return "\\" + character;
    return `\\u{${character.charCodeAt(0).toString(16)}}`;
  });
  return `"${escaped}"`;
}

function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(
    ...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
