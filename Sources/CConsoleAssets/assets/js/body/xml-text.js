const deepest = 100;

/**
 * Lays XML out, one element a line; an element that holds text alone keeps its line. Nothing is parsed by the
 * browser.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][]}}
 */
export function layOutXML(source) {
  const lines = [];
  const folds = [];
  const open = [];
  const indent = () => "  ".repeat(Math.min(open.length, deepest));
  const pieces = markup(source);
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece.startsWith("</")) {
      const first = open.pop();
      lines.push(indent() + piece);
      if (first !== undefined) folds.push([first, lines.length - 1]);
    } else if (/^<[^!?]/.test(piece) && !piece.endsWith("/>")) {
      const closing = closes(pieces, at);
      if (closing > 0) {
        lines.push(indent() + pieces.slice(at, closing + 1).join(""));
        at = closing;
      } else {
        lines.push(indent() + piece);
        open.push(lines.length - 1);
      }
    } else {
      for (const row of piece.split("\n")) if (row.trim() !== "") lines.push(indent() + row.trim());
    }
  }
  return { lines, folds };
}

/** Where an element ends that holds nothing but one text. */
function closes(pieces, at) {
  if (pieces[at + 1]?.startsWith("</")) return at + 1;
  const isText = pieces[at + 1] !== undefined && (
    !pieces[at + 1].startsWith("<") || pieces[at + 1].startsWith("<![CDATA["));
  return isText && !pieces[at + 1].includes("\n") && pieces[at + 2]?.startsWith("</") ? at + 2 : -1;
}

/** Cuts into tags, comments and texts; texts of spaces alone are left out. */
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
