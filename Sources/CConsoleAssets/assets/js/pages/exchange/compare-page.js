import { askJSON, checkFilter, withQuery } from "../../core/api.js";
import { announce } from "../../core/announce.js";
import { el, fill } from "../../core/dom.js";
import { commandLine, firstStep } from "../../core/first-step.js";
import { count, counted } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { recordings } from "./import-list.js";

/**
 * @typedef {object} Pair
 * @property {string} method
 * @property {string} server
 * @property {string} path
 * @property {number} [before]
 * @property {number} [after]
 * @property {{ name: string, before?: string, after?: string }[]} differences
 * @property {{ id: number, method: string, path: string }} [nearest]
 */

/** The changes from another recording to the capture, as `pinhole flows diff` reports them. */
export class ComparePage {
  #abort = new AbortController();
  #isShown = false;
  before = picker("compare-before");
  again = picker("compare-again");
  filter = el("input", { type: "text", id: "compare-filter", class: "save-filter", spellcheck: "false", placeholder: "everything" });
  result = el("section", { class: "compared", "aria-label": "Result" });

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    recordings.on("loaded", () => this.#offer());
    // The page compares the first file at once; another file may be its second run.
    recordings.on("imported", () => {
      if (this.#isShown && recordings.done.length === 1) this.#compare();
    });
  }

  show() {
    this.#isShown = true;
    this.filter.value = route.parameter("q");
    const chooser = el("input", { type: "file", id: "compare-file", multiple: true, accept: ".sqlite,.har,.json,.jsonl,.mitm,.flow,.flows,.chlsj,*/*",
      onchange: () => {
        recordings.take(chooser.files ?? []);
        chooser.value = "";
      } });
    this.form = el("form", { class: "line", "aria-label": "Compare", hidden: true, onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#compare();
    } }, el("label", { for: "compare-before" }, "From"), this.before, el("label", { for: "compare-filter" }, "to the capture, only"), this.filter,
    el("label", { for: "compare-again" }, "second run of the first"), this.again,
    el("button", { type: "submit", class: "primary" }, "Compare"));
    this.first = firstStep("No other capture yet", "Drop one above: that of a colleague, or of an earlier day. Or record the same program once more, in a terminal:",
      commandLine({ client: "another capture", command: "pinhole run --capture before.sqlite -- curl https://example.com/" }),
      "Then choose before.sqlite here. What differs from the capture that this console shows appears below.");
    fill(this.page, el("main", { class: "exchange compare", "aria-label": "Compare" }, el("h1", {}, "Compare"),
      el("section", { "aria-label": "Recordings" }, el("div", { class: "drop" },
        el("p", {}, el("label", { for: "compare-file" }, "Drop another capture here, or choose it: "), chooser),
        el("p", { class: "soft" }, "Captures of Pinhole, and every file that can be imported. The capture does not change. Requests are paired by method, "
          + "path and order. A second run of the same file shows what changes each time, and that is left out: dates, numbers, tokens.")),
      recordings.element, this.first), this.form, this.result));
    recordings.load();
  }

  hide() {
    this.#isShown = false;
    this.#abort.abort();
  }

  /** Lists the finished recordings. */
  #offer() {
    const { done } = recordings;
    const options = done.map((one) => el("option", { value: String(one.id) }, one.name));
    for (const [select, first] of /** @type {const} */ ([[this.before, []], [this.again, [el("option", { value: "" }, "none")]]])) {
      const chosen = select.value;
      fill(select, ...first, ...options.map((option) => option.cloneNode(true)));
      if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
    }
    if (this.form) this.form.hidden = done.length === 0;
    if (this.first) this.first.hidden = done.length > 0;
    if (done.length === 0) fill(this.result);
  }

  async #compare() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const name = this.before.selectedOptions[0]?.textContent ?? "";
    const filter = this.filter.value.trim();
    const again = this.again.value === this.before.value ? "" : this.again.value;
    fill(this.result, el("p", { class: "soft" }, "Comparing…"));
    try {
      if (filter) await checkFilter(filter);
      const { summary, pairs } = await askJSON(withQuery("/api/comparison", { before: this.before.value, again, filter }), { signal });
      this.#tell(name, summary, pairs);
    } catch (error) {
      if (!signal.aborted) fill(this.result, el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
    }
  }

  /** @param {string} name @param {Record<string, number>} summary @param {Pair[]} pairs */
  #tell(name, summary, pairs) {
    const { same, different, onlyBefore, onlyAfter, noise } = summary;
    const parts = [[same, "the same"], [different, different === 1 ? "differs" : "differ"], [onlyBefore, `only in ${name}`],
      [onlyAfter, "only in the capture"]].filter(([number]) => number > 0).map(([number, words]) => `${count(Number(number))} ${words}`);
    const said = parts.join(", ") || "No exchanges to compare";
    announce(said);
    const all = different + onlyBefore + onlyAfter;
    fill(this.result, el("h2", {}, all === 0 && same > 0 ? "Nothing differs" : said),
      all === 0 && same > 0 && el("p", { class: "soft" }, `${counted(same, "exchange")} of ${name} and of the capture are the same.`),
      noise > 0 && el("p", { class: "soft" }, `Left out, because they change in every run: ${counted(noise, "difference")}.`),
      pairs.length < all && el("p", { class: "notice" }, `These are the first ${count(pairs.length)} of ${count(all)}. A filter selects others; `,
        el("code", {}, "pinhole flows diff"), " tells all."),
      ...pairs.map((pair) => this.#pair(name, pair)));
  }

  /** @param {string} name @param {Pair} pair */
  #pair(name, { method, server, path, before, after, differences, nearest }) {
    const request = el("code", {}, `${method} ${server}${path}`);
    const title = after === undefined ? request : el("a", { href: `#/?id=${after}` }, request);
    const where = before === undefined ? "only in the capture" : after === undefined ? `only in ${name}` : "";
    return el("article", { class: "pair" }, el("h3", {}, title, where && el("span", { class: "soft" }, ` ${where}`)),
      nearest && el("p", { class: "soft" }, `The nearest in ${before === undefined ? name : "the capture"} is `,
        before === undefined ? el("code", {}, `${nearest.method} ${nearest.path}`)
          : el("a", { href: `#/?id=${nearest.id}` }, el("code", {}, `${nearest.method} ${nearest.path}`)), "."),
      differences.length > 0 && el("table", { "aria-label": `What differs in ${method} ${path}` },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Part"), el("th", { scope: "col" }, name), el("th", { scope: "col" }, "Capture"))),
        el("tbody", {}, ...differences.map((one) => el("tr", {}, el("th", { scope: "row" }, one.name), value(one.before), value(one.after))))));
  }
}

/** @param {string} id */
function picker(id) {
  return /** @type {HTMLSelectElement} */ (el("select", { id }));
}

/** @param {string} [text] */
function value(text) {
  return text === undefined ? el("td", { class: "soft" }, "missing") : el("td", {}, el("code", {}, text));
}
