import { askJSON, withQuery } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { nothingMatches } from "../../core/first-step.js";
import { bytes, count, duration } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";

const facts = { host: "Host", status: "Status", method: "Method", type: "Type", process: "Program", user: "User" };

/** @typedef {{name: string, count: number, failed: number, sentBytes: number, receivedBytes: number, messageBytes?: number, p50?: number, p90?: number, most?: number}} Group */

/** Columns: a title, the text of a cell, and the value for sorting. @type {[string, (group: Group) => string, (group: Group) => number][]} */
const columns = [
  ["Exchanges", (group) => count(group.count), (group) => group.count],
  ["Failed", (group) => count(group.failed), (group) => group.failed],
  ["Sent", (group) => bytes(group.sentBytes), (group) => group.sentBytes],
  ["Received", (group) => bytes(group.receivedBytes), (group) => group.receivedBytes],
  ["Messages", (group) => bytes(group.messageBytes ?? 0), (group) => group.messageBytes ?? 0],
  ["Median", (group) => duration(group.p50), (group) => group.p50 ?? -1],
  ["90 %", (group) => duration(group.p90), (group) => group.p90 ?? -1],
  ["Longest", (group) => duration(group.most), (group) => group.most ?? -1],
];

/** Counts, bytes and times of a filter's matches, by host, status, method, type, program or user. */
export class StatisticsPage {
  #abort = new AbortController();
  /** @type {Group[]} */
  #groups = [];
  #sorted = 0;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  show() {
    const by = route.parameter("by") in facts ? route.parameter("by") : "host";
    const filter = route.parameter("q");
    const picker = el("select", { "aria-label": "Grouped by", onchange: () => {
      route.note({ by: picker.value, ...(filter ? { q: filter } : {}) });
      this.#load(picker.value, filter);
    } }, ...Object.entries(facts).map(([id, label]) => el("option", { value: id }, label)));
    picker.value = by;
    this.table = el("div", { class: "wide", "aria-live": "polite" });
    fill(this.page, el("main", { class: "statistics", "aria-label": "Statistics" }, el("h1", {}, "Statistics"),
      filter ? el("p", { class: "soft" }, "Exchanges that match ", el("a", { href: withQuery("#/", { q: filter }) }, filter), ".")
        : el("p", { class: "soft" }, "All exchanges."),
      el("p", {}, el("label", {}, "By ", picker)), this.table));
    this.#load(by, filter);
  }

  hide() {
    this.#abort.abort();
  }

  async #load(by, filter) {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    fill(this.table, el("p", { class: "soft" }, "Counting…"));
    try {
      const { groups, all } = await askJSON(withQuery("/api/statistics", { by, filter }), { signal });
      this.#groups = groups;
      this.#sorted = 0;
      if (all.count === 0) fill(this.table, await nothingMatches(filter,
        "Statistics sum up the exchanges of each host, type or program, to show which are slow, large or failing."));
      else this.#fill(by, filter, all);
    } catch (error) {
      if (!signal.aborted) fill(this.table, el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
    }
  }

  /** @param {string} by @param {string} filter @param {Group} all */
  #fill(by, filter, all) {
    // Only WebSockets have messages.
    const shown = columns.filter(([title]) => title !== "Messages" || all.messageBytes);
    const [, , value] = shown[this.#sorted];
    const rows = [...this.#groups].sort((one, other) => value(other) - value(one) || one.name.localeCompare(other.name));
    const heads = shown.map(([title], index) => el("th", { scope: "col", "aria-sort": index === this.#sorted ? "descending" : "none" },
      el("button", { type: "button", class: "plain", onclick: () => {
        this.#sorted = index;
        this.#fill(by, filter, all);
        /** @type {HTMLElement | undefined} */ (this.table.querySelectorAll("th button")[index])?.focus();
      } }, title)));
    const cells = (/** @type {Group} */ group) => shown.map(([, text]) => el("td", { class: "number" }, text(group)));
    fill(this.table, el("table", { "aria-label": `Exchanges by ${facts[by].toLowerCase()}` },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, facts[by]), ...heads)),
      el("tbody", {}, ...rows.map((group) => {
        const only = conditionOf(by, group.name);
        const name = only ? el("a", { href: withQuery("#/", { q: filter ? `(${filter}) & ${only}` : only }) }, group.name) : group.name;
        return el("tr", {}, el("th", { scope: "row" }, name), ...cells(group));
      })), el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "All"), ...cells(all)))));
  }
}

/** The filter that selects a group; empty if no filter can express the missing value. @param {string} by @param {string} name */
function conditionOf(by, name) {
  if (name === "none") return "";
  const quoted = JSON.stringify(name);
  switch (by) {
    case "host": {
      const [, host, port] = /^(.*?)(?::(\d+))?$/.exec(name) ?? [];
      return port && !host.endsWith(":") ? `host == ${JSON.stringify(host)} & port == ${port}` : `host == ${quoted}`;
    }
    case "status": return `status == ${name}`;
    case "method": return `method == ${quoted}`;
    case "type": return `type == ${quoted}`;
    case "process": return `process == ${quoted}`;
    default: return `proxy.user == ${quoted}`;
  }
}
