import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";

/** The kinds of traffic, each with its filter. */
const kinds = {
  json: ["JSON", "type == json"], html: ["HTML", "type == html"], js: ["JS", "type == js"], css: ["CSS", "type == css"],
  image: ["Images", "type == image"], font: ["Fonts", "type == font"], websocket: ["WebSocket", "websocket"],
  error: ["Errors", "failed"],
};

/** Hosts that browsers call on their own: for updates, lists of bad pages, time, accounts and experiments. */
const backgroundHosts = ["*.services.mozilla.com", "*.cdn.mozilla.net", "*.firefox.com", "*.gvt1.com", "accounts.google.com", "clients*.google.com",
  "android.clients.google.com", "content-autofill.googleapis.com", "mtalk.google.com", "optimizationguide-pa.googleapis.com", "safebrowsing*.googleapis.com", "update.googleapis.com",
  "edge.microsoft.com", "config.edge.skype.com", "*.brave.com"];
const background = backgroundHosts.map((host) => `host ~ ${host}`).join(" | ");

/** Chips above the list, which then shows only the chosen kinds. The chips emit `choose` with the names. */
export class KindChips extends Emitter {
  /** @type {Set<string>} */
  #chosen = new Set();

  constructor() {
    super();
    this.buttons = Object.entries(kinds).map(([name, [title]]) => el("button", { type: "button", class: "chip", "data-kind": name,
      "aria-pressed": "false", onclick: () => this.#press(name) }, title));
    this.buttons.push(el("button", { type: "button", class: "chip", "data-kind": "quiet", "aria-pressed": "false",
      title: "Hide what browsers request on their own, as for updates", onclick: () => this.#press("quiet") }, "No background"));
    this.element = el("div", { class: "chips", role: "group", "aria-label": "Kinds of traffic" });
    fill(this.element, ...this.buttons);
  }

  /** The names of the chosen kinds, with commas between them; empty for all traffic. */
  get names() {
    return [...this.#chosen].join(",");
  }

  /** The filter of the chosen kinds; empty for all traffic. */
  get filter() {
    const chosen = [...this.#chosen].filter((name) => name in kinds).map((name) => kinds[name][1]).join(" | ");
    if (!this.#chosen.has("quiet")) return chosen;
    return chosen ? `(${chosen}) & !(${background})` : `!(${background})`;
  }

  /** Presses the chips that an address names. @param {string} names */
  show(names) {
    this.#chosen = new Set(names.split(",").filter((name) => name in kinds || name === "quiet"));
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(this.#chosen.has(button.dataset.kind)));
  }

  /** @param {string} name */
  #press(name) {
    if (!this.#chosen.delete(name)) this.#chosen.add(name);
    this.show(this.names);
    this.emit("choose", this.names);
  }
}
