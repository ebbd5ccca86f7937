import { ask, askJSON } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { el, fill, setText } from "../../core/dom.js";
import { Draft } from "../../core/draft.js";
import { Emitter } from "../../core/emitter.js";
import { bytes } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { held as board, nameOf } from "../../core/held.js";
import { answered, changes, emptyAnswer, partOf, written, wrongLine } from "./message-text.js";

/** @typedef {import("../../core/types.js").Held} Held */
/** @typedef {import("./message-text.js").Written} Written */

/** One held message, which the user edits, continues, answers or drops. Emits `decided` after a decision. */
export class HeldEditor extends Emitter {
  /** @type {Written | null} The message as held. */
  #before = null;
  /** @type {{isAnswer: boolean, edit: Written, answer: Written}} The user's edits, in both forms. */
  #draft;
  /** @type {Draft<any>} */
  #kept;
  #isBusy = false;
  #isOver = false;
  /** Whether this editor decided about the message. */
  isDecided = false;

  /** @param {Held} one */
  constructor(one) {
    super();
    this.one = one;
    this.isRequest = one.at === "request";
    this.#kept = new Draft(`held-${nameOf(one)}`);
    this.element = el("section", { class: "held-editor", "aria-label": `Held ${one.at}`, "aria-busy": "true" },
      el("p", { class: "soft" }, "Loading…"));
    this.#load();
  }

  get isDirty() {
    return this.#before !== null && (this.#draft.isAnswer || this.#hasEdits);
  }

  get #hasEdits() {
    return Object.keys(changes(this.#before, this.#draft.edit, this.isRequest)).length > 0;
  }

  /** Whether a message has unsent edits. @param {Held} one */
  static hasDraft(one) {
    return new Draft(`held-${nameOf(one)}`).read() !== null;
  }

  async #load() {
    try {
      const whole = await askJSON(`/api/breakpoints/${this.one.id}`);
      this.#before = written(whole);
      this.#draft = this.#kept.read() ?? { isAnswer: false, edit: { ...this.#before }, answer: { ...emptyAnswer } };
      this.#trouble = whole.trouble;
      this.#build();
    } catch (error) {
      fill(this.element, el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
    }
    this.element.setAttribute("aria-busy", "false");
  }

  /** @type {string | undefined} */
  #trouble;

  /** The message is no longer held, without a decision here. The edits stay readable. */
  end() {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#before) return;
    for (const button of this.element.querySelectorAll(".held-actions button")) button.setAttribute("disabled", "");
    const { edit } = this.#draft;
    fill(this.notice, el("p", { class: "notice failed" }, "It is not held any more: its time was over, its client left, or "
      + "somebody else decided. What you wrote was not used; it is still here."),
    el("p", { class: "line" }, this.isRequest && this.one.exchange && el("button", { type: "button", onclick: () => {
      this.#toCompose(edit);
    } }, "Send it from Compose…"), el("button", { type: "button", class: "held-dismiss", onclick: () => this.#leave() },
    "Throw it away")));
  }

  #toCompose(edit) {
    const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(this.one.url)?.[0] ?? "";
    new Draft(`compose-${this.one.exchange}`).write({ method: edit.method, url: origin + edit.path, fields: edit.fields,
      body: edit.body, encoding: edit.encoding, through: "proxy", http2: false, captured: null, answer: null });
    this.#leave();
    route.go(`#/compose/${this.one.exchange}`);
  }

  #leave() {
    this.#kept.clear();
    this.emit("decided");
  }

  #build() {
    const { one, isRequest } = this;
    const form = this.#draft.isAnswer ? this.#draft.answer : this.#draft.edit;
    const hasStatus = this.#draft.isAnswer || !isRequest;
    this.problems = {};
    const problem = (/** @type {string} */ name) => (this.problems[name] = el("p", { class: "notice failed",
      id: `held-problem-${name}`, role: "alert", hidden: true }));
    const input = (/** @type {"method" | "path" | "status"} */ name, /** @type {any} */ attributes) => (this[name] = el("input",
      { type: "text", spellcheck: "false", value: form[name], "aria-describedby": `held-problem-${name}`,
        oninput: () => this.#write(name, this[name].value), ...attributes }));
    this.notice = el("div", {});
    this.fields = el("textarea", { id: "held-fields", rows: String(Math.min(12, form.fields.split("\n").length + 1)),
      spellcheck: "false", value: form.fields, "aria-describedby": "held-problem-fields",
      oninput: () => this.#write("fields", this.fields.value) });
    this.body = el("textarea", { id: "held-body", rows: String(Math.max(4, Math.min(18, form.body.split("\n").length + 1))),
      spellcheck: "false", value: form.body, "aria-describedby": "held-problem-body",
      oninput: () => this.#write("body", this.body.value) });
    this.encoding = el("select", { "aria-label": "The body is written as", onchange: () =>
      this.#write("encoding", this.encoding.value) }, el("option", { value: "text" }, "text"),
    el("option", { value: "base64" }, "Base64"));
    this.encoding.value = form.encoding;
    const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(one.url)?.[0] ?? "";
    fill(this.element, el("h2", {}, this.#draft.isAnswer ? "Answer in the server's place"
      : isRequest ? "Request, before the server gets it" : "Response, before the client gets it"),
    el("p", { class: "soft held-of" }, `${one.method} ${one.url}`, one.exchange && " · ",
      one.exchange && el("a", { href: `#/?id=${one.exchange}&tab=overview` }, `exchange ${one.exchange}`)),
    el("form", { class: "held-form", "aria-label": "Held message", onsubmit: (event) => {
      event.preventDefault();
      this.#go();
    }, onkeydown: (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#go();
    } },
    this.notice,
    hasStatus ? el("div", { class: "line" }, el("label", { for: "held-status" }, "Status"),
      input("status", { id: "held-status", class: "held-status", inputmode: "numeric", size: "5" }))
      : el("div", { class: "line held-target" }, input("method", { class: "method", "aria-label": "Method", size: "8" }),
        el("span", { class: "soft origin" }, origin), input("path", { class: "held-path", "aria-label": "Path and query" })),
    hasStatus ? problem("status") : problem("method"), !hasStatus && problem("path"),
    el("label", { for: "held-fields" }, "Headers, one a line"), this.fields, problem("fields"),
    form.isKept ? el("p", { class: "line held-kept" }, `Body: ${bytes(one.length)}, which is too long to be edited here; it goes on as it is.`,
      el("button", { type: "button", onclick: () => this.#writeAnother() }, "Write another"))
      : el("div", { class: "line" }, el("label", { for: "held-body" }, "Body, as"), this.encoding),
    !form.isKept && this.body, problem("body"),
    this.#trouble && el("p", { class: "notice" }, `The body is shown as it was sent: ${this.#trouble}.`), this.#actions()));
    this.#tellButtons();
  }

  #actions() {
    const other = (/** @type {string} */ label, /** @type {() => void} */ run, kind = "") => el("button",
      { type: "button", class: kind, onclick: run }, label);
    this.main = el("button", { type: "submit", class: "primary held-continue" });
    this.undo = other("Undo the changes", () => this.#undo(), "held-undo");
    const { isAnswer } = this.#draft;
    return el("div", { class: "held-actions" }, this.problems.all = el("p", { class: "notice failed", role: "alert", hidden: true }),
      el("p", { class: "line" }, this.main, isAnswer
        ? other("Do not answer: edit it", () => this.#turn(false), "held-back")
        : other("Answer in its place…", () => this.#turn(true), "held-answer"), this.undo,
      other("Drop", () => this.#decide("drop", {}), "held-drop"),
      other("Drop with a reset", () => this.#decide("drop", { reset: true }), "held-reset")),
      el("p", { class: "soft" }, "Ctrl+Enter is the first of these. Drop ends the exchange without a response."));
  }

  #write(name, value) {
    (this.#draft.isAnswer ? this.#draft.answer : this.#draft.edit)[name] = value;
    if (name !== "encoding") this.#complain(name, "");
    this.#keep();
  }

  #keep() {
    if (this.isDirty) this.#kept.write(this.#draft);
    else this.#kept.clear();
    this.#tellButtons();
  }

  #tellButtons() {
    setText(this.main, this.#draft.isAnswer ? "Answer so" : this.#hasEdits ? "Continue with the changes" : "Continue");
    this.undo.hidden = this.#draft.isAnswer || !this.#hasEdits;
  }

  #turn(isAnswer) {
    this.#draft.isAnswer = isAnswer;
    this.#build();
    this.#keep();
    (isAnswer ? this.status : this.element.querySelector("input, textarea"))?.focus();
  }

  #undo() {
    this.#draft.edit = { ...this.#before };
    this.#build();
    this.#keep();
    this.main.focus();
  }

  #writeAnother() {
    this.#draft.edit.isKept = false;
    this.#build();
    this.#keep();
    this.body.focus();
  }

  #go() {
    const form = this.#draft.isAnswer ? this.#draft.answer : this.#draft.edit;
    const wrong = wrongLine(form.fields);
    if (wrong >= 0) {
      this.#complain("fields", `Line ${wrong + 1} has no colon: expected “Name: value”.`);
      return this.#selectLine(wrong);
    }
    if (this.#draft.isAnswer) this.#decide("respond", answered(form));
    else this.#decide("continue", changes(this.#before, form, this.isRequest));
  }

  /** @param {"continue" | "respond" | "drop"} way @param {object} asked */
  async #decide(way, asked) {
    // A second press must not decide twice.
    if (this.#isBusy || this.#isOver) return;
    this.#isBusy = true;
    for (const name of Object.keys(this.problems)) this.#complain(name, "");
    try {
      await ask(`/api/breakpoints/${this.one.id}/${way}`, { method: "POST",
        body: Object.keys(asked).length > 0 ? asked : undefined });
      this.#isOver = true;
      this.isDecided = true;
      toast({ continue: "The message continues", respond: "The request is answered", drop: "The message is dropped" }[way]);
      board.forget(this.one);
      this.#leave();
    } catch (error) {
      this.#refused(Problem.of(error));
    } finally {
      this.#isBusy = false;
    }
  }

  #refused(problem) {
    if (problem.status === 404) return this.end();
    const part = partOf(problem.detail ?? "");
    const place = part && !this.problems[part] ? undefined : part;
    if (!place) return this.#complain("all", problem.sentence);
    this.#complain(place, problem.detail);
    const name = /“([^”]+)”$/.exec(problem.detail)?.[1] ?? "";
    const line = place === "fields" ? this.fields.value.split(/\r?\n/).findIndex(
      (one) => one.slice(0, Math.max(0, one.indexOf(":", 1))) === name) : -1;
    if (line >= 0) this.#selectLine(line);
    else this[place].focus();
  }

  /** Shows a mistake at a part of the form, until the next decision. */
  #complain(name, text) {
    const place = this.problems[name];
    if (!place) return;
    place.hidden = text === "";
    setText(place, text);
    this[name]?.setAttribute("aria-invalid", String(text !== ""));
  }

  #selectLine(number) {
    const lines = this.fields.value.split("\n");
    const start = lines.slice(0, number).reduce((sum, line) => sum + line.length + 1, 0);
    this.fields.focus();
    this.fields.setSelectionRange(start, start + lines[number].length);
  }
}
