/** Ascending ids that grow at the end and shrink at the start: the list's rows, without the items. */
export class IDList {
  #numbers = new Float64Array(1024);
  #start = 0;
  #end = 0;

  /** @param {Float64Array} [numbers] */
  constructor(numbers) {
    if (!numbers) return;
    this.#numbers = numbers;
    this.#end = numbers.length;
  }

  get length() {
    return this.#end - this.#start;
  }

  /** @param {number} place Counted from the oldest. @returns {number | undefined} */
  at(place) {
    return place >= 0 && place < this.length ? this.#numbers[this.#start + place] : undefined;
  }

  get last() {
    return this.at(this.length - 1) ?? 0;
  }

  /** The place of an id, or the place where the id would be. @param {number} id */
  placeOf(id) {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#numbers[this.#start + middle] < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {number} id */
  has(id) {
    return this.at(this.placeOf(id)) === id;
  }

  /**
   * Inserts an id; most are higher than all others.
   *
   * @param {number} id
   * @returns {boolean} Whether the id is new.
   */
  insert(id) {
    const place = this.placeOf(id);
    if (this.at(place) === id) return false;
    if (this.#end === this.#numbers.length) {
      const larger = new Float64Array(Math.max(1024, this.length * 2));
      larger.set(this.#numbers.subarray(this.#start, this.#end));
      this.#end -= this.#start;
      this.#start = 0;
      this.#numbers = larger;
    }
    const at = this.#start + place;
    this.#numbers.copyWithin(at + 1, at, this.#end);
    this.#numbers[at] = id;
    this.#end += 1;
    return true;
  }

  /** Removes all ids up to an id, inclusive. @param {number} id @returns {number} The number of removed ids. */
  removeUpTo(id) {
    const gone = this.placeOf(id + 1);
    this.#start += gone;
    return gone;
  }
}
