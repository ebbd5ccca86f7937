/** Calls listeners by the name of an event. */
export class Emitter {
  #listeners = new Map();

  /**
   * @param {string} name
   * @param {(value: any) => void} listener
   * @returns {() => void} Removes the listener.
   */
  on(name, listener) {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** @param {string} name @param {any} [value] */
  emit(name, value) {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(value);
  }
}
