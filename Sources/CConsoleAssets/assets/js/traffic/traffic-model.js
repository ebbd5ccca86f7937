import { askBytes, askJSON, withQuery } from "../core/api.js";
import { Emitter } from "../core/emitter.js";
import { preferences } from "../core/preferences.js";
import { movesBy } from "./columns.js";
import { isAnsweredFailure } from "./facts.js";
import { IDList } from "./id-list.js";
import { ItemCache } from "./item-cache.js";
import { decodeDifferences, decodeSteps } from "./leb128.js";
import { Live } from "./live.js";
import { SortedIDs } from "./sorted-ids.js";
import { isSame, sorting } from "./sorting.js";

/** Milliseconds after which the first rows of a long search are shown. */
const firstHits = 150;

/** Milliseconds that the search of one range of numbers may take, so that the page can say how far it is. */
const rangeTime = 300;

/** A filter that asks for flows by themselves, so that none of them may be folded. */
const asksForFlows = /\btls\.answered\b|!\s*http\b/;

/** How many numbers the first range has: most captures are searched with one question. */
const firstRange = 20_000;

/**
 * The traffic that matches the filter, as the list shows it.
 *
 * Rows are counted as they are shown: 0 is the topmost. It tells `reset` (other rows), `grown` (how many rows
 * came at the newest end), `shrunk` (how many went at the oldest end), `replaced` (some are gone
 * from the middle: `before`, the ids as they were, and `grown`, how many came at the newest end), `folded` (how many rows stand in others), `items` (ids whose facts are here or changed), `loading`, `searched` (a range more of a long search), `problem`, `state`, `status`.
 *
 * A list that is sorted stays as it is while traffic comes: `displaced` tells how many are new (`fresh`) or have
 * `changed` in what it is sorted by, until it is sorted again. That costs what is told, however long the list is; to
 * find a place among a million would take the keys of a million.
 */
export class TrafficModel extends Emitter {
  /** @type {IDList | SortedIDs} */
  ids = new IDList();
  /** What the ids are sorted by; nothing in the order of arrival. @type {import("./sorting.js").Sorting | null} */
  order = null;
  /** The flows whose failure the row of an exchange shows, so that they are no rows. */
  folded = new IDList();
  live = new Live();
  filter = "";
  /** Whether all ids are known, not only those of the first page. */
  isWhole = false;
  /** How far a long search is, or was when it was stopped: the part of the capture, and how many were found there. @type {{ part: number, found: number } | null} */
  search = null;
  /** Whether the user stopped the search, so that the list shows only what was found until then. */
  #isStopped = false;
  #host = "";
  #text = "";
  #loads = 0;
  /** @type {AbortController | null} */
  #loading = null;
  /** Whether the ids were whole once, for this filter. */
  #isListed = false;
  /** @type {Map<number, boolean>} Ids that came while the index was on its way, and whether they moved. */
  #early = new Map();
  /** Flows to fold that came while the index was on its way. @type {Set<number>} */
  #earlyFolded = new Set();
  /** @type {Map<number, boolean>} Ids that stand elsewhere than they would, and whether they have no place at all. */
  #displaced = new Map();
  /** What the list is sorted by, or will be. @type {import("./sorting.js").Sorting | null} */
  #wanted = null;
  #isReading = false;
  #isOutdated = false;
  /** When the stream of events stands for what is shown. */
  begun = Promise.resolve();

  constructor() {
    super();
    this.cache = new ItemCache((ids) => this.emit("items", ids), (error) => this.emit("problem", error));
    this.live.on("traffic", (items) => this.#take(items));
    this.live.on("gone", (id) => this.#removeUpTo(id));
    preferences.on("change", (name) => {
      if (name === "sort" && this.isStarted && !isSame(sorting(), this.#wanted)) this.load({ isOtherOrder: true });
      if (name === "foldsHandshakes" && this.isStarted) this.#readAgain(false);
    });
    this.live.on("state", (state) => this.emit("state", state));
    this.live.on("status", (status) => this.emit("status", status));
    this.live.on("resumed", () => {
      this.cache.forgetRunning();
      this.emit("items", []);
      this.#readAgain(true);
    });
    this.live.on("reload", (isBehind) => {
      // Any item may have changed meanwhile.
      if (isBehind) {
        this.cache.clear();
        this.emit("items", []);
      }
      this.#readAgain(false);
    });
  }

  get isStarted() {
    return this.#loads > 0;
  }

  get length() {
    return this.ids.length;
  }

  /** Whether the last of the ids is in the first row. */
  get isTurned() {
    return !this.order && preferences.get("newestFirst");
  }

  /** Whether failed handshakes stand in the rows of the exchanges that show them. */
  get folds() {
    return preferences.get("foldsHandshakes") && !asksForFlows.test(this.filter);
  }

  /** The id in a row. @param {number} row */
  idAt(row) {
    return this.ids.at(this.isTurned ? this.length - 1 - row : row);
  }

  /** The row of an id, or where it would be; in a sorted list -1 where it is not there. @param {number} id */
  rowOf(id) {
    const place = this.ids.placeOf(id);
    return this.isTurned ? this.length - 1 - place : place;
  }

  /**
   * What somebody wrote, and the host that was chosen.
   *
   * @param {string} text
   * @param {string} host An expression, or nothing.
   */
  async show(text, host) {
    this.#text = text;
    this.#host = host;
    const filter = text && host ? `${host} & (${text})` : host || text;
    this.filter = filter;
    this.#isListed = false;
    await this.load();
  }

  /** What somebody wrote, without the host. */
  get text() {
    return this.#text;
  }

  /** Reads a sorted list again, so that everything finds its place; what is seen first stays. */
  async sortAgain() {
    await this.#readAgain(false);
  }

  /**
   * Reads the list anew: first what is seen first, then all ids. A sorted one comes as a whole, and so does one that
   * shows the same in another order: what is seen until then is not wrong.
   */
  async load({ isOtherOrder = false } = {}) {
    const load = ++this.#loads;
    this.#loading?.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const order = sorting();
    this.#wanted = order;
    this.#clearEarly();
    this.isWhole = false;
    this.search = null;
    this.#isStopped = false;
    this.emit("loading", true);
    if (!isOtherOrder || !this.#isListed) this.begun = this.live.open(this.filter);
    // Asked before the stream stood, it could lack what came between, and nobody would tell it.
    const index = this.begun.then(() => this.#readIDs(order, signal));
    index.catch(() => {});
    try {
      if (!order && !this.#isListed) {
        const page = await askJSON(withQuery("/api/traffic", { filter: this.filter, limit: 200,
          within: firstHits }), { signal });
        if (load !== this.#loads) return;
        for (const item of page.items) this.cache.put(item);
        const rows = this.folds ? page.items.filter((item) => !isAnsweredFailure(item)) : page.items;
        this.#replace(new IDList(Float64Array.from(rows.map((item) => item.id).reverse())), null);
      }
      const { ids, folded } = await index;
      if (load !== this.#loads) return;
      this.folded = folded;
      this.isWhole = true;
      this.#isListed = true;
      if (!this.#isStopped) this.search = null;
      this.#replace(ids, order);
    } catch (error) {
      if (signal.aborted || load !== this.#loads) return;
      // What is shown is whole, in the order before.
      this.isWhole = this.#isListed;
      this.emit("problem", error);
    } finally {
      if (load === this.#loads) this.emit("loading", false);
    }
  }

  /** Ends a long search behind the range that is searched now; the list keeps what was found. */
  stopSearch() {
    this.#isStopped = this.search !== null && !this.isWhole;
  }

  /**
   * Reads the ids of what matches, from the oldest, one range of numbers after the other.
   *
   * @param {AbortSignal} [signal]
   */
  async #search(signal) {
    const { first, last } = (await askJSON("/api/state", { signal })).capture;
    /** @type {Float64Array[]} */
    const pieces = [];
    let found = 0;
    let range = firstRange;
    let after = Math.max(0, first - 1);
    while (!this.#isStopped) {
      // The last range has no end: more may have come by now.
      const isRest = after + range >= last;
      const begun = performance.now();
      const bytes = await askBytes(withQuery("/api/traffic/index", { filter: this.filter,
        after: after > 0 ? after : undefined, before: isRest ? undefined : after + range + 1 }), { signal });
      pieces.push(decodeDifferences(bytes));
      if (isRest) {
        this.#isStopped = false;
        break;
      }
      found += pieces.at(-1)?.length ?? 0;
      after += range;
      const took = Math.max(1, performance.now() - begun);
      range = Math.max(1, Math.round(range * Math.min(8, rangeTime / took)));
      if (this.isWhole) continue;
      this.search = { part: (after - first) / (last - first), found };
      this.emit("searched");
    }
    if (this.#isStopped) {
      // The newest ones were found first, and are in the list.
      const newest = Float64Array.from({ length: this.ids.length }, (_, place) => this.ids.at(place) ?? 0);
      pieces.push(newest.filter((id) => id > after).sort());
    }
    const ids = new Float64Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let place = 0;
    for (const piece of pieces) {
      ids.set(piece, place);
      place += piece.length;
    }
    return ids;
  }

  /**
   * Reads the ids of the rows, and of the flows that are folded into them.
   *
   * @param {import("./sorting.js").Sorting | null} order
   * @param {AbortSignal} [signal]
   */
  async #readIDs(order, signal) {
    const ids = await this.#readAll(order, signal);
    // The flows are read last, so that a flow that ends meanwhile is among them if it is among the ids.
    const folded = await this.#readFolded(signal);
    const rows = folded.length > 0 ? ids.filter((id) => !folded.has(id)) : ids;
    return { ids: order ? new SortedIDs(rows) : new IDList(rows), folded };
  }

  /** @param {import("./sorting.js").Sorting | null} order @param {AbortSignal} [signal] @returns {Promise<Float64Array>} */
  async #readAll(order, signal) {
    if (!order && this.filter) return this.#search(signal);
    const bytes = await askBytes(withQuery("/api/traffic/index", { filter: this.filter, sort: order?.column.sort,
      order: order?.isDescending ? "descending" : undefined }), { signal });
    return order ? decodeSteps(bytes) : decodeDifferences(bytes);
  }

  /** @param {AbortSignal} [signal] */
  async #readFolded(signal) {
    if (!this.folds) return new IDList();
    const filter = this.filter ? `tls.answered & (${this.filter})` : "tls.answered";
    return new IDList(decodeDifferences(await askBytes(withQuery("/api/traffic/index", { filter }), { signal })));
  }

  /**
   * Looks for what came and went while nobody told, or is gone from the middle; what is seen stays.
   *
   * @param {boolean} mayBeAnother Whether it may be another capture by now.
   */
  async #readAgain(mayBeAnother) {
    const load = this.#loads;
    if (!this.isWhole) return this.load();
    this.#isOutdated = this.#isReading;
    if (this.#isReading) return;
    this.#isReading = true;
    this.#clearEarly();
    try {
      const { ids, folded } = await this.#readIDs(this.order, this.#loading?.signal);
      if (load !== this.#loads) return;
      const before = this.ids;
      if (mayBeAnother && before.length > 0 && !ids.has(before.last)) {
        this.cache.clear();
        this.#isListed = false;
        return this.load();
      }
      this.ids = ids;
      this.folded = folded;
      this.#takeEarly();
      const grown = ids instanceof SortedIDs ? 0 : ids.length - ids.placeOf(before.last + 1);
      this.emit("replaced", { before, grown });
    } catch {
      // The next time that the stream is there again it is tried again.
    } finally {
      this.#isReading = false;
    }
    if (this.#isOutdated) this.#readAgain(false);
  }

  /** Changes what is known of an item before the server says so. @param {number} id @param {object} facts */
  amend(id, facts) {
    const item = this.cache.get(id);
    if (item) {
      const amended = { ...item, ...facts };
      if (this.#moves(amended)) this.#displace(id);
      this.cache.put(amended);
    }
    this.emit("items", [id]);
    this.#tellDisplaced();
  }

  #replace(ids, order) {
    this.ids = ids;
    this.order = order;
    this.#takeEarly();
    this.emit("reset");
  }

  /** What came while the ids were on their way. */
  #takeEarly() {
    this.#displaced.clear();
    for (const [id, hasMoved] of this.#early) {
      if (this.ids instanceof IDList) this.ids.insert(id);
      else if (hasMoved || !this.ids.has(id)) this.#displace(id);
    }
    for (const id of this.#earlyFolded) this.folded.insert(id);
    this.emit("folded", this.folded.length);
    this.emit("displaced", { fresh: 0, changed: 0 });
    this.#tellDisplaced();
  }

  #clearEarly() {
    this.#early = new Map();
    this.#earlyFolded = new Set();
  }

  #take(items) {
    let grown = 0;
    for (const item of items) {
      const hasMoved = this.#moves(item);
      this.cache.put(item);
      if (this.folds && isAnsweredFailure(item)) {
        this.#fold(item.id);
        continue;
      }
      if (!this.isWhole || this.#isReading) this.#early.set(item.id, hasMoved || this.#early.get(item.id) === true);
      if (this.ids instanceof IDList) grown += this.ids.insert(item.id) ? 1 : 0;
      else if (hasMoved || !this.ids.has(item.id)) this.#displace(item.id);
    }
    if (grown > 0) this.emit("grown", grown);
    this.emit("items", items.map((item) => item.id));
    this.#tellDisplaced();
  }

  /** Keeps a flow out of the list, whose failure an exchange shows. @param {number} id */
  #fold(id) {
    if (!this.isWhole || this.#isReading) this.#earlyFolded.add(id);
    if (this.folded.insert(id)) this.emit("folded", this.folded.length);
  }

  #removeUpTo(id) {
    if (this.folded.removeUpTo(id) > 0) this.emit("folded", this.folded.length);
    if (this.ids instanceof IDList) {
      const gone = this.ids.removeUpTo(id);
      if (gone > 0) this.emit("shrunk", gone);
      return;
    }
    const before = this.ids;
    const ids = before.after(id);
    if (ids.length === before.length) return;
    this.ids = ids;
    for (const one of this.#displaced.keys()) if (one <= id) this.#displaced.delete(one);
    this.emit("thinned", { before, grown: 0 });
    this.#tellDisplaced();
  }

  /** Whether an item would stand elsewhere now, in the order that is wanted. */
  #moves(item) {
    return this.#wanted !== null && movesBy(this.#wanted.column, this.cache.get(item.id), item);
  }

  #displace(id) {
    if (this.ids instanceof SortedIDs) this.#displaced.set(id, !this.ids.has(id));
  }

  #tellDisplaced() {
    if (!this.order) return;
    let fresh = 0;
    for (const isFresh of this.#displaced.values()) if (isFresh) fresh += 1;
    this.emit("displaced", { fresh, changed: this.#displaced.size - fresh });
  }
}
