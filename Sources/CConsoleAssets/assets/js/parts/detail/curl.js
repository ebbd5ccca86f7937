import { comments, latin1, longestArgument, pipe, readableText, shellWord, textWord } from "./shell-word.js";

/** @param {import("./copy-request.js").CopiedRequest} request */
export function curl(request) {
  const parts = ["curl"];
  const hasBody = request.body.length > 0;
  // With `--request HEAD` curl would wait for a body.
  if (request.method === "HEAD") parts.push("--head");
  else if (request.method !== (hasBody ? "POST" : "GET")) parts.push(`--request ${textWord(request.method)}`);
  parts.push(`--url ${textWord(request.url)}`, "--globoff", "--path-as-is");
  for (const [name, value] of request.fields) {
    if (name.toLowerCase() === "accept-encoding") parts.push("--compressed");
    // curl sends a field without a value only if a semicolon follows the name.
    parts.push(`--header ${shellWord(value ? `${name}: ${value}` : `${name};`)}`);
  }
  // curl leaves out a field without a value after the colon, so this removes a field of its own.
  for (const own of ["User-Agent", "Accept", ...(hasBody ? ["Content-Type"] : [])]) {
    if (!request.fields.some(([name]) => name.toLowerCase() === own.toLowerCase())) parts.push(
      `--header ${own}:`);
  }
  let before = "";
  if (hasBody) {
    const bytes = latin1(request.body);
    if (bytes.length <= longestArgument && readableText(bytes) !== null) parts.push(`--data-raw ${shellWord(bytes)}`);
    else {
      before = pipe(request.body);
      parts.push("--data-binary @-");
    }
  }
  return comments(request.remarks, "#") + before + parts.join(" \\\n  ") + "\n";
}
