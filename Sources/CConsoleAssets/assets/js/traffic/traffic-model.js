import { askBytes, askJSON, withQuery } from "../core/api.js";
import { Emitter } from "../core/emitter.js";
import { preferences } from "../core/preferences.js";
import { IDList } from "./id-list.js";
import { ItemCache } from "./item-cache.js";
import { decodeDifferences } from "./leb128.js";
import { Live } from "./live.js";

/**
 * The traffic that matches the filter, as the list shows it.
 *
 * Rows are counted as they are shown: 0 is the topmost. It tells `reset` (other rows), `grown` (how many rows
 * came at the newest end), `shrunk` (how many went at the oldest end), `replaced` (some are gone
 * from the middle: `before`, the ids as they were, and `grown`, how many came at the newest end), `items` (ids whose facts are here or changed), `loading`, `problem`, `state`, `status`.
 */
export class TrafficModel extends Emitter {
  ids = new IDList();
  live = new Live();
  filter = "";
  /** Whether all ids are known, not only those of the first page. */
  isWhole = false;
  #host = "";
  #text = "";
  #loads = 0;
  /** @type {AbortController | null} */
  #loading = null;
  /** @type {number[]} Ids that came while the index was on its way. */
  #early = [];
  #isReading = false;
  #isOutdated = false;
  /** When the stream of events stands for what is shown. */
  begun = Promise.resolve();

  constructor() {
    super();
    this.cache = new ItemCache((ids) => this.emit("items", ids), (error) => this.emit("problem", error));
    this.live.on("traffic", (items) => this.#take(items));
    this.live.on("gone", (id) => {
      const gone = this.ids.removeUpTo(id);
      if (gone > 0) this.emit("shrunk", gone);
    });
    this.live.on("state", (state) => this.emit("state", state));
    this.live.on("status", (status) => this.emit("status", status));
    this.live.on("resumed", () => {
      this.cache.forgetRunning();
      this.emit("items", []);
      this.#readAgain(true);
    });
    this.live.on("reload", () => this.#readAgain(false));
  }

  get isStarted() {
    return this.#loads > 0;
  }

  get length() {
    return this.ids.length;
  }

  /** The id in a row. @param {number} row */
  idAt(row) {
    return this.ids.at(preferences.get("newestFirst") ? this.length - 1 - row : row);
  }

  /** The row of an id, or where it would be. @param {number} id */
  rowOf(id) {
    const place = this.ids.placeOf(id);
    return preferences.get("newestFirst") ? this.length - 1 - place : place;
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
    await this.load();
  }

  /** What somebody wrote, without the host. */
  get text() {
    return this.#text;
  }

  /** Reads the list anew: first what is seen first, then all ids. */
  async load() {
    const load = ++this.#loads;
    this.#loading?.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.#early = [];
    this.isWhole = false;
    this.emit("loading", true);
    this.begun = this.live.open(this.filter);
    // Asked before the stream stood, it could lack what came between, and nobody would tell it.
    const index = this.begun.then(() => askBytes(withQuery("/api/traffic/index", { filter: this.filter }), { signal }));
    index.catch(() => {});
    try {
      const page = await askJSON(withQuery("/api/traffic", { filter: this.filter, limit: 200 }), { signal });
      if (load !== this.#loads) return;
      for (const item of page.items) this.cache.put(item);
      this.#replace(Float64Array.from(page.items.map((item) => item.id).reverse()));
      const bytes = await index;
      if (load !== this.#loads) return;
      this.isWhole = true;
      this.#replace(decodeDifferences(bytes));
    } catch (error) {
      if (!signal.aborted && load === this.#loads) this.emit("problem", error);
    } finally {
      if (load === this.#loads) this.emit("loading", false);
    }
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
    this.#early = [];
    try {
      const bytes = await askBytes(withQuery("/api/traffic/index", { filter: this.filter }),
        { signal: this.#loading?.signal });
      const ids = new IDList(decodeDifferences(bytes));
      if (load !== this.#loads) return;
      const before = this.ids;
      if (mayBeAnother && before.length > 0 && !ids.has(before.last)) {
        this.cache.clear();
        return this.load();
      }
      for (const id of this.#early) ids.insert(id);
      this.ids = ids;
      this.emit("replaced", { before, grown: ids.length - ids.placeOf(before.last + 1) });
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
    if (item) this.cache.put({ ...item, ...facts });
    this.emit("items", [id]);
  }

  #replace(numbers) {
    this.ids = new IDList(numbers);
    for (const id of this.#early) this.ids.insert(id);
    this.emit("reset");
  }

  #take(items) {
    let grown = 0;
    for (const item of items) {
      this.cache.put(item);
      if (!this.isWhole || this.#isReading) this.#early.push(item.id);
      if (this.ids.insert(item.id)) grown += 1;
    }
    if (grown > 0) this.emit("grown", grown);
    this.emit("items", items.map((item) => item.id));
  }
}
