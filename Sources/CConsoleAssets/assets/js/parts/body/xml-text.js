import { Indentation, inOneLine, rowsIn } from "./lines.js";

/**
 * Lays XML out, one element a line; an element that holds text alone keeps its line. The browser's parser is not
 * used, so a text cannot run or load anything.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][]}}
 */
export function layOutXML(source) {
  const lines = [];
  const folds = [];
  const open = [];
  const indentation = new Indentation(source);
  const indent = () => indentation.of(open.length);
  const pieces = markup(source);
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece.startsWith("</")) {
      const first = open.pop();
      lines.push(indent() + inOneLine(piece));
      if (first !== undefined) folds.push([first, lines.length - 1]);
    } else if (/^<[^!?]/.test(piece) && !piece.endsWith("/>")) {
      const closing = closes(pieces, at);
      if (closing > 0) {
        lines.push(indent() + pieces.slice(at, closing + 1).map(inOneLine).join(""));
        at = closing;
      } else {
        lines.push(indent() + inOneLine(piece));
        open.push(lines.length - 1);
      }
    } else {
      for (const row of piece.endsWith("/>") ? [inOneLine(piece)] : rowsIn(piece)) if (row.trim() !== "") lines.push(indent() + row.trim());
    }
  }
  return { lines, folds };
}

/**
 * The first mistake of a text's tags: an unfinished tag, or a tag that is closed out of order.
 *
 * @param {string} source
 * @returns {string} The complaint; empty for a text without mistakes.
 */
export function complaintAboutXML(source) {
  const open = [];
  let hasElement = false;
  for (let at = source.indexOf("<"), end; at >= 0; at = source.indexOf("<", end)) {
    end = tagEnd(source, at);
    const where = () => `line ${source.slice(0, at).split("\n").length}`;
    if (end < 0) return `${where()}: “${source.slice(at, at + 40)}” does not end.`;
    if (/[!?]/.test(source[at + 1])) continue;
    const isClosing = source[at + 1] === "/";
    const name = /^[^\s/>]*/.exec(source.slice(at + (isClosing ? 2 : 1), end))?.[0] ?? "";
    if (!/^[\p{L}_:]/u.test(name)) return `${where()}: “${source.slice(at, Math.min(end, at + 40))}” is no tag.`;
    hasElement = true;
    if (isClosing) {
      const last = open.pop();
      if (last !== name) return `${where()}: expected ${last === undefined ? "no closing tag" : `</${last}>`}, found </${name}>.`;
    } else if (source[end - 2] !== "/") {
      open.push(name);
    }
  }
  if (open.length > 0) return `it ends before </${open.at(-1)}>.`;
  return hasElement ? "" : "it has no element.";
}

/** The end of an element that contains one text alone. */
function closes(pieces, at) {
  if (pieces[at + 1]?.startsWith("</")) return at + 1;
  const isText = pieces[at + 1] !== undefined && (
    !pieces[at + 1].startsWith("<") || pieces[at + 1].startsWith("<![CDATA["));
  return isText && !/[\r\n]/.test(pieces[at + 1]) && pieces[at + 2]?.startsWith("</") ? at + 2 : -1;
}

/** Splits a text into tags, comments and texts. Texts of spaces alone are left out. */
function markup(source) {
  const pieces = [];
  let at = 0;
  while (at < source.length) {
    const isTag = source[at] === "<";
    let end = isTag ? tagEnd(source, at) : source.indexOf("<", at);
    if (end < 0) end = source.length;
    const piece = source.slice(at, end);
    if (piece.trim() !== "") pieces.push(isTag ? piece : piece.trim());
    at = end;
  }
  return pieces;
}

function tagEnd(source, start) {
  const after = (text) => {
    const found = source.indexOf(text, start);
    return found < 0 ? -1 : found + text.length;
  };
  if (source.startsWith("<!--", start)) return after("-->");
  if (source.startsWith("<![CDATA[", start)) return after("]]>");
  if (source.startsWith("<?", start)) return after("?>");
  let quote = "";
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source[at];
    if (quote) quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at + 1;
  }
  return -1;
}
