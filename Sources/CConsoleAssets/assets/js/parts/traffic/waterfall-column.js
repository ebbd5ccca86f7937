import { el, setText } from "../../core/dom.js";
import { duration } from "../../core/format.js";
import { inWords, spanOf } from "../detail/waterfall.js";

/** @typedef {import("../../core/types.js").Traffic} Traffic */

/** @type {WeakMap<Traffic, import("../detail/waterfall.js").Span>} The computed spans of items. */
const spans = new WeakMap();

/** @param {Traffic} item */
function spanFor(item) {
  const span = spans.get(item) ?? spanOf(item);
  spans.set(item, span);
  return span;
}

/** The stages of an item, in words. @param {Traffic} item */
export function stagesText(item) {
  const { bars, start, end } = spanFor(item);
  return bars.length > 1 ? `${inWords(bars)}: ${duration(end - start)} in total` : inWords(bars);
}

/** The heights of stages in a row; other stages fill the line. */
const heights = { queue: "2px", dns: "4px", connect: "6px", tls: "6px", open: "4px" };

/** @typedef {HTMLElement & {drawn?: Traffic, place?: {left: number, width: number}}} Line `place` is the line's part of the axis, in percent. */

/** Prepares a cell for an item. The stages are drawn once the axis is known. @param {HTMLElement} cell @param {Traffic | undefined} item */
export function drawStages(cell, item) {
  const line = /** @type {Line} */ (cell.firstElementChild ?? cell.appendChild(el("span", { class: "span", role: "img" })));
  if (line.drawn === item) return;
  line.drawn = undefined;
  line.style.background = "none";
  line.setAttribute("aria-label", item ? stagesText(item) : "not loaded");
  cell.title = item ? stagesText(item) : "";
}

/**
 * The stages as backgrounds of one element. Separate elements would need a layout in each frame of scrolling, which
 * takes ten times as long as painting backgrounds.
 *
 * @param {import("../detail/waterfall.js").Stage[]} bars
 * @param {number} offset Milliseconds from the beginning of the axis.
 * @param {number} axis The length of the axis in milliseconds.
 */
function backgrounds(bars, offset, axis) {
  return bars.filter((bar) => bar.length > 0 || bars.length === 1).map(({ name, start, length }) => {
    const share = length / axis;
    // A background position in percent refers to the room that the background leaves.
    const place = (offset + start) / axis / (Math.abs(1 - share) < 1e-4 ? 1e-4 : 1 - share) * 100;
    return `var(--look-${name}) ${place.toFixed(2)}% 50% / max(1px, ${(share * 100).toFixed(2)}%) ${heights[name] ?? "100%"} no-repeat`;
  }).join(", ");
}

/** Milliseconds between two drawings. Fast scrolling shows no readable bars, and the axis would change in each frame. */
const interval = 120;

/** Draws the stages of the visible rows on one axis. */
export class StageAxis {
  #last = -Infinity;
  #timer = 0;
  /** @type {() => void} */
  #draw = () => {};

  /**
   * Draws rows. The axis is the time from the first to the last visible item. In a list in another order each item begins
   * at the left, so that the user can compare durations.
   *
   * @param {(HTMLElement & {item?: Traffic})[]} rows
   * @param {number} column The place of the column.
   * @param {HTMLElement} head The head of the column, which shows the length of the axis.
   * @param {boolean} isByTime
   */
  show(rows, column, head, isByTime) {
    this.#draw = () => {
      this.#last = performance.now();
      this.#timer = 0;
      draw(rows, column, head, isByTime);
    };
    if (this.#timer > 0) return;
    const rest = this.#last + interval - performance.now();
    if (rest <= 0) this.#draw();
    else this.#timer = setTimeout(() => this.#draw(), rest);
  }
}

function draw(rows, column, head, isByTime) {
  const shown = rows.flatMap((row) => (row.item && row.isConnected ? [{ row, span: spanFor(row.item) }] : []));
  const from = isByTime ? Math.min(...shown.map(({ span }) => span.start)) : 0;
  const startOf = (span) => (isByTime ? span.start - from : 0);
  // Streams and tunnels may last for hours, so the other items set the length of the axis.
  const length = Math.max(1, ...shown.map(({ span }) => startOf(span) + (span.isEndless ? 0 : span.end - span.start)));
  for (const { row, span } of shown) {
    const line = /** @type {Line | undefined} */ (row.children[column]?.firstElementChild);
    if (!line) continue;
    line.drawn = row.item;
    line.place = { left: startOf(span) / length * 100, width: (span.end - span.start) / length * 100 };
    line.style.background = backgrounds(span.bars, startOf(span), length);
  }
  setText(head, shown.length > 0 ? `Waterfall, ${duration(length)}` : "Waterfall");
}
