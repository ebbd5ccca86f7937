import { askJSON } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";
import { changeRules, membersOf } from "../../parts/rules/change-rules.js";

/** The name of the rule that these settings write. */
const ruleName = "throttling";

const figures = [["downKilobits", "Down, kbit/s", "no limit"], ["upKilobits", "Up, kbit/s", "no limit"],
  ["latencyMilliseconds", "Latency, ms", "0"], ["jitterMilliseconds", "Jitter, ms", "0"], ["lossPercent", "Late segments, %", "0"]];

/** Slows down all traffic, or the matches of a filter, like a slower connection. */
export class Throttling {
  element = el("section", { class: "throttling", "aria-label": "Throttling" }, el("h2", {}, "Throttling"));
  /** @type {any[]} */
  #presets = [];

  /** Reads the presets and the rule. */
  async load() {
    try {
      this.#show(await askJSON("/api/rules"));
    } catch (error) {
      fill(this.element, el("h2", {}, "Throttling"), el("p", { class: "notice" }, Problem.of(error).sentence));
    }
  }

  #show(listing) {
    this.#presets = listing.presets ?? [];
    const rule = listing.rules.find((one) => one.name === ruleName && one.kind === "throttle");
    const says = rule ? membersOf(rule) : {};
    const others = listing.rules.filter((one) => one.kind === "throttle" && one !== rule && one.isEnabled);
    const isOwn = figures.some(([key]) => says[key] !== undefined);
    this.way = el("select", { id: "throttle-way", onchange: () => this.#chosen() }, el("option", { value: "off" }, "Not at all"),
      ...this.#presets.map((one) => el("option", { value: `preset ${one.name}` },
        `${one.name}: ${rate(one.downKilobits)} down, ${rate(one.upKilobits)} up, ${one.latencyMilliseconds} ms`)),
      el("option", { value: "own" }, "figures of one's own"));
    this.way.value = !rule?.isEnabled ? "off" : isOwn || !says.preset ? "own" : `preset ${says.preset}`;
    this.filter = el("input", { type: "text", id: "throttle-filter", class: "throttle-filter", spellcheck: "false", value: says.when ?? "",
      placeholder: "all traffic; or host ~ *.example.com", "aria-describedby": "throttle-problem" });
    this.numbers = Object.fromEntries(figures.map(([key, label, placeholder]) => [key, el("input", { type: "number", min: "0", step: "any",
      id: `throttle-${key}`, placeholder, value: String(says[key] ?? preset(this.#presets, says.preset)?.[key] ?? ""),
      "aria-describedby": "throttle-problem", "aria-label": label })]));
    this.own = el("div", { class: "throttle-figures" }, ...figures.map(([key, label]) => el("label", {},
      el("span", { class: "soft" }, label), this.numbers[key])));
    this.problem = el("p", { class: "notice failed", id: "throttle-problem", role: "alert", hidden: true });
    fill(this.element, el("h2", {}, "Throttling"),
      el("form", { class: "throttle-form", "aria-label": "Throttling", onsubmit: (event) => {
        event.preventDefault();
        this.#use();
      } },
      el("div", { class: "line" }, el("label", { for: "throttle-way" }, "As slow as"), this.way),
      this.own,
      el("div", { class: "line" }, el("label", { for: "throttle-filter" }, "for"), this.filter,
        el("button", { type: "submit", class: "primary throttle-use" }, "Use now")), this.problem),
      el("p", { class: "soft throttle-now" }, rule?.isEnabled ? `Throttling is on: ${says.when ? `what matches ${says.when}` : "all traffic"} is slow, for what begins from now on. `
        : "Throttling is off. ", rule ? el("a", { href: `#/rules/${ruleName}` }, "It is a rule") : el("a", { href: "#/rules" }, "It becomes a rule"),
      ", the last one; saving the rules saves it."),
      others.length > 0 && el("p", { class: "notice" }, `Other rules throttle, too: ${others.map((one) => one.name).join(", ")}. `
        + "Where several mean an exchange, the last counts: this one."));
    this.#chosen(false);
  }

  /** Shows the figures for own values; a preset supplies the initial values. */
  #chosen(fills = true) {
    const way = this.way.value;
    this.own.hidden = way !== "own";
    if (!way.startsWith("preset ") || !fills) return;
    const found = preset(this.#presets, way.slice(7));
    for (const [key] of figures) this.numbers[key].value = String(found?.[key] ?? "");
  }

  /** The rule for the current settings; `null` if throttling is off. */
  #rule() {
    const way = this.way.value;
    if (way === "off") return null;
    const when = this.filter.value.trim();
    const rule = { name: ruleName, ...(when ? { when } : {}), do: "throttle" };
    if (way.startsWith("preset ")) return { ...rule, preset: way.slice(7) };
    for (const [key] of figures) if (this.numbers[key].value !== "") rule[key] = Number(this.numbers[key].value);
    return rule;
  }

  async #use() {
    this.#complain("", "");
    const rule = this.#rule();
    try {
      const listing = await changeRules((rules) => {
        const texts = rules.filter((one) => one.name !== ruleName).map((one) => one.text);
        return rule ? [...texts, JSON.stringify(rule)] : texts;
      });
      this.#show(listing);
      toast(rule ? "Traffic is slow from now on" : "Traffic has its full speed again");
      this.element.querySelector(".throttle-use")?.focus();
    } catch (error) {
      const problem = Problem.of(error);
      const found = /^rules\[\d+\]\.(\w+): ([\s\S]*)$/.exec(problem.detail ?? "");
      this.#complain(found?.[1] ?? "", found ? found[2] : problem.detail ?? problem.sentence);
    }
  }

  #complain(key, text) {
    this.problem.hidden = text === "";
    const label = figures.find(([name]) => name === key)?.[1];
    this.problem.textContent = label ? `${label}: ${text}` : text;
    const fields = { when: this.filter, ...this.numbers };
    for (const [name, field] of Object.entries(fields)) field.setAttribute("aria-invalid", String(text !== "" && name === key));
    fields[key]?.focus();
  }
}

function preset(presets, name) {
  return presets.find((one) => one.name === name);
}

function rate(kilobits) {
  return kilobits >= 1000 ? `${kilobits / 1000} Mbit/s` : `${kilobits} kbit/s`;
}
