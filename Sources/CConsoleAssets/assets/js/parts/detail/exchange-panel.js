import { el } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { preferences } from "../../core/preferences.js";
import { MessagePanel } from "./message-panel.js";
import { MessageSearch } from "./message-search.js";

/** Pixels. A pane of this width shows two messages side by side, unless the user chose otherwise. */
const wideEnough = 860;
/** Pixels. A narrower pane shows the messages below each other in any case. */
const narrowest = 480;

/** The request, the response, or both, with one search over what is shown. */
export class ExchangePanel {
  #observer = new ResizeObserver(() => this.#arrange());

  /**
   * @param {("request" | "response")[]} owners
   * @param {import("../../core/types.js").Detail} detail
   * @param {import("../../core/types.js").Traffic} item
   * @param {string} query
   */
  constructor(owners, detail, item, query) {
    this.panels = owners.map((owner) => new MessagePanel(owner, detail, item));
    this.pair = el("div", { class: "both" }, ...this.panels.map((panel) => panel.element));
    this.pair.dataset.bodies = this.panels.filter((panel) => panel.body).map((panel) => panel.owner).join(" ");
    this.choices = owners.length > 1 ? ["beside", "below"].map((way) => this.#choice(way)) : [];
    this.search = new MessageSearch(this.panels, query);
    this.element = el("div", { class: "exchange-panel" }, el("div", { class: "exchange-tools" }, this.search.element,
      this.choices.length > 0 && el("span", { class: "message-ways", role: "group", "aria-label": "Request and response" }, ...this.choices)), this.pair);
    if (this.choices.length > 0) this.#observer.observe(this.element);
  }

  end() {
    this.#observer.disconnect();
    this.search.end();
    for (const panel of this.panels) panel.end();
  }

  #choice(way) {
    const label = way === "beside" ? "Side by side" : "Below each other";
    return el("button", { type: "button", class: "plain", title: label, "aria-label": label, "data-way": way, onclick: () => {
      preferences.set("messagesAre", way);
      this.#arrange();
    } }, icon(way));
  }

  /** Arranges the messages by the user's choice, or by the width. */
  #arrange() {
    const width = this.element.clientWidth;
    const chosen = preferences.get("messagesAre");
    const isBeside = chosen ? chosen === "beside" && width >= narrowest : width >= wideEnough;
    for (const choice of this.choices) choice.setAttribute("aria-pressed", String((choice.dataset.way === "beside") === isBeside));
    this.pair.classList.toggle("beside", isBeside);
  }
}
