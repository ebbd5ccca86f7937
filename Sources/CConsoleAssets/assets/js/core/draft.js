/**
 * What somebody has written and not used yet: kept in this tab while other pages are looked at.
 *
 * @template Value
 */
export class Draft {
  #key;

  /** @param {string} name */
  constructor(name) {
    this.#key = `pinhole-draft-${name}`;
  }

  /** @returns {Value | null} */
  read() {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {Value} value */
  write(value) {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // It is too large, or there is no storage: then it lasts as long as the page is shown.
      this.clear();
    }
  }

  clear() {
    try {
      sessionStorage.removeItem(this.#key);
    } catch {
      // There was nothing.
    }
  }
}
