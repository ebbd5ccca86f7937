/**
 * A text that is not used yet, such as a request. This tab keeps the text while the user visits other pages.
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
      // The draft is too large, or the browser has no storage. The draft then lasts as long as the page is shown.
      this.clear();
    }
  }

  clear() {
    try {
      sessionStorage.removeItem(this.#key);
    } catch {
      // Without storage there is no draft to remove.
    }
  }
}
