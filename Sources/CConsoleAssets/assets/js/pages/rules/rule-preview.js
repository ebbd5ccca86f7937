import { askBytes, askJSON, withQuery } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { clock, counted, dateAndClock } from "../../core/format.js";
import { decodeDifferences } from "../../core/leb128.js";

/** The number of exchanges in the preview. */
const most = 5;

/** The recorded exchanges that match a rule's filter: their number, and the newest. */
export class RulePreview {
  element = el("section", { class: "rule-preview", "aria-label": "Recorded exchanges that the filter matches" });
  /** @type {AbortController | null} */
  #asked = null;
  /** @type {string | null} */
  #filter = null;

  /** @param {string} filter The filter as the server reads it; empty for all exchanges. */
  async show(filter) {
    if (filter === this.#filter) return;
    this.stop();
    this.#filter = filter;
    const { signal } = this.#asked = new AbortController();
    const asked = filter ? `(${filter}) & http` : "http";
    try {
      const ids = decodeDifferences(await askBytes(withQuery("/api/traffic/index", { filter: asked }), { signal }));
      const newest = [...ids.subarray(-most)].reverse();
      const items = newest.length === 0 ? [] : (await askJSON(withQuery("/api/traffic", { ids: newest.join(",") }), { signal })).items ?? [];
      if (signal.aborted) return;
      this.#tell(filter, ids.length, newest.map((id) => items.find((item) => item.id === id)).filter(Boolean));
    } catch {
      // The user can write the rule without a preview, so a failure is not shown.
      if (!signal.aborted) fill(this.element);
    }
  }

  /** Cancels the running request. */
  stop() {
    this.#asked?.abort();
    this.#filter = null;
  }

  #tell(filter, count, items) {
    fill(this.element, el("h2", {}, count === 0 ? "No recorded exchange matches" : `${counted(count, "recorded exchange")} ${count === 1 ? "matches" : "match"}`),
      count === 0 ? el("p", { class: "soft" }, "The rule acts on requests that come from now on.")
        : el("ol", {}, ...items.map((item) => el("li", {}, el("span", { class: "soft", title: dateAndClock(item.started) }, clock(item.started).slice(0, 8)),
          el("b", {}, item.method), el("span", {}, String(item.status ?? "–")),
          el("a", { href: `#/?id=${item.id}`, title: item.url }, item.url)))),
      count > items.length && el("p", {}, el("a", { href: `#/?q=${encodeURIComponent(filter || "http")}` }, "All of them in the list")));
  }
}
