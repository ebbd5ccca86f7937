import { el } from "../../core/dom.js";
import { duration } from "../../core/format.js";
import { began, isEndless } from "../../core/facts.js";

/** The names of the stages of an exchange, in order. */
export const stageNames = {
  queue: "Waiting for a connection", dns: "Name resolution", connect: "Connecting (TCP)", tls: "TLS with the server",
  send: "Sending the request", wait: "Waiting for the response", receive: "Receiving the response",
};

const setUp = ["dns", "connect", "tls"];

/** @typedef {{name: string, label: string, start: number, length: number}} Stage A stage in milliseconds, counted from the first stage. */

/**
 * The stages of an exchange in order, and the time that the set-up of the connection took before the
 * request came.
 *
 * @param {Record<string, number>} timings Milliseconds.
 * @returns {{bars: Stage[], began: number}}
 */
export function stagesOf(timings) {
  const bars = /** @type {Stage[]} */ ([]);
  const add = (name, start, length, label = stageNames[name]) => bars.push({ name, label, start, length });
  const { setUpBefore: before, requestEnded, firstByte: first, total } = timings;
  const start = before ?? 0;
  let at = 0;
  for (const name of before === undefined ? ["queue", ...setUp] : [...setUp, "queue"]) {
    if (timings[name] === undefined) continue;
    add(name, at, timings[name]);
    at += timings[name];
  }
  // A short request may end before the connection is open; the proxy then sends the request at once.
  const sent = start + Math.min(requestEnded ?? 0, first ?? total ?? Infinity);
  if (sent > at) {
    add("send", at, sent - at);
    at = sent;
  }
  if (first !== undefined) add("wait", at, Math.max(0, start + first - at));
  else if (total !== undefined && start + total > at) add("wait", at, start + total - at, "Without a response");
  if (first !== undefined && total !== undefined) add("receive", start + first, Math.max(0, total - first));
  return { bars, began: start };
}

/**
 * @typedef {object} Span The time from the start to the end of an item.
 * @property {number} start Milliseconds since 1970.
 * @property {number} asked When the request came, or the tunnel opened.
 * @property {number} end The last known moment.
 * @property {Stage[]} bars
 * @property {boolean} isEndless Whether the end is no sign of a wait: a stream, a tunnel, or a running item.
 */

/** @param {import("../../core/types.js").Traffic} item @returns {Span} */
export function spanOf(item) {
  const { bars, began: before } = stagesOf(item.timings ?? {});
  // Stages count from the set-up of the connection, which may precede the request.
  const asked = Date.parse(began(item) ?? "");
  const start = asked - before;
  const total = item.type === "flow" ? item.closed ? Date.parse(item.closed) - start : 0 : before + (item.milliseconds ?? 0);
  if (bars.length === 0) bars.push({ name: "open", label: item.type === "flow" ? "Open" : "Not known by stages", start: 0, length: total });
  return { asked, start, bars, end: start + Math.max(total, ...bars.map((bar) => bar.start + bar.length)),
    isEndless: isEndless(item) };
}

/** The stages in words. @param {Stage[]} bars */
export function inWords(bars) {
  return bars.filter((bar) => bar.length > 0).map((bar) => `${bar.label} ${duration(bar.length)}`).join(", ");
}

/**
 * A table of the stages of one exchange. The set-up of a connection that was open before the request is marked:
 * the response did not wait for it.
 *
 * @param {Record<string, number>} timings Milliseconds.
 * @param {boolean} isRunning
 * @param {import("./server-timing.js").ServerEntry[]} [said] The server's own times.
 */
export function waterfall(timings, isRunning, said = []) {
  const { bars, began } = stagesOf(timings);
  const { setUpBefore: before, total } = timings;
  const waited = bars.find((bar) => bar.name === "wait")?.start ?? began;
  const end = Math.max(began + (total ?? 0), ...bars.map((bar) => bar.start + bar.length),
    ...said.map((entry) => waited + (entry.duration ?? 0)), 0.001);
  return el("table", { class: "waterfall", "aria-label": "Timing" },
    el("thead", { class: "visually-hidden" }, el("tr", {}, el("th", { scope: "col" }, "Stage"),
      el("th", { scope: "col" }, "From start to end"), el("th", { scope: "col" }, "Time"))),
    el("tbody", {}, ...bars.map((bar) => row(bar, end)),
      before !== undefined && sum("Set-up, before the request", before),
      sum(isRunning ? "So far" : before === undefined ? "Total" : "Total from the request on", total)),
    said.length > 0 && el("tbody", { class: "server-timing" },
      el("tr", {}, el("th", { scope: "rowgroup", colspan: 3 }, "Server-Timing: lengths by the server, which does not say when")),
      ...said.map((entry) => row(serverStage(entry, waited), end))));
}

/** A stage for a time that the server reports, drawn from the start of the wait. @param {import("./server-timing.js").ServerEntry} entry @param {number} start @returns {Stage} */
export function serverStage({ name, description, duration: length }, start) {
  return { name: "server", label: description ? `${name}: ${description}` : name, start, length: length ?? NaN };
}

function sum(label, length) {
  return el("tr", { class: "total" }, el("th", { scope: "row" }, label), el("td", {}),
    el("td", { class: "number" }, length === undefined ? "…" : duration(length)));
}

/** A stage as a bar in a track that ends at `end` milliseconds. @param {Stage} stage @param {number} end */
export function barOf(stage, end) {
  const line = el("span", { class: `stage-bar stage-${stage.name}`, title: `${stage.label}: ${duration(stage.length)}` });
  line.style.left = `${stage.start / end * 100}%`;
  line.style.width = `${stage.length / end * 100}%`;
  return line;
}

function row(bar, end) {
  // An entry of Server-Timing without a duration has no bar.
  const isKnown = !Number.isNaN(bar.length);
  return el("tr", {}, el("th", { scope: "row" }, bar.label),
    el("td", { class: "track" }, el("div", {}, isKnown && barOf(bar, end))), el("td", { class: "number" }, isKnown ? duration(bar.length) : "—"));
}
