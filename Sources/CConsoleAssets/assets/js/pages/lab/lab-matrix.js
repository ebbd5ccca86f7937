import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";

/**
 * The matrix, a grid of WAI-ARIA: arrows, Home, End, PageUp, PageDown, Enter. Emits `cell` with the cell to
 * show.
 */
export class LabMatrix extends Emitter {
  /** @type {Map<string, HTMLElement>} */
  #cells = new Map();
  /** @type {HTMLElement[][]} */
  #rows = [];
  #at = [0, 0];

  /** @param {any} catalogue */
  constructor(catalogue) {
    super();
    this.columns = new Map(catalogue.scenarios.map((/** @type {any} */ one) => [one.id, one]));
    this.marks = new Map(catalogue.marks.map((/** @type {any} */ one) => [one.mark, one]));
    this.legend = el("ul", { class: "lab-legend", "aria-label": "Signs" }, ...catalogue.marks.map(
      (/** @type {any} */ one) => el("li", {}, el("span", { class: `sign ${one.mark}`, "aria-hidden": "true" },
        one.symbol), ` ${one.explanation}`)));
    this.table = el("table", { class: "matrix", role: "grid", "aria-label": "Policies and scenarios" });
    this.table.addEventListener("keydown", (event) => this.#key(event));
    this.table.addEventListener("click", (event) => this.#click(event));
    this.element = el("section", { class: "lab-result", "aria-label": "Result", hidden: true },
      el("div", { class: "matrix-frame" }, this.table), this.legend);
  }

  /** An empty matrix for a run. @param {any} run */
  begin(run) {
    this.element.hidden = false;
    this.#cells.clear();
    this.#rows = [];
    this.#at = [0, 0];
    fill(this.table,
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Policy"), ...run.scenarios.map((id) => {
        const column = this.columns.get(id);
        return el("th", { scope: "col", class: column.kind, title: `${column.title}: ${column.presents}` }, id,
          el("span", { class: "visually-hidden" }, ` ${column.title}`));
      }))),
      el("tbody", {}, ...run.policies.map((policy) => {
        const cells = run.scenarios.map((id) => {
          const cell = el("td", { role: "gridcell", tabindex: "-1", class: "waiting", "data-policy": policy.id,
            "data-scenario": id, "aria-label": `${policy.id} in ${id}: not yet known` }, "·");
          this.#cells.set(`${policy.id}\n${id}`, cell);
          return cell;
        });
        this.#rows.push(cells);
        return el("tr", { class: policy.stance }, el("th", { scope: "row",
          title: [policy.title, ...policy.notes].join(" ") }, el("b", {}, policy.id),
        el("span", { class: "title" }, ` ${policy.title}`)), ...cells);
      })));
    if (this.#rows[0]?.[0]) this.#rows[0][0].tabIndex = 0;
  }

  /** @param {{policy: string, scenario: string, mark: string, isFault: boolean, reason: string}} cell */
  put(cell) {
    const place = this.#cells.get(`${cell.policy}\n${cell.scenario}`);
    if (!place) return;
    const mark = this.marks.get(cell.mark);
    place.className = `sign ${cell.mark}${cell.isFault ? " fault" : ""}${place.classList.contains("chosen") ? " chosen" : ""}`;
    place.textContent = mark.symbol;
    place.title = cell.reason;
    place.setAttribute("aria-label",
      `${cell.policy} in ${cell.scenario}, ${this.columns.get(cell.scenario).title}: ${mark.title}`);
  }

  focus() {
    this.#rows[this.#at[0]]?.[this.#at[1]]?.focus();
  }

  #click(event) {
    const cell = event.target.closest("td");
    if (!cell) return;
    this.#move(this.#rows.findIndex((row) => row.includes(cell)),
      this.#rows.find((row) => row.includes(cell))?.indexOf(cell) ?? 0);
    this.#open(cell, false);
  }

  #open(cell, focuses) {
    for (const other of this.table.querySelectorAll(".chosen")) other.classList.remove("chosen");
    cell.classList.add("chosen");
    this.emit("cell", { policy: cell.dataset.policy, scenario: cell.dataset.scenario, focuses });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest("td")) return;
    const [row, column] = this.#at;
    const [lastRow, lastColumn] = [this.#rows.length - 1, (this.#rows[0]?.length ?? 1) - 1];
    const moves = { ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1], Home: [row, 0], End: [row, lastColumn], PageUp: [row - 10, column],
      PageDown: [row + 10, column] };
    if (event.key in moves) this.#move(Math.max(0, Math.min(lastRow, moves[event.key][0])),
      Math.max(0, Math.min(lastColumn, moves[event.key][1])));
    else if (event.key === "Enter" || event.key === " ") this.#open(event.target.closest("td"), true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move(row, column) {
    const [oldRow, oldColumn] = this.#at;
    this.#rows[oldRow]?.[oldColumn]?.setAttribute("tabindex", "-1");
    this.#at = [row, column];
    const cell = this.#rows[row]?.[column];
    if (!cell) return;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: false });
  }
}
