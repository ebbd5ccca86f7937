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
  for (const [first, last] of folds) if (last > first) foldRows[firstRows[first]] = firstRows[last];
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
