import { held } from "../../core/held.js";
import { announce } from "../../core/announce.js";
import { tellProblem, watchConnection } from "../../core/banner.js";
import { fill } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { preferences } from "../../core/preferences.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { emptyState } from "./empty-state.js";
import { FilterBox } from "./filter-box.js";
import { HostTree } from "./host-tree.js";
import { KindChips } from "./kind-chips.js";
import { SearchPlaces } from "./search-places.js";
import { StatusBar } from "./status-bar.js";
import { Toolbar } from "./toolbar.js";
import { TrafficGrid } from "./traffic-grid.js";
import { TrafficModel } from "./traffic-model.js";
import { unseenButton } from "./unseen-button.js";

const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The list of the traffic, with its filter, hosts, tools and status. The list shows items that match both the filter and the host. */
class TrafficList {
  model = new TrafficModel();
  grid = new TrafficGrid(this.model);
  filter = new FilterBox(at("filter"));
  status = new StatusBar(at("status"), this.model);
  toolbar = new Toolbar(at("tools"), this.model, this.grid);
  places = new SearchPlaces();
  /** The filter expression of the chosen host, or an empty text. */
  host = "";
  /** The filter expression of the chosen kinds, or an empty text. */
  #kinds = "";
  #hosts = new HostTree(at("hosts"));
  #chips = new KindChips();

  constructor() {
    const { model, grid, filter, places } = this;
    watchConnection(model);
    held.follow(model.live);
    this.#chips.element.append(places.element);
    fill(at("list"), this.#chips.element, grid.element, unseenButton(grid),
      emptyState(model, () => this.showAll(), (text) => this.show(text, ""), places));
    filter.on("filter", (text) => this.show(text));
    filter.on("leave", () => grid.element.focus());
    this.#hosts.on("choose", (expression) => this.show(model.text, expression));
    this.#chips.on("choose", () => this.show());
    places.on("choose", (text) => this.show(text));
    this.status.onspares = () => this.show("spare", "");
    grid.on("selection", () => this.status.tellSelection(grid.selection.size));
    model.on("loading", (isLoading) => {
      grid.element.setAttribute("aria-busy", String(isLoading));
      if (!isLoading) announce(counted(model.length, "item"));
    });
    model.on("problem", (error) => {
      const problem = Problem.of(error);
      // The banner reports a lost connection already.
      if (problem.isUnanswered) return;
      // An address may hold a filter with a mistake; the filter box shows the place and the suggestion.
      if (problem.column) filter.explain(problem);
      else tellProblem(problem.sentence, "list");
    });
    model.on("replaced", () => this.#loadHosts());
    model.live.on("traffic", (items) => this.#hosts.take(items));
    held.on("change", (exchanges) => exchanges.forEach((id) => model.amend(id, {})));
    // With a chosen host, the stream sends no items of other hosts, so their tallies are read again.
    setInterval(() => this.host && !document.hidden && this.#loadHosts(), 30_000);
    const applyHosts = () => at("page-traffic").classList.toggle("has-hosts", preferences.get("showsHosts"));
    preferences.on("change", (name) => name === "showsHosts" && applyHosts());
    applyHosts();
  }

  /** Shows the items of a filter and a host. */
  show(text = this.model.text, expression = this.host) {
    const { model } = this;
    this.host = expression;
    this.#kinds = this.#chips.filter && `(${this.#chips.filter})`;
    this.#hosts.show(expression);
    this.filter.show(text);
    this.places.show(text);
    route.write({ q: text, host: expression, kinds: this.#chips.names });
    model.show(text, [expression, this.#kinds].filter(Boolean).join(" & "));
    // As with the list, a tally that is read before the stream is open may miss items.
    model.begun.then(() => model.text === text && this.#loadHosts());
  }

  /** Resolves when the list has its first rows, or cannot have any. @returns {Promise<void>} */
  firstRows() {
    return new Promise((resolve) => {
      this.model.on("reset", resolve);
      this.model.on("loading", (isLoading) => isLoading || resolve());
    });
  }

  showAll() {
    this.#chips.show("");
    this.show("", "");
  }

  /** Shows the items that the address of the page selects, unless the list has them. */
  showRoute() {
    const [text, expression, kinds] = [route.parameter("q"), route.parameter("host"), route.parameter("kinds")];
    if (text === this.model.text && expression === this.host && kinds === this.#chips.names && this.model.isStarted) return;
    this.#chips.show(kinds);
    this.show(text, expression);
  }

  #loadHosts() {
    this.#hosts.load([this.model.text && `(${this.model.text})`, this.#kinds].filter(Boolean).join(" & ")).catch(() => {});
  }
}

export const list = new TrafficList();
