import { copy } from "../core/clipboard.js";
import { el } from "../core/dom.js";
import { count } from "../core/format.js";
import { icon } from "../core/icons.js";
import { openMenu } from "../core/menu.js";

/** Longer ones are broken, so that values keep their place. */
const longName = 30;
/** Characters of a value that are shown at once: some lines of it. */
const longValue = 600;

/**
 * Names and values, one pair a row, with a copy button each.
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

/** Offers to copy each part of a row. A selected text has the menu of the browser. */
function openRowMenu(event, heads, rows) {
  const line = event.target.closest("tbody tr");
  const row = rows[line?.sectionRowIndex];
  if (!row || !getSelection()?.isCollapsed) return;
  event.preventDefault();
  const [name, value] = row;
  const items = heads.map((head, place) => ({ label: `Copy ${head.toLowerCase()}`,
    choose: () => copy(row[place], `the ${head.toLowerCase()} of ${name || "the row"}`) }));
  // Mostly, the value is wanted.
  const [first, second, ...others] = items;
  const both = heads[1] === "Value" ? [{ label: "Copy name and value", choose: () => copy(`${name}: ${value}`, name) }] : [];
  openMenu(line, name || "Copy", [second, first, ...both, ...others], { point: { x: event.clientX, y: event.clientY } });
}

/**
 * A value whose first lines are shown where it is long, with a button for the rest.
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
 * A part of a panel that can be folded.
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
 * Facts as pairs; those without a value are left out.
 *
 * @param {[string, string | Node | number | undefined | null][]} pairs
 */
export function facts(pairs) {
  return el("dl", { class: "facts" }, ...pairs.filter(
    ([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, folded(value)))));
}
