import { el, fill } from "../../core/dom.js";
import { icon } from "../../core/icons.js";

/**
 * @typedef {import("../../parts/compose/written-request.js").WrittenField} WrittenField
 *
 * @typedef {object} PairsMeans
 * @property {string} label The name of the table.
 * @property {string} one The name of a row: “field”.
 * @property {string} placeholder The placeholder in the value of the first empty row.
 * @property {(text: string) => WrittenField[]} parse Reads pasted lines.
 * @property {() => void} changed
 */

/** A table of editable names and values. The user can switch each row off, move it by keys and remove it. The last row is always empty. */
export class PairsTable {
  /** @param {PairsMeans} means */
  constructor(means) {
    this.means = means;
    this.rows = el("tbody");
    this.hint = el("p", { class: "visually-hidden", id: `pairs-${means.one}` },
      "Alt and an arrow key move a row. Several pasted lines become rows.");
    this.element = el("div", { class: "pairs" }, this.hint, el("table", { "aria-label": means.label, "aria-describedby": `pairs-${means.one}` },
      el("thead", {}, el("tr", {}, el("td", { class: "tick" }), el("th", { scope: "col" }, "Name"), el("th", { scope: "col" }, "Value"), el("td"))), this.rows));
    this.value = [];
  }

  /** @returns {WrittenField[]} */
  get value() {
    return [...this.rows.children].map((row) => this.#pair(row)).filter(({ name, value }) => name !== "" || value !== "");
  }

  set value(pairs) {
    fill(this.rows, ...pairs.map((pair) => this.#row(pair)), this.#row());
  }

  /** The input of a part of a pair. @param {number} index The index in `value`. @param {"name" | "value"} part @returns {HTMLInputElement | null} */
  input(index, part) {
    const row = [...this.rows.children].filter((one) => this.#pair(one).name !== "" || this.#pair(one).value !== "")[index];
    return row?.querySelector(`.pair-${part}`) ?? null;
  }

  focus() {
    this.rows.lastElementChild?.querySelector(".pair-name")?.focus();
  }

  #pair(row) {
    const isOn = row.querySelector("input[type=checkbox]").checked;
    return { name: row.querySelector(".pair-name").value.trim(), value: row.querySelector(".pair-value").value, ...(isOn ? {} : { isOn }) };
  }

  /** @param {WrittenField} [pair] */
  #row(pair) {
    const { one } = this.means;
    const input = (/** @type {"name" | "value"} */ part) => el("input", { type: "text", class: `pair-${part}`, value: pair?.[part] ?? "",
      spellcheck: "false", autocomplete: "off", "aria-label": part === "name" ? `Name of the ${one}` : "Value",
      placeholder: pair || this.rows.childElementCount > 0 ? undefined : part === "name" ? "Name" : this.means.placeholder,
      onpaste: (/** @type {ClipboardEvent} */ event) => this.#paste(event, row) });
    const name = input("name");
    const tick = el("input", { type: "checkbox", checked: pair?.isOn !== false, "aria-label": `Send this ${one}`,
      onchange: () => row.classList.toggle("is-off", !tick.checked) });
    const remove = el("button", { type: "button", class: "plain remove", "aria-label": `Remove this ${one}`, title: "Remove",
      onclick: () => this.#remove(row) }, icon("close"));
    const row = el("tr", { class: [pair?.isOn === false && "is-off", !pair && "is-empty"].filter(Boolean).join(" ") || undefined,
      oninput: (/** @type {Event} */ event) => this.#edited(row, event), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, row) },
    el("td", { class: "tick" }, tick), el("td", {}, name), el("td", {}, input("value")), el("td", { class: "act" }, remove));
    return row;
  }

  #edited(row, event) {
    event.target.removeAttribute("aria-invalid");
    row.classList.remove("is-empty");
    if (row === this.rows.lastElementChild && event.target.type !== "checkbox") this.rows.append(this.#row());
  }

  #remove(row) {
    if (row === this.rows.lastElementChild) return;
    const next = row.nextElementSibling;
    row.remove();
    next.querySelector(".pair-name").focus();
    this.means.changed();
  }

  #key(event, row) {
    if (event.ctrlKey || event.metaKey) return;
    const isArrow = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (event.key === "Enter" && event.target.type === "text") {
      // Enter in the form would send the request.
      event.preventDefault();
      (event.target.classList.contains("pair-name") ? row.querySelector(".pair-value") : row.nextElementSibling?.querySelector(".pair-name"))?.focus();
    } else if (isArrow && event.altKey) {
      event.preventDefault();
      this.#move(row, event.key === "ArrowUp", event.target);
    } else if (isArrow && event.target.type === "text") {
      const other = event.key === "ArrowUp" ? row.previousElementSibling : row.nextElementSibling;
      other?.querySelector(`.${event.target.className}`)?.focus();
      if (other) event.preventDefault();
    }
  }

  #move(row, isUp, target) {
    const last = this.rows.lastElementChild;
    const other = isUp ? row.previousElementSibling : row.nextElementSibling;
    if (!other || row === last || other === last) return;
    if (isUp) other.before(row);
    else other.after(row);
    target.focus();
    this.means.changed();
  }

  /** Fills rows from pasted text: from several lines, or from a line with a whole pair in an empty row. */
  #paste(event, row) {
    const text = event.clipboardData?.getData("text") ?? "";
    const isWhole = /\r?\n./.test(text.trim()) || (row.classList.contains("is-empty") && event.target.classList.contains("pair-name")
      && this.means.parse(text).every((pair) => pair.name && pair.value));
    if (!isWhole || text.trim() === "") return;
    event.preventDefault();
    const made = this.means.parse(text).map((pair) => this.#row(pair));
    row.before(...made);
    if (this.#pair(row).name === "" && this.#pair(row).value === "" && row !== this.rows.lastElementChild) row.remove();
    (made.at(-1)?.querySelector(".pair-value") ?? row.querySelector(".pair-name")).focus();
    this.means.changed();
  }
}
