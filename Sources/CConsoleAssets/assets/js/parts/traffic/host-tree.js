import { askJSON, withQuery } from "../../core/api.js";
import { arrange, el, fill, setAttributes, setText } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { count, counted } from "../../core/format.js";
import { countsAsFailed, hostOf, literal, portOf, withPort } from "../../core/facts.js";

/** @typedef {{exchanges: number, failed: number}} Tally */
/** @typedef {Tally & {host: string, ports: Map<number, Tally>}} Host */
/** @typedef {{item: HTMLElement, row: HTMLElement, twist: HTMLElement, name: HTMLElement, port: HTMLElement, failures: HTMLElement, number: HTMLElement, group: HTMLElement}} Node The elements of a line. */

/** Default ports, which the tree leaves out as browsers do. */
const quietPorts = [80, 443];

/**
 * Hosts below their domains. A host with several ports has the ports below it (WAI-ARIA tree): arrows, Home,
 * End, Enter. Emits `choose` with an expression of the filter language, or an empty text for all hosts.
 *
 * Lines keep their elements while traffic arrives, so that a click and the focus stay on the same line.
 */
export class HostTree extends Emitter {
  /** @type {Map<string, Host>} */
  #hosts = new Map();
  /** @type {Map<string, Node>} */
  #nodes = new Map();
  /** Items that arrived during a request, whose response may lack them. @type {import("../../core/types.js").Traffic[] | null} */
  #early = null;
  #closed = new Set();
  #chosen = "";
  #focused = "all hosts";
  #loading = new AbortController();
  #frame = 0;
  #known = 0;
  /** The running items that this page counted and that have not failed so far. @type {Set<number>} */
  #waiting = new Set();
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
    // A newer request replaces this one, so the server can stop its search.
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.#early = [];
    try {
      const { hosts, upTo } = await askJSON(withQuery("/api/hosts", { filter }), { signal });
      this.#isLoaded = true;
      this.#hosts = new Map(hosts.map((host) => [host.host,
        { ...host, ports: new Map(host.ports.map((one) => [one.port, one])) }]));
      this.#known = upTo ?? 0;
      this.#waiting.clear();
      this.#count(this.#early);
      this.#schedule();
    } finally {
      if (!signal.aborted) this.#early = null;
    }
  }

  /**
   * Counts new items.
   *
   * @param {import("../../core/types.js").Traffic[]} items
   */
  take(items) {
    this.#early?.push(...items);
    this.#count(items);
    this.#schedule();
  }

  #count(items) {
    for (const item of items) {
      const name = hostOf(item);
      // These are counted; they arrive again when they change.
      if (item.id <= this.#known) {
        if (name && this.#waiting.has(item.id) && countsAsFailed(item)) this.#fail(name, item);
        if (item.outcome) this.#waiting.delete(item.id);
        continue;
      }
      this.#known = item.id;
      if (!name) continue;
      if (!item.outcome && !countsAsFailed(item)) this.#waiting.add(item.id);
      const host = this.#hosts.get(name) ?? { host: name, exchanges: 0, failed: 0, ports: new Map() };
      const port = host.ports.get(portOf(item)) ?? { exchanges: 0, failed: 0 };
      for (const tally of [host, port]) {
        tally.exchanges += item.type === "exchange" ? 1 : 0;
        tally.failed += countsAsFailed(item) ? 1 : 0;
      }
      host.ports.set(portOf(item), port);
      this.#hosts.set(name, host);
    }
  }

  /** Counts the failure of an item that was running when it was counted. @param {string} name @param {import("../../core/types.js").Traffic} item */
  #fail(name, item) {
    this.#waiting.delete(item.id);
    const host = this.#hosts.get(name);
    for (const tally of [host, host?.ports.get(portOf(item))]) if (tally) tally.failed += 1;
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
    arrange(this.tree, [this.#line({ key: "all hosts", label: "All hosts", expression: "",
      tally: sum([...this.#hosts.values()]), level: 1 }),
      ...domains.map(([domain, hosts]) => hosts.length === 1 ? this.#host(hosts[0], hosts[0].host, 1)
        : this.#domain(domain, hosts))]);
    for (const [key, node] of this.#nodes) if (!node.item.isConnected) this.#nodes.delete(key);
    const items = this.#items();
    const focused = items.find((item) => item.dataset.key === this.#focused) ?? items[0];
    for (const item of items) setAttributes(item, { tabindex: item === focused ? "0" : "-1" });
    if (hadFocus && document.activeElement !== focused) focused?.focus();
  }

  #domain(domain, hosts) {
    const sorted = hosts.sort((left, right) => left.host.localeCompare(right.host));
    const expression = `(host == ${literal(domain)} | host ~ ${literal(`*.${domain}`)})`;
    // No host has a space in its name, so the key cannot collide with a host's.
    return this.#line({ key: `domain ${domain}`, title: `*.${domain}`, label: domain, expression, tally: sum(hosts), level: 1 },
      () => sorted.map((host) =>
        this.#host(host, host.host === domain ? domain : host.host.slice(0, -domain.length - 1), 2)));
  }

  /** A host with its port, or with its ports below it. @param {Host} host @param {string} label @param {number} level */
  #host(host, label, level) {
    const ports = [...host.ports].sort(([left], [right]) => left - right);
    const line = { key: host.host, label, expression: expressionFor(host.host), tally: host, level };
    if (ports.length > 1) {
      return this.#line(line, () => ports.map(([port, tally]) => this.#line({ key: withPort(host.host, port),
        label, port, expression: expressionFor(host.host, port), tally, level: level + 1 })));
    }
    const [port = quietPorts[0]] = ports[0] ?? [];
    const same = expressionFor(host.host, port);
    if (quietPorts.includes(port)) return this.#line({ ...line, same });
    return this.#line({ ...line, port, expression: same, same: line.expression });
  }

  /**
   * The line of a key, with its current texts and numbers.
   *
   * @param {{key: string, title?: string, label: string, port?: number, expression: string, same?: string, tally: Tally, level: number}} line
   *   `same` is another expression that means the same.
   * @param {() => HTMLElement[]} [below] The lines below a line that can be opened.
   */
  #line({ key, title = key, label, port, expression, same = expression, tally, level }, below) {
    const { item, row, twist, name, port: behind, failures, number, group } = this.#node(key);
    const whole = port === undefined ? label : withPort(label, port);
    const isOpen = below !== undefined && !this.#closed.has(key);
    setAttributes(item, { "aria-level": String(level), "data-expression": expression,
      "aria-selected": String([expression, same].includes(this.#chosen)), "aria-expanded": below ? String(isOpen) : null,
      "aria-label": `${whole}, ${counted(tally.exchanges, "exchange")}${tally.failed ? `, ${count(tally.failed)} failed` : ""}` });
    setText(twist, isOpen ? "▾" : "▸");
    setText(name, label);
    setAttributes(name, { title });
    setText(behind, `:${port}`);
    setText(failures, `✕ ${count(tally.failed)}`);
    setAttributes(failures, { title: `${count(tally.failed)} failed` });
    setText(number, this.#isLoaded ? count(tally.exchanges) : "…");
    arrange(row, [below && twist, name, port !== undefined && behind, tally.failed > 0 && failures, number]);
    arrange(group, isOpen ? below() : []);
    arrange(item, [row, isOpen && group]);
    return item;
  }

  /** The elements of a key, created at the first call. @param {string} key @returns {Node} */
  #node(key) {
    const drawn = this.#nodes.get(key);
    if (drawn) return drawn;
    const row = el("div", { class: "host" });
    const node = { row, item: el("li", { role: "treeitem", tabindex: "-1", "data-key": key }, row),
      twist: el("span", { class: "twist", "aria-hidden": "true" }), name: el("span", { class: "name" }), port: el("span", { class: "port" }),
      failures: el("span", { class: "failures" }), number: el("span", { class: "count" }), group: el("ul", { role: "group" }) };
    this.#nodes.set(key, node);
    return node;
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
    // A second click on the chosen line removes the choice.
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

/** The filter for a host, or for one port of a host. @param {string} host @param {number} [port] */
export function expressionFor(host, port) {
  return `host == ${literal(host)}${port === undefined ? "" : ` & port == ${port}`}`;
}

/** The last two labels of a name; an address is a domain of its own. */
function domainOf(host) {
  if (/^[\d.]+$/.test(host) || host.includes(":")) return host;
  return host.split(".").slice(-2).join(".");
}

function sum(hosts) {
  return hosts.reduce(
    (total, host) => ({ exchanges: total.exchanges + host.exchanges, failed: total.failed + host.failed }),
    { exchanges: 0, failed: 0 });
}
