/** Ids in a sorted order. The list does not grow: a new id gets its place when the list is read again. */
export class SortedIDs {
  #numbers;
  /** Hash table with linear probing from the id to its place, counted from 1. The low bits of the id are the hash. */
  #places;
  /** The highest id. */
  last = 0;

  /** @param {Float64Array} numbers */
  constructor(numbers) {
    this.#numbers = numbers;
    let room = 16;
    while (room < numbers.length * 2) room *= 2;
    this.#places = new Int32Array(room);
    for (let place = 0; place < numbers.length; place += 1) {
      this.#places[this.#slotOf(numbers[place])] = place + 1;
      this.last = Math.max(this.last, numbers[place]);
    }
  }

  get length() {
    return this.#numbers.length;
  }

  /** @param {number} place @returns {number | undefined} */
  at(place) {
    return this.#numbers[place];
  }

  /** The place of an id; -1 if the id is missing. @param {number} id */
  placeOf(id) {
    // The address of the page may contain any number.
    if (!Number.isInteger(id) || id < 0) return -1;
    return this.#places[this.#slotOf(id)] - 1;
  }

  /** @param {number} id */
  has(id) {
    return this.placeOf(id) >= 0;
  }

  /** The ids above an id. @param {number} id */
  after(id) {
    const rest = new Float64Array(this.length);
    let length = 0;
    for (const number of this.#numbers) if (number > id) rest[length++] = number;
    return new SortedIDs(rest.subarray(0, length));
  }

  #slotOf(id) {
    const mask = this.#places.length - 1;
    let slot = id & mask;
    while (this.#places[slot] !== 0 && this.#numbers[this.#places[slot] - 1] !== id) slot = (slot + 1) & mask;
    return slot;
  }
}
