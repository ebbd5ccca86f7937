import { askJSON, withQuery } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { Emitter } from "../core/emitter.js";
import { count, counted } from "../core/format.js";
import { hostOf, portOf, withPort } from "./facts.js";

/** @typedef {{exchanges: number, failed: number}} Tally */
/** @typedef {Tally & {host: string, ports: Map<number, Tally>}} Host */

/** Ports that nobody writes, as browsers do. */
const quietPorts = [80, 443];

/**
 * Hosts below their domains, and the ports of a host below it where there are several (WAI-ARIA tree): arrows, Home,
 * End, Enter. It tells `choose` with an expression of the filter language, or nothing for all.
 */
export class HostTree extends Emitter {
  /** @type {Map<string, Host>} */
  #hosts = new Map();
  #closed = new Set();
  #chosen = "";
  #focused = "all";
  #loading = new AbortController();
  #frame = 0;
  #known = 0;
  #isLoaded = false;

  /** @param {HTMLElement} element */
  constructor(element) {
    super();
    this.tree = el("ul", { role: "tree", "aria-label": "Hosts" });
    fill(element, el("h2", {}, "Hosts"), this.tree);
    this.tree.addEventListener("keydown", (event) => this.#key(event));
    this.tree.addEventListener("focusin", (event) => (
      this.#focused = event.target.dataset.key ?? this.#focused));
    this.tree.addEventListener("click", (event) => this.#click(event));
  }

  /** @param {string} filter */
  async load(filter) {
    // Whoever asks for something else does not wait for this any more, and the server need not search on.
    this.#loading.abort();
    this.#loading = new AbortController();
    const { hosts, upTo } = await askJSON(withQuery("/api/hosts", { filter }), { signal: this.#loading.signal });
    this.#isLoaded = true;
    this.#hosts = new Map(hosts.map((host) => [host.host,
      { ...host, ports: new Map(host.ports.map((one) => [one.port, one])) }]));
    this.#known = upTo ?? 0;
    this.#schedule();
  }

  /**
   * Counts what came; `all` says whether it comes without the chosen host's filter.
   *
   * @param {import("../core/types.js").Traffic[]} items
   */
  take(items) {
    for (const item of items) {
      // Those that were counted by the server come again when they change.
      if (item.id <= this.#known) continue;
      this.#known = item.id;
      const name = hostOf(item);
      const host = this.#hosts.get(name) ?? { host: name, exchanges: 0, failed: 0, ports: new Map() };
      const port = host.ports.get(portOf(item)) ?? { exchanges: 0, failed: 0 };
      for (const tally of [host, port]) {
        tally.exchanges += item.type === "exchange" ? 1 : 0;
        tally.failed += item.handshakeFailure ? 1 : 0;
      }
      host.ports.set(portOf(item), port);
      this.#hosts.set(name, host);
    }
    this.#schedule();
  }

  /** @param {string} expression */
  show(expression) {
    this.#chosen = expression;
    this.#schedule();
  }

  #schedule() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  #render() {
    const groups = new Map();
    for (const host of this.#hosts.values()) {
      const domain = domainOf(host.host);
      groups.set(domain, [...(groups.get(domain) ?? []), host]);
    }
    const hadFocus = this.tree.contains(document.activeElement);
    const domains = [...groups].sort(([left], [right]) => left.localeCompare(right));
    fill(this.tree, this.#leaf("all", "All hosts", "", sum([...this.#hosts.values()]), 1),
      ...domains.map(([domain, hosts]) => hosts.length === 1 ? this.#host(hosts[0], hosts[0].host, 1)
        : this.#domain(domain, hosts)));
    const items = this.#items();
    const focused = items.find((item) => item.dataset.key === this.#focused) ?? items[0];
    if (focused) focused.tabIndex = 0;
    if (hadFocus) focused?.focus();
  }

  #domain(domain, hosts) {
    const sorted = hosts.sort((left, right) => left.host.localeCompare(right.host));
    return this.#branch(this.#leaf(`*.${domain}`, domain, `(host == "${domain}" | host ~ "*.${domain}")`, sum(hosts), 1),
      () => sorted.map((host) =>
        this.#host(host, host.host === domain ? domain : host.host.slice(0, -domain.length - 1), 2)));
  }

  /** A host with its port, or with its ports below it. @param {Host} host @param {string} label @param {number} level */
  #host(host, label, level) {
    const ports = [...host.ports].sort(([left], [right]) => left - right);
    const of = (/** @type {number} */ port) => expressionFor(host.host, port);
    if (ports.length < 2) {
      const [port = quietPorts[0]] = ports[0] ?? [];
      const isQuiet = quietPorts.includes(port);
      return this.#leaf(host.host, isQuiet ? label : withPort(label, port),
        isQuiet ? expressionFor(host.host) : of(port), host, level, [expressionFor(host.host), of(port)]);
    }
    return this.#branch(this.#leaf(host.host, label, expressionFor(host.host), host, level),
      () => ports.map(([port, tally]) => this.#leaf(withPort(host.host, port), withPort(label, port), of(port), tally, level + 1)));
  }

  /** A node that has others below it. @param {HTMLElement} item @param {() => HTMLElement[]} below */
  #branch(item, below) {
    const isOpen = !this.#closed.has(item.dataset.key);
    item.setAttribute("aria-expanded", String(isOpen));
    item.firstElementChild?.prepend(el("span", { class: "twist", "aria-hidden": "true" }, isOpen ? "▾" : "▸"));
    if (isOpen) item.append(el("ul", { role: "group" }, ...below()));
    return item;
  }

  /** @param {string} key @param {string} label @param {string} expression @param {Tally} tally @param {number} level @param {string[]} same Expressions that mean the same. */
  #leaf(key, label, expression, tally, level, same = [expression]) {
    const isChosen = expression === this.#chosen || same.includes(this.#chosen);
    return el("li", { role: "treeitem", "aria-level": level, "aria-selected": String(isChosen),
      tabindex: "-1", "data-key": key, "data-expression": expression,
      "aria-label": `${label}, ${counted(tally.exchanges, "exchange")}${tally.failed ? `, ${count(tally.failed)} failed` : ""}` },
      el("div", { class: "host" }, el("span", { class: "name", title: key }, label),
        tally.failed > 0 && el("span", { class: "failures", title: counted(tally.failed, "failed handshake") },
          `✕ ${count(tally.failed)}`),
        el("span", { class: "count" }, this.#isLoaded ? count(tally.exchanges) : "…")));
  }

  #items() {
    return /** @type {HTMLElement[]} */ ([...this.tree.querySelectorAll("[role=treeitem]")]);
  }

  #click(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    this.#focused = item.dataset.key;
    if (event.target.closest(".twist")) this.#toggle(item.dataset.key);
    else this.#choose(item);
  }

  #choose(item) {
    // A second time takes it back.
    const expression = item.ariaSelected === "true" ? "" : item.dataset.expression;
    this.#chosen = expression;
    this.emit("choose", expression);
    this.#render();
  }

  #toggle(key) {
    if (!this.#closed.delete(key)) this.#closed.add(key);
    this.#render();
  }

  #key(event) {
    const items = this.#items();
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const item = items[at];
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = item.dataset;
    const isBranch = item.ariaExpanded !== null;
    const isOpen = item.ariaExpanded === "true";
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    if (event.key in moves) this.#focus(items[Math.max(0, Math.min(items.length - 1, moves[event.key]))]);
    else if (event.key === "ArrowRight" && isBranch) isOpen ? this.#focus(items[at + 1]) : this.#toggle(key);
    else if (event.key === "ArrowLeft" && isOpen) this.#toggle(key);
    else if (event.key === "ArrowLeft") this.#focus(item.parentElement?.closest("[role=treeitem]"));
    else if (event.key === "Enter" || event.key === " ") this.#choose(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #focus(item) {
    if (!item) return;
    for (const other of this.#items()) other.tabIndex = -1;
    item.tabIndex = 0;
    this.#focused = item.dataset.key;
    item.focus();
  }
}

/** What keeps to a host, or to one port of it. @param {string} host @param {number} [port] */
export function expressionFor(host, port) {
  return `host == "${host.replace(/["\\]/g, "\\$&")}"${port === undefined ? "" : ` & port == ${port}`}`;
}

/** The last two labels; addresses stand for themselves. */
function domainOf(host) {
  if (/^[\d.]+$/.test(host) || host.includes(":")) return host;
  return host.split(".").slice(-2).join(".");
}

function sum(hosts) {
  return hosts.reduce(
    (total, host) => ({ exchanges: total.exchanges + host.exchanges, failed: total.failed + host.failed }),
    { exchanges: 0, failed: 0 });
}
