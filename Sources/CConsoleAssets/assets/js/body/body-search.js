import { announce } from "../core/announce.js";
import { el, setText } from "../core/dom.js";
import { count } from "../core/format.js";

/** A search in the rows of a code view. */
export class BodySearch {
  #timer = 0;
  #scope = "";

  /** @param {import("./code-view.js").CodeView} code */
  constructor(code) {
    this.code = code;
    /** Called with the row of a match that was gone to. @type {(row: number) => void} */
    this.visited = () => {};
    this.input = el("input", { type: "text", class: "search", placeholder: "Search",
      "aria-label": "Search in the body", spellcheck: "false", autocomplete: "off" });
    this.told = el("span", { class: "told" });
    this.steps = [this.#step("Previous match", "↑", -1), this.#step("Next match", "↓", 1)];
    this.element = el("span", { class: "body-search", role: "search", "aria-label": "Body" }, this.input,
      this.told, ...this.steps);
    this.input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#find(), 150);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        clearTimeout(this.#timer);
        if (this.code.document && this.#isStale) this.#find();
        else this.#go(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape" && this.input.value) {
        this.input.value = "";
        this.#find();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Whether there are rows to search, and what of. @param {boolean} isOffered @param {string} scope */
  offer(isOffered, scope) {
    this.element.hidden = !isOffered;
    this.#scope = scope;
    if (isOffered && this.input.value) this.#find();
    else this.#tell();
  }

  get #isStale() {
    return this.found !== this.input.value;
  }

  #find() {
    const document = this.code.document;
    if (!document) return;
    this.found = this.input.value;
    document.find(this.input.value);
    if (document.matches.length > 0) this.#visit(0);
    else this.code.refresh();
    this.#tell();
  }

  #go(by) {
    const document = this.code.document;
    if (!document || document.matches.length === 0) return;
    this.#visit(document.current + by);
    this.#tell();
  }

  #visit(place) {
    const { document } = this.code;
    this.code.reveal(document.visit(place));
    this.visited(document.matches[document.current].row);
  }

  #tell() {
    const document = this.code.document;
    const matches = document?.matches.length ?? 0;
    const text = !this.input.value ? "" : matches === 0 ? `none ${this.#scope}`
      : `${count(document.current + 1)} of ${count(matches)}${document.hasMoreMatches ? "+" : ""} ${this.#scope}`;
    setText(this.told, text);
    if (text) announce(`Search: ${text}`);
    for (const step of this.steps) step.disabled = matches === 0;
  }

  #step(label, sign, by) {
    return el("button", { type: "button", class: "plain", "aria-label": label, disabled: true,
      onclick: () => this.#go(by) }, sign);
  }
}
