import { checkFilter } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";

/** A word of a filter: a part of a URL, without an operator or in quotation marks. */
const word = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s~!@&|()"'=<>]+)`;
const onlyWords = new RegExp(`^${word}(?:\\s+${word})*$`, "u");

/** The places beside the URL in which words can be searched, each with its operator of the filter language. */
const places = { heads: "~h", bodies: "~b" };

/** @typedef {keyof typeof places} Place */

/** Whether a filter consists of words alone; a word may be the name of a field or a flag. @param {string} text */
export function isWords(text) {
  return onlyWords.test(text);
}

/** The words of a text, each as it stands there. @param {string} text @returns {string[]} */
function wordsOf(text) {
  return text.match(new RegExp(word, "gu")) ?? [];
}

/** The words in quotation marks, so that none is the name of a field. @param {string} text */
export function quotedWords(text) {
  return wordsOf(text).map((one) => (one.startsWith('"') ? one : `"${one}"`)).join(" ");
}

/**
 * A filter that searches each of some words in URLs and in other places.
 *
 * @param {string[]} words
 * @param {Place[]} others
 */
export function writeWords(words, others) {
  const alternatives = words.map((one) => [one, ...others.map((place) => `${places[place]} ${one}`)].join(" | "));
  return words.length > 1 && others.length > 0 ? alternatives.map((one) => `(${one})`).join(" ") : alternatives.join(" ");
}

/**
 * The words of a filter and the places beside the URL in which the filter searches them; `null` for a filter of another form.
 *
 * @param {string} text
 * @returns {{ words: string[], others: Place[] } | null}
 */
export function parseWords(text) {
  if (isWords(text)) return { words: wordsOf(text), others: [] };
  const words = (text.startsWith("(") ? text.slice(1, -1).split(") (") : [text]).map((one) => one.split(" | ")[0]);
  const choices = /** @type {Place[][]} */ ([["heads"], ["bodies"], ["heads", "bodies"]]);
  const others = choices.find((some) => writeWords(words, some) === text);
  return others ? { words, others } : null;
}

/**
 * Chips that search the words of the filter in heads and in bodies, too. They are visible while the filter consists of words. They
 * emit `choose` with the changed filter, and `change` when they appear or disappear.
 */
export class SearchPlaces extends Emitter {
  #text = "";
  /** @type {ReturnType<typeof parseWords>} */
  #found = null;

  constructor() {
    super();
    this.element = el("div", { class: "search-places", role: "group", "aria-label": "Where words are searched", hidden: true });
  }

  /** Shows or hides the chips for the current filter. @param {string} text */
  async show(text) {
    this.#text = text;
    const found = text ? parseWords(text) : null;
    const isMeant = found !== null && (found.others.length > 0 || await searchesURLs(text, found.words.length));
    if (text !== this.#text) return;
    this.#found = isMeant ? found : null;
    this.element.hidden = !isMeant;
    const focused = this.element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.place : "";
    fill(this.element, el("span", { class: "soft" }, "Searched in URLs,"), ...this.#choices().map(({ place, isChosen, text }) => el("button",
      { type: "button", class: "chip", "data-place": place, "aria-pressed": isChosen, onclick: () => this.emit("choose", text) }, `also in ${place}`)));
    if (focused) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-place="${focused}"]`))?.focus();
    this.emit("change");
  }

  /** The actions that search in one more place. @returns {import("../../core/keys.js").Action[]} */
  actions() {
    return this.#choices().filter((one) => !one.isChosen).map(({ place, text }) => ({ label: `Search also in ${place}`, group: "List",
      run: () => this.emit("choose", text) }));
  }

  /** @returns {{ place: Place, isChosen: boolean, text: string }[]} Each place with the filter that begins or ends the search there. */
  #choices() {
    if (!this.#found) return [];
    const { words, others } = this.#found;
    return /** @type {Place[]} */ (Object.keys(places)).map((place) => {
      const isChosen = others.includes(place);
      const next = /** @type {Place[]} */ (Object.keys(places)).filter((one) => (one === place ? !isChosen : others.includes(one)));
      return { place, isChosen, text: writeWords(words, next) };
    });
  }
}

/** Whether the server reads each word as a part of a URL; other words are flags. @param {string} text @param {number} count */
async function searchesURLs(text, count) {
  const { canonical } = await checkFilter(text).catch(() => ({ canonical: "" }));
  const parts = canonical.split(" & ");
  return parts.length === count && parts.every((part) => part.startsWith("url matches "));
}
