import { checkFilter } from "../../core/api.js";
import { announce } from "../../core/announce.js";
import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { icon } from "../../core/icons.js";
import { grouped, openMenu } from "../../core/menu.js";
import { Problem } from "../../core/problem.js";
import { askAndSave, savedFilters } from "./saved-filters.js";
import { isWords, quotedWords } from "./search-places.js";

/** The examples, by submenu. @type {Record<string, [string, string][]>} */
const examples = {
  "What failed…": [["Errors", "failed"], ["No complete response", "broken"], ["Failed handshakes", "tls.failed"],
    ["Handshakes that no request shows", "tls.failed & !tls.answered & !http"], ["Pinned clients", "pinned"]],
  "Kinds of traffic…": [["WebSockets", "websocket"], ["gRPC", "grpc"], ["Changed by rules", "ruled"], ["Spare connections", "spare"]],
  "By a field…": [["Posts to a host", "method == POST & host ~ *.example.com"], ["Slow or big", "duration > 1s | size > 1MB"],
    ["By a header", "header[content-type] contains json"], ["From a program", "process == curl"], ["As in mitmproxy", "~d example.com & !~t image"]],
};

/** The number of saved filters in the menu itself. */
const shownSaved = 5;

/** The filter field. The server checks the text while the user types; a correct filter applies. Emits `filter` with the text. */
export class FilterBox extends Emitter {
  #applied = "";
  #checks = 0;
  #timer = 0;

  /** @param {HTMLElement} form */
  constructor(form) {
    super();
    this.input = el("input", { type: "text", id: "filter-text", autocomplete: "off", autocapitalize: "off",
      spellcheck: "false", placeholder: "Words of URLs, or a filter: status >= 400",
      "aria-label": "Filter", "aria-describedby": "filter-problem", enterkeyhint: "search" });
    this.problem = el("div", { class: "filter-problem", id: "filter-problem", hidden: true });
    this.clear = el("button", { type: "button", class: "plain", "aria-label": "Clear the filter",
      hidden: true, onclick: () => this.set("") }, icon("close"));
    const menu = el("button", { type: "button", class: "plain", "aria-haspopup": "menu",
      "aria-expanded": "false", "aria-label": "Saved filters and examples", title: "Saved filters and examples" },
      icon("more"));
    menu.addEventListener("click", () => this.#openMenu(menu));
    completes(this.input);
    fill(form, icon("search"), this.input, this.clear, menu, this.problem);
    this.input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#check(), 160);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(this.#timer);
      this.#check(true);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") this.emit("leave");
      else if (event.key === "Escape" && this.input.value === "") this.emit("leave");
      else if (event.key === "Escape") this.set("");
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  async #openMenu(/** @type {HTMLElement} */ anchor) {
    const saved = await savedFilters().catch(() => []);
    const text = this.#applied;
    const isNew = text !== "" && !saved.some((one) => one.text === text || `@${one.name}` === text);
    const entries = (/** @type {string[][]} */ some) => some.map(([label, filter]) => ({ label, hint: filter, choose: () => this.set(filter) }));
    const own = saved.map((one) => ({ label: `@${one.name}`, hint: one.text, choose: () => this.set(`@${one.name}`) }));
    openMenu(anchor, "Saved filters and examples", grouped([
      [...(own.length > shownSaved ? [{ label: "Saved filters…", items: own }] : own),
        isNew && { label: "Save this filter…", hint: text, choose: () => askAndSave(text, saved) }],
      Object.entries(examples).map(([label, some]) => ({ label, items: entries(some) })),
    ]));
  }

  /** @param {string} text */
  set(text) {
    this.input.value = text;
    this.#check();
  }

  /** Shows the text of a filter that is applied already. @param {string} text */
  show(text) {
    clearTimeout(this.#timer);
    this.#checks += 1;
    if (text !== this.#applied && this.input.ariaInvalid === "true") this.#explain(null, text);
    // The text may end with a space while the user types the next word.
    if (this.input.value.trim() !== text) this.input.value = text;
    this.#applied = text;
    this.clear.hidden = text === "";
  }

  /** Shows a mistake of the filter that is applied. @param {Problem} problem */
  explain(problem) {
    this.#explain(problem, this.input.value);
  }

  async #check(leaves = false) {
    const text = this.input.value.trim();
    const check = ++this.#checks;
    this.clear.hidden = this.input.value === "";
    try {
      const found = text ? await checkFilter(text) : { remarks: [] };
      // A newer text has a check of its own.
      if (check !== this.#checks || this.input.value.trim() !== text) return;
      this.#explain(null, text);
      this.#remark(found.remarks);
      if (text !== this.#applied) {
        this.#applied = text;
        this.emit("filter", text);
      }
      if (leaves) this.emit("leave");
    } catch (error) {
      if (check === this.#checks) this.#explain(Problem.of(error), text);
    }
  }

  #explain(problem, text) {
    this.input.setAttribute("aria-invalid", String(problem !== null));
    this.problem.hidden = problem === null;
    this.problem.classList.remove("remark");
    if (!problem) return;
    // Columns count characters, not UTF-16 units.
    const characters = [...text];
    const at = problem.column ? Math.min(problem.column - 1, characters.length) : -1;
    const rest = characters.slice(at, at + 60).join("");
    const wrong = wordAt(rest) || rest.slice(0, 1);
    const excerpt = at < 0 ? null : el("code", {}, characters.slice(Math.max(0, at - 60), at).join(""),
      el("mark", {}, wrong || "␣"), rest.slice(wrong.length));
    const message = problem.detail ?? problem.title;
    const suggestion = problem.suggestion;
    fill(this.problem, el("p", {}, at >= 0 ? `Column ${problem.column}: ` : "", message), excerpt,
      problem.remedy && el("p", { class: "soft" }, problem.remedy),
      suggestion && el("button", { type: "button", onclick: () => this.#accept(problem, characters) }, "Use ",
        el("code", {}, suggestion)),
      isWords(text) && el("button", { type: "button", onclick: () => this.set(quotedWords(text)) }, "Search URLs for ", el("code", {}, text)));
    announce(`Filter: ${message}`);
  }

  /** Shows remarks about a valid filter that may mean something else than the user intended. */
  #remark(remarks) {
    if (remarks.length === 0) return;
    this.problem.hidden = false;
    this.problem.classList.add("remark");
    fill(this.problem, ...remarks.map((remark) => el("p", {}, remark)));
    announce(`Filter: ${remarks.join("; ")}`);
  }

  /** Replaces the faulty word with the suggestion. */
  #accept(problem, characters) {
    const at = (problem.column ?? 1) - 1;
    const rest = characters.slice(at).join("");
    this.input.focus();
    this.set(characters.slice(0, at).join("") + problem.suggestion + rest.slice(wordAt(rest).length));
  }
}

/** Completes the words of a filter field. The words are loaded when the user begins to write. @param {HTMLInputElement} input */
export function completes(input) {
  input.addEventListener("input", () => import("./filter-completion.js").then(({ completeFilters }) => completeFilters(input), () => {}), { once: true });
}

/** The word at the start of a text. */
function wordAt(text) {
  return /^[~@\w.-]+/.exec(text)?.[0] ?? "";
}
