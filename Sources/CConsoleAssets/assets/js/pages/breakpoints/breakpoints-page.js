import { ask } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { showDialog } from "../../core/dialog.js";
import { el, fill, setText } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { BreakpointList } from "./breakpoint-list.js";
import { HeldEditor } from "./held-editor.js";
import { held, nameOf, secondsLeft } from "../../core/held.js";

/** Milliseconds between two updates of the remaining time. */
const tick = 250;
/** Milliseconds until the capture holds a decided message. */
const pause = 700;

/** The held messages with their decisions, and below, the breakpoints. */
export class BreakpointsPage {
  /** @type {HeldEditor | null} */
  #editor = null;
  #timer = 0;
  #tally = 0;
  #isShown = false;
  /** Whether all messages are being continued, so that none of them opens. */
  #isContinuing = false;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    held.on("change", () => this.#isShown && this.#changed());
  }

  show() {
    this.#isShown = true;
    const left = this.#editor;
    this.#editor = null;
    this.title = el("h2", { id: "held-title", tabindex: "-1" });
    this.all = el("button", { type: "button", class: "held-all", onclick: () => this.#decideAll("continue") });
    this.none = el("button", { type: "button", class: "held-none", onclick: () => this.#dropAll() });
    this.list = el("ul", { class: "held-list", "aria-labelledby": "held-title" });
    this.stage = el("div", { class: "held-stage" });
    this.problem = el("div", { role: "alert" });
    this.rules = new BreakpointList();
    fill(this.page, el("main", { class: "breakpoints", "aria-label": "Breakpoints" }, el("h1", {}, "Breakpoints"),
      el("p", { class: "soft" }, "A message that is held waits for you: it goes on when you say so, edited if you like, or by itself "
        + "when its time is over."),
      el("div", { class: "line" }, this.title, this.all, this.none), this.problem,
      el("div", { class: "held" }, this.list, this.stage), this.rules.element));
    this.rules.load();
    // An edited message stays visible, even if its time ended while the user was on another page.
    if (left?.isDirty && !left.isDecided && !isHeld(left.one)) {
      this.#editor = left;
      left.end();
      fill(this.stage, left.element);
      this.#render();
    } else {
      this.#open(Number(route.parameter("id")) || 0, false);
    }
    this.#timer = setInterval(() => this.#tellTime(), tick);
  }

  hide() {
    this.#isShown = false;
    clearInterval(this.#timer);
    clearTimeout(this.#tally);
  }

  /** Opens a message; the first message if no message has the number. */
  #open(id, focuses) {
    const one = held.list.find((other) => other.id === id) ?? held.list[0];
    route.note(one ? { id: String(one.id) } : {});
    this.#editor = one ? new HeldEditor(one) : null;
    this.#editor?.on("decided", () => this.#decided());
    fill(this.stage, this.#editor?.element);
    this.#render();
    if (focuses) (/** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]")) ?? this.title).focus();
  }

  #decided() {
    this.#editor = null;
    if (this.#isShown && route.path[0] === "breakpoints") this.#open(0, true);
  }

  #changed() {
    clearTimeout(this.#tally);
    this.#tally = setTimeout(() => this.rules.tellHits(), pause);
    if (this.#editor?.isDecided || this.#isContinuing) return;
    const current = this.#editor?.one;
    if (current && !isHeld(current)) {
      // An expired message must not take the user's edits with it.
      if (this.#editor.isDirty) this.#editor.end();
      else return this.#open(0, this.stage.contains(document.activeElement));
    }
    if (!current && held.list.length > 0) return this.#open(0, false);
    this.#render();
  }

  #render() {
    const count = held.list.length;
    setText(this.title, count === 0 ? "Nothing is held" : `${counted(count, "message")} held`);
    this.all.hidden = count === 0;
    this.none.hidden = count === 0;
    setText(this.all, count === 1 ? "Continue it as it is" : "Continue all as they are");
    setText(this.none, count === 1 ? "Drop it…" : "Drop all…");
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.closest(".held-list button");
    const focusedName = focused instanceof HTMLElement ? focused.dataset.name : undefined;
    fill(this.list, ...held.list.map((one) => this.#row(one)));
    if (focusedName !== undefined) {
      const again = [...this.list.querySelectorAll("button")].find((button) => button.dataset.name === focusedName);
      (again ?? this.list.querySelector("[aria-current]") ?? this.title).focus();
    }
    this.list.hidden = count === 0;
    this.#tellTime();
  }

  #row(one) {
    const isCurrent = this.#editor !== null && nameOf(this.#editor.one) === nameOf(one);
    return el("li", {}, el("button", { type: "button", class: "held-one", "data-name": nameOf(one),
      "aria-current": isCurrent ? "true" : undefined, onclick: () => this.#open(one.id, true), onkeydown: (event) => this.#key(event) },
    el("span", { class: "held-what" }, el("b", {}, one.at === "request" ? one.method : `${one.status} ${one.method}`), ` ${one.url}`),
    el("span", { class: "held-about soft" }, `${one.at} · ${one.rule} · `,
      el("span", { class: "held-time", "data-name": nameOf(one) }), HeldEditor.hasDraft(one) ? " · edited" : "")));
  }

  #key(event) {
    const buttons = [...this.list.querySelectorAll("button")];
    const at = buttons.indexOf(event.currentTarget);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined || !buttons[to]) return;
    event.preventDefault();
    buttons[to].focus();
  }

  #tellTime() {
    for (const place of this.list.querySelectorAll(".held-time")) {
      const one = held.list.find((other) => nameOf(other) === /** @type {HTMLElement} */ (place).dataset.name);
      if (!one) continue;
      const left = secondsLeft(one);
      setText(place, left === 0 ? "goes on now" : `goes on in ${clockOf(left)}`);
      place.classList.toggle("soon", left <= 10);
    }
  }

  /** Dropping a message ends its exchange, so the page asks first. */
  async #dropAll() {
    const count = held.list.filter((one) => !HeldEditor.hasDraft(one)).length;
    const isSure = await showDialog("Drop what is held", (close) => [
      el("p", {}, `This ends ${counted(count, "exchange")} without a response for ${count === 1 ? "its client" : "their clients"}. This cannot be undone.`),
      el("p", { class: "buttons" },
        el("button", { type: "button", autofocus: true, onclick: () => close(false) }, "Cancel"),
        el("button", { type: "button", class: "danger", onclick: () => close(true) }, "Drop"))]);
    if (isSure) await this.#decideAll("drop");
  }

  /** Continues or drops all messages without edits. @param {"continue" | "drop"} way */
  async #decideAll(way) {
    fill(this.problem);
    const edited = held.list.filter((one) => HeldEditor.hasDraft(one));
    const plain = held.list.filter((one) => !HeldEditor.hasDraft(one));
    const failures = [];
    this.#isContinuing = true;
    await Promise.all(plain.map(async (one) => {
      try {
        await ask(`/api/breakpoints/${one.id}/${way}`, { method: "POST" });
        held.forget(one);
      } catch (error) {
        // A message that expired in the meantime needs no decision.
        if (Problem.of(error).status !== 404) failures.push(Problem.of(error).sentence);
      }
    }));
    this.#isContinuing = false;
    if (!this.#isShown) return;
    this.#changed();
    if (edited.length > 0) fill(this.problem, el("p", { class: "notice" },
      `${counted(edited.length, "message")} with changes of yours ${edited.length === 1 ? "is" : "are"} still held.`));
    if (failures.length > 0) fill(this.problem, el("p", { class: "notice failed" }, failures[0]));
    const done = plain.length - failures.length;
    toast(way === "continue" ? `${counted(done, "message")} went on` : `${counted(done, "message")} ${done === 1 ? "was" : "were"} dropped`);
    if (held.list.length === 0) this.title.focus();
  }
}

/** @param {import("../../core/types.js").Held} one */
function isHeld(one) {
  return held.list.some((other) => nameOf(other) === nameOf(one));
}

function clockOf(seconds) {
  return seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
