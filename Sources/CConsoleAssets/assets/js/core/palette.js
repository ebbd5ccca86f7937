import { showDialog } from "./dialog.js";
import { el, fill, setText } from "./dom.js";
import { allActions, keyName } from "./keys.js";

/** @typedef {import("./keys.js").Action} Action */

/** Rows by which PageUp and PageDown move. */
const far = 8;

/** Lists all actions that are possible now, and runs the chosen one (WAI-ARIA combobox with a listbox). */
export async function showPalette() {
  if (document.querySelector("dialog[open]")) return;
  const actions = allActions().filter((action) => action.run !== showPalette);
  /** @type {Action | undefined} */
  const chosen = await showDialog("Commands", (close) => content(actions, close));
  // The dialog has returned the focus, so the action applies to the element that had it before.
  chosen?.run();
}

/** @param {Action[]} actions @param {(chosen?: Action) => void} close */
function content(actions, close) {
  const list = el("ul", { class: "palette-list", role: "listbox", id: "palette-list", "aria-label": "Commands" });
  const field = el("input", { type: "text", class: "palette-field", role: "combobox", autofocus: true, autocomplete: "off",
    spellcheck: "false", placeholder: "Type a command", "aria-label": "Command", "aria-autocomplete": "list",
    "aria-expanded": "true", "aria-controls": "palette-list" });
  const count = el("p", { class: "soft", role: "status" });
  /** @type {{action: Action, element: HTMLElement}[]} */
  let rows = [];
  let at = 0;
  const go = (/** @type {number} */ place) => {
    rows[at]?.element.setAttribute("aria-selected", "false");
    at = Math.max(0, Math.min(rows.length - 1, place));
    const row = rows[at];
    if (!row) return field.removeAttribute("aria-activedescendant");
    row.element.setAttribute("aria-selected", "true");
    field.setAttribute("aria-activedescendant", row.element.id);
    row.element.scrollIntoView({ block: "nearest" });
  };
  const show = () => {
    rows = found(actions, field.value).map(({ action, places }, place) => ({ action,
      element: option(action, places, place, () => close(action)) }));
    fill(list, ...rows.map((row) => row.element));
    list.hidden = rows.length === 0;
    setText(count, rows.length === 0 ? "No command has these letters in this order."
      : rows.length === 1 ? "1 command" : `${rows.length} commands`);
    go(0);
  };
  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    const last = rows.length - 1;
    const to = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at === 0 ? last : at - 1, PageDown: at + far,
      PageUp: at - far }[event.key];
    if (to !== undefined) go(to);
    else if (event.key === "Enter" && rows[at]) close(rows[at].action);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  });
  show();
  return [el("div", { class: "palette" }, field, list, count)];
}

/** @param {Action} action @param {Set<number>} places @param {number} number @param {() => void} choose */
function option(action, places, number, choose) {
  const label = [...action.label].map((letter, place) => (places.has(place) ? el("b", {}, letter) : letter));
  return el("li", { role: "option", id: `palette-${number}`, "aria-selected": "false", onclick: choose },
    el("span", { class: "palette-label" }, ...label), el("span", { class: "soft" }, action.group ?? ""),
    action.key && el("kbd", {}, keyName(action.key)));
}

/**
 * The actions whose names contain the letters of a text in order, the best match first.
 *
 * @param {Action[]} actions
 * @param {string} text
 * @returns {{action: Action, places: Set<number>}[]}
 */
export function found(actions, text) {
  const letters = [...text.toLowerCase()].filter((letter) => letter.trim() !== "");
  return actions.flatMap((action, order) => {
    const best = match([...action.label.toLowerCase()], letters);
    return best ? [{ action, order, ...best }] : [];
  }).sort((one, other) => one.cost - other.cost || one.order - other.order);
}

/**
 * The places of letters in a label, as near to each other and to the beginning of a word as possible.
 *
 * @param {string[]} label
 * @param {string[]} letters
 */
function match(label, letters) {
  if (letters.length === 0) return { cost: 0, places: new Set() };
  let best = null;
  for (let start = 0; start < label.length; start += 1) {
    if (label[start] !== letters[0]) continue;
    const places = [start];
    for (const letter of letters.slice(1)) {
      const next = label.indexOf(letter, places[places.length - 1] + 1);
      if (next < 0) return best;
      places.push(next);
    }
    const gaps = places[places.length - 1] - start - (letters.length - 1);
    const isWord = start === 0 || !/[\p{L}\p{N}]/u.test(label[start - 1]);
    const cost = gaps * 2 + (isWord ? 0 : 3) + start / 100;
    if (!best || cost < best.cost) best = { cost, places: new Set(places) };
  }
  return best;
}
