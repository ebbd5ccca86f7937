import { announce } from "../../core/announce.js";
import { el, setText } from "../../core/dom.js";
import { count } from "../../core/format.js";
import { showRanges } from "./text-ranges.js";

/** @typedef {import("./message-panel.js").MessagePanel} MessagePanel */

/** One search over the heads and bodies of the visible messages. */
export class MessageSearch {
  #timer = 0;
  #found = "";
  /** The place of the current match among the matches of all messages. */
  #at = 0;
  /** @type {number[]} The number of matches of each message. */
  #counts = [];

  /** @param {MessagePanel[]} panels @param {string} query The search of the exchange shown before. */
  constructor(panels, query) {
    this.panels = panels;
    this.input = el("input", { type: "text", class: "search", placeholder: "Search", value: query,
      "aria-label": panels.length > 1 ? "Search in the request and the response" : `Search in the ${panels[0].owner}`,
      "aria-keyshortcuts": "Control+F", title: "Search (Ctrl+F); Enter and Shift+Enter go through the matches",
      spellcheck: "false", autocomplete: "off" });
    this.told = el("span", { class: "told" });
    this.steps = [this.#step("Previous match", "↑", -1), this.#step("Next match", "↓", 1)];
    this.element = el("span", { class: "message-search", role: "search", "aria-label": "Messages" }, this.input,
      this.told, ...this.steps);
    this.input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#find(), 150);
    });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    for (const panel of panels) panel.changed = () => this.input.value && this.#find(this.#at);
    if (query) this.#find();
  }

  get query() {
    return this.input.value;
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  end() {
    clearTimeout(this.#timer);
    showRanges([], null);
  }

  #key(event) {
    if (event.key === "Enter") {
      clearTimeout(this.#timer);
      if (this.#found !== this.input.value) this.#find();
      else this.#go(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && this.input.value) {
      this.input.value = "";
      this.#find();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  get #total() {
    return this.#counts.reduce((sum, one) => sum + one, 0);
  }

  #find(at = 0) {
    this.#found = this.input.value;
    this.#counts = this.panels.map((panel) => panel.find(this.#found));
    this.#visit(at);
  }

  #go(by) {
    if (this.#total > 0) this.#visit(this.#at + by);
  }

  #visit(at) {
    const total = this.#total;
    this.#at = total === 0 ? 0 : (at + total) % total;
    let rest = this.#at;
    let current = null;
    this.panels.forEach((panel, place) => {
      const isHere = total > 0 && rest >= 0 && rest < this.#counts[place];
      if (isHere) current = panel.visit(rest);
      else panel.leave();
      rest -= this.#counts[place];
    });
    showRanges(this.panels.flatMap((panel) => panel.ranges), current);
    this.#tell();
  }

  #tell() {
    const total = this.#total;
    const scope = this.panels.every((panel) => panel.isWhole) ? "" : " in what is loaded";
    const more = this.panels.some((panel) => panel.hasMoreMatches) ? "+" : "";
    const each = this.panels.length > 1
      ? ` (${this.panels.map((panel, place) => `${panel.owner} ${count(this.#counts[place])}`).join(", ")})` : "";
    const text = !this.#found ? "" : total === 0 ? `none${scope}`
      : `${count(this.#at + 1)} of ${count(total)}${more}${each}${scope}`;
    setText(this.told, text);
    if (text) announce(`Search: ${text}`);
    for (const step of this.steps) step.disabled = total === 0;
  }

  #step(label, sign, by) {
    return el("button", { type: "button", class: "plain", "aria-label": label, disabled: true,
      onclick: () => this.#go(by) }, sign);
  }
}
