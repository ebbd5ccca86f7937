/** @typedef {{name: string, duration?: number, description?: string}} ServerEntry Milliseconds. */

const token = /^[!#$%&'*+\-.^_`|~\w]+/;
/** The text between commas, or between semicolons, outside of quoted strings. */
const members = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
const parameters = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g;

/**
 * The entries of Server-Timing fields (W3C Server Timing §3): `db;dur=53.2;desc="the orders", cache;desc=hit`.
 *
 * As in browsers, an invalid entry is skipped, and of a repeated parameter the first counts.
 *
 * @param {string} text All fields of a response, with a comma between them.
 * @returns {ServerEntry[]}
 */
export function serverTiming(text) {
  const entries = /** @type {ServerEntry[]} */ ([]);
  for (const member of text.match(members) ?? []) {
    const [name, ...pairs] = (member.match(parameters) ?? []).map((part) => part.trim());
    if (!name || tokenOf(name) !== name) continue;
    const entry = /** @type {ServerEntry} */ ({ name });
    for (const pair of pairs) {
      const [key, value] = [/^[^=]*/.exec(pair)?.[0].trim().toLowerCase(), valueOf(/=\s*(.*)/s.exec(pair)?.[1] ?? "")];
      if (key === "dur" && !("duration" in entry)) entry.duration = value !== "" && Number(value) >= 0 && Number(value) < Infinity ? Number(value) : undefined;
      else if (key === "desc") entry.description ??= value;
    }
    entries.push(entry);
  }
  return entries;
}

function tokenOf(text) {
  return token.exec(text)?.[0] ?? "";
}

/** A token, or the text of a quoted string. @param {string} text */
function valueOf(text) {
  return text.startsWith('"') ? /^"((?:[^"\\]|\\.)*)/s.exec(text)?.[1].replace(/\\(.)/gs, "$1") ?? "" : tokenOf(text);
}
