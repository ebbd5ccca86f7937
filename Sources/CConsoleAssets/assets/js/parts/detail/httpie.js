import { utf8Of } from "../../core/head.js";
import { comments, latin1, longestArgument, pipe, readableText, shellWord, textWord } from "./shell-word.js";

/** White space of Python, which HTTPie removes at both ends of a value. */
const outerSpace = /^[\s\x1c-\x1f\x85]|[\s\x1c-\x1f\x85]$/;
/** Matches URLs that `requests` rewrites: escapes in lower case, characters that need an escape, and needless escapes in a query. */
export const rewritten = /%(?![\dA-F]{2})|[^\w!#$%&'()*+,/:;=?@~.-]|\?.*%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])|\?$/;

/**
 * A command for HTTPie. Fields that HTTPie would read as another kind of argument are left out, with a remark.
 *
 * @param {import("./copy-request.js").CopiedRequest} request
 */
export function httpie(request) {
  // HTTPie reads a method with other characters as the URL.
  if (!/^[a-z]+$/i.test(request.method)) return comments([...request.remarks,
    "HTTPie has no way to say this method: copy as curl instead"], "#");
  const remarks = [...request.remarks];
  if (/[a-z]/.test(request.method)) remarks.push("HTTPie writes the method in capitals");
  if (rewritten.test(request.url.replace(/^\w+:\/\/[^/?]*/, ""))) remarks.push("HTTPie escapes the URL in its own way");
  const hasBody = request.body.length > 0;
  const bytes = latin1(request.body);
  const isArgument = bytes.length <= longestArgument && readableText(bytes) !== null;
  const parts = ["http"];
  if (!hasBody || isArgument) parts.push("--ignore-stdin");
  parts.push("--ignore-netrc", "--path-as-is");
  // A value apart from its option might look like another option.
  if (hasBody && isArgument) parts.push(shellWord(`--raw=${bytes}`));
  parts.push(request.method, textWord(request.url));
  for (const [name, value] of request.fields) {
    const item = itemOf(name, value);
    if (item === null) remarks.push(`HTTPie has no way to say the field ${name}, which is left out`);
    else parts.push(shellWord(item));
  }
  // HTTPie leaves out a field without a value after the colon, so this removes a field of its own.
  for (const own of ["User-Agent", "Accept", "Accept-Encoding", ...(hasBody ? ["Content-Type"] : [])]) {
    if (!request.fields.some(([name]) => name.toLowerCase() === own.toLowerCase())) parts.push(`${own}:`);
  }
  const before = hasBody && !isArgument ? pipe(request.body) : "";
  return comments(remarks, "#") + before + parts.join(" \\\n  ") + "\n";
}

/**
 * A request item that HTTPie reads as exactly this field.
 *
 * After the colon, `@` would name a file whose text is sent, and `=` would make JSON: a backslash escapes
 * `:`, `;`, `=` and `@`. HTTPie has no escape for a backslash before one of them, since two backslashes stay two.
 *
 * @param {string} name A token.
 * @param {string} value Bytes, one character each.
 */
function itemOf(name, value) {
  const text = utf8Of(value);
  // HTTPie reads an item that begins with a hyphen as an option.
  if (name.startsWith("-") || text === null || outerSpace.test(text)) return null;
  if (value === "") return `${name};`;
  if (/(?<!\\)(?:\\\\)*\\[:;=@]/.test(value)) return null;
  return `${name}:${value.replace(/^[@=]/, "\\$&")}`;
}
