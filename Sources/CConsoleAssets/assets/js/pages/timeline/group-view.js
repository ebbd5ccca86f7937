import { withQuery } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { bytes, clockOrDate, counted, duration } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { barOf, inWords, serverStage } from "../../parts/detail/waterfall.js";
import { causeOf, lasted, originOf, pathOrCause, receivedBytes, standing, title } from "../../core/facts.js";
import { marksOf, stepOf } from "./axis.js";

/** @typedef {import("./page-loads.js").Group} Group */
/** @typedef {import("./page-loads.js").Row} Row */

const columns = ["Name", "Status", "Type", "Size", "Time"];

/** A group with its totals and, while it is unfolded, a table of its exchanges. */
export class GroupView {
  /**
   * @param {Group} group
   * @param {{isOpen: boolean, filter: string, showsServer: boolean, save: (group: Group, format: "svg" | "png") => void}} options
   */
  constructor(group, options) {
    this.group = group;
    this.options = options;
    const id = `group-${group.key}`;
    this.toggle = el("button", { type: "button", class: "plain fold", "aria-expanded": options.isOpen, "aria-controls": id,
      onclick: () => this.fold(this.toggle.getAttribute("aria-expanded") !== "true") },
      el("span", { class: "group-title" }, group.title));
    this.body = el("div", { id, class: "wide" });
    this.element = el("section", { class: "group", "data-group": String(group.key) }, el("div", { class: "group-head" }, el("h2", {}, this.toggle), this.#saving()), totals(group, options.filter), this.body);
    this.fold(options.isOpen);
  }

  /** Whether the view shows these exchanges, all with the same facts. @param {Group} group */
  shows({ rows, title, about }) {
    const { group } = this;
    return title === group.title && about === group.about && rows.length === group.rows.length
      && rows.every(({ item }, place) => item === group.rows[place].item);
  }

  get isOpen() {
    return this.toggle.getAttribute("aria-expanded") === "true";
  }

  /** @param {boolean} isOpen */
  fold(isOpen) {
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    fill(this.body, isOpen && this.#table());
  }

  #saving() {
    const button = (format) => el("button", { type: "button", class: "plain", "aria-label": `Save this group as ${format.toUpperCase()}`,
      title: `Save this group as ${format.toUpperCase()}`, onclick: () => this.options.save(this.group, format) }, icon("download"), format.toUpperCase());
    return el("div", { class: "saving" }, button("svg"), button("png"));
  }

  #table() {
    const { group } = this;
    const marks = marksOf(group.length);
    const table = el("table", { class: "waterfall timeline-table", "aria-label": `${group.title}: ${counted(group.rows.length, "request")} in ${duration(group.length)}`,
      onkeydown: (event) => step(table, event) },
      el("thead", {}, el("tr", {}, ...columns.map((name, place) => el("th", { scope: "col", class: place > 2 ? "number" : "" }, name)),
        el("th", { scope: "col", class: "axis" }, el("span", { class: "visually-hidden" }, `Stages, 0 to ${duration(group.length)}`),
          el("div", { "aria-hidden": "true" }, ...marks.filter((mark) => mark.at < group.length * 0.94).map((mark) => placed(el("span", { class: mark.at > group.length * 0.7 ? "late" : "" }, mark.text), mark.at / group.length)))))),
      el("tbody", {}, ...group.rows.flatMap((row) => this.#rows(row))));
    table.style.setProperty("--step", `${stepOf(group.length, 5) / group.length * 100}%`);
    const first = table.querySelector("tbody a");
    if (first) first.tabIndex = 0;
    return table;
  }

  /** The row of an exchange, and the rows of its Server-Timing entries. @param {Row} row */
  #rows(row) {
    const { group, options: { filter, showsServer } } = this;
    const { item, span, said, initiator } = row;
    const offset = span.start - group.start;
    const { sign } = standing(item);
    const goesOn = offset + span.end - span.start > group.length * 1.001;
    const waited = span.bars.find((bar) => bar.name === "wait")?.start ?? 0;
    const time = lasted(item);
    return [el("tr", {},
      el("th", { scope: "row" }, el("div", { class: "exchange-name" },
        el("a", { href: withQuery("#/", { q: filter, id: item.id }), title: title(item), tabindex: "-1" }, nameIn(group, row)),
        causeOf(item) && el("span", { class: "standing-failed why", title: causeOf(item) }, causeOf(item)),
        row === group.slowest && el("strong", { class: "slowest" }, "slowest"),
        initiator && el("span", { class: "soft initiator", title: `asked for by ${initiator.item.url}` }, `← ${lastPart(initiator.item)}`))),
      el("td", { class: `standing-${standing(item).kind}` }, [sign, item.status ?? (sign ? "" : "—")].filter((part) => part !== "").join(" ")),
      el("td", { class: "cut-off" }, item.typeWord ?? ""),
      el("td", { class: "number" }, bytes(item.messageBytes ?? receivedBytes(item))),
      el("td", { class: "number" }, time === undefined ? "…" : duration(time)),
      el("td", { class: "track" }, el("div", { class: goesOn ? "goes-on" : "" }, ...span.bars.map((bar) => barOf({ ...bar, start: offset + bar.start }, group.length))),
        el("span", { class: "visually-hidden" }, `begins after ${duration(offset)}: ${inWords(span.bars)}`))),
    ...(showsServer ? said : []).map((entry) => {
      const stage = serverStage(entry, offset + waited);
      return el("tr", { class: "said" }, el("th", { scope: "row", colspan: 2 }, el("span", { class: "soft" }, "Server-Timing "), stage.label),
        el("td"), el("td"),
        el("td", { class: "number" }, entry.duration === undefined ? "—" : duration(entry.duration)),
        el("td", { class: "track" }, el("div", {}, entry.duration !== undefined && barOf(stage, group.length))));
    })];
  }
}

/** The totals of a group in a line. @param {Group} group @param {string} filter */
function totals(group, filter) {
  const { slowest } = group;
  return el("p", { class: "totals" },
    el("span", {}, clockOrDate(new Date(group.start).toISOString())),
    ...totalsOf(group).map((text) => el("span", {}, text)),
    group.failed > 0 && el("span", { class: "standing-failed" }, `✕ ${group.failed} failed`),
    slowest && el("span", {}, `slowest ${duration(lasted(slowest.item))}: `, el("a", { href: withQuery("#/", { q: filter, id: slowest.item.id }) }, nameIn(group, slowest))),
    group.about && el("span", { class: "soft about", title: group.about }, group.about));
}

/** @param {Group} group */
export function totalsOf(group) {
  const { received, sent, messages } = group;
  const sizes = [[received, "received"], [sent, "sent"], [messages, "in messages"]].filter(([size], place) => size > 0 || (place === 0 && !messages));
  return [counted(group.rows.length, "request"), ...sizes.map(([size, word]) => `${bytes(size)} ${word}`), `${duration(group.length)} from first to last`];
}

/** The name of an exchange in its group: only the path for the page's own server. @param {Group} group @param {Row} row */
export function nameIn(group, { item }) {
  const method = item.type === "flow" || item.method === "GET" ? "" : `${item.method} `;
  const isOwn = group.page && originOf(item) !== "" && `${group.page.url}/`.startsWith(`${originOf(item)}/`);
  return method + (isOwn ? pathOrCause(item) : item.type === "flow" ? `${originOf(item)}: ${pathOrCause(item)}` : `${originOf(item).replace(/^\w+:\/\//, "")}${item.path ?? ""}`);
}

/** The last part of a path. @param {import("../../core/types.js").Traffic} item */
function lastPart(item) {
  const path = (item.path ?? "").split("?")[0];
  return path.split("/").filter(Boolean).at(-1) ?? path;
}

function placed(element, share) {
  element.style.left = `${share * 100}%`;
  return element;
}

/** Moves the focus from row to row by the arrow keys. The Tab key stops once in a table. @param {HTMLElement} table @param {KeyboardEvent} event */
function step(table, event) {
  const links = [...table.querySelectorAll("tbody a")];
  const at = links.indexOf(/** @type {HTMLElement} */ (event.target));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
  if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const next = /** @type {HTMLElement} */ (links[Math.max(0, Math.min(links.length - 1, to))]);
  /** @type {HTMLElement} */ (links[at]).tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
