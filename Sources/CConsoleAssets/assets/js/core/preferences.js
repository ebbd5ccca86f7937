import { Emitter } from "./emitter.js";

const key = "pinhole";
const defaults = {
  /** @type {"system" | "light" | "dark"} */
  theme: "system",
  /** @type {"dense" | "roomy"} */
  density: "dense",
  /** @type {string[]} */
  columns: ["mark", "time", "method", "status", "host", "path", "type", "size", "duration",
    // A wide window has room for it.
    ...(matchMedia("(min-width: 1900px)").matches ? ["waterfall"] : [])],
  /** @type {Record<string, number>} */
  widths: {},
  newestFirst: true,
  // What the list is sorted by, with a minus for the greatest first; the order of arrival where it is empty.
  sort: "",
  follow: true,
  // Narrow windows have no room beside the list.
  showsHosts: matchMedia("(min-width: 761px)").matches,
  /** @type {"right" | "below"} */
  detailPlace: "right",
  // The detail's part of the page at each of the two places.
  detailShare: 0.42,
  detailShareBelow: 0.5,
  // Whether a failed handshake with a server stands in the row of the request that Pinhole answered with the failure.
  foldsHandshakes: true,
  copyAs: "curl",
  // The set of values for the variables of Compose.
  variables: "",
  // The request and the response in the detail: "beside" or "below" each other, by the room that there is where it is empty.
  messagesAre: "",
  // Messages whose heads are unfolded although a body follows.
  /** @type {string[]} */
  openHeads: [],
};

/** What somebody chose, kept in this browser. It tells `change` with the name of what changed. */
class Preferences extends Emitter {
  /** Only what was chosen is kept: defaults may be others in another window. */
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
      // Without storage the choice holds until the page is left.
    }
  }
}

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "{}");
    // A value of another type is from another version, or from somebody's hand.
    return Object.fromEntries(Object.entries(found).filter(([name, value]) =>
      name in defaults && typeof value === typeof defaults[name]
        && Array.isArray(value) === Array.isArray(defaults[name])));
  } catch {
    return {};
  }
}

export const preferences = new Preferences();
