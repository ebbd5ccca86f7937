import { el } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { PairsTable } from "./pairs-table.js";
import { pointAt } from "../../parts/compose/variables.js";

/** @typedef {import("../../parts/compose/written-request.js").WrittenField} WrittenField */

/** The start of a line with a field that is off. A field name cannot contain the space (RFC 9110 §5.6.2). */
const off = "# ";

/** The fields of a request as a table, or as text with one field a line. */
export class FieldsEditor {
  /** @param {() => void} changed */
  constructor(changed) {
    this.table = new PairsTable({ label: "Headers", one: "header", placeholder: "Value", parse: fieldsOf, changed });
    this.text = el("textarea", { rows: "8", spellcheck: "false", id: "compose-fields", "aria-label": "Headers, one a line", hidden: true,
      placeholder: "Accept: application/json\n# X-Off: not sent" });
    this.count = el("span", { class: "soft" });
    this.switch = el("button", { type: "button", class: "plain", "aria-pressed": "false", onclick: () => this.#turn() }, "As text");
    this.element = el("section", { class: "compose-part", "aria-label": "Headers" },
      el("div", { class: "line" }, el("h2", {}, "Headers"), this.count, el("span", { class: "end" }, this.switch)), this.table.element, this.text);
  }

  get isText() {
    return !this.text.hidden;
  }

  /** @returns {WrittenField[]} */
  get value() {
    return this.isText ? fieldsOf(this.text.value) : this.table.value;
  }

  set value(fields) {
    this.table.value = fields;
    this.text.value = textOf(fields);
    this.tell();
  }

  /** The number of the first line of the text that is no field; 0 for none. */
  get wrongLine() {
    if (!this.isText) return 0;
    return this.text.value.split(/\r?\n/).findIndex((line) => line.trim() !== "" && line.replace(off, "").indexOf(":", 1) < 0) + 1;
  }

  /** Marks a field that cannot be sent. @param {number} index @param {"name" | "value"} part @param {string} [variable] The variable without a value. */
  mark(index, part, variable) {
    pointAt(this.isText ? this.text : this.table.input(index, part), variable);
  }

  /** Adds a field, or sets the first field of that name. @param {string} name @param {string} value */
  set(name, value) {
    const fields = this.value;
    const found = fields.find((field) => field.name.toLowerCase() === name.toLowerCase() && field.isOn !== false);
    this.value = found ? fields.map((field) => (field === found ? { ...field, value } : field)) : [...fields, { name, value }];
  }

  /** Shows the number of fields that are sent. */
  tell() {
    const all = this.value;
    const sent = all.filter((field) => field.isOn !== false).length;
    this.count.textContent = all.length === 0 ? "" : sent === all.length ? counted(sent, "header") : `${sent} of ${counted(all.length, "header")} sent`;
  }

  #turn() {
    const fields = this.value;
    this.text.hidden = this.isText;
    this.table.element.hidden = this.isText;
    this.switch.setAttribute("aria-pressed", String(this.isText));
    this.value = fields;
    if (this.isText) this.text.focus();
    else this.table.focus();
  }
}

/** Lines “Name: value” as fields; a line after “# ” is off. @param {string} text @returns {WrittenField[]} */
function fieldsOf(text) {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "").map((line) => {
    const isOn = !line.startsWith(off);
    const written = isOn ? line : line.slice(off.length);
    const colon = written.indexOf(":", 1);
    const [name, value] = colon < 0 ? [written.trim(), ""] : [written.slice(0, colon).trim(), written.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "")];
    return { name, value, ...(isOn ? {} : { isOn }) };
  });
}

/** @param {WrittenField[]} fields */
function textOf(fields) {
  return fields.map(({ name, value, isOn }) => `${isOn === false ? off : ""}${name}: ${value}`).join("\n");
}
