import { el } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { preferences } from "../../core/preferences.js";
import { isToday } from "../../core/format.js";
import { column, renderCell } from "./columns.js";
import { began, standing } from "../../core/facts.js";
import { fitting, placeOf, renderHeader, stepHeader, tracks } from "./grid-header.js";
import { ScrollSpace } from "../../core/scroll-space.js";
import { isSame, turn } from "./sorting.js";
import { StageAxis } from "./waterfall-column.js";

/** @typedef {import("./traffic-model.js").TrafficModel} TrafficModel */

const lookahead = 30;

/**
 * The list. Only visible rows are elements, whatever the number of items.
 *
 * The cursor and the selection are ids, so that they stay on their items while traffic arrives. The grid emits
 * `cursor` (an id), `open` (an id, and whether by a key or a double click), `selection`, `menu` (an id and an element)
 * and `unseen` (the number of new rows above or below).
 */
export class TrafficGrid extends Emitter {
  /** @type {number | null} */
  cursor = null;
  /** @type {Set<number>} */
  selection = new Set();
  /** The number of new rows since the newest row was last visible. */
  unseen = 0;
  #columns = [];
  /** Whether a row of another day than today was visible, so that times include the date. */
  #isDated = false;
  /** The order of the rows when they were last read. */
  #order = null;
  #frame = 0;
  /** @type {HTMLElement[]} */
  #pool = [];
  #rowHeight = 24;
  /** The previous height of the list, so that the row at the cursor stays visible when the list becomes lower. */
  #height = 0;
  #stages = new StageAxis();

  /** @param {TrafficModel} model */
  constructor(model) {
    super();
    this.model = model;
    this.header = el("div", { class: "row header", role: "row", "aria-rowindex": 1 });
    this.rows = el("div", { class: "viewport", role: "rowgroup" });
    this.canvas = el("div", { class: "canvas", role: "presentation" },
      el("div", { class: "heads", role: "rowgroup" }, this.header), this.rows);
    this.element = el("div", { class: "grid", role: "grid", id: "traffic-grid", tabindex: "0",
      "aria-label": "Traffic", "aria-multiselectable": "true" }, this.canvas);
    this.space = new ScrollSpace(this.element, this.canvas, () => this.#scrolled());
    this.element.addEventListener("keydown", (event) => (this.header.contains(event.target)
      ? this.#headerKey(event) : this.key(event)));
    this.rows.addEventListener("click", (event) => this.#click(event));
    this.rows.addEventListener("dblclick", () => this.cursor !== null
      && this.emit("open", { id: this.cursor, isByKey: true }));
    this.element.addEventListener("contextmenu", (event) => this.#menu(event));
    new ResizeObserver(() => this.#resized()).observe(this.element);
    preferences.on("change", (name) => this.#preferred(name));
    model.on("reset", () => this.#reset());
    model.on("grown", (grown) => this.#grown(grown));
    model.on("shrunk", (gone) => this.#shrunk(gone));
    for (const event of ["replaced", "thinned"]) model.on(event, (change) => this.#replaced(change));
    model.on("items", () => this.#schedule());
    this.#chooseColumns();
  }

  /** @param {number | null} id */
  setCursor(id, { reveals = true } = {}) {
    this.cursor = id;
    if (reveals && id !== null) this.reveal(id);
    this.emit("cursor", id);
    this.#schedule();
  }

  /** Scrolls no farther than needed to show an item. @param {number} id */
  reveal(id) {
    this.#measure();
    // The observer is not told of a height that another one follows within a frame.
    this.#height = this.element.clientHeight;
    const row = this.model.rowOf(id);
    if (row < 0) return;
    const top = row * this.#rowHeight;
    if (top < this.space.top) this.space.goTo(top);
    else if (top + this.#rowHeight > this.space.top + this.#seen) this.space.goTo(
      top + this.#rowHeight - this.#seen);
    this.#schedule();
  }

  /** Scrolls to the newest row; in a sorted list to the first. */
  goToNewest() {
    this.#measure();
    this.space.goTo(this.model.order || this.model.isTurned ? 0 : this.space.farthest);
    this.#clearUnseen();
    this.#schedule();
  }

  /** @param {number} id */
  toggleSelection(id) {
    if (!this.selection.delete(id)) this.selection.add(id);
    this.emit("selection");
    this.#schedule();
  }

  /** The item nearest to the cursor that is not about to be removed. @param {number[]} leaving @returns {number | undefined} */
  neighbour(leaving) {
    const gone = new Set(leaving);
    const row = this.cursor === null ? 0 : this.model.rowOf(this.cursor);
    for (const step of [1, -1]) {
      for (let at = row; at >= 0 && at < this.model.length; at += step) {
        const id = this.model.idAt(at);
        if (id !== undefined && !gone.has(id)) return id;
      }
    }
    return undefined;
  }

  clearSelection() {
    this.selection.clear();
    this.emit("selection");
    this.#schedule();
  }

  turnOrder() {
    turn();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(1, Math.floor(this.#seen / this.#rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity,
      End: Infinity };
    if (event.altKey || ((event.ctrlKey || event.metaKey) && !["Home", "End"].includes(event.key))) return;
    if (event.key in steps) this.#step(steps[event.key]);
    else if (event.key === "Enter" && this.cursor !== null) this.emit(
      "open", { id: this.cursor, isByKey: true });
    else if (event.key === " " && this.cursor !== null) this.toggleSelection(this.cursor);
    else return;
    event.preventDefault();
  }

  /** On the head of a column the arrow keys move to the next head; other keys apply to the rows. */
  #headerKey(event) {
    if (event.key === "Enter" || event.key === " " || event.key === "Tab") return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) {
      this.key(event);
      if (event.defaultPrevented) this.element.focus({ preventScroll: true });
      return;
    }
    event.preventDefault();
    stepHeader(this.header, by);
  }

  get #seen() {
    return this.element.clientHeight - this.header.offsetHeight;
  }

  get #isAtNewest() {
    return this.model.order || this.model.isTurned ? this.space.top < 1
      : this.space.top > this.space.farthest - 1;
  }

  #step(by) {
    const rows = this.model.length;
    if (rows === 0) return;
    // Without a cursor the first step selects the first visible row.
    const at = this.cursor === null ? (by > 0 ? Math.ceil(this.space.top / this.#rowHeight) - 1 : 0)
      : this.model.rowOf(this.cursor);
    const id = this.model.idAt(Math.max(0, Math.min(rows - 1, at + by)));
    if (id !== undefined) this.setCursor(id);
  }

  #click(event) {
    const id = idOf(event.target);
    if (id === null) return;
    this.element.focus({ preventScroll: true });
    if (event.ctrlKey || event.metaKey) {
      this.toggleSelection(id);
      this.setCursor(id);
      return;
    }
    this.setCursor(id);
    if (!event.shiftKey) this.emit("open", { id, isByKey: false });
  }

  #menu(event) {
    const id = idOf(event.target) ?? this.cursor;
    if (id === null) return;
    event.preventDefault();
    this.setCursor(id);
    this.#render();
    this.emit("menu", { id, element: this.#pool.find((row) => row.dataset.id === String(id))
      ?? this.element, point: event.clientX || event.clientY ? { x: event.clientX, y: event.clientY } : undefined });
  }

  #preferred(name) {
    if (["columns", "widths", "density", "newestFirst", "sort"].includes(name)) this.#chooseColumns();
    if (name === "newestFirst" && !this.model.order) {
      if (this.cursor === null) this.goToNewest();
      else this.reveal(this.cursor);
    }
    if (name === "follow" && preferences.get("follow") && !this.model.order) this.goToNewest();
  }

  #resized() {
    // The list has no size while another page is shown.
    if (this.element.clientWidth === 0) return;
    const { clientHeight } = this.element;
    if (clientHeight < this.#height) this.#keepCursor(this.#height - this.header.offsetHeight);
    this.#height = clientHeight;
    const shape = (/** @type {any[]} */ some) => some.map((one) => `${one.id} ${one.width} ${one.least}`).join();
    if (shape(this.#fittingColumns()) === shape(this.#columns)) this.#schedule();
    else this.#chooseColumns();
  }

  /** Keeps the row at the cursor visible. @param {number} seen Pixels of rows that were visible before. */
  #keepCursor(seen) {
    if (this.cursor === null || this.model.rowOf(this.cursor) < 0) return;
    const top = this.model.rowOf(this.cursor) * this.#rowHeight;
    if (top >= this.space.top && top < this.space.top + seen) this.reveal(this.cursor);
  }

  #fittingColumns() {
    const brief = preferences.get("columns").map(column).filter((found) => found !== undefined);
    const dated = brief.map((one) => (this.#isDated && one.dated ? { ...one, width: one.dated } : one));
    if (this.element.clientWidth === 0) return dated;
    const fit = fitting(dated, this.element.clientWidth);
    const other = fitting(brief.map((one) => (one.brief ? { ...one, text: one.brief, whole: one.text } : one)), this.element.clientWidth);
    // Another column tells more than the day, which the tool tip has.
    return other.length > fit.length ? other : fit;
  }

  #chooseColumns() {
    this.#columns = this.#fittingColumns();
    renderHeader(this.header, this.#columns);
    const width = tracks(this.#columns);
    this.canvas.style.setProperty("--tracks", width.tracks);
    this.canvas.style.minWidth = `${width.least}px`;
    this.element.setAttribute("aria-colcount", String(preferences.get("columns").length));
    this.#pool = [];
    this.rows.replaceChildren();
    this.#schedule();
  }

  #reset() {
    if (this.cursor !== null && !this.model.ids.has(this.cursor)) this.setCursor(null);
    for (const id of this.selection) if (!this.model.ids.has(id)) this.selection.delete(id);
    this.#clearUnseen();
    this.#measure();
    const isOtherOrder = !isSame(this.#order, this.model.order);
    this.#order = this.model.order;
    // In a new order the user looks for the first rows; the cursor stays on its item.
    if (this.cursor !== null && !isOtherOrder) this.reveal(this.cursor);
    else this.goToNewest();
    this.emit("selection");
    // The next frame has the rows already.
    this.#render();
  }

  /** Keeps the first visible row in place, or the row that replaced it. */
  #replaced({ before, grown }) {
    const follows = (this.model.order || preferences.get("follow")) && this.#isAtNewest;
    const row = Math.floor(this.space.top / this.#rowHeight);
    const step = this.model.isTurned ? -1 : 1;
    let place = this.model.isTurned ? before.length - 1 - row : row;
    while (before.at(place) !== undefined && !this.model.ids.has(before.at(place))) place += step;
    const seen = before.at(place);
    const rest = this.space.top - row * this.#rowHeight;
    if (this.cursor !== null && !this.model.ids.has(this.cursor)) this.cursor = null;
    for (const id of this.selection) if (!this.model.ids.has(id)) this.selection.delete(id);
    this.#measure();
    if (follows || seen === undefined) {
      this.goToNewest();
    } else {
      this.space.goTo(this.model.rowOf(seen) * this.#rowHeight + rest);
      this.unseen += grown;
      this.emit("unseen", this.unseen);
    }
    this.emit("selection");
    this.#schedule();
  }

  #grown(grown) {
    const follows = preferences.get("follow") && this.#isAtNewest;
    this.#measure();
    if (follows) {
      this.goToNewest();
      return;
    }
    // The visible rows stay in place.
    if (this.model.isTurned) this.space.goTo(this.space.top + grown * this.#rowHeight);
    this.unseen += grown;
    this.emit("unseen", this.unseen);
    this.#schedule();
  }

  #shrunk(gone) {
    const top = this.model.isTurned ? this.space.top : this.space.top - gone * this.#rowHeight;
    this.#measure();
    this.space.goTo(top);
    this.#schedule();
  }

  #scrolled() {
    if (this.unseen > 0 && this.#isAtNewest) this.#clearUnseen();
    // The rows must exist in the frame that shows the new place.
    this.#render();
  }

  #clearUnseen() {
    this.unseen = 0;
    this.emit("unseen", 0);
  }

  #schedule() {
    this.#frame ||= requestAnimationFrame(() => this.#render());
  }

  #measure() {
    this.#rowHeight = Math.round(parseFloat(getComputedStyle(this.element).getPropertyValue("--row"))) || 24;
    const seen = Math.max(0, this.#seen);
    this.rows.style.height = `${seen}px`;
    this.space.measure(this.model.length * this.#rowHeight, seen, this.header.offsetHeight);
  }

  #render() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.element.clientHeight === 0) return;
    this.#measure();
    const first = Math.floor(this.space.top / this.#rowHeight);
    const count = Math.ceil(this.#seen / this.#rowHeight) + 1;
    const last = Math.min(this.model.length, first + count);
    this.element.setAttribute("aria-rowcount", String(this.model.length + 1));
    while (this.#pool.length < count) this.#pool.push(this.#makeRow());
    const used = new Set();
    let cursorRow = "";
    for (let row = first; row < last; row += 1) {
      const element = this.#pool[row % this.#pool.length];
      used.add(element);
      const id = this.model.idAt(row);
      if (id === undefined) continue;
      if (id === this.cursor) cursorRow = element.id;
      this.#fillRow(element, row, id);
    }
    if (!this.#isDated && [...used].some(({ item }) => item && !isToday(began(item)))) {
      this.#isDated = true;
      this.#chooseColumns();
      // The rows of a reset are new, and each frame must show rows.
      this.#render();
      return;
    }
    for (const element of this.#pool) if ((element.hidden = !used.has(element))) element.className = "row";
    const stages = this.#columns.findIndex((one) => one.id === "waterfall");
    if (stages >= 0) this.#stages.show([...used], stages, /** @type {HTMLElement} */ (this.header.children[stages].firstElementChild),
      !this.model.order || this.model.order.column.id === "time");
    if (cursorRow) this.element.setAttribute("aria-activedescendant", cursorRow);
    else this.element.removeAttribute("aria-activedescendant");
    this.#want(first, last);
  }

  #want(first, last) {
    const ids = [];
    const take = (row) => {
      const id = this.model.idAt(row);
      if (id !== undefined) ids.push(id);
    };
    for (let row = first; row < last; row += 1) take(row);
    for (let row = last; row < last + lookahead; row += 1) take(row);
    for (let row = first - 1; row >= Math.max(0, first - lookahead); row -= 1) take(row);
    this.model.cache.want(ids);
  }

  #makeRow() {
    const row = el("div", { class: "row", role: "row", id: `row-${this.#pool.length}` });
    for (const one of this.#columns) row.append(el(
      "div", { role: "gridcell", "aria-colindex": placeOf(one) }));
    this.rows.append(row);
    return row;
  }

  #fillRow(element, row, id) {
    const item = this.model.cache.get(id);
    element.style.transform = `translateY(${row * this.#rowHeight - this.space.top}px)`;
    const isCursor = id === this.cursor;
    const isSelected = this.selection.has(id);
    const kind = ["row", row % 2 ? "odd" : "", isCursor && "cursor", isSelected && "selected",
      item ? `is-${standing(item).kind}` : "waiting", item?.isMarked && "marked"]
      .filter(Boolean).join(" ");
    if (element.className !== kind) element.className = kind;
    // Most frames only move rows, so unchanged rows are not drawn again.
    if (element.item === item && element.dataset.id === String(id)
      && element.isSelectedRow === (isSelected || isCursor) && item) {
      element.setAttribute("aria-rowindex", String(row + 2));
      return;
    }
    element.item = item;
    element.isSelectedRow = isSelected || isCursor;
    element.dataset.id = String(id);
    element.setAttribute("aria-rowindex", String(row + 2));
    element.setAttribute("aria-selected", String(isSelected || isCursor));
    const isGone = !item && this.model.cache.isGone(id);
    this.#columns.forEach((one, place) => {
      const cell = /** @type {HTMLElement} */ (element.children[place]);
      renderCell(one, cell, item);
      if (!item && (one.id === "id" || (one.id === "path" && isGone))) cell.textContent = isGone
        && one.id === "path" ? "removed meanwhile" : String(id);
    });
  }
}

function idOf(target) {
  const row = target instanceof Element ? target.closest(".row[data-id]") : null;
  return row instanceof HTMLElement ? Number(row.dataset.id) : null;
}
