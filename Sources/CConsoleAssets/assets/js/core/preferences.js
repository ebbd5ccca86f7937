import { Emitter } from "./emitter.js";

const key = "pinhole";
const defaults = {
  /** @type {"system" | "light" | "dark"} */
  theme: "system",
  /** @type {"dense" | "roomy"} */
  density: "dense",
  /** @type {string[]} */
  columns: ["mark", "time", "method", "status", "host", "path", "type", "size", "duration",
    // Only a wide window has room for this column.
    ...(matchMedia("(min-width: 1900px)").matches ? ["waterfall"] : [])],
  /** @type {Record<string, number>} */
  widths: {},
  newestFirst: true,
  // The column by which the list is sorted, with a minus for descending order; empty for the order of arrival.
  sort: "",
  follow: true,
  // Narrow windows have no room beside the list.
  showsHosts: matchMedia("(min-width: 761px)").matches,
  /** @type {"right" | "below"} */
  detailPlace: "right",
  // The share of the detail in the page, for each of the two places.
  detailShare: 0.39,
  detailShareBelow: 0.5,
  // Whether a failed handshake with a server stands in the row of the request that Pinhole answered with the failure.
  foldsHandshakes: true,
  copyAs: "curl",
  // The set of values for the variables of Compose.
  variables: "",
  // The request and the response in the detail: "beside" or "below" each other; empty to choose by the width.
  messagesAre: "",
  // The language of the lessons; empty for that of the class.
  language: "",
  // Messages whose heads are unfolded although a body follows.
  /** @type {string[]} */
  openHeads: [],
};

/** The user's preferences, kept in this browser. They emit `change` with the name of a changed preference. */
class Preferences extends Emitter {
  /** Stores chosen values only: the defaults depend on the window. */
  #chosen = read();

  /** @template {keyof typeof defaults} Name @param {Name} name @returns {(typeof defaults)[Name]} */
  get(name) {
    return name in this.#chosen ? this.#chosen[name] : defaults[name];
  }

  /** @template {keyof typeof defaults} Name @param {Name} name @param {(typeof defaults)[Name]} value */
  set(name, value) {
    this.#chosen[name] = value;
    this.#keep();
    this.emit("change", name);
  }

  reset() {
    this.#chosen = {};
    this.#keep();
    for (const name of Object.keys(defaults)) this.emit("change", name);
  }

  #keep() {
    try {
      localStorage.setItem(key, JSON.stringify(this.#chosen));
    } catch {
      // Without storage the preference lasts until the user leaves the page.
    }
  }
}

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "{}");
    // Another version or a manual edit may have stored a value of another type.
    return Object.fromEntries(Object.entries(found).filter(([name, value]) =>
      name in defaults && typeof value === typeof defaults[name]
        && Array.isArray(value) === Array.isArray(defaults[name])));
  } catch {
    return {};
  }
}

export const preferences = new Preferences();
