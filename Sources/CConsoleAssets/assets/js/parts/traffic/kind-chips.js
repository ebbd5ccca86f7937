import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";

/** The kinds of traffic, each with its filter. */
const kinds = {
  json: ["JSON", "type == json"], html: ["HTML", "type == html"], js: ["JS", "type == js"], css: ["CSS", "type == css"],
  image: ["Images", "type == image"], font: ["Fonts", "type == font"], websocket: ["WebSocket", "websocket"],
  error: ["Errors", "failed"],
};

/** Chips above the list, which then shows only the chosen kinds. The chips emit `choose` with the names. */
export class KindChips extends Emitter {
  /** @type {Set<string>} */
  #chosen = new Set();

  constructor() {
    super();
    this.buttons = Object.entries(kinds).map(([name, [title]]) => el("button", { type: "button", class: "chip", "data-kind": name,
      "aria-pressed": "false", onclick: () => this.#press(name) }, title));
    this.element = el("div", { class: "chips", role: "group", "aria-label": "Kinds of traffic" });
    fill(this.element, ...this.buttons);
  }

  /** The names of the chosen kinds, with commas between them; empty for all traffic. */
  get names() {
    return [...this.#chosen].join(",");
  }

  /** The filter of the chosen kinds; empty for all traffic. */
  get filter() {
    return [...this.#chosen].map((name) => kinds[name][1]).join(" | ");
  }

  /** Presses the chips that an address names. @param {string} names */
  show(names) {
    this.#chosen = new Set(names.split(",").filter((name) => name in kinds));
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(this.#chosen.has(button.dataset.kind)));
  }

  /** @param {string} name */
  #press(name) {
    if (!this.#chosen.delete(name)) this.#chosen.add(name);
    this.show(this.names);
    this.emit("choose", this.names);
  }
}
