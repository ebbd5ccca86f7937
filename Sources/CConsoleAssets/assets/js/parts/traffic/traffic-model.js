import { askBytes, askJSON, withQuery } from "../../core/api.js";
import { Emitter } from "../../core/emitter.js";
import { preferences } from "../../core/preferences.js";
import { Problem } from "../../core/problem.js";
import { movesBy } from "./columns.js";
import { IDList } from "./id-list.js";
import { ItemCache } from "./item-cache.js";
import { decodeDifferences, decodeSteps } from "../../core/leb128.js";
import { Live } from "../../core/live.js";
import { SortedIDs } from "./sorted-ids.js";
import { isSame, sorting } from "./sorting.js";

/** Milliseconds after which the first rows of a long search are shown; early.js asks for them at the same address. */
const firstHits = 150;

/** Milliseconds that the search of one range of numbers may take, so that the page can show the progress. */
const rangeTime = 300;

/** Matches a filter that selects flows by themselves, whose rows must not be folded. */
const asksForFlows = /\btls\.answered\b|!\s*http\b/;

/** The size of the first range: one request searches most captures. */
const firstRange = 20_000;

/** The least size of a range. A busy server answers late whatever the size, and smaller ranges would make a search endless. */
const leastRange = 5_000;

/**
 * The traffic that matches the filter, as the list shows it.
 *
 * Row 0 is the topmost row. The model emits `reset` (other rows), `grown` (the number of new rows at the newest end),
 * `shrunk` (the number of removed rows at the oldest end), `replaced` (rows left the middle: `before`, the earlier ids, and
 * `grown`, the number of new rows), `folded` (the number of rows folded into others), `items` (ids with new facts), `loading`,
 * `searched` (one more range of a long search), `problem`, `state` and `status`.
 *
 * A sorted list keeps its order while traffic arrives. `displaced` tells how many items are new (`fresh`) or have `changed`
 * their sort key, until the list is sorted again. The cost depends on the news alone; finding places among a million rows
 * would need the keys of a million items.
 */
export class TrafficModel extends Emitter {
  /** @type {IDList | SortedIDs} */
  ids = new IDList();
  /** The order of the ids; `null` for the order of arrival. @type {import("./sorting.js").Sorting | null} */
  order = null;
  /** The flows whose failure the row of an exchange shows. They have no rows of their own. */
  folded = new IDList();
  live = new Live();
  filter = "";
  /** Whether all ids are loaded, not only the ids of the first page. */
  isWhole = false;
  /** Whether ids are being loaded. A first list that could not be loaded is neither whole nor being loaded. */
  isLoading = false;
  /** The progress of a long search, also of a stopped one: the searched share of the capture, and the number of matches in it. @type {{ part: number, found: number } | null} */
  search = null;
  /** Whether the user stopped the search, so that the list shows only what was found until then. */
  #isStopped = false;
  #host = "";
  #text = "";
  #loads = 0;
  /** @type {AbortController | null} */
  #loading = null;
  /** Whether all ids of this filter were loaded once. */
  #isListed = false;
  /** @type {Map<number, boolean>} Ids that arrived during the request for the index, and whether they moved. */
  #early = new Map();
  /** Flows to fold that arrived during the request for the index. @type {Set<number>} */
  #earlyFolded = new Set();
  /** @type {Map<number, boolean>} Ids whose rows are out of order, and whether they have no row at all. */
  #displaced = new Map();
  /** The order of the list, once it is read. @type {import("./sorting.js").Sorting | null} */
  #wanted = null;
  #isReading = false;
  #isOutdated = false;
  /** Resolves when the stream of events covers the current filter. */
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
      // Any item may have changed while the stream was down.
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

  /** Whether the first row shows the last of the ids. */
  get isTurned() {
    return !this.order && preferences.get("newestFirst");
  }

  /** Whether the rows of exchanges include their failed handshakes. */
  get folds() {
    return preferences.get("foldsHandshakes") && !asksForFlows.test(this.filter);
  }

  /** The id of a row. @param {number} row */
  idAt(row) {
    return this.ids.at(this.isTurned ? this.length - 1 - row : row);
  }

  /** The row of an id, or the row where the id would be; -1 in a sorted list without the id. @param {number} id */
  rowOf(id) {
    const place = this.ids.placeOf(id);
    return this.isTurned ? this.length - 1 - place : place;
  }

  /**
   * Shows the rows for the user's filter and the chosen host.
   *
   * @param {string} text
   * @param {string} host A filter expression, or an empty text.
   */
  async show(text, host) {
    this.#text = text;
    this.#host = host;
    const filter = text && host ? `${host} & (${text})` : host || text;
    this.filter = filter;
    this.#isListed = false;
    await this.load();
  }

  /** The user's filter, without the host. */
  get text() {
    return this.#text;
  }

  /** Reads a sorted list again, so that every item gets its place; the first visible row stays. */
  async sortAgain() {
    await this.#readAgain(false);
  }

  /**
   * Reads the list anew: the rows that are visible first, then all ids. A sorted list arrives as a whole. So does the same
   * list in another order, because the old rows are still correct until then.
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
    this.isLoading = true;
    this.emit("loading", true);
    if (!isOtherOrder || !this.#isListed) this.begun = this.live.open(this.filter);
    // An index that is read before the stream is open may miss items that arrive in between.
    const index = this.begun.then(() => this.#readIDs(order, signal));
    index.catch(() => {});
    try {
      if (!order && !this.#isListed) {
        const page = await askJSON(withQuery("/api/traffic", { filter: this.filter, limit: 200,
          within: firstHits }), { signal });
        if (load !== this.#loads) return;
        for (const item of page.items) this.cache.put(item);
        const rows = this.folds ? page.items.filter((item) => !item.isAnsweredFailure) : page.items;
        this.#replace(new IDList(Float64Array.from(rows.map((item) => item.id).reverse())), null);
      }
      const { ids, folded } = await index;
      if (load !== this.#loads) return;
      // The first rows were read before the stream was open, so it may lack the end of those that were running.
      if (!this.#isListed) this.cache.forgetRunning();
      this.folded = folded;
      this.isWhole = true;
      this.#isListed = true;
      if (!this.#isStopped) this.search = null;
      this.#replace(ids, order);
    } catch (error) {
      if (signal.aborted || load !== this.#loads) return;
      // The old rows are complete, in the order before.
      this.isWhole = this.#isListed;
      this.search = null;
      // The server refuses the stream of a filter with a mistake, too. Another one tells how the proxy is.
      if (Problem.of(error).column) this.live.open("!all");
      this.emit("problem", error);
    } finally {
      if (load === this.#loads) {
        this.isLoading = false;
        this.emit("loading", false);
      }
    }
  }

  /** Stops a long search after the current range; the list keeps the matches so far. */
  stopSearch() {
    this.#isStopped = this.search !== null && !this.isWhole;
  }

  /**
   * Reads the ids of the matches, from the oldest, one range of numbers after the other.
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
      // The last range has no end, because new items may have arrived.
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
      range = Math.max(leastRange, Math.round(range * Math.min(8, rangeTime / took)));
      if (this.isWhole) continue;
      this.search = { part: (after - first) / (last - first), found };
      this.emit("searched");
    }
    if (this.#isStopped) {
      // The first page has found the newest ids, and the list holds them.
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
   * Looks for items that arrived or left while the stream was down, or left the middle. The visible rows stay.
   *
   * @param {boolean} mayBeAnother Whether the capture may have been replaced.
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
      // The model tries again when the stream is back.
    } finally {
      this.#isReading = false;
    }
    if (this.#isOutdated) this.#readAgain(false);
  }

  /** Changes the facts of an item before the server confirms them. @param {number} id @param {object} facts */
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

  /** Adds the ids that arrived during the request for the index. */
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
      if (this.folds && item.isAnsweredFailure) {
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

  /** Removes the row of a flow whose failure an exchange shows. @param {number} id */
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

  /** Whether a change moves an item in the wanted order. */
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
