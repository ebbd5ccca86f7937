/**
 * @typedef {object} Lines Rows of a text, ready to be shown.
 * @property {string} text
 * @property {Uint32Array} starts The start of each row in the text.
 * @property {Uint32Array} ends
 * @property {Uint32Array} numbers The line that a row belongs to, counted from 1; 0 for a row that continues the one above.
 * @property {Int32Array} folds The last row of the fold that begins in a row; -1 for none.
 */

/** Signs after which a long word is broken, rather than in its middle. */
const breakable = /[,;:&?/|)\]}>=+-]/;

/**
 * Breaks lines that are wider than the view into rows: behind a space, else behind a sign, else where the view ends.
 *
 * @param {string[]} lines
 * @param {[number, number][]} folds First and last lines.
 * @param {number} columns The characters of a row, with the line's number.
 * @returns {Lines}
 */
export function rowsOf(lines, folds, columns) {
  const width = Math.max(8, columns - String(lines.length).length);
  let count = 0;
  for (const line of lines) {
    let from = 0;
    do {
      from = endOfRow(line, from, width);
      count += 1;
    } while (from < line.length);
  }
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  const numbers = new Uint32Array(count);
  const firstRows = new Uint32Array(lines.length);
  let row = 0;
  let at = 0;
  lines.forEach((line, number) => {
    firstRows[number] = row;
    let from = 0;
    do {
      starts[row] = at + from;
      numbers[row] = from === 0 ? number + 1 : 0;
      from = endOfRow(line, from, width);
      ends[row] = at + from;
      row += 1;
    } while (from < line.length);
    at += line.length + 1;
  });
  const foldRows = new Int32Array(count).fill(-1);
  for (const [first, last] of folds) if (last > first && last < lines.length) foldRows[firstRows[first]] = firstRows[last];
  return { text: lines.join("\n"), starts, ends, numbers, folds: foldRows };
}

/** The place where the row that begins at `from` ends. @param {string} line @param {number} from @param {number} width */
function endOfRow(line, from, width) {
  const most = from + width;
  if (most >= line.length) return line.length;
  // A row is at least half full, so that a long word does not leave a row almost empty.
  const least = from + (width >> 1);
  let sign = 0;
  for (let end = most; end > least; end -= 1) {
    const code = line.charCodeAt(end - 1);
    if (code === 32 || code === 9) return end;
    if (!sign && breakable.test(line[end - 1])) sign = end;
  }
  // The two halves of a character stay together.
  return sign || (isLowSurrogate(line.charCodeAt(most)) ? most - 1 : most);
}

function isLowSurrogate(code) {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The row that holds a place of the text. @param {Lines} lines @param {number} place */
export function rowAt(lines, place) {
  let low = 0;
  let high = lines.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines.starts[middle] <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The lines of a text, with any line ending. @param {string} text @returns {string[]} */
export function rowsIn(text) {
  return text.split(/\r\n|\r|\n/);
}

/** A text without white space of HTML and CSS at its ends. NBSP and similar characters stay, because they are visible. @param {string} text */
export function trimmed(text) {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** White space of HTML, CSS and scripts, and no other control character. @param {number} code */
export function isSpace(code) {
  return code === 32 || (code >= 9 && code <= 13);
}

/** A tag in one line: line breaks in it are spaces. @param {string} tag */
export function inOneLine(tag) {
  return /[\r\n]/.test(tag) ? rowsIn(tag).map((row, number) => (number === 0 ? row.trimEnd() : trimmed(row))).filter(Boolean).join(" ") : tag;
}

/** The indentation of each level. Its total length is bounded by a multiple of the text, even if the text is all levels. */
export class Indentation {
  #left;

  /** @param {string} source The text to lay out. */
  constructor(source) {
    this.#left = 4 * source.length + (1 << 20);
  }

  /** @param {number} depth @returns {string} */
  of(depth) {
    const width = 2 * Math.min(depth, 100);
    this.#left -= width;
    return this.#left < 0 ? "" : " ".repeat(width);
  }
}
