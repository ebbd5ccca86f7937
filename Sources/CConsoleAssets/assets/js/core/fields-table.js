import { copy } from "./clipboard.js";
import { el } from "./dom.js";
import { count } from "./format.js";
import { icon } from "./icons.js";
import { openMenu } from "./menu.js";

/** Characters of a name. Longer names wrap, so that values keep their place. */
const longName = 30;
/** Characters of a value that are visible before a press of the button: some lines. */
const longValue = 600;

/**
 * A table of names and values, one pair a row, with a copy button each.
 *
 * @param {string[]} heads
 * @param {string[][]} rows
 * @param {string} label
 */
export function fieldsTable(heads, rows, label) {
  return el("table", { class: "fields", "aria-label": label, oncontextmenu: (event) => openRowMenu(event, heads, rows) },
    el("thead", { class: "visually-hidden" }, el("tr", {},
      ...heads.map((head) => el("th", { scope: "col" }, head)), el("td", {}))),
    el("tbody", {}, ...rows.map(([name, ...values]) =>
      el("tr", {}, el("th", { scope: "row", class: name.length > longName && "long" }, name || "(no name)"),
      ...values.map((value) => el("td", {}, value === "" ? el("span", { class: "soft" }, "(empty)") : folded(value))),
      el("td", { class: "act" }, copyButton(values[0], name || "value"))))));
}

/** Opens a menu that copies each part of a row. A selected text has the menu of the browser. */
function openRowMenu(event, heads, rows) {
  const line = event.target.closest("tbody tr");
  const row = rows[line?.sectionRowIndex];
  if (!row || !getSelection()?.isCollapsed) return;
  event.preventDefault();
  const [name, value] = row;
  const items = heads.map((head, place) => ({ label: `Copy ${head.toLowerCase()}`,
    choose: () => copy(row[place], `the ${head.toLowerCase()} of ${name || "the row"}`) }));
  // The value comes first, because users mostly copy it.
  const [first, second, ...others] = items;
  const both = heads[1] === "Value" ? [{ label: "Copy name and value", choose: () => copy(`${name}: ${value}`, name) }] : [];
  openMenu(line, name || "Copy", [second, first, ...both, ...others], { point: { x: event.clientX, y: event.clientY } });
}

/**
 * A long value with its first lines and a button for the rest; a short value unchanged.
 *
 * @template Value
 * @param {Value} value
 * @returns {Value | HTMLElement}
 */
export function folded(value) {
  if (typeof value !== "string" || value.length <= longValue) return value;
  const text = el("span", { class: "long-text folded-text" }, value);
  const button = el("button", { type: "button", class: "unfold", "aria-expanded": "false", onclick: () => {
    const isFolded = text.classList.toggle("folded-text");
    button.setAttribute("aria-expanded", String(!isFolded));
    button.textContent = isFolded ? label : "Show less";
  } });
  const label = `Show all ${count(value.length)} characters`;
  button.textContent = label;
  return el("span", { class: "long" }, text, button);
}

/** @param {string} text @param {string} what */
export function copyButton(text, what) {
  return el("button", { type: "button", class: "plain copy", "aria-label": `Copy ${what}`, title: "Copy",
    onclick: () => copy(text, what) }, icon("copy"));
}

/**
 * A part of a panel that folds.
 *
 * @param {string} title
 * @param {string} extra
 * @param {boolean} isOpen
 * @param {...(Node | string | null | false)} content
 */
export function section(title, extra, isOpen, ...content) {
  return el("details", { class: "section", open: isOpen },
    el("summary", {}, el("h3", {}, title), extra && el("span", { class: "extra" }, extra)), ...content);
}

/**
 * Facts as pairs. Pairs without a value are left out.
 *
 * @param {[string, string | Node | number | undefined | null][]} pairs
 */
export function facts(pairs) {
  return el("dl", { class: "facts" }, ...pairs.filter(
    ([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, folded(value)))));
}
