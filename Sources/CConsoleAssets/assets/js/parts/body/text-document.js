import { paint, spans } from "./highlight.js";
import { rowAt } from "./lines.js";

const mostMatches = 5000;

/** @typedef {{row: number, start: number, end: number}} Match The start and end are places in the text. */

/** Rows of a text with folds, as the code view shows them. */
export class TextDocument {
  /** @type {Uint32Array | null} The visible rows; `null` if nothing is folded. */
  #visible = null;
  #folded = new Set();
  /** @type {Match[]} */
  matches = [];
  current = -1;
  /** The row that the user went to; -1 for none. */
  marked = -1;

  /** @param {import("./lines.js").Lines} lines @param {string} language */
  constructor(lines, language) {
    this.lines = lines;
    this.language = language;
    this.hasFolds = lines.folds.some((last) => last >= 0);
    this.digits = String(lines.numbers.findLast((number) => number > 0) ?? 1).length;
  }

  get length() {
    return this.#visible ? this.#visible.length : this.lines.starts.length;
  }

  /** The text for the clipboard. */
  get text() {
    return this.lines.text;
  }

  /** @param {string} query */
  find(query) {
    this.matches = [];
    this.current = -1;
    if (!query) return;
    const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi");
    for (const match of this.lines.text.matchAll(pattern)) {
      this.matches.push({ row: rowAt(this.lines, match.index), start: match.index,
        end: match.index + match[0].length });
      if (this.matches.length === mostMatches) break;
    }
  }

  get hasMoreMatches() {
    return this.matches.length === mostMatches;
  }

  /** Goes to a match. @param {number} place @returns {number} The row to show, counted in visible rows. */
  visit(place) {
    this.current = (place + this.matches.length) % this.matches.length;
    return this.open(this.matches[this.current].row);
  }

  /** Opens the folds that hide a row. @param {number} row @returns {number} The row to show, counted in visible rows. */
  open(row) {
    for (const first of [...this.#folded]) {
      if (first < row && this.lines.folds[first] >= row) this.#folded.delete(first);
    }
    this.#recount();
    return this.#visible ? lowerBound(this.#visible, row) : row;
  }

  /** The whole line that a row belongs to. @param {number} row */
  lineOf(row) {
    let first = row;
    while (first > 0 && this.lines.numbers[first] === 0) first -= 1;
    const end = this.lines.text.indexOf("\n", this.lines.starts[first]);
    return this.lines.text.slice(this.lines.starts[first], end < 0 ? undefined : end);
  }

  /**
   * Marks another row.
   *
   * @param {number} by The number of visible rows to move by.
   * @param {number} from The first row if none is marked, counted in visible rows.
   * @returns {number} The row to show, counted in visible rows.
   */
  move(by, from) {
    const seen = this.marked < 0 ? from : this.open(this.marked) + by;
    const last = Math.max(0, Math.min(this.length - 1, seen));
    this.marked = this.#rowOf(last);
    return last;
  }

  /** Folds or unfolds the part that begins in the marked row. @param {boolean} isFolded @returns {boolean} Whether the fold changed. */
  fold(isFolded) {
    if (this.marked < 0 || this.lines.folds[this.marked] < 0 || this.#folded.has(this.marked) === isFolded) return false;
    if (isFolded) this.#folded.add(this.marked);
    else this.#folded.delete(this.marked);
    this.#recount();
    return true;
  }

  /** The row at a place among the visible rows. @param {number} seen */
  rowAt(seen) {
    return this.#rowOf(seen);
  }

  /** @param {number} row The row, counted in visible rows. */
  toggle(row) {
    const first = this.#rowOf(row);
    if (!this.#folded.delete(first)) this.#folded.add(first);
    this.#recount();
  }

  /** @param {boolean} isFolded */
  foldAll(isFolded) {
    this.#folded.clear();
    // The outermost fold stays open: a single “{…}” would show nothing.
    if (isFolded) this.lines.folds.forEach((last, first) => last >= 0 && first > 0
      && this.#folded.add(first));
    this.#recount();
  }

  /**
   * @param {HTMLElement} element
   * @param {number} seen
   */
  render(element, seen) {
    const row = this.#rowOf(seen);
    const [start, end] = [this.lines.starts[row], this.lines.ends[row]];
    const text = this.lines.text.slice(start, end);
    const gutter = document.createElement("span");
    gutter.className = "gutter";
    gutter.dataset.row = String(row);
    element.classList.toggle("current", row === this.marked);
    element.classList.remove("found");
    gutter.textContent = (this.lines.numbers[row] ? String(this.lines.numbers[row]) : "↳")
      .padStart(this.digits);
    const last = this.lines.folds[row];
    const isFolded = this.#folded.has(row);
    const nodes = [gutter, this.#twist(last, isFolded, seen, row),
      ...paint(text, spans(text, this.language), this.#marks(start, end))];
    if (isFolded) nodes.push(...this.#folding(row, last));
    element.replaceChildren(...nodes);
  }

  /** The end of a folded row: the number of hidden lines, and the closing bracket. */
  #folding(row, last) {
    const hint = document.createElement("span");
    hint.className = "folded";
    const count = last - row - 1;
    hint.textContent = ` … ${count} ${count === 1 ? "line" : "lines"} `;
    const end = this.lines.text.slice(this.lines.starts[last], this.lines.ends[last]).trimStart();
    return [hint, document.createTextNode(end)];
  }

  #twist(last, isFolded, seen, row) {
    const twist = document.createElement(last >= 0 ? "button" : "span");
    twist.className = "twist";
    if (!(twist instanceof HTMLButtonElement)) return twist;
    twist.type = "button";
    twist.tabIndex = -1;
    twist.dataset.row = String(seen);
    twist.setAttribute("aria-expanded", String(!isFolded));
    twist.setAttribute("aria-label", `Fold line ${this.lines.numbers[row]}`);
    twist.textContent = isFolded ? "▸" : "▾";
    return twist;
  }

  #marks(start, end) {
    const marks = [];
    // Matches are in the order of the text.
    let at = lowerBoundBy(this.matches, (match) => match.end > start);
    for (; at < this.matches.length && this.matches[at].start < end; at += 1) {
      const match = this.matches[at];
      marks.push([Math.max(0, match.start - start), Math.min(end, match.end) - start,
        at === this.current ? "current" : ""]);
    }
    return marks;
  }

  #rowOf(seen) {
    return this.#visible ? this.#visible[seen] : seen;
  }

  #recount() {
    if (this.#folded.size === 0) {
      this.#visible = null;
      return;
    }
    const rows = new Uint32Array(this.lines.starts.length);
    let count = 0;
    for (let row = 0; row < this.lines.starts.length; row += 1) {
      rows[count++] = row;
      if (this.#folded.has(row)) row = this.lines.folds[row];
    }
    this.#visible = rows.subarray(0, count);
  }
}

function lowerBound(rows, row) {
  return lowerBoundBy(rows, (other) => other >= row);
}

function lowerBoundBy(list, holds) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
