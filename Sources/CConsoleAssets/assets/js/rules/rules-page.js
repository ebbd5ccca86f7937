import { askJSON, hasProxy } from "../core/api.js";
import { toast } from "../core/announce.js";
import { el, fill, setText } from "../core/dom.js";
import { Draft } from "../core/draft.js";
import { counted } from "../core/format.js";
import { withPages } from "../core/pages.js";
import { Problem } from "../core/problem.js";
import { route } from "../core/route.js";
import { saveSettings } from "../pages/save-settings.js";
import { argumentsOf, placeOf, switched, templateOf } from "./rule-text.js";

/** Milliseconds. */
const pause = 2000;
const noProxy = "No proxy runs here: this console shows a file. Rules are those of a proxy that runs (pinhole proxy).";

/** The rules that the proxy runs with: switched, edited, added and removed while it runs. */
export class RulesPage {
  /** @type {any} */
  #listing = null;
  /**
   * What is edited; no index for a new rule.
   *
   * @type {{index: number | null, name: string, original: string, text: string} | null}
   */
  #edited = null;
  /** @type {Draft<any>} */
  #draft = new Draft("rules");
  #visit = 0;
  #timer = 0;
  /** Changes made here: what was asked before one of them is older than its answer. */
  #changes = 0;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  async show() {
    const visit = ++this.#visit;
    this.#edited = this.#draft.read();
    this.problem = el("div", { role: "alert" });
    this.list = el("ol", { class: "rule-list", "aria-label": "Rules, in the order in which they are asked" });
    this.end = el("div", { class: "rule-end" });
    this.kinds = el("select", { "aria-label": "Kind of the new rule", "aria-describedby": "rule-programs", onchange: () => this.#tellPrograms() });
    this.adder = el("button", { type: "button", class: "rule-add",
      onclick: () => this.#edit(null, templateOf(this.kinds.value, this.#listing.programs ?? [])) }, "Add a rule");
    this.programs = el("p", { class: "notice", id: "rule-programs", hidden: true });
    const main = el("main", { class: "rules", "aria-label": "Rules" }, el("h1", {}, "Rules"),
      el("p", { class: "soft" }, "Loading…"));
    fill(this.page, main);
    try {
      if (!await hasProxy()) {
        if (visit === this.#visit) fill(main, el("h1", {}, "Rules"), el("p", { class: "notice" }, noProxy));
        return;
      }
      await this.#read(visit);
    } catch (error) {
      if (visit === this.#visit) fill(main, el("h1", {}, "Rules"),
        el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
      return;
    }
    if (visit !== this.#visit) return;
    fill(this.kinds, ...this.#listing.kinds.map((one) => el("option", { value: one.kind }, `${one.kind}: ${one.summary}`)));
    fill(main, el("h1", {}, "Rules"),
      el("p", { class: "soft" }, "They change traffic while it passes, and are asked in this order; the first that answers is "
        + "the last that is asked. A change counts at once, for the next request of every connection, until the proxy ends or "
        + "reads its configuration again."),
      el("p", { class: "line" }, el("button", { type: "button", class: "rules-save", onclick: () => saveSettings() },
        "Save to the configuration…"), el("a", { href: "#/?q=ruled" }, "What they acted on")),
      this.problem, this.list, this.end);
    this.#render();
    if (route.path[1]) this.#point(route.path[1]);
    // One that was begun from an exchange is to be edited.
    if (route.parameter("new") && this.#edited) this.area.focus();
  }

  hide() {
    this.#visit += 1;
    clearTimeout(this.#timer);
  }

  /** @returns {boolean} Whether an editor was open; one with something new in it stays open. */
  escape() {
    if (!this.#edited) return false;
    if (this.#edited.text === this.#edited.original) this.#close();
    return true;
  }

  /** Reads how they stand, and how often they acted, as long as the page is shown. */
  async #read(visit) {
    clearTimeout(this.#timer);
    const changes = this.#changes;
    const listing = await askJSON("/api/rules");
    if (visit !== this.#visit) return;
    if (changes !== this.#changes) return this.#retry(visit);
    const isOther = this.#listing?.revision !== listing.revision;
    this.#listing = listing;
    if (this.list.isConnected) isOther ? this.#render() : this.#tellHits();
    this.#timer = setTimeout(() => this.#read(visit).catch(() => this.#retry(visit)), pause);
  }

  #retry(visit) {
    clearTimeout(this.#timer);
    if (visit === this.#visit) this.#timer = setTimeout(() => this.#read(visit).catch(() => this.#retry(visit)), pause);
  }

  #tellHits() {
    this.#listing.rules.forEach((rule, at) => {
      const place = this.list.children[at]?.querySelector(".hits");
      if (place) setText(place, hits(rule));
    });
  }

  #render() {
    const edited = this.#edited;
    // Whoever changed them elsewhere may have moved what is edited here.
    if (edited && edited.index !== null && this.#listing.rules[edited.index]?.text !== edited.original) {
      const of = (/** @type {(rule: any) => boolean} */ test) => this.#listing.rules.findIndex(test);
      const same = of((rule) => rule.text === edited.original);
      const at = same < 0 ? of((rule) => rule.name === edited.name) : same;
      edited.index = at < 0 ? null : at;
      if (same < 0) fill(this.problem, el("p", { class: "notice" }, `${edited.name} was ${at < 0 ? "removed" : "changed"} `
        + `elsewhere: what is written here ${at < 0 ? "adds it again" : "takes its place"}.`));
    }
    const had = this.editor?.contains(document.activeElement);
    fill(this.list, ...this.#listing.rules.map((rule, at) => this.#row(rule, at)));
    if (this.#listing.rules.length === 0) fill(this.list, el("li", { class: "soft" }, "There are none."));
    fill(this.end, ...(edited && edited.index === null ? [el("div", { class: "rule" }, el("b", {}, "A new rule"), this.#editor())]
      : [el("p", { class: "line" }, this.kinds, this.adder), this.programs]));
    this.#tellPrograms();
    if (had) this.area.focus();
  }

  /** Rules name programs, and declare none: whoever can declare one runs it. */
  #tellPrograms() {
    const programs = this.#listing.programs ?? [];
    const isAsked = this.kinds.value === "askProgram";
    this.programs.hidden = !isAsked;
    this.adder.disabled = isAsked && programs.length === 0;
    fill(this.programs, ...withPages(programs.length > 0 ? `Declared: ${programs.join(", ")}.`
      : "No program is declared. Write it under “programs” in config.json, or start the proxy with --interceptor COMMAND; docs/PROGRAMS.md has both."));
  }

  #row(rule, at) {
    const last = this.#listing.rules.length - 1;
    const mover = (by, sign, word) => el("button", { type: "button", class: "plain", "data-move": String(by),
      "aria-label": `${rule.name}: ${word}`, disabled: at + by < 0 || at + by > last, onclick: () => this.#move(at, by) }, sign);
    const says = argumentsOf(rule.text);
    return el("li", { class: rule.isEnabled ? "rule" : "rule off", "data-rule": rule.name },
      el("div", { class: "rule-head" },
        el("input", { type: "checkbox", role: "switch", checked: rule.isEnabled, "aria-label": `${rule.name} counts`,
          title: "On or off", onchange: () => this.#replace(at, switched(rule.text, !rule.isEnabled)) }),
        el("b", {}, rule.name), el("code", {}, rule.kind), el("span", { class: "soft" }, rule.summary),
        el("span", { class: "rule-tools" }, mover(-1, "↑", "earlier"), mover(1, "↓", "later"),
          el("button", { type: "button", class: "rule-edit", "aria-label": `Edit ${rule.name}`,
            onclick: () => this.#edit(at, rule.text) }, "Edit"),
          el("button", { type: "button", "aria-label": `Remove ${rule.name}`, onclick: () => this.#remove(at) }, "Remove"))),
      says && el("p", { class: "rule-says" }, el("span", { class: "soft" }, "says "), el("code", {}, says)),
      el("p", { class: "rule-when" }, el("span", { class: "soft" }, "when "), rule.filter ? el("code", {}, rule.filter)
        : "always", el("span", { class: "hits soft" }, hits(rule))),
      ...this.#listing.remarks.filter((remark) => remark.index === at).map((remark) =>
        el("p", { class: "notice" }, remark.text)),
      this.#edited?.index === at && this.#editor());
  }

  #editor() {
    this.area = el("textarea", { rows: String(Math.min(16, Math.max(6, this.#edited.text.split("\n").length + 1))),
      spellcheck: "false", "aria-label": "The rule as JSON", "aria-describedby": "rule-problem", value: this.#edited.text,
      oninput: () => {
        this.#edited.text = this.area.value;
        this.#draft.write(this.#edited);
      },
      onkeydown: (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        this.#use();
      } });
    this.complaint = el("p", { class: "notice failed", id: "rule-problem", role: "alert", hidden: true });
    this.editor = el("div", { class: "rule-editor" }, this.area, this.complaint,
      el("p", { class: "line" }, el("button", { type: "button", class: "primary rule-use", onclick: () => this.#use() }, "Use now"),
        el("button", { type: "button", onclick: () => this.#close() }, "Cancel"),
        el("span", { class: "soft" }, ...withPages("Ctrl+Enter uses it, too. docs/RULES.md#kinds has the kinds and their keys."))));
    return this.editor;
  }

  #edit(index, text) {
    this.#edited = { index, name: index === null ? "" : this.#listing.rules[index].name, original: text, text };
    this.#render();
    this.area.focus();
    this.area.setSelectionRange(0, 0);
  }

  #close() {
    const index = this.#edited?.index ?? null;
    this.#edited = null;
    this.#draft.clear();
    this.#render();
    /** @type {HTMLElement | null} */ (index === null ? this.end.querySelector("button")
      : this.list.children[index]?.querySelector(".rule-edit"))?.focus();
  }

  async #use() {
    const { index, text } = this.#edited;
    const texts = this.#texts();
    if (index === null) texts.push(text);
    else texts[index] = text;
    try {
      await this.#put(texts);
      this.#close();
    } catch (error) {
      this.#complain(Problem.of(error));
    }
  }

  #complain(problem) {
    const detail = (problem.detail ?? problem.title).replace(/^rules\[\d+\](?:\.(\w+))?: /, (_, key) => (key ? `${key}: ` : ""));
    this.complaint.hidden = false;
    fill(this.complaint, [detail, problem.remedy].filter(Boolean).join(". "));
    const place = placeOf(this.area.value, problem.detail ?? "");
    this.area.focus();
    if (place) this.area.setSelectionRange(...place);
  }

  #replace(at, text) {
    const texts = this.#texts();
    texts[at] = text;
    return this.#change(texts, `[data-rule] input[type=checkbox]`, at);
  }

  #move(at, by) {
    const texts = this.#texts();
    const [moved] = texts.splice(at, 1);
    texts.splice(at + by, 0, moved);
    return this.#change(texts, `[data-move="${by}"]:not(:disabled), .rule-edit`, at + by);
  }

  #remove(at) {
    const texts = this.#texts();
    const [removed] = texts.splice(at, 1);
    const name = this.#listing.rules[at].name;
    return this.#change(texts, ".rule-edit", Math.min(at, texts.length - 1)).then((isDone) => {
      if (!isDone) return;
      // It can be taken back: the text is still here.
      fill(this.problem, el("p", { class: "notice line" }, `${name} was removed.`, el("button", { type: "button",
        class: "rule-undo", onclick: () => {
          const again = this.#texts();
          again.splice(at, 0, removed);
          this.#change(again, ".rule-edit", at);
        } }, "Put it back")));
    });
  }

  /** Lets other rules count, and leaves the focus where it was. */
  async #change(texts, selector, at) {
    fill(this.problem);
    try {
      await this.#put(texts);
    } catch (error) {
      fill(this.problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      this.#render();
      return false;
    }
    /** @type {HTMLElement | null} */ (this.list.children[at]?.querySelector(selector))?.focus();
    return true;
  }

  #texts() {
    return this.#listing.rules.map((rule) => rule.text);
  }

  async #put(rules) {
    this.#changes += 1;
    try {
      this.#listing = await askJSON("/api/rules", { method: "PUT", body: { rules, revision: this.#listing.revision } });
      this.#changes += 1;
    } catch (error) {
      // Somebody else changed them: how they are now is shown, and what is written here stays.
      if (Problem.of(error).status === 409) await this.#read(this.#visit);
      throw error;
    }
    this.#render();
    toast("It counts from now on");
  }

  /** Shows the rule that an address means. */
  #point(encoded) {
    const row = [...this.list.children].find((one) => {
      const rule = /** @type {HTMLElement} */ (one).dataset.rule;
      return rule !== undefined && encodeURIComponent(rule) === encoded;
    });
    if (!row) return fill(this.problem, el("p", { class: "notice" },
      "There is no rule of this name any more: it was renamed or removed since it acted."));
    row.classList.add("pointed");
    row.scrollIntoView({ block: "center" });
    /** @type {HTMLElement} */ (row.querySelector(".rule-edit")).focus();
  }
}

function hits(rule) {
  return rule.hits === 0 ? "has not acted yet" : `acted on ${counted(rule.hits, "exchange")}`;
}
