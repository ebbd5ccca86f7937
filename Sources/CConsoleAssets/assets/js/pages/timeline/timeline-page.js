import { announce, toast } from "../../core/announce.js";
import { askJSON, withQuery } from "../../core/api.js";
import { arrange, el, fill } from "../../core/dom.js";
import { nothingMatches } from "../../core/first-step.js";
import { counted } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { stageNames } from "../../parts/detail/waterfall.js";
import { Live } from "../../core/live.js";
import { GroupView } from "./group-view.js";
import { groupsOf } from "./page-loads.js";
import { savePicture } from "./picture.js";

/** The number of exchanges in one response of the API: its limit. */
const atOnce = 500;
/** The number of rows that are open at first; groups beyond are folded. */
const unfolded = 120;
/** Milliseconds between two changes of the page by live traffic. */
const pace = 400;

const groupings = { page: "Page", process: "Process", none: "None" };

/** The newest exchanges of a filter, grouped by their pages, each group on an axis of its own. The page follows live traffic. */
export class TimelinePage {
  #abort = new AbortController();
  /** @type {import("../../core/types.js").Traffic[]} The exchanges, the newest first. */
  #items = [];
  /** The exchanges of live traffic that the page does not show so far, by their numbers. @type {Map<number, import("../../core/types.js").Traffic>} */
  #fresh = new Map();
  /** The stream of the page's own filter. */
  #live = new Live();
  #follows = true;
  #timer = 0;
  /** The most exchanges that the page keeps. */
  #most = atOnce;
  /** @type {GroupView[]} */
  #views = [];
  /** The hint of a page without exchanges. @type {HTMLElement | null} */
  #none = null;
  #hasMore = false;
  #filter = "";
  #by = "page";
  #showsServer = true;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    this.#live.on("traffic", (items) => {
      for (const item of items) this.#fresh.set(item.id, item);
      this.#tellFresh();
    });
    this.#live.on("gone", (id) => {
      this.#items = this.#items.filter((item) => item.id > id);
      if (this.#follows) this.#tell();
    });
    for (const name of ["reload", "resumed"]) this.#live.on(name, () => this.#follows && this.#load(false));
  }

  show() {
    this.#filter = route.parameter("q");
    this.#by = Object.hasOwn(groupings, route.parameter("by")) ? route.parameter("by") : "page";
    this.#items = [];
    this.#fresh.clear();
    this.#views = [];
    this.summary = el("span", { class: "timeline-count" });
    this.groups = el("div", { class: "groups" });
    this.server = el("label", { hidden: true }, el("input", { type: "checkbox", checked: this.#showsServer, onchange: (event) => {
      this.#showsServer = event.target.checked;
      this.#tell();
    } }), "Server-Timing");
    this.savers = /** @type {const} */ (["svg", "png"]).map((format) => el("button", { type: "button", onclick: () => this.#save(this.#views.filter((view) => view.isOpen).map((view) => view.group), format) },
      icon("download"), `Save as ${format.toUpperCase()}`));
    this.again = el("button", { type: "button", hidden: this.#follows, onclick: () => this.#load(false) }, "Read again");
    const follow = el("label", {}, el("input", { type: "checkbox", class: "follow", checked: this.#follows, onchange: (event) => {
      this.#follows = event.target.checked;
      this.again.hidden = this.#follows;
      this.#tellFresh();
    } }), "Follow new traffic");
    this.older = el("button", { type: "button", hidden: true, onclick: () => this.#load(true) }, `Load ${atOnce} earlier`);
    fill(this.page, el("main", { class: "timeline", "aria-label": "Timeline" },
      el("header", {}, el("h1", {}, "Timeline"), el("p", { class: "soft" }, this.#filter ? "Exchanges that match " : "The newest exchanges",
        this.#filter && el("a", { href: withQuery("#/", { q: this.#filter }) }, this.#filter), ": ", this.summary)),
      el("div", { class: "timeline-tools" }, this.#grouping(), this.server, follow,
        el("span", { class: "timeline-actions" }, this.again, ...this.savers)),
      legend(), this.groups, el("p", {}, this.older)));
    // Exchanges that are read before the stream is open could lack some that arrive in between.
    this.#live.open(this.#filter).then(() => this.page.contains(this.groups) && this.#load(false));
  }

  hide() {
    this.#abort.abort();
    this.#live.close();
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** Shows the exchanges of live traffic, soon. */
  #tellFresh() {
    if (!this.#follows || this.#fresh.size === 0 || this.groups.hasAttribute("aria-busy")) return;
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      this.#merge();
      this.#tell();
    }, pace);
  }

  /** Adds the exchanges of live traffic to those that are shown, and replaces those that changed. */
  #merge() {
    const oldest = this.#hasMore ? this.#items.at(-1)?.id ?? 0 : 0;
    const items = this.#items.map((item) => {
      const changed = this.#fresh.get(item.id);
      this.#fresh.delete(item.id);
      return changed ?? item;
    });
    items.push(...[...this.#fresh.values()].filter((item) => item.id > oldest));
    this.#fresh.clear();
    this.#items = items.sort((one, other) => other.id - one.id).slice(0, this.#most);
    this.#hasMore ||= items.length > this.#most;
    if (this.#items.some((item) => item.type === "exchange")) this.#none = null;
  }

  #grouping() {
    return el("fieldset", { class: "choice" }, el("legend", {}, "Group by"), ...Object.entries(groupings).map(([name, label]) =>
      el("label", {}, el("input", { type: "radio", name: "grouping", value: name, checked: name === this.#by, onchange: () => {
        this.#by = name;
        route.note({ ...(this.#filter ? { q: this.#filter } : {}), by: name });
        this.#tell();
      } }), label)));
  }

  /** @param {boolean} isOlder Whether to read further exchanges, older than the visible ones. */
  async #load(isOlder) {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.groups.setAttribute("aria-busy", "true");
    try {
      const before = isOlder ? this.#items.at(-1)?.id : undefined;
      const page = await askJSON(withQuery("/api/traffic", { filter: this.#filter, limit: atOnce, before }), { signal });
      this.#most = isOlder ? this.#most + atOnce : atOnce;
      this.#items = isOlder ? [...this.#items, ...page.items] : page.items;
      this.#hasMore = Boolean(page.more);
      this.#none = this.#items.some((item) => item.type === "exchange") ? null : await nothingMatches(this.#filter,
        "The timeline shows when each request began, how long it took, and what it waited for.");
      this.#tell();
      announce(this.summary.textContent);
    } catch (error) {
      if (!signal.aborted) fill(this.groups, el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
    }
    if (signal.aborted) return;
    this.groups.removeAttribute("aria-busy");
    this.#tellFresh();
  }

  #tell() {
    const groups = groupsOf(this.#items, this.#by);
    const count = groups.reduce((sum, group) => sum + group.rows.length, 0);
    const hasSaid = groups.some((group) => group.rows.some((row) => row.said.length > 0));
    const showsServer = this.#showsServer && hasSaid;
    const before = new Map(this.#views.map((view) => [view.group.key, view]));
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest(".groups a, .groups button"));
    const place = focused && { group: focused.closest("[data-group]")?.getAttribute("data-group"), href: focused.getAttribute("href"), label: focused.ariaLabel };
    let rows = 0;
    this.#views = groups.map((group, number) => {
      rows += group.rows.length;
      const known = before.get(group.key);
      // A group that did not change keeps its elements, and a group that grew stays folded or unfolded.
      if (known?.shows(group) && known.options.showsServer === showsServer) return known;
      return new GroupView(group, { isOpen: known ? known.isOpen : number === 0 || rows <= unfolded, filter: this.#filter, showsServer,
        save: (one, format) => this.#save([one], format) });
    });
    this.server.hidden = !hasSaid;
    this.older.hidden = !this.#hasMore;
    for (const button of this.savers) button.disabled = count === 0;
    this.summary.textContent = this.#by === "none" ? counted(count, "exchange") : `${counted(count, "exchange")} in ${counted(groups.length, "group")}`;
    arrange(this.groups, [...this.#views.map((view) => view.element), this.#none]);
    if (place && !this.groups.contains(document.activeElement)) /** @type {HTMLElement | undefined} */ ([...this.groups.querySelectorAll(
      `[data-group="${place.group}"] :is(a, button)`)].find((one) => one.getAttribute("href") === place.href && one.ariaLabel === place.label))?.focus();
  }

  /** @param {import("./page-loads.js").Group[]} groups @param {"svg" | "png"} format */
  async #save(groups, format) {
    if (groups.length === 0) return toast("Unfold a group first: the picture shows those that are unfolded");
    try {
      await savePicture(groups, format, this.#showsServer, this.#filter);
      toast(`Saved as ${format.toUpperCase()}`);
    } catch (error) {
      toast(`Not saved: ${error.message}`);
    }
  }
}

/** The names of the stages, with their colours and patterns. */
function legend() {
  return el("ul", { class: "legend", "aria-label": "Stages" }, ...Object.entries({ ...stageNames, server: "Server-Timing, by the server" }).map(([name, label]) =>
    el("li", {}, el("span", { class: "swatch", "aria-hidden": "true" }, el("span", { class: `stage-bar stage-${name}` })), label)));
}
