import { askJSON, withQuery } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { firstStep } from "../../core/first-step.js";
import { dateAndClock } from "../../core/format.js";
import { Problem } from "../../core/problem.js";

/** Milliseconds between two readings of the log. */
const pause = 2000;

/** The log of the proxy since its start: starts, configurations that were read again, warnings, failures. */
export class LogPage {
  #timer = 0;
  #last = 0;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  show() {
    this.#last = 0;
    this.rows = el("tbody", {});
    this.note = el("div", { class: "soft", role: "status" }, "Loading…");
    fill(this.page, el("main", { class: "log", "aria-label": "Events" }, el("h1", {}, "Events"),
      el("p", { class: "soft" }, "The log of the proxy since its start, the newest entry first. Failures of single "
        + "connections are in the traffic: ", el("a", { href: "#/?q=failed" }, "failed exchanges and handshakes"), "."),
      this.note, el("table", { "aria-label": "Events" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Time"),
        el("th", { scope: "col" }, "Kind"), el("th", { scope: "col" }, "What"))), this.rows)));
    this.#load();
  }

  hide() {
    clearTimeout(this.#timer);
    this.#timer = -1;
  }

  async #load() {
    const rows = this.rows;
    this.#timer = 0;
    try {
      const { entries } = await askJSON(withQuery("/api/log", { after: String(this.#last) }));
      if (rows !== this.rows || this.#timer < 0) return;
      for (const entry of entries) {
        this.#last = entry.number;
        rows.prepend(el("tr", { class: `level-${entry.level}` }, el("td", { class: "when" }, dateAndClock(entry.time)),
          el("td", { class: "when" }, entry.level), el("td", { class: "what" }, entry.text)));
      }
      fill(this.note, rows.childElementCount === 0 && firstStep("No events yet",
        el("p", {}, "This page lists where the proxy listens, what was changed and what went wrong. The console of a file has no proxy. Start one in a terminal: ",
          el("code", {}, "pinhole proxy"), ".")));
    } catch (error) {
      if (rows === this.rows) fill(this.note, Problem.of(error).sentence);
    }
    if (rows === this.rows && this.#timer >= 0) this.#timer = setTimeout(() => this.#load(), pause);
  }
}
