import { Emitter } from "./emitter.js";

/**
 * The page that is shown, kept in the address after `#`: `#/?q=…&id=…&tab=…`, `#/settings`, `#/diff/1/2`,
 * `#/classroom?pin=key`.
 * The route emits `change` when the user opens another page, not when the page itself writes the address.
 */
class Route extends Emitter {
  constructor() {
    super();
    addEventListener("hashchange", () => this.emit("change"));
  }

  /** @returns {string[]} The segments of the path. */
  get path() {
    return location.hash.slice(1).split("?")[0].split("/").filter(Boolean);
  }

  /** @param {string} name @returns {string} */
  parameter(name) {
    return new URLSearchParams(location.hash.split("?").slice(1).join("?")).get(name) ?? "";
  }

  /**
   * Writes parameters of the list's page without a new entry in the history.
   *
   * @param {Record<string, string | number | undefined>} parameters
   */
  write(parameters) {
    if (this.path.length > 0) return;
    const query = new URLSearchParams(location.hash.split("?").slice(1).join("?"));
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined || value === "") query.delete(name);
      else query.set(name, String(value));
    }
    const text = query.toString();
    history.replaceState(null, "", text ? `#/?${text}` : "#/");
  }

  /**
   * Changes the parameters of another page without a new entry in the history.
   *
   * @param {Record<string, string>} parameters
   */
  note(parameters) {
    const query = new URLSearchParams(parameters).toString();
    history.replaceState(null, "", `#/${this.path.join("/")}${query ? `?${query}` : ""}`);
  }

  /** @param {string} address Such as `#/settings`. */
  go(address) {
    location.hash = address;
  }
}

export const route = new Route();
