import { announce } from "../../core/announce.js";
import { el } from "../../core/dom.js";
import { ScrollSpace } from "../../core/scroll-space.js";

/** Pixels of a row beside its number and its text: the borders, the gaps, the sign of a fold and the scroll bar. */
const besideText = 60;

/** Shows a document of any number of rows; only visible rows are elements. */
export class CodeView {
  /** @type {import("./text-document.js").TextDocument | import("./hex-document.js").HexDocument | null} */
  document = null;
  /** Called with a row of the document when the user presses the row's number. @type {(row: number) => void} */
  chooseRow = () => {};
  /** Called when the user opens the menu of a row. @type {((row: number, point: {x: number, y: number}) => void) | null} */
  openMenu = null;
  /** Called when the user copies a row. @type {((row: number) => void) | null} */
  copyRow = null;
  /** Called when the view may have another width. */
  resized = () => {};
  #pool = [];
  #frame = 0;
  #rowHeight = 18;

  /** @param {string} label */
  constructor(label) {
    this.viewport = el("div", { class: "code-viewport" });
    this.canvas = el("div", { class: "code-canvas" }, this.viewport);
    this.element = el("div", { class: "code", tabindex: "0", role: "region", "aria-label": label },
      this.canvas);
    this.space = new ScrollSpace(this.element, this.canvas, () => this.#render());
    this.element.addEventListener("click", (event) => {
      const chosen = event.target.closest(".gutter")?.dataset.row;
      if (chosen !== undefined) return this.chooseRow(Number(chosen));
      const line = event.target.closest(".code-row");
      const row = event.target.closest("button.twist")?.dataset.row;
      if (row === undefined && line && this.copyRow && this.document && "move" in this.document && getSelection()?.isCollapsed) {
        this.document.marked = this.document.rowAt(line.shown);
        return this.refresh();
      }
      if (row === undefined || !this.document || !("toggle" in this.document)) return;
      this.document.toggle(Number(row));
      this.refresh();
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("contextmenu", (event) => this.#menu(event));
    new ResizeObserver(() => {
      this.refresh();
      this.resized();
    }).observe(this.element);
  }

  /** Handles keys: arrows move through the rows and fold them, Ctrl+C copies the row. */
  #key(event) {
    const { document: rows } = this;
    if (!this.copyRow || !rows || !("move" in rows) || event.altKey || event.shiftKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === "c") {
      // The browser copies a selection itself.
      if (rows.marked < 0 || !getSelection()?.isCollapsed) return;
      this.copyRow(rows.marked);
    } else if (!isCommand && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      this.reveal(rows.move(event.key === "ArrowDown" ? 1 : -1, Math.ceil(this.space.top / this.#rowHeight)));
      announce(rows.lineOf(rows.marked).trim().slice(0, 200));
    } else if (!isCommand && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      if (!rows.fold(event.key === "ArrowLeft")) return;
      this.refresh();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #menu(event) {
    const { document: rows } = this;
    if (!this.openMenu || !rows || !("move" in rows)) return;
    const element = event.target.closest(".code-row");
    // A menu key opens the menu of the marked row.
    const row = element && element.shown >= 0 ? rows.rowAt(element.shown) : rows.marked;
    if (row < 0) return;
    event.preventDefault();
    rows.marked = row;
    this.refresh();
    this.openMenu(row, { x: event.clientX, y: event.clientY });
  }

  /** The number of characters that fit into a row, with the number of the line. */
  get columns() {
    const probe = el("span", { class: "probe" }, "0".repeat(100));
    this.viewport.append(probe);
    const width = probe.getBoundingClientRect().width / 100;
    probe.remove();
    // The width with the scroll bar, which comes and goes with the rows.
    return Math.max(20, Math.floor(((this.element.offsetWidth || 800) - besideText) / (width || 7.2)));
  }

  /** @param {typeof this.document} document */
  show(document) {
    this.document = document;
    this.refresh();
  }

  /** @param {number} row */
  reveal(row) {
    this.#measure();
    const top = row * this.#rowHeight;
    const bottom = this.space.top + this.element.clientHeight;
    if (top < this.space.top || top + this.#rowHeight > bottom) this.space.goTo(top - this.element.clientHeight / 3);
    this.refresh();
  }

  refresh() {
    for (const row of this.#pool) row.shown = -1;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  #measure() {
    this.#rowHeight = Math.round(parseFloat(getComputedStyle(this.element).lineHeight)) || 18;
    const total = (this.document?.length ?? 0) * this.#rowHeight;
    // The height of all rows, up to the limit of the style sheet.
    this.element.style.setProperty("--rows", `${Math.min(total, 100_000)}px`);
    this.viewport.style.height = `${this.element.clientHeight}px`;
    this.space.measure(total, this.element.clientHeight, 0);
  }

  #render() {
    const document = this.document;
    if (!document) return;
    this.#measure();
    const first = Math.floor(this.space.top / this.#rowHeight);
    const count = Math.ceil(this.element.clientHeight / this.#rowHeight) + 1;
    while (this.#pool.length < count) {
      const row = el("div", { class: "code-row" });
      this.#pool.push(row);
      this.viewport.append(row);
    }
    const last = Math.min(document.length, first + count);
    const used = new Set();
    for (let row = first; row < last; row += 1) {
      const element = this.#pool[row % this.#pool.length];
      used.add(element);
      element.hidden = false;
      element.style.transform = `translateY(${row * this.#rowHeight - this.space.top}px)`;
      if (element.shown === row) continue;
      element.shown = row;
      document.render(element, row);
    }
    for (const element of this.#pool) if (!used.has(element)) element.hidden = true;
  }
}
