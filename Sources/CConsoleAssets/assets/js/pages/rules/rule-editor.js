import { askJSON } from "../../core/api.js";
import { el, fill, setText } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { withPages } from "../../core/advice.js";
import { Problem } from "../../core/problem.js";
import { RuleForm } from "./rule-form.js";
import { RulePreview } from "./rule-preview.js";

/** Milliseconds without a key before the editor checks the text. */
const pause = 300;

/**
 * An editor for a rule, as a form or as JSON. The rule's effect and the recorded exchanges that match its filter stand
 * beside it. Emits `write` with the JSON and whether the JSON is visible, `use` and `cancel`.
 */
export class RuleEditor extends Emitter {
  #timer = 0;
  #checks = 0;
  #isJSON;
  #text;
  /** Whether mistakes are shown at their keys: a new rule has mistakes before the user writes anything. */
  #isTouched = false;

  /**
   * @param {{text: string, index: number | null, isJSON?: boolean}} edited
   * @param {import("./rule-form.js").Forms} forms
   * @param {string[]} programs
   */
  constructor(edited, forms, programs) {
    super();
    this.#text = edited.text;
    this.index = edited.index;
    this.form = new RuleForm(forms, programs);
    this.form.on("write", (text) => this.#take(text));
    this.#isJSON = (edited.isJSON ?? false) || !this.form.kindOf(edited.text);
    this.area = el("textarea", { rows: String(Math.min(20, Math.max(8, edited.text.split("\n").length + 1))), spellcheck: "false",
      "aria-label": "The rule as JSON", "aria-describedby": "rule-problem", oninput: () => this.#take(this.area.value) });
    this.note = el("p", { class: "notice", hidden: true });
    this.part = el("div", { class: "rule-part" });
    this.sentence = el("p", { class: "rule-sentence", role: "status" });
    this.remarks = el("div", {});
    this.preview = new RulePreview();
    this.complaint = el("p", { class: "notice failed", id: "rule-problem", role: "alert", hidden: true });
    const way = (/** @type {boolean} */ isJSON, /** @type {string} */ label) => el("button", { type: "button", "data-way": label,
      onclick: () => this.#turn(isJSON) }, label);
    this.ways = [way(false, "Form"), way(true, "JSON")];
    this.element = el("div", { class: "rule-editor", onkeydown: (event) => this.#key(event) },
      el("div", { class: "rule-ways", role: "group", "aria-label": "The rule is shown as" }, ...this.ways), this.note,
      el("div", { class: "rule-sides" }, this.part, el("div", { class: "rule-effect" }, el("h2", {}, "What it does"), this.sentence, this.remarks,
        this.preview.element)),
      this.complaint,
      el("p", { class: "line" }, el("button", { type: "button", class: "primary rule-use", onclick: () => this.use() }, "Use now"),
        el("button", { type: "button", class: "rule-cancel", onclick: () => this.emit("cancel") }, "Cancel"),
        el("span", { class: "soft" }, ...withPages("Ctrl+Enter uses it, too. docs/RULES.md#kinds has the kinds and their keys."))));
    this.#show();
    this.#check();
  }

  focus() {
    if (!this.#isJSON) return this.form.focus();
    this.area.focus();
    this.area.setSelectionRange(0, 0);
  }

  /** Stops running checks and the preview. */
  end() {
    clearTimeout(this.#timer);
    this.#checks += 1;
    this.preview.stop();
  }

  /** Checks the rule, and uses a valid one. */
  async use() {
    clearTimeout(this.#timer);
    this.#isTouched = true;
    if (await this.#check() === false) return this.#point();
    this.emit("use");
  }

  /** Shows why the server refused the rule. @param {Problem} problem */
  refuse(problem) {
    const detail = (problem.detail ?? problem.title).replace(/^rules\[\d+\](?:\.(\w+))?: /, (_, key) => (key ? `${key}: ` : ""));
    this.#complain([detail, problem.remedy].filter(Boolean).join(". "));
  }

  #take(text) {
    this.#text = text;
    this.#isTouched = true;
    this.emit("write", { text, isJSON: this.#isJSON });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), pause);
  }

  #turn(isJSON) {
    this.#isJSON = isJSON;
    this.#show();
    this.emit("write", { text: this.#text, isJSON: this.#isJSON });
    this.#check();
    this.ways[this.#isJSON ? 1 : 0].focus();
  }

  #show() {
    const canForm = Boolean(this.form.kindOf(this.#text));
    this.note.hidden = this.#isJSON || canForm;
    if (!this.#isJSON && !canForm) {
      setText(this.note, "The form needs a rule of a known kind: a JSON object with “do”, and with no key twice. Fix it here, then choose Form again.");
      this.#isJSON = true;
    }
    for (const [at, button] of this.ways.entries()) button.setAttribute("aria-pressed", String(this.#isJSON === (at === 1)));
    if (this.#isJSON) {
      this.area.value = this.#text;
      fill(this.part, this.area);
    } else {
      this.form.show(this.#text);
      fill(this.part, this.form.element);
    }
  }

  /** @returns {Promise<boolean | undefined>} Whether the text is a rule; `undefined` if the text changed during the check. */
  async #check() {
    const check = ++this.#checks;
    const text = this.#text;
    try {
      const found = await askJSON("/api/rules/check", { method: "POST", body: { rule: text, ...(this.index === null ? {} : { index: this.index }) } });
      if (check !== this.#checks) return undefined;
      this.#tell(found);
      return !found.mistake;
    } catch (error) {
      if (check === this.#checks) this.#complain(Problem.of(error).sentence);
      return false;
    }
  }

  #tell({ mistake, sentence, filter, remarks }) {
    this.mistake = mistake ?? null;
    setText(this.sentence, mistake ? "Nothing yet: the rule has a mistake, or is incomplete." : sentence);
    this.sentence.classList.toggle("soft", Boolean(mistake));
    fill(this.remarks, ...(remarks ?? []).map((text) => el("p", { class: "notice" }, text)));
    // A filter with a mistake has no preview; other mistakes leave the filter's meaning as it is.
    if (!mistake) this.preview.show(filter);
    const isAtKey = !this.#isJSON && this.form.tell(this.#isTouched ? this.mistake : null);
    this.#complain(mistake && this.#isTouched && !isAtKey ? `${mistake.place ? `${mistake.place}: ` : ""}${mistake.message}` : "");
  }

  /** Moves the focus to the mistake. */
  #point() {
    if (!this.mistake) return;
    const { place, message } = this.mistake;
    if (!this.#isJSON) return this.form.focus(/^\w+/.exec(place)?.[0]);
    const found = placeOf(this.area.value, place, message);
    this.area.focus();
    if (found) this.area.setSelectionRange(...found);
  }

  #complain(text) {
    this.complaint.hidden = text === "";
    setText(this.complaint, text);
  }

  #key(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.use();
  }
}

/**
 * The place of a mistake in the text of a rule.
 *
 * @param {string} text
 * @param {string} place The path in the rule, such as `fields[1]`.
 * @param {string} message The server's message.
 * @returns {[number, number] | null} The start and the end; `null` if the message names no place.
 */
function placeOf(text, place, message) {
  const inLine = /line (\d+), column (\d+)/.exec(message);
  if (inLine) {
    const lines = text.split("\n");
    const start = lines.slice(0, Number(inLine[1]) - 1).reduce((sum, line) => sum + line.length + 1, 0)
      + Number(inLine[2]) - 1;
    return [Math.min(start, text.length), Math.min(start + 1, text.length)];
  }
  const key = /^\w+/.exec(place)?.[0] ?? /“(\w+)”/.exec(message)?.[1];
  const found = key ? new RegExp(`"${key}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^,}\\s]+)?`).exec(text) : null;
  if (!found) return null;
  const column = Number(/^column (\d+)/.exec(message)?.[1] ?? 0);
  const value = found.index + found[0].length - (found[1]?.length ?? 0);
  // Columns of a filter count from its opening quote.
  return column > 0 ? [value + column, value + (found[1]?.length ?? 1) - 1] : [found.index, found.index + found[0].length];
}
