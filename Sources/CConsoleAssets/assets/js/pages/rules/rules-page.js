import { askJSON, hasProxy } from "../../core/api.js";
import { announce, toast } from "../../core/announce.js";
import { el, fill, setText } from "../../core/dom.js";
import { Draft } from "../../core/draft.js";
import { firstStep } from "../../core/first-step.js";
import { counted } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { withPages } from "../../core/advice.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { saveSettings } from "../../parts/diff/save-settings.js";
import { freeName } from "../../parts/rules/change-rules.js";
import { RuleEditor } from "./rule-editor.js";
import { withNeeds } from "./rule-form.js";
import { laidOut, switched, withMember } from "../../parts/rules/rule-json.js";

/** Milliseconds between two readings of the rules. */
const pause = 2000;
const noProxy = "No proxy runs here: this console shows a file. Rules are those of a proxy that runs (pinhole proxy).";

/** The rules of the running proxy. The user can switch, edit, add, move and remove them. */
export class RulesPage {
  /** @type {any} */
  #listing = null;
  /** @type {import("./rule-form.js").Forms} */
  #forms = { keys: [], kinds: [] };
  /** @type {RuleEditor | null} */
  #editor = null;
  /**
   * The rule in the editor, without an index if the rule is new.
   *
   * @type {{index: number | null, name: string, original: string, text: string, isJSON?: boolean} | null}
   */
  #edited = null;
  /** @type {Draft<any>} */
  #draft = new Draft("rules");
  #visit = 0;
  #timer = 0;
  /** Counts the changes made here. A response to a request before a change is out of date. */
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
      onclick: () => this.#begin() }, "Add a rule");
    this.kept = el("span", { class: "soft rules-kept", role: "status" });
    this.programs = el("p", { class: "notice", id: "rule-programs", hidden: true });
    const main = el("main", { class: "rules", "aria-label": "Rules" }, el("h1", {}, "Rules"),
      el("p", { class: "soft" }, "Loading…"));
    fill(this.page, main);
    try {
      if (!await hasProxy()) {
        if (visit === this.#visit) fill(main, el("h1", {}, "Rules"), el("p", { class: "notice" }, noProxy));
        return;
      }
      this.#forms = await askJSON("/api/rules/kinds");
      await this.#read(visit);
    } catch (error) {
      if (visit === this.#visit) fill(main, el("h1", {}, "Rules"),
        el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
      return;
    }
    if (visit !== this.#visit) return;
    fill(this.kinds, ...this.#forms.kinds.map((one) => el("option", { value: one.kind }, `${one.kind}: ${one.summary}`)));
    fill(main, el("h1", {}, "Rules"),
      el("p", { class: "soft" }, "Rules change traffic while it passes. The proxy asks them in this order; the first that answers ends the list. "
        + "A change counts at once, for the next request of every connection."),
      el("p", { class: "line" }, el("button", { type: "button", class: "rules-save", onclick: () => this.#save() },
        "Save to the configuration…"), this.kept, el("a", { href: "#/?q=ruled", class: "rules-acted" }, "Exchanges that rules acted on")),
      this.problem, this.list, this.end);
    this.#render();
    if (route.path[1]) this.#point(route.path[1]);
    // The editor of a rule from an exchange gets the focus.
    if (route.parameter("new") && this.#edited) this.#editor?.focus();
    this.#tellKept();
  }

  hide() {
    this.#visit += 1;
    clearTimeout(this.#timer);
    this.#editor?.end();
    this.#editor = null;
  }

  /** @returns {boolean} Whether an editor was open; an editor with changes stays open. */
  escape() {
    if (!this.#edited) return false;
    if (this.#edited.text === this.#edited.original) this.#close();
    return true;
  }

  /** Reads the rules and their counts, again and again while the page is shown. */
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
    // Another client may have moved the rule that is being edited.
    if (edited && edited.index !== null && this.#listing.rules[edited.index]?.text !== edited.original) {
      const of = (/** @type {(rule: any) => boolean} */ test) => this.#listing.rules.findIndex(test);
      const same = of((rule) => rule.text === edited.original);
      const at = same < 0 ? of((rule) => rule.name === edited.name) : same;
      edited.index = at < 0 ? null : at;
      if (same < 0) fill(this.problem, el("p", { class: "notice" }, `${edited.name} was ${at < 0 ? "removed" : "changed"} `
        + `elsewhere: what is written here ${at < 0 ? "adds it again" : "takes its place"}.`));
    }
    const had = /** @type {HTMLElement | null} */ (this.#editor?.element.contains(document.activeElement) ? document.activeElement : null);
    if (!edited) {
      this.#editor?.end();
      this.#editor = null;
    } else if (this.#editor) {
      this.#editor.index = edited.index;
    } else {
      this.#editor = this.#edits(edited);
    }
    fill(this.list, ...this.#listing.rules.map((rule, at) => this.#row(rule, at)));
    if (this.#listing.rules.length === 0) fill(this.list, el("li", {}, firstStep("There are no rules yet",
      el("p", {}, "Begin from an exchange: in ", el("a", { href: "#/" }, "the list"), ", open its menu (right click, or Shift+F10) and choose “New rule…”. "
        + "Everything is filled in then. Or choose a kind below."))));
    fill(this.end, ...(edited && edited.index === null ? [el("div", { class: "rule" }, el("b", {}, "A new rule"), this.#editor?.element)]
      : [el("p", { class: "line" }, this.kinds, this.adder), this.programs]));
    this.#tellPrograms();
    // Moving the element took away its focus.
    had?.focus();
  }

  /** Shows the programs that rules may name. Only the start of the proxy can declare programs, because a declared program is run. */
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
      "aria-label": `${rule.name}: ${word}`, disabled: at + by < 0 || at + by > last, onclick: () => this.#move(at, at + by, `[data-move="${by}"]`) }, sign);
    return el("li", { class: rule.isEnabled ? "rule" : "rule off", "data-rule": rule.name },
      el("div", { class: "rule-head" }, this.#handle(rule, at),
        el("input", { type: "checkbox", role: "switch", checked: rule.isEnabled, "aria-label": `${rule.name} counts`,
          title: "On or off", onchange: () => this.#replace(at, switched(rule.text, !rule.isEnabled)) }),
        el("b", {}, rule.name), el("code", {}, rule.kind), el("span", { class: "hits soft" }, hits(rule)),
        el("span", { class: "rule-tools" }, mover(-1, "↑", "earlier"), mover(1, "↓", "later"),
          el("button", { type: "button", class: "rule-edit", "aria-label": `Edit ${rule.name}`,
            onclick: () => this.#edit(at, rule.text) }, "Edit"),
          el("button", { type: "button", "aria-label": `Duplicate ${rule.name}`, onclick: () => this.#duplicate(at) }, "Duplicate"),
          el("button", { type: "button", "aria-label": `Remove ${rule.name}`, onclick: () => this.#remove(at) }, "Remove"))),
      el("p", { class: "rule-says" }, rule.sentence),
      rule.filter && el("p", { class: "rule-when" }, el("span", { class: "soft" }, "when "), el("code", {}, rule.filter)),
      ...this.#listing.remarks.filter((remark) => remark.index === at).map((remark) =>
        el("p", { class: "notice" }, remark.text)),
      this.#edited?.index === at && this.#editor?.element);
  }

  /** The handle of a rule: the pointer drags the rule; arrows, Home and End move it at once. */
  #handle(rule, at) {
    const last = this.#listing.rules.length - 1;
    const handle = el("button", { type: "button", class: "plain rule-handle", title: "Drag, or press an arrow key", disabled: last === 0,
      "aria-label": `Move ${rule.name}, rule ${at + 1} of ${last + 1}: arrow keys`, onkeydown: (event) => {
        const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        if (to >= 0 && to <= last && to !== at) this.#move(at, to, ".rule-handle");
      }, onpointerdown: (event) => this.#drag(event, handle, at) }, icon("drag"));
    return handle;
  }

  /** Follows the pointer until its release; Escape leaves the rule in place. */
  #drag(event, handle, at) {
    if (event.button !== 0) return;
    const rows = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const dragged = rows[at];
    let to = at;
    handle.setPointerCapture(event.pointerId);
    const mark = (/** @type {number} */ place) => rows.forEach((row, index) => {
      row.classList.toggle("before", place !== at && index === place && place < at);
      row.classList.toggle("behind", place !== at && index === place && place > at);
    });
    const follow = (/** @type {PointerEvent} */ moved) => {
      dragged.classList.add("dragged");
      const above = rows.filter((row, index) => {
        const box = row.getBoundingClientRect();
        return index !== at && box.top + box.height / 2 < moved.clientY;
      }).length;
      if (above !== to) mark(to = above);
    };
    const end = (/** @type {boolean} */ isMoved) => {
      handle.removeEventListener("pointermove", follow);
      dragged.classList.remove("dragged");
      mark(at);
      document.removeEventListener("keydown", cancel, true);
      if (isMoved && to !== at) this.#move(at, to, ".rule-handle");
      to = at;
    };
    const cancel = (/** @type {KeyboardEvent} */ pressed) => {
      if (pressed.key !== "Escape") return;
      pressed.preventDefault();
      pressed.stopPropagation();
      end(false);
    };
    handle.addEventListener("pointermove", follow);
    handle.addEventListener("pointerup", () => end(true), { once: true });
    handle.addEventListener("pointercancel", () => end(false), { once: true });
    document.addEventListener("keydown", cancel, true);
  }

  #edits(edited) {
    const editor = new RuleEditor(edited, this.#forms, this.#listing.programs ?? []);
    editor.on("write", ({ text, isJSON }) => {
      if (!this.#edited) return;
      Object.assign(this.#edited, { text, isJSON });
      this.#draft.write(this.#edited);
    });
    editor.on("use", () => this.#use());
    editor.on("cancel", () => this.#close());
    return editor;
  }

  /** Opens a form for a new rule of the chosen kind, with the keys that the kind requires. */
  #begin() {
    const kind = this.#forms.kinds.find((one) => one.kind === this.kinds.value);
    if (!kind) return;
    const text = laidOut({ name: freeName(kind.kind, this.#listing.rules), do: kind.kind });
    this.#edit(null, withNeeds(text, kind, this.#listing.programs ?? []));
  }

  #edit(index, text) {
    this.#editor?.end();
    this.#editor = null;
    this.#edited = { index, name: index === null ? "" : this.#listing.rules[index].name, original: text, text };
    this.#render();
    this.#editor?.focus();
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
      this.#editor?.refuse(Problem.of(error));
    }
  }

  #replace(at, text) {
    const texts = this.#texts();
    texts[at] = text;
    return this.#change(texts, `[data-rule] input[type=checkbox]`, at);
  }

  /** @param {number} at @param {number} to @param {string} selector The control that gets the focus afterwards. */
  async #move(at, to, selector) {
    const { name } = this.#listing.rules[at];
    const texts = this.#texts();
    const [moved] = texts.splice(at, 1);
    texts.splice(to, 0, moved);
    if (await this.#change(texts, `${selector}:not(:disabled), .rule-edit`, to)) announce(`${name} is rule ${to + 1} of ${texts.length} now`);
  }

  #duplicate(at) {
    const texts = this.#texts();
    const name = freeName(this.#listing.rules[at].name, this.#listing.rules);
    texts.splice(at + 1, 0, withMember(texts[at], "name", JSON.stringify(name)));
    return this.#change(texts, ".rule-edit", at + 1);
  }

  #remove(at) {
    const texts = this.#texts();
    const [removed] = texts.splice(at, 1);
    const name = this.#listing.rules[at].name;
    return this.#change(texts, ".rule-edit", Math.min(at, texts.length - 1)).then((isDone) => {
      if (!isDone) return;
      // The page still has the text, so the user can undo the removal.
      fill(this.problem, el("p", { class: "notice line" }, `${name} was removed.`, el("button", { type: "button",
        class: "rule-undo", onclick: () => {
          const again = this.#texts();
          again.splice(at, 0, removed);
          this.#change(again, ".rule-edit", at);
        } }, "Put it back")));
    });
  }

  /** Replaces the rules, and keeps the focus in place. */
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
      // Another client changed the rules. The page shows the current rules, and the editor keeps its text.
      if (Problem.of(error).status === 409) await this.#read(this.#visit);
      throw error;
    }
    this.#render();
    toast("The change applies from now on");
    this.#tellKept();
  }

  async #save() {
    await saveSettings();
    await this.#tellKept();
  }

  /** Shows whether the settings file contains the current rules. */
  async #tellKept() {
    try {
      const { path, exists, before, after } = await askJSON("/api/settings/file");
      // Other settings of the proxy may differ from the file, by flags; this page is about its rules.
      const isKept = before === after || rulesIn(before) === rulesIn(after);
      const hasRules = this.#listing.rules.length > 0;
      setText(this.kept, !isKept ? `Not saved: what counts now lasts until the proxy ends or reads ${path} again` : exists && hasRules ? `Saved in ${path}` : "");
      this.kept.classList.toggle("unsaved", !isKept);
    } catch {
      // A failure of this check appears when the user saves.
      setText(this.kept, "");
    }
  }

  /** Shows the rule that an address names. */
  #point(encoded) {
    const row = [...this.list.children].find((one) => {
      const rule = /** @type {HTMLElement} */ (one).dataset.rule;
      return rule !== undefined && encodeURIComponent(rule) === encoded;
    });
    if (!row) return fill(this.problem, el("p", { class: "notice" },
      "No rule has this name now: the rule was renamed or removed after it acted."));
    const at = [...this.list.children].indexOf(row);
    if (route.parameter("edit") && !this.#edited) return this.#edit(at, this.#listing.rules[at].text);
    row.classList.add("pointed");
    row.scrollIntoView({ block: "center" });
    /** @type {HTMLElement} */ (row.querySelector(".rule-edit")).focus();
  }
}

function hits(rule) {
  return rule.hits === 0 ? "has not acted yet" : `acted on ${counted(rule.hits, "exchange")}`;
}

/** The rules of a settings file as comparable text; those of an empty file are none. @param {string} text */
function rulesIn(text) {
  try {
    return JSON.stringify(JSON.parse(text || "{}").rules ?? []);
  } catch {
    return text;
  }
}
