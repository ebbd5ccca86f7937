import { askJSON } from "../core/api.js";

const batch = 120;
const capacity = 6000;

/** Items by id: what is asked for and is not here is fetched, the newest wishes first. */
export class ItemCache {
  /** @type {Map<number, import("../core/types.js").Traffic>} */
  #items = new Map();
  /** @type {Set<number>} */
  #wanted = new Set();
  /** @type {Set<number>} */
  #asked = new Set();
  /** @type {Set<number>} Removed meanwhile: not asked for again. */
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

  /** @param {import("../core/types.js").Traffic} item */
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
   * Says what is seen now; what was wanted before and is not asked for yet is forgotten.
   *
   * @param {number[]} ids
   */
  want(ids) {
    this.#wanted = new Set(
      ids.filter((id) => !this.#items.has(id) && !this.#asked.has(id) && !this.#gone.has(id)));
    if (this.#wanted.size > 0 && !this.#timer) this.#timer = setTimeout(() => this.#next(), 0);
  }

  /** Forgets what goes on: it may have ended while nobody told. */
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
      // What the stream told meanwhile is newer than this answer.
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
