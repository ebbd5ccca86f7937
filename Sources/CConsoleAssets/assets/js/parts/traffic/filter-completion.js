import { el, fill } from "../../core/dom.js";
import { savedFilters } from "./saved-filters.js";
import { words } from "./filter-words.js";

/** @typedef {{ text: string, meaning: string }} Proposal */

/** The operators behind a field, by the field's kind. @type {Record<string, [string, string][]>} */
const operators = {
  number: [["==", "equal"], ["!=", "not equal"], [">=", "at least"], ["<=", "at most"], [">", "more than"], ["<", "less than"]],
  text: [["==", "equal"], ["!=", "not equal"], ["contains", "has this text in it"], ["startswith", "begins with this"],
    ["endswith", "ends with this"], ["~", "fits a pattern: *.example.com"], ["matches", "fits a regular expression"]],
};
/** The fewest letters of a word that is completed. */
const fewest = 2;
/** The most proposals at once. */
const most = 9;

let fields = 0;

/**
 * Completes the words of a filter while the user writes (WAI-ARIA combobox): fields, flags, operators and saved filters. No proposal is
 * chosen until the user chooses one, so the Enter key means the written text.
 *
 * @param {HTMLInputElement} input
 */
export function completeFilters(input) {
  const id = `filter-words-${fields += 1}`;
  const list = el("ul", { class: "menu filter-words", role: "listbox", id, "aria-label": "Words of the filter", hidden: true });
  /** @type {Proposal[]} */
  let proposals = [];
  let at = -1;
  /** @type {Proposal[]} */
  let saved = [];
  savedFilters().then((found) => (saved = found.map((one) => ({ text: `@${one.name}`, meaning: one.text }))), () => {});
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" })) input.setAttribute(name, value);

  const mark = (/** @type {number} */ place) => {
    at = place;
    [...list.children].forEach((row, number) => row.setAttribute("aria-selected", String(number === at)));
    if (at < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", list.children[at].id);
    list.children[at].scrollIntoView({ block: "nearest" });
  };
  // The field may stand on a page that scrolls.
  const scrolled = (/** @type {Event} */ event) => event.target !== list && close();
  const close = () => {
    document.removeEventListener("scroll", scrolled, true);
    list.hidden = true;
    list.remove();
    proposals = [];
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-controls");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (/** @type {number} */ place) => {
    const { start } = wordBefore(input);
    input.setRangeText(`${proposals[place].text} `, start, input.selectionStart ?? start, "end");
    close();
    input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  const show = () => {
    proposals = proposalsFor(input, saved);
    if (proposals.length === 0 || document.activeElement !== input) return close();
    fill(list, ...proposals.map(({ text, meaning }, place) => el("li", { role: "option", id: `${id}-${place}`, "aria-selected": "false",
      // The focus stays in the field.
      onpointerdown: (event) => event.preventDefault(), onclick: () => choose(place) }, el("code", {}, text), el("span", { class: "soft" }, meaning))));
    const box = input.getBoundingClientRect();
    (input.closest("header.bar, main") ?? document.body).append(list);
    document.addEventListener("scroll", scrolled, true);
    list.hidden = false;
    list.style.left = `${Math.max(8, Math.min(box.left, innerWidth - list.offsetWidth - 8))}px`;
    const isBelow = box.bottom + 2 + list.offsetHeight <= innerHeight - 8;
    list.style.top = `${isBelow ? box.bottom + 2 : Math.max(8, box.top - list.offsetHeight - 2)}px`;
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-controls", id);
    mark(-1);
  };
  input.addEventListener("input", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = proposals.length - 1;
    if (event.key === "ArrowDown") mark(at === last ? 0 : at + 1);
    else if (event.key === "ArrowUp") mark(at <= 0 ? last : at - 1);
    else if (event.key === "Escape") close();
    else if ((event.key === "Enter" || event.key === "Tab") && at >= 0) choose(at);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
  show();
}

/** The word before the cursor. @param {HTMLInputElement} input @returns {{ start: number, word: string }} */
function wordBefore({ value, selectionStart, selectionEnd }) {
  const end = selectionStart ?? value.length;
  const word = selectionEnd === end && !/[\w.@-]/.test(value[end] ?? "") ? /[\w.@-]*$/.exec(value.slice(0, end))?.[0] ?? "" : "";
  return { start: end - word.length, word };
}

/** @param {HTMLInputElement} input @param {Proposal[]} saved @returns {Proposal[]} */
function proposalsFor(input, saved) {
  const { start, word } = wordBefore(input);
  const before = input.value.slice(0, start);
  if (isQuoted(before)) return [];
  const field = /(?:^|[\s(!&|])([a-z][\w.]*)\s+$/i.exec(before)?.[1].toLowerCase();
  const kind = words.find(([name]) => name === field)?.[1] ?? "";
  if (operators[kind]) return operators[kind].filter(([text]) => text.startsWith(word) && text !== word).map(([text, meaning]) => ({ text, meaning }));
  // Behind an operator stands a value.
  if (/(?:[=<>~]|\b(?:contains|startswith|endswith|matches))\s*$/.test(before)) return [];
  if (word.startsWith("@")) return saved.filter(({ text }) => text.startsWith(word) && text !== word).slice(0, most);
  if (word.length < fewest) return [];
  const found = words.filter(([name]) => name.startsWith(word.toLowerCase()) && name !== word && !name.includes("["))
    // `tls.alert` is a field and a flag.
    .filter(([name], place, all) => all.findIndex(([other]) => other === name) === place);
  return found.slice(0, most).map(([text, , meaning]) => ({ text, meaning }));
}

/** Whether a text ends inside of quotation marks. @param {string} text */
function isQuoted(text) {
  return (text.replace(/\\./g, "").match(/"/g) ?? []).length % 2 === 1;
}
