import { askJSON } from "../../core/api.js";

const batch = 120;
const capacity = 6000;

/** Items by id. The cache fetches missing items, the latest request first. */
export class ItemCache {
  /** @type {Map<number, import("../../core/types.js").Traffic>} */
  #items = new Map();
  /** @type {Set<number>} */
  #wanted = new Set();
  /** @type {Set<number>} */
  #asked = new Set();
  /** @type {Set<number>} Items that were removed meanwhile, and are not fetched again. */
  #gone = new Set();
  #running = 0;
  #timer = 0;

  /** @param {(ids: number[]) => void} arrived @param {(error: unknown) => void} failed */
  constructor(arrived, failed) {
    this.arrived = arrived;
    this.failed = failed;
  }

  /** @param {number} id */
  get(id) {
    return this.#items.get(id);
  }

  /** @param {number} id */
  isGone(id) {
    return this.#gone.has(id);
  }

  /** @param {import("../../core/types.js").Traffic} item */
  put(item) {
    this.#items.delete(item.id);
    this.#items.set(item.id, item);
    if (this.#items.size <= capacity) return;
    for (const id of this.#items.keys()) {
      this.#items.delete(id);
      if (this.#items.size <= capacity * 0.9) break;
    }
  }

  /**
   * Names the visible ids. Earlier ids that are not being fetched yet are dropped.
   *
   * @param {number[]} ids
   */
  want(ids) {
    this.#wanted = new Set(
      ids.filter((id) => !this.#items.has(id) && !this.#asked.has(id) && !this.#gone.has(id)));
    if (this.#wanted.size > 0 && !this.#timer) this.#timer = setTimeout(() => this.#next(), 0);
  }

  /** Drops running items: an item may have ended while the stream was down. */
  forgetRunning() {
    for (const [id, item] of this.#items) if (!item.outcome) this.#items.delete(id);
  }

  clear() {
    this.#items.clear();
    this.#gone.clear();
  }

  async #next() {
    this.#timer = 0;
    if (this.#running >= 2 || this.#wanted.size === 0) return;
    const ids = [...this.#wanted].slice(0, batch);
    for (const id of ids) {
      this.#wanted.delete(id);
      this.#asked.add(id);
    }
    this.#running += 1;
    let isDone = false;
    try {
      const { items } = await askJSON(`/api/traffic?ids=${ids.join(",")}`);
      // An item from the stream is newer than this response.
      for (const item of items) if (!this.#items.has(item.id)) this.put(item);
      for (const id of ids) if (!this.#items.has(id)) this.#gone.add(id);
      isDone = true;
    } catch (error) {
      this.failed(error);
    } finally {
      for (const id of ids) this.#asked.delete(id);
      this.#running -= 1;
    }
    if (isDone) this.arrived(ids);
    if (this.#wanted.size > 0 && !this.#timer) this.#timer = setTimeout(
      () => this.#next(), isDone ? 0 : 1000);
  }
}
