import { copy } from "../../core/clipboard.js";
import { openMenu } from "../../core/menu.js";
import { keyAt, pointerTo, valueAt } from "./json-pointer.js";
import { TextDocument } from "./text-document.js";

/** Copies of a body's row: by its menu, and by Ctrl+C without a selection. */
export class RowMenu {
  /** Whether the rows are JSON, whose values have pointers. */
  isJSON = false;

  /** @param {import("./code-view.js").CodeView} code */
  constructor(code) {
    this.code = code;
    code.openMenu = (row, point) => openMenu(code.element, "Copy", this.#items(row), { point });
    code.copyRow = (row) => this.#items(row)[0]?.choose?.();
  }

  /** @param {number} row @returns {import("../../core/menu.js").MenuItem[]} */
  #items(row) {
    const { document: rows } = this.code;
    if (!(rows instanceof TextDocument)) return [];
    const { lines } = rows;
    const selected = getSelection()?.toString() ?? "";
    const items = [];
    const add = (label, text, what, hint = "") => items.push({ label, hint, choose: () => copy(text, what) });
    if (this.isJSON) {
      const pointer = pointerTo(lines, row);
      const key = keyAt(lines, row);
      add("Copy value", valueAt(lines, row), `the value of ${pointer || "the whole"}`, "Ctrl+C");
      add("Copy JSON Pointer", pointer, pointer ? `the pointer ${pointer}` : "the pointer to the whole, which is empty");
      if (key !== undefined) add("Copy key", key, `the key ${key}`);
    }
    add("Copy line", rows.lineOf(row).trim(), "the line", this.isJSON ? "" : "Ctrl+C");
    if (selected) add("Copy selection", selected, "the selection");
    add("Copy all", rows.text, "the body");
    return items;
  }
}
