import { serverTiming } from "../../parts/detail/server-timing.js";
import { spanOf } from "../../parts/detail/waterfall.js";
import { countsAsFailed, isFailed, lasted, receivedBytes, sentBytes, title } from "../../core/facts.js";

/** @typedef {import("../../core/types.js").Traffic} Traffic */

/**
 * @typedef {object} Row
 * @property {Traffic} item
 * @property {import("../../parts/detail/waterfall.js").Span} span
 * @property {import("../../parts/detail/server-timing.js").ServerEntry[]} said The server's own times.
 * @property {Row} [initiator] The exchange named by the Referer, if it is not the document.
 */

/** Milliseconds of silence that divide one burst of requests from the next. Scripts that load more, after a timer or a click of the page's own, come within this time. */
const pause = 2000;
/** Milliseconds within which a browser follows a redirect. */
const following = 1000;
const redirects = [301, 302, 303, 307, 308];

/** Exchanges that belong together, from the first to the last. */
export class Group {
  /** @type {Row[]} */
  rows = [];
  /** The first start of a row: the set-up of a connection may precede all requests. */
  start = Infinity;
  /** The end of the last row with an end. */
  quietSince = -Infinity;

  /** @param {{title: string, about: string, page?: Page}} facts */
  constructor({ title, about, page }) {
    this.title = title;
    this.about = about;
    this.page = page;
  }

  /** @param {Row} row */
  add(row) {
    this.rows.push(row);
    this.start = Math.min(this.start, row.span.start);
    this.quietSince = Math.max(this.quietSince, row.span.isEndless ? row.span.start : row.span.end);
  }

  /** Whether a row comes after a pause. @param {Row} row */
  isOverBefore(row) {
    return row.span.start - this.quietSince > pause;
  }

  /** The number of the first exchange, which stays the same while the group grows. */
  get key() {
    return this.rows[0]?.item.id ?? 0;
  }

  /** Milliseconds from the first start to the last end; beside others, a stream counts with its start alone. */
  get length() {
    const isOfStreams = this.rows.every(({ span }) => span.isEndless);
    const end = isOfStreams ? this.rows.reduce((last, { span }) => Math.max(last, span.end), 0) : this.quietSince;
    return Math.max(0.001, end - this.start);
  }

  get received() {
    return sum(this.rows, receivedBytes);
  }

  get sent() {
    return sum(this.rows, sentBytes);
  }

  /** The bytes of the messages of WebSockets, in both directions. */
  get messages() {
    return sum(this.rows, (item) => item.messageBytes);
  }

  get failed() {
    return this.rows.filter(({ item }) => countsAsFailed(item)).length;
  }

  /** The slowest exchange, if the group has several to compare. @returns {Row | undefined} */
  get slowest() {
    const ended = this.rows.filter((row) => row.item.type === "exchange" && !row.span.isEndless);
    if (ended.length < 2) return undefined;
    return ended.reduce((one, other) => ((lasted(other.item) ?? 0) > (lasted(one.item) ?? 0) ? other : one));
  }
}

/** A document and the requests that it caused. Later bursts are groups of their own. */
class Page {
  /** @param {string} url */
  constructor(url) {
    this.url = url;
  }

  /** @type {Group | undefined} The current group of the page. */
  group;
}

/**
 * Divides the items of a list into groups. The newest group comes first.
 *
 * @param {Traffic[]} items
 * @param {string} by `page`, `process` or `none`.
 * @returns {Group[]}
 */
export function groupsOf(items, by) {
  // A request comes after its document, even if the set-up of its connection began before.
  const rows = items.filter(isShown).map((item) => ({ item, span: spanOf(item), said: serverTiming(item.serverTiming ?? "") }))
    .sort((one, other) => one.span.asked - other.span.asked || one.item.id - other.item.id);
  const grouping = by === "none" ? new ByNothing() : by === "process" ? new ByProcess() : new ByPage();
  for (const row of rows) grouping.take(row);
  return grouping.groups.reverse();
}

/** Whether a row shows the item: exchanges, and handshakes that a client ended instead of a request. @param {Traffic} item */
function isShown(item) {
  return item.type === "exchange" || (isFailed(item) && item.handshakeFailure?.peer === "client");
}

class ByNothing {
  /** @type {Group[]} */
  groups = [];

  take(/** @type {Row} */ row) {
    if (this.groups.length === 0) this.groups.push(new Group({ title: "Everything", about: "" }));
    this.groups[0].add(row);
  }
}

class ByProcess {
  /** @type {Group[]} */
  groups = [];
  /** @type {Map<string, Group>} */
  #open = new Map();

  take(/** @type {Row} */ row) {
    const client = clientOf(row.item);
    const before = this.#open.get(client);
    if (before && !before.isOverBefore(row)) return before.add(row);
    const group = new Group({ title: clientName(row.item), about: before ? afterPause(before, row) : "" });
    this.#open.set(client, group);
    this.groups.push(group);
    group.add(row);
  }
}

class ByPage {
  /** @type {Group[]} */
  groups = [];
  /** The page of each URL that a Referer may name, the newest by client. @type {Map<string, {page: Page, item: Traffic, row?: Row}>} */
  #pages = new Map();
  /** @type {Map<string, {page: Page, row: Row}>} The last document of each client. */
  #last = new Map();
  #rest = new ByProcess();

  take(/** @type {Row} */ row) {
    const { item } = row;
    const client = clientOf(item);
    const last = this.#last.get(client);
    if (item.destination === "document") {
      const isRedirected = last && redirects.includes(last.row.item.status ?? 0) && row.span.start - last.row.span.end < following;
      const page = isRedirected ? last.page : new Page(item.url ?? title(item));
      if (isRedirected && page.group) {
        page.group.about += `, redirected from ${page.url}`;
        page.group.title = page.url = item.url ?? page.url;
      }
      this.#last.set(client, { page, row });
      return this.#add(row, page);
    }
    const found = item.referer === undefined ? undefined : this.#of(item, item.referer);
    if (found) {
      if (found.row && found.row.item.destination !== "document") row.initiator = found.row;
      return this.#add(row, found.page);
    }
    // The page came from the browser's cache, or before the capture began.
    if (item.referer !== undefined) return this.#add(row, new Page(item.referer), "the document itself is not shown here");
    // Some pages ask browsers to omit Referer, and a handshake has none.
    const mayBelong = item.destination !== undefined || item.type === "flow" || item.protocol === "ws";
    if (mayBelong && last?.page.group && !last.page.group.isOverBefore(row)) return this.#add(row, last.page);
    const { length } = this.#rest.groups;
    this.#rest.take(row);
    if (this.#rest.groups.length > length) this.groups.push(this.#rest.groups[length]);
  }

  /** The page that a Referer names, by its URL or only by its origin. @param {Traffic} item @param {string} referer */
  #of(item, referer) {
    return this.#at(item, referer) ?? (originOf(referer) === referer.replace(/\/$/, "") ? this.#at(item, originOf(referer)) : undefined);
  }

  /** The page of a client at a URL. Pinhole may know the process of only one of two connections, so an unknown process matches, too. */
  #at(item, url) {
    const any = this.#pages.get(`any ${url}`);
    return this.#pages.get(`${clientOf(item)} ${url}`) ?? (any && !(any.item.clientProcess && item.clientProcess) ? any : undefined);
  }

  #keep(url, entry) {
    this.#pages.set(`${clientOf(entry.item)} ${url}`, entry);
    this.#pages.set(`any ${url}`, entry);
  }

  #add(row, page, about = "") {
    if (!page.group || page.group.isOverBefore(row)) {
      const group = new Group({ title: page.url, page, about: [clientName(row.item), page.group ? afterPause(page.group, row) : about].filter(Boolean).join(", ") });
      page.group = group;
      this.groups.push(group);
      this.#keep(page.url, { page, item: row.item });
    }
    this.#keep(originOf(page.url), { page, item: row.item });
    page.group.add(row);
    if (row.item.url) this.#keep(row.item.url, { page, item: row.item, row });
  }
}

/** The key of a client: its process, or its address and user. @param {Traffic} item */
function clientOf(item) {
  return item.clientProcess ? `${item.clientProcess.name} ${item.clientProcess.pid}` : `${addressOf(item)} ${item.proxyUser ?? ""}`;
}

/** @param {Traffic} item */
function clientName(item) {
  return item.clientProcess ? `${item.clientProcess.name} (${item.clientProcess.pid})` : addressOf(item);
}

function addressOf(item) {
  return (item.client ?? "unknown client").replace(/:\d+$/, "");
}

function afterPause(before, row) {
  return `after a pause of ${Math.round((row.span.start - before.quietSince) / 1000)} s`;
}

function originOf(url) {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? url;
}

function sum(rows, of) {
  return rows.reduce((total, { item }) => total + (of(item) ?? 0), 0);
}
