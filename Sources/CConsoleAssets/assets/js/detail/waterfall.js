import { el } from "../core/dom.js";
import { duration } from "../core/format.js";

const queue = { queue: "Waiting for a connection" };
const setUp = { dns: "DNS", connect: "TCP", tls: "TLS with the server" };

/** @typedef {{name: string, label: string, start: number, length: number}} Stage Milliseconds from the first stage on. */

/**
 * The stages of an exchange, each after the one before, and the time before the request came, which the set-up of a
 * connection may have taken.
 *
 * @param {Record<string, number>} timings Milliseconds.
 * @returns {{bars: Stage[], began: number}}
 */
export function stagesOf(timings) {
  const bars = [];
  let at = 0;
  const before = timings.setUpBefore;
  for (const [name, label] of Object.entries(before === undefined ? { ...queue, ...setUp } : { ...setUp, ...queue })) {
    if (timings[name] === undefined) continue;
    bars.push({ name, label, start: at, length: timings[name] });
    at += timings[name];
  }
  const began = before ?? 0;
  const { firstByte: first, total } = timings;
  if (first !== undefined) bars.push({ name: "wait", label: "Until the first byte", start: at,
    length: Math.max(0, began + first - at) });
  if (first !== undefined && total !== undefined) bars.push(
    { name: "receive", label: "Receiving", start: began + first, length: Math.max(0, total - first) });
  return { bars, began };
}

/**
 * The stages of one exchange, one below the other. A connection that stood before the request came was set up before it:
 * the answer did not wait for that.
 *
 * @param {Record<string, number>} timings Milliseconds.
 * @param {boolean} isRunning
 */
export function waterfall(timings, isRunning) {
  const { bars, began } = stagesOf(timings);
  const { setUpBefore: before, total } = timings;
  const end = Math.max(began + (total ?? 0), ...bars.map((bar) => bar.start + bar.length), 0.001);
  return el("table", { class: "waterfall", "aria-label": "Timing" },
    el("thead", { class: "visually-hidden" }, el("tr", {}, el("th", { scope: "col" }, "Stage"),
      el("th", { scope: "col" }, "From start to end"), el("th", { scope: "col" }, "Time"))),
    el("tbody", {}, ...bars.map((bar) => row(bar, end)),
      before !== undefined && sum("Set-up, before the request", before),
      sum(isRunning ? "So far" : before === undefined ? "Total" : "Total from the request on", total)));
}

function sum(label, length) {
  return el("tr", { class: "total" }, el("th", { scope: "row" }, label), el("td", {}),
    el("td", { class: "number" }, length === undefined ? "…" : duration(length)));
}

/** A stage as a bar in a track of so many milliseconds. @param {Stage} stage @param {number} end */
export function barOf(stage, end) {
  const line = el("span", { class: `bar bar-${stage.name}`, title: `${stage.label}: ${duration(stage.length)}` });
  line.style.left = `${stage.start / end * 100}%`;
  line.style.width = `${stage.length / end * 100}%`;
  return line;
}

function row(bar, end) {
  return el("tr", {}, el("th", { scope: "row" }, bar.label),
    el("td", { class: "track" }, el("div", {}, barOf(bar, end))), el("td", { class: "number" }, duration(bar.length)));
}
