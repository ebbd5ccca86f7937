import { Indentation } from "./lines.js";

/**
 * Lays JSON out, one value a line, without changing any value: numbers keep all their digits, strings their
 * escapes.
 *
 * Text that is no JSON, or ends early, is laid out up to the mistake; a sequence of values (JSON lines) is laid out
 * one below the other.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][]}} Folds are the first and the last line of objects
 * and arrays.
 */
export function layOutJSON(source) {
  const lines = [];
  const folds = [];
  const open = [];
  const indentation = new Indentation(source);
  let line = "";
  let at = 0;
  const end = source.length;
  const breakLine = () => {
    lines.push(line);
    line = indentation.of(open.length);
  };
  while (at < end) {
    const code = source.charCodeAt(at);
    if (code === 32 || code === 10 || code === 13 || code === 9) {
      at += 1;
    } else if (code === 34) {
      const after = stringEnd(source, at);
      if (open.length === 0 && line !== "") breakLine();
      line += source.slice(at, after);
      at = after;
    } else if (code === 123 || code === 91) {
      if (open.length === 0 && line !== "") breakLine();
      const next = skipSpace(source, at + 1);
      line += source[at];
      if (next < end && source.charCodeAt(next) === code + 2) {
        line += source[next];
        at = next + 1;
        continue;
      }
      open.push(lines.length);
      breakLine();
      at = next;
    } else if (code === 125 || code === 93) {
      const first = open.pop();
      if (first !== undefined) breakLine();
      line += source[at];
      if (first !== undefined) folds.push([first, lines.length]);
      at += 1;
    } else if (code === 44) {
      line += ",";
      breakLine();
      at += 1;
    } else if (code === 58) {
      line += ": ";
      at += 1;
    } else {
      const after = wordEnd(source, at);
      if (open.length === 0 && line !== "") breakLine();
      line += source.slice(at, after);
      at = after;
    }
  }
  if (line.trim() !== "") lines.push(line);
  for (const first of open) folds.push([first, lines.length - 1]);
  return { lines, folds };
}

/** The parser's complaint; empty for JSON and JSON lines. @param {string} source */
export function complaintAboutJSON(source) {
  try {
    JSON.parse(source);
    return "";
  } catch (error) {
    const rows = source.split("\n").filter((row) => row.trim() !== "");
    try {
      if (rows.length > 1) {
        for (const row of rows) JSON.parse(row);
        return "";
      }
    } catch {
      // The first complaint concerns the whole text, so it is the better one.
    }
    return error instanceof Error ? error.message : String(error);
  }
}

export function stringEnd(source, start) {
  let at = start + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote < 0) return source.length;
    let slashes = 0;
    while (source.charCodeAt(quote - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0 || quote - slashes <= start) return quote + 1;
    at = quote + 1;
  }
}

export function skipSpace(source, start) {
  let at = start;
  while (at < source.length && source.charCodeAt(at) <= 32) at += 1;
  return at;
}

function wordEnd(source, start) {
  let at = start + 1;
  while (at < source.length && !' \n\r\t{}[],:"'.includes(source[at])) at += 1;
  return at;
}
