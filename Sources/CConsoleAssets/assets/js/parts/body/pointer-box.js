import { copy } from "../../core/clipboard.js";
import { el, setText } from "../../core/dom.js";
import { pointerTo, rowOf } from "./json-pointer.js";
import { TextDocument } from "./text-document.js";

/** The number of boxes so far: each box of a page has an ID of its own. */
let boxes = 0;

/** Goes to the value at a JSON Pointer, and shows the pointer of a row. */
export class PointerBox {
  /** @param {import("./code-view.js").CodeView} code */
  constructor(code) {
    this.code = code;
    boxes += 1;
    const id = `pointer-told-${boxes}`;
    this.input = el("input", { type: "text", class: "pointer", placeholder: "/path/0", spellcheck: "false", autocomplete: "off",
      "aria-label": "JSON Pointer", title: "Go to a value by its JSON Pointer (RFC 6901); a click on the number of a line copies its pointer",
      "aria-describedby": id });
    this.told = el("span", { class: "pointer-told", role: "status", id });
    this.element = el("span", { class: "pointer-box", hidden: true }, this.input, this.told);
    this.input.addEventListener("input", () => this.#tell(""));
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#go();
      else if (event.key === "Escape" && this.input.value) this.show("");
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    code.chooseRow = (row) => this.#choose(row);
  }

  /** @param {boolean} isOffered */
  offer(isOffered) {
    this.element.hidden = !isOffered;
    this.code.element.classList.toggle("has-pointers", isOffered);
    this.#tell("");
  }

  /** @param {string} pointer */
  show(pointer) {
    this.input.value = pointer;
    this.#tell("");
  }

  /** Shows the pointer of a row. @param {number} row */
  tell(row) {
    const { document } = this.code;
    if (!this.element.hidden && document instanceof TextDocument) this.show(pointerTo(document.lines, row));
  }

  #choose(row) {
    const { document } = this.code;
    if (this.element.hidden || !(document instanceof TextDocument)) return;
    this.tell(row);
    document.marked = row;
    this.code.refresh();
    copy(this.input.value, this.input.value === "" ? "the pointer to the whole, which is empty" : `the pointer ${this.input.value}`);
  }

  #go() {
    const { document } = this.code;
    if (!(document instanceof TextDocument)) return;
    const found = rowOf(document.lines, this.input.value.trim());
    if (typeof found === "string") return this.#tell(found);
    this.#tell("");
    document.marked = found;
    this.code.reveal(document.open(found));
  }

  #tell(problem) {
    setText(this.told, problem);
    this.input.setAttribute("aria-invalid", String(problem !== ""));
  }
}
