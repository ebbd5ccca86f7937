import { held } from "../../core/held.js";
import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { icon } from "../../core/icons.js";
import { addKeys } from "../../core/keys.js";
import { openMenu } from "../../core/menu.js";
import { Problem } from "../../core/problem.js";
import { download } from "../../core/save-file.js";
import { abort } from "../../core/abort.js";
import { isRunning, standing, title } from "../../core/facts.js";
import { makePlaceButton, makeSplitter } from "../../core/splitter.js";
import { commandItems, programItems } from "./copy-request.js";
import { hasRemedy } from "./host-trust.js";
import { ExchangePanel } from "./exchange-panel.js";
import { MessagesPanel } from "./messages-panel.js";
import { overview } from "./overview.js";
import { TLSPanel } from "./tls-panel.js";

/** @typedef {import("../../core/types.js").Detail} Detail */

const names = { overview: "Overview", both: "Both", request: "Request", response: "Response", messages: "Messages",
  tls: "TLS" };

/** All facts about one item. Emits `close`, `tab` (a name), and `mark` and `comment` with an item. */
export class DetailPane extends Emitter {
  /** @type {number | null} */
  id = null;
  tab = "both";
  /** Whether the reader chose the tab. */
  #isChosen = false;
  /** @type {Detail | null} */
  #detail = null;
  /** @type {{element: HTMLElement, end?: () => void} | null} */
  #panel = null;
  #abort = new AbortController();
  #timer = 0;
  #wantsFocus = false;
  /** The search in the messages, kept from item to item. */
  #query = "";
  /** Whether the item changed during a request for it. */
  #isOutdated = false;

  /**
   * @param {HTMLElement} element
   * @param {HTMLElement} page The parent of the detail and the list.
   * @param {(id: number) => import("../../core/types.js").Traffic | undefined} listed The list's facts about an item.
   */
  constructor(element, page, listed) {
    super();
    this.listed = listed;
    this.element = element;
    this.page = page;
    this.head = el("header", { class: "detail-head" });
    this.placer = makePlaceButton();
    this.tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Parts" });
    this.stage = el("div", { class: "detail-stage", role: "tabpanel", id: "detail-panel", tabindex: "0" });
    fill(element, makeSplitter(page), this.head, this.tabs, this.stage);
    this.tabs.addEventListener("keydown", (event) => this.#tabKey(event));
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      this.emit("close");
    });
    const search = () => (this.#panel instanceof ExchangePanel && this.element.checkVisibility() ? this.#panel.search : null);
    addKeys([{ key: "Ctrl+F", label: "Search in the request and the response", group: "In the detail",
      // A second press of the key opens the browser's own search.
      fits: () => Boolean(search()) && document.activeElement !== search()?.input, run: () => search()?.focus() }]);
  }

  get item() {
    return this.#detail && this.id !== null ? itemOf(this.#detail, this.listed(this.id)) : null;
  }

  /** @param {number} id @param {{tab?: string, focuses?: boolean}} [options] */
  show(id, { tab = "", focuses = false } = {}) {
    const isOther = tab in names && tab !== this.tab;
    if (isOther) [this.tab, this.#isChosen] = [tab, true];
    this.#wantsFocus = focuses;
    if (id === this.id && this.#detail) {
      if (isOther) this.#chooseTab(this.tab);
      this.#focus();
      return;
    }
    this.id = id;
    this.element.hidden = false;
    this.element.setAttribute("aria-busy", "true");
    this.page.classList.add("has-detail");
    clearTimeout(this.#timer);
    // Holding an arrow key passes many items; the page loads only the last one.
    this.#timer = setTimeout(() => this.#load(), 60);
  }

  close() {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#endPanel();
    this.#detail = null;
    this.id = null;
    this.element.hidden = true;
    this.page.classList.remove("has-detail");
  }

  #focus() {
    if (!this.#wantsFocus) return;
    this.#wantsFocus = false;
    /** @type {HTMLElement} */ (this.tabs.querySelector("[aria-selected=true]") ?? this.stage).focus();
  }

  /** Loads the item again after a change on the server. */
  changed() {
    if (this.id === null) return;
    // The response on its way may be older than the change.
    if (this.element.getAttribute("aria-busy") === "true") {
      this.#isOutdated = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#reload(), 250);
  }

  async #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#isOutdated = false;
    try {
      const detail = await askJSON(`/api/traffic/${this.id}`, { signal });
      this.#detail = detail;
      this.#showHead();
      this.#chooseTab(this.tab, false);
      this.element.setAttribute("aria-busy", "false");
      this.#focus();
      if (this.#isOutdated) this.changed();
    } catch (error) {
      if (signal.aborted) return;
      this.element.setAttribute("aria-busy", "false");
      const problem = Problem.of(error);
      this.#detail = null;
      this.#endPanel();
      fill(this.head, el("h2", {}, `Item ${this.id}`), this.placer, this.#closer());
      fill(this.tabs);
      fill(this.stage, el("div", { class: "panel" },
        el("p", { class: "notice failed", role: "alert" }, problem.sentence),
        problem.status !== 404 && el("button", { type: "button", onclick: () => this.#load() },
        "Try again")));
    }
  }

  /** Loads the item again. The tab, open sections and scroll places stay if only notes or sizes changed. */
  async #reload() {
    const id = this.id;
    try {
      const detail = await askJSON(`/api/traffic/${id}`, { signal: this.#abort.signal });
      if (id !== this.id) return;
      const before = this.#detail;
      this.#detail = detail;
      this.#showHead();
      if (this.tab === "messages" && this.#panel instanceof MessagesPanel) this.#panel.refresh(detail);
      else if (this.tab === "overview" || !before || before.response === undefined !== (detail.response === undefined)
        || before.exchange?.outcome !== detail.exchange?.outcome) this.#chooseTab(this.tab, false);
    } catch (error) {
      // The detail reports a removed item; after another failure the next change or click loads it again.
      if (id === this.id && Problem.of(error).status === 404) this.#load();
    }
  }

  /** Shows the head again after a change of the item's facts. */
  tellHead() {
    if (this.#detail) this.#showHead();
  }

  #showHead() {
    const item = this.item;
    if (!item) return;
    const { sign, kind } = standing(item);
    const waiting = held.of(item.id);
    const copier = el("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
      title: "Copy as… (y copies as last time)" }, icon("copy"), "Copy as");
    copier.addEventListener("click", () => openMenu(copier, "Copy as",
      [...commandItems(item.id), ...programItems(item.id)]));
    const marker = el("button", { type: "button", class: "plain mark",
      "aria-pressed": String(Boolean(item.isMarked)), title: "Mark (m)", "aria-label": "Mark",
      onclick: () => this.emit("mark", item) }, icon("star"), el("span", { class: "word" }, "Mark"));
    fill(this.head,
      el("h2", { title: title(item) }, el("span", { class: `badge standing-${kind}` },
        [sign, item.status ?? (item.handshakeFailure ? "TLS" : "")].filter((part) => part !== "").join(" ")
        || "—"), ` ${title(item)}`),
      el("div", { class: "detail-tools" }, isRunning(item) && el("button", { type: "button", class: "end",
        title: "End it toward both sides (x)", onclick: () => abort(item) }, icon("end"), "End"), marker,
        el("button", { type: "button", class: "plain", title: "Comment (c)", "aria-label": "Comment",
        onclick: () => this.emit("comment", item) }, icon("comment"), el("span", { class: "word" }, "Comment")),
        item.type === "exchange" && copier, item.type === "exchange" && el("a", { class: "button", href: `#/compose/${item.id}`,
          title: "Edit and send (e)" }, icon("edit"), "Edit and send"), el("a",
          { class: "button plain", href: `/api/export?format=har&ids=${item.id}`,
          download: `pinhole-${item.id}.har`, title: "Download as HAR", "aria-label": "Download as HAR",
          onclick: (/** @type {MouseEvent} */ event) => {
            event.preventDefault();
            download(`/api/export?format=har&ids=${item.id}`, `pinhole-${item.id}.har`);
          } },
          icon("download"), el("span", { class: "word" }, "HAR")), this.placer, this.#closer()),
      item.comment && el("p", { class: "comment" }, item.comment),
      waiting && el("p", { class: "notice held-note" }, `The ${waiting.at} is held at the breakpoint “${waiting.rule}”: `,
        el("a", { href: `#/breakpoints?id=${waiting.id}` }, "decide about it"), "."));
  }

  #closer() {
    return el("button", { type: "button", class: "plain close", title: "Close (Escape)",
      "aria-label": "Close the detail", onclick: () => this.emit("close") }, icon("back"), icon("close"));
  }

  #tabNames() {
    const detail = this.#detail;
    if (!detail?.exchange) return ["overview", "tls"];
    const hasMessages = Boolean(detail.messageCount || detail.messages || detail.stream
      || detail.exchange.messages !== undefined);
    return ["overview", "both", "request", "response", ...(hasMessages ? ["messages"] : []),
      ...(this.item?.scheme === "http" ? [] : ["tls"])];
  }

  #chooseTab(tab, tells = true) {
    const detail = this.#detail;
    const item = this.item;
    if (!detail || !item) return;
    const available = this.#tabNames();
    // The chosen tab is kept for the next item that has such a tab.
    if (tells) [this.tab, this.#isChosen] = [tab, true];
    // The overview has the buttons of a remedy, so it comes first until the reader chooses a tab.
    const offers = !this.#isChosen && hasRemedy(detail, item);
    // An item without messages shows its request and response in their place.
    const wanted = this.tab === "messages" && !available.includes("messages") ? "both" : this.tab;
    const shown = available.includes(wanted) && !offers ? wanted : "overview";
    const hadFocus = this.tabs.contains(document.activeElement);
    fill(this.tabs, ...available.map((name) => el(
      "button", { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === shown),
      "aria-controls": "detail-panel", title: name === "both" && "The request and the response", tabindex: name === shown ? "0" : "-1",
      onclick: () => this.#chooseTab(name) }, names[name])));
    this.#wantsFocus ||= hadFocus;
    this.#focus();
    this.stage.setAttribute("aria-labelledby", `tab-${shown}`);
    this.#endPanel();
    this.#panel = this.#make(shown, detail, item);
    fill(this.stage, this.#panel.element);
    this.stage.scrollTop = 0;
    if (tells) this.emit("tab", this.tab);
  }

  #endPanel() {
    if (this.#panel instanceof ExchangePanel) this.#query = this.#panel.search.query;
    this.#panel?.end?.();
    this.#panel = null;
  }

  #make(tab, detail, item) {
    switch (tab) {
      case "both": return new ExchangePanel(["request", "response"], detail, item, this.#query);
      case "request":
      case "response": return new ExchangePanel([tab], detail, item, this.#query);
      case "messages": return new MessagesPanel(item.id, detail);
      case "tls": return new TLSPanel(item.type === "flow" ? item.id : item.flow ?? item.id, item);
      default: return { element: overview(detail, item, (name) => this.#chooseTab(name)) };
    }
  }

  #tabKey(event) {
    const all = /** @type {HTMLElement[]} */ ([...this.tabs.children]);
    const at = all.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[(to + all.length) % all.length].click();
  }
}

/** @param {Detail} detail @param {object | undefined} listed @returns {import("../../core/types.js").Traffic} */
function itemOf(detail, listed) {
  const facts = detail.exchange ?? detail.flow?.flow ?? detail.flow;
  return { ...listed, ...facts, isMarked: detail.isMarked ?? facts.isMarked,
    comment: detail.comment ?? facts.comment };
}
