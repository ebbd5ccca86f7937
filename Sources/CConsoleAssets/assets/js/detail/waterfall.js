import { el } from "../core/dom.js";
import { duration } from "../core/format.js";

const stages = { queue: "Waiting for a connection", dns: "DNS", connect: "TCP", tls: "TLS with the server" };

/**
 * Where the time went, each stage after the one before.
 *
 * @param {Record<string, number>} timings Milliseconds.
 * @param {boolean} isRunning
 */
export function waterfall(timings, isRunning) {
  const bars = [];
  let at = 0;
  for (const [name, label] of Object.entries(stages)) {
    if (timings[name] === undefined) continue;
    bars.push({ name, label, start: at, length: timings[name] });
    at += timings[name];
  }
  const first = timings.firstByte;
  const total = timings.total;
  // A connection that was opened earlier took none of this exchange's time.
  if (first !== undefined && first < at) {
    at = 0;
    for (const bar of bars) bar.start = 0;
  }
  if (first !== undefined) bars.push({ name: "wait", label: "Until the first byte", start: at,
    length: Math.max(0, first - at) });
  if (first !== undefined && total !== undefined) bars.push(
    { name: "receive", label: "Receiving", start: first, length: Math.max(0, total - first) });
  const end = Math.max(total ?? 0, ...bars.map((bar) => bar.start + bar.length), 0.001);
  return el("table", { class: "waterfall", "aria-label": "Timing" },
    el("thead", { class: "visually-hidden" }, el("tr", {}, el("th", { scope: "col" }, "Stage"),
      el("th", { scope: "col" }, "From start to end"), el("th", { scope: "col" }, "Time"))),
    el("tbody", {}, ...bars.map((bar) => row(bar, end)),
      el("tr", { class: "total" }, el("th", { scope: "row" }, isRunning ? "So far" : "Total"), el("td", {}),
        el("td", { class: "number" }, total === undefined ? "…" : duration(total)))));
}

function row(bar, end) {
  const line = el("span", { class: `bar bar-${bar.name}` });
  line.style.left = `${bar.start / end * 100}%`;
  line.style.width = `${bar.length / end * 100}%`;
  return el("tr", {}, el("th", { scope: "row" }, bar.label),
    el("td", { class: "track" }, el("div", {}, line)), el("td", { class: "number" }, duration(bar.length)));
}
