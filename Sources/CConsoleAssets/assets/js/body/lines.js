/**
 * @typedef {object} Lines Rows of a text, ready to be shown.
 * @property {string} text
 * @property {Uint32Array} starts Where each row begins in the text.
 * @property {Uint32Array} ends
 * @property {Uint32Array} numbers The line that a row belongs to, counted from 1; 0 where it goes on from the row above.
 * @property {Int32Array} folds The last row of what begins in a row; -1 for nothing.
 */

/**
 * Breaks lines that are wider than the view into rows.
 *
 * @param {string[]} lines
 * @param {[number, number][]} folds First and last lines.
 * @param {number} width Characters.
 * @returns {Lines}
 */
export function rowsOf(lines, folds, width) {
  let count = 0;
  for (const line of lines) count += Math.max(1, Math.ceil(line.length / width));
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
      from = Math.min(line.length, from + width);
      ends[row] = at + from;
      row += 1;
    } while (from < line.length);
    at += line.length + 1;
  });
  const foldRows = new Int32Array(count).fill(-1);
  for (const [first, last] of folds) if (last > first && last < lines.length) foldRows[firstRows[first]] = firstRows[last];
  return { text: lines.join("\n"), starts, ends, numbers, folds: foldRows };
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

/** The rows of a text, however they end. @param {string} text @returns {string[]} */
export function rowsIn(text) {
  return text.split(/\r\n|\r|\n/);
}

/** A text without the white space at its ends: that of HTML and CSS, and not NBSP and its like, which are seen. @param {string} text */
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

/** What stands before the lines of each level: of a text that is all levels, no more than some of its length. */
export class Indentation {
  #left;

  /** @param {string} source What is laid out. */
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
