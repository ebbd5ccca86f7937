import { askJSON, withQuery } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { counted, duration } from "../core/format.js";
import { Problem } from "../core/problem.js";
import { route } from "../core/route.js";
import { barOf, stagesOf } from "../detail/waterfall.js";
import { title } from "../traffic/facts.js";

/** Exchanges that are shown: what a page loads, and not what a day brings. */
const most = 200;
/** Questions that are under way at one time. */
const atOnce = 6;

/** The newest exchanges that a filter shows, below each other on one axis of time, each with its stages. */
export class TimelinePage {
  #abort = new AbortController();

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  show() {
    const filter = route.parameter("q");
    this.table = el("div", { class: "wide" });
    fill(this.page, el("main", { class: "timeline", "aria-label": "Timeline" }, el("h1", {}, "Timeline"),
      el("p", { class: "soft" }, filter ? "Exchanges that match " : "The newest exchanges",
        filter && el("a", { href: withQuery("#/", { q: filter }) }, filter), ", at most the newest ", String(most), "."), this.table));
    this.#load(filter);
  }

  hide() {
    this.#abort.abort();
  }

  async #load(filter) {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    fill(this.table, el("p", { class: "soft" }, "Loading…"));
    try {
      const page = await askJSON(withQuery("/api/traffic", { filter, limit: most }), { signal });
      const items = page.items.filter((item) => item.type === "exchange").reverse();
      const details = await inTurn(items, (item) => askJSON(`/api/traffic/${item.id}`, { signal }));
      this.#fill(items.map((item, place) => ({ item, timings: details[place].timings ?? {} })));
    } catch (error) {
      if (!signal.aborted) fill(this.table, el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
    }
  }

  /** @param {{item: import("../core/types.js").Traffic, timings: Record<string, number>}[]} exchanges */
  #fill(exchanges) {
    if (exchanges.length === 0) {
      fill(this.table, el("p", { class: "soft" }, "No exchange matches."));
      return;
    }
    const rows = exchanges.map(({ item, timings }) => {
      const { bars, began } = stagesOf(timings);
      // Stages count from the set-up of the connection, which may have come before the request.
      const start = Date.parse(item.started ?? "") - began;
      return { item, timings, bars: bars.length > 0 ? bars : [{ name: "wait", label: "So far", start: 0, length: item.milliseconds ?? 0 }], start };
    });
    const first = Math.min(...rows.map((row) => row.start));
    const end = Math.max(0.001, ...rows.flatMap((row) => row.bars.map((bar) => row.start - first + bar.start + bar.length)));
    fill(this.table, el("table", { class: "waterfall", "aria-label": `${counted(rows.length, "exchange")} in ${duration(end)}` },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Exchange"), el("th", { scope: "col" }, "Status"),
        el("th", { scope: "col" }, `0 to ${duration(end)}`), el("th", { scope: "col", class: "number" }, "Time"))),
      el("tbody", {}, ...rows.map(({ item, bars, start }) => el("tr", {},
        el("th", { scope: "row" }, el("a", { href: `#/?id=${item.id}`, title: title(item) }, shortened(title(item)))),
        el("td", {}, String(item.status ?? "—")),
        el("td", { class: "track" }, el("div", {}, ...bars.map((bar) => barOf({ ...bar, start: start - first + bar.start }, end)))),
        el("td", { class: "number" }, item.milliseconds === undefined ? "…" : duration(item.milliseconds)))))));
  }
}

/** The beginning and the end of a long title. @param {string} text */
function shortened(text) {
  return text.length <= 70 ? text : `${text.slice(0, 40)}…${text.slice(-29)}`;
}

/**
 * Asks for each value, some at a time.
 *
 * @template Value, Answer
 * @param {Value[]} values
 * @param {(value: Value) => Promise<Answer>} ask
 * @returns {Promise<Answer[]>}
 */
async function inTurn(values, ask) {
  const answers = /** @type {Answer[]} */ ([]);
  let next = 0;
  await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, async () => {
    while (next < values.length) {
      const place = next;
      next += 1;
      answers[place] = await ask(values[place]);
    }
  }));
  return answers;
}
