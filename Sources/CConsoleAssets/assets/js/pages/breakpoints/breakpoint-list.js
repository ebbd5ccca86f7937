import { askJSON, hasProxy } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { el, fill, setText } from "../../core/dom.js";
import { firstStep } from "../../core/first-step.js";
import { counted } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { changeRules } from "../../parts/rules/change-rules.js";
import { switched } from "../../parts/rules/rule-json.js";
import { breakpointsOf, holdWhat, patience } from "../../parts/rules/breakpoint-rules.js";

const stages = { request: "requests", response: "responses", both: "requests and responses" };

/** The breakpoints among the rules: added from a filter, switched on and off, removed. */
export class BreakpointList {
  /** Counts requests: a response from before the last change is out of date. */
  #asked = 0;
  /** @type {boolean | undefined} `undefined` until the proxy has answered. */
  #hasProxy = undefined;

  constructor() {
    this.problem = el("div", { role: "alert" });
    this.list = el("ul", { class: "break-list", "aria-label": "Breakpoints" });
    this.filter = el("input", { type: "text", class: "break-filter", spellcheck: "false", "aria-label": "Filter of what is held",
      placeholder: "host == api.example.com & path startswith /v2/", "aria-describedby": "break-problem",
      oninput: () => this.#complain("") });
    this.stage = el("select", { "aria-label": "What is held" }, ...Object.entries(stages).map(
      ([value, label]) => el("option", { value }, label)));
    this.seconds = el("input", { type: "number", min: "1", max: "86400", value: String(patience), class: "break-seconds",
      "aria-label": "Seconds until a message goes on by itself" });
    this.complaint = el("p", { class: "notice failed", id: "break-problem", role: "alert", hidden: true });
    this.element = el("section", { class: "break-rules", "aria-label": "What is to be held" }, el("h2", {}, "What is to be held"),
      el("form", { class: "line", "aria-label": "New breakpoint", onsubmit: (event) => {
        event.preventDefault();
        this.#add();
      } }, el("span", {}, "Hold"), this.stage, el("span", {}, "of"), this.filter, el("span", {}, "for"), this.seconds,
      el("span", {}, "s"), el("button", { type: "submit", class: "break-add" }, "Hold from now on")),
      this.complaint, this.problem, this.list,
      el("p", { class: "soft" }, "These are rules: ", el("a", { href: "#/rules" }, "all rules"),
        " has their order, and saves them. In the list, the menu of an item holds what is like it."));
  }

  async load() {
    const asked = ++this.#asked;
    try {
      this.#hasProxy ??= await hasProxy();
      if (!this.#hasProxy) return fill(this.element, el("p", { class: "notice" },
        "No proxy runs here: this console shows a file, and nothing can be held."));
      const listing = await askJSON("/api/rules");
      if (asked === this.#asked) this.#show(listing);
    } catch (error) {
      fill(this.problem, el("p", { class: "notice" }, Problem.of(error).sentence));
    }
  }

  /** Updates the numbers of hits. */
  async tellHits() {
    if (!this.#hasProxy) return;
    try {
      const { rules } = await askJSON("/api/rules");
      for (const row of this.list.children) {
        const rule = rules.find((one) => one.name === /** @type {HTMLElement} */ (row).dataset.rule);
        const place = row.querySelector(".hits");
        if (rule && place) setText(place, hits(rule));
      }
    } catch {
      // The next call shows the numbers.
    }
  }

  #show(listing) {
    fill(this.problem);
    const found = breakpointsOf(listing.rules);
    fill(this.list, ...found.map((rule) => this.#row(rule, listing.remarks)));
    if (found.length === 0) fill(this.list, el("li", {}, firstStep("There is no breakpoint yet",
      el("p", {}, "Write a filter above, such as ", el("code", {}, "path contains /login"), ", and press “Hold from now on”. Or open the menu of an exchange in ",
        el("a", { href: "#/" }, "the list"), " and choose “New rule…”, “Hold requests like this”. The next message that matches waits here."))));
  }

  #row(rule, remarks) {
    return el("li", { class: rule.isEnabled ? "rule" : "rule off", "data-rule": rule.name },
      el("div", { class: "rule-head" },
        el("input", { type: "checkbox", role: "switch", checked: rule.isEnabled, "aria-label": `${rule.name} counts`,
          title: "On or off", onchange: () => this.#change(rule, (texts, at) => (texts[at] = switched(texts[at], !rule.isEnabled))) }),
        el("b", {}, rule.filter ? el("code", {}, rule.filter) : "everything"),
        el("span", { class: "soft" }, `${stages[rule.says.at ?? "request"]}, ${rule.says.seconds ?? 60} s`),
        el("span", { class: "soft hits" }, hits(rule)),
        el("span", { class: "rule-tools" }, el("a", { class: "button", href: `#/rules/${encodeURIComponent(rule.name)}?edit=1`,
          "aria-label": `Edit ${rule.name}` }, "Edit"),
        el("button", { type: "button", "aria-label": `Remove ${rule.name}`,
          onclick: () => this.#change(rule, (texts, at) => texts.splice(at, 1)) }, "Remove"))),
      ...remarks.filter((one) => one.index === rule.at).map((one) => el("p", { class: "notice" }, one.text)));
  }

  async #add() {
    this.#complain("");
    try {
      await holdWhat(this.filter.value.trim(), { at: this.stage.value, seconds: Number(this.seconds.value) });
      toast("The breakpoint is on from now on");
      this.filter.value = "";
      await this.load();
    } catch (error) {
      const problem = Problem.of(error);
      this.#complain((problem.detail ?? problem.sentence).replace(/^rules\[\d+\]\.(?:when: )?/, ""));
      (/\.seconds:/.test(problem.detail ?? "") ? this.seconds : this.filter).focus();
    }
  }

  #complain(text) {
    this.complaint.hidden = text === "";
    this.complaint.textContent = text;
    this.filter.setAttribute("aria-invalid", String(text !== ""));
  }

  /** Changes one rule at its current place, and keeps the focus in place. */
  async #change(rule, change) {
    try {
      const listing = await changeRules((rules) => {
        const at = rules.findIndex((other) => other.text === rule.text);
        if (at < 0) return null;
        const texts = rules.map((other) => other.text);
        change(texts, at);
        return texts;
      });
      this.#asked += 1;
      this.#show(listing);
      toast("The change applies from now on");
    } catch (error) {
      await this.load();
      fill(this.problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
    }
    const row = [...this.list.children].find((one) => /** @type {HTMLElement} */ (one).dataset.rule === rule.name);
    /** @type {HTMLElement} */ (row?.querySelector("input") ?? this.filter).focus();
  }
}

function hits(rule) {
  return rule.hits > 0 ? `acted on ${counted(rule.hits, "exchange")}` : "";
}
