import { el } from "../../core/dom.js";

const mostLines = 20_000;
const mostSteps = 2_000;
/** The equal lines that stay around each difference. */
const context = 3;

/** @typedef {{kind: "same" | "removed" | "added", text: string}} DiffLine */

/**
 * The shortest edit script from one text to another, line by line (Myers 1986).
 *
 * @param {string[]} left
 * @param {string[]} right
 * @returns {DiffLine[] | null} `null` for texts that are too long or too different.
 */
export function diffLines(left, right) {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < left.length - start && end < right.length - start
    && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const middle = shortest(left.slice(start, left.length - end), right.slice(start, right.length - end));
  if (!middle || left.length + right.length > 2 * mostLines) return null;
  const same = (/** @type {string} */ text) => /** @type {DiffLine} */ ({ kind: "same", text });
  return [...left.slice(0, start).map(same), ...middle, ...left.slice(left.length - end).map(same)];
}

/** The lines that differ, with some lines around them. @param {DiffLine[]} lines */
export function linesAround(lines) {
  const isNear = new Uint8Array(lines.length);
  lines.forEach((line, at) => line.kind !== "same"
    && isNear.fill(1, Math.max(0, at - context), at + context + 1));
  const rows = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (!isNear[at]) {
      if (at === 0 || isNear[at - 1]) rows.push(el("div", { class: "diff-gap" }, "⋯"));
      continue;
    }
    const { kind, text } = lines[at];
    const sign = kind === "added" ? "+" : kind === "removed" ? "−" : " ";
    rows.push(el("div", { class: `diff-line ${kind}` }, el("span", { class: "sign" }, sign),
      text.slice(0, 2000)));
  }
  return rows;
}

function shortest(left, right) {
  const limit = Math.min(left.length + right.length, mostSteps);
  const offset = limit + 1;
  const reach = new Int32Array(2 * limit + 3);
  const history = [];
  for (let steps = 0; steps <= limit; steps += 1) {
    history.push(reach.slice(offset - steps - 1, offset + steps + 2));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const isDown = diagonal === -steps || (diagonal !== steps
        && reach[offset + diagonal - 1] < reach[offset + diagonal + 1]);
      let x = isDown ? reach[offset + diagonal + 1] : reach[offset + diagonal - 1] + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1;
      reach[offset + diagonal] = x;
      if (x >= left.length && x - diagonal >= right.length) return walkBack(history, left, right);
    }
  }
  return null;
}

function walkBack(history, left, right) {
  /** @type {DiffLine[]} */
  const lines = [];
  let x = left.length;
  let y = right.length;
  for (let steps = history.length - 1; steps >= 0; steps -= 1) {
    const reach = (/** @type {number} */ diagonal) => history[steps][diagonal + steps + 1];
    const diagonal = x - y;
    const isDown = diagonal === -steps || (diagonal !== steps && reach(diagonal - 1) < reach(diagonal + 1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = steps === 0 ? 0 : reach(before);
    const fromY = steps === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      lines.push({ kind: "same", text: left[x] });
    }
    if (steps === 0) break;
    if (isDown) lines.push({ kind: "added", text: right[--y] });
    else lines.push({ kind: "removed", text: left[--x] });
  }
  return lines.reverse();
}
