import { askJSON, hasProxy } from "./api.js";
import { toast } from "./announce.js";
import { el } from "./dom.js";
import { Emitter } from "./emitter.js";
import { isCovered } from "./host-patterns.js";
import { Problem } from "./problem.js";
import { route } from "./route.js";
import { bracketed, hostOf, portOf } from "./facts.js";

/** The hosts that the proxy passes through. Emits `change`. */
class PassedOn extends Emitter {
  /** @type {string[] | null} `null` if no proxy runs, or before the proxy has answered. */
  #patterns = null;

  get isKnown() {
    return this.#patterns !== null;
  }

  /** Whether the proxy would now pass through the host and port of an item. @param {import("./types.js").Traffic} item */
  has(item) {
    return isCovered(this.#patterns ?? [], hostOf(item), portOf(item));
  }

  /** Reads the patterns from the proxy. */
  async read() {
    if (!await hasProxy()) return;
    this.take((await askJSON("/api/settings")).passthrough);
  }

  /** @param {string[]} patterns */
  take(patterns) {
    this.#patterns = patterns;
    this.emit("change");
  }

  /**
   * Lets the proxy pass an item's host through from now on, or intercept it again, and offers to undo the change.
   *
   * @param {import("./types.js").Traffic} item
   * @param {boolean} isPassed
   * @param {{before: string[], after: string[]}} [undone] The change to undo. The old patterns return as a whole if they have not changed since.
   */
  async set(item, isPassed, undone) {
    const host = hostOf(item);
    try {
      const { passthrough } = await askJSON("/api/settings");
      const wanted = undone && isSame(passthrough, undone.after) ? undone.before : changed(passthrough, item, isPassed);
      const answer = await askJSON("/api/settings", { method: "PUT", body: { passthrough: wanted } });
      this.take(answer.passthrough);
      const said = isPassed ? `${host} is passed through from now on` : `${host} is intercepted again from now on`;
      toast(`${said}, until the proxy ends unless the settings are saved. Connections that stand stay as they are.`, [
        ...(undone ? [] : [{ label: "Undo", run: () => this.set(item, !isPassed, { before: passthrough, after: answer.passthrough }) }]),
        { label: "Show in the settings", run: () => route.go("#/settings") },
      ]);
    } catch (error) {
      toast(`Not changed: ${Problem.of(error).sentence}`);
    }
  }
}

export const passedOn = new PassedOn();

/**
 * The entry of a menu, and the text of a button. It makes the change that its label names, even if the patterns have changed
 * since.
 *
 * @param {import("./types.js").Traffic} item
 */
export function passOnEntry(item) {
  const isPassed = passedOn.has(item);
  return {
    label: isPassed ? `Intercept ${hostOf(item)} again` : `Pass ${hostOf(item)} through from now on`,
    choose: () => passedOn.set(item, !isPassed),
  };
}

/** A button beside a remedy, hidden if no proxy runs. @param {import("./types.js").Traffic} item */
export function passOnButton(item) {
  const button = el("button", { type: "button", class: "pass-on", onclick: () => passOnEntry(item).choose() });
  const tell = () => {
    button.hidden = !passedOn.isKnown;
    button.textContent = passOnEntry(item).label;
  };
  const end = passedOn.on("change", () => (button.isConnected ? tell() : end()));
  tell();
  return button;
}

/**
 * The patterns after a change that passes an item's host through, or stops that. Other patterns stay unchanged.
 *
 * @param {string[]} patterns
 * @param {import("./types.js").Traffic} item
 * @param {boolean} isPassed
 */
export function changed(patterns, item, isPassed) {
  const host = bracketed(hostOf(item));
  const isDone = (/** @type {string[]} */ list) => isCovered(list, hostOf(item), portOf(item)) === isPassed;
  const opposite = isPassed ? `!${host}` : host;
  const without = patterns.filter((one) => one.toLowerCase() !== opposite.toLowerCase());
  return isDone(without) ? without : [...without, isPassed ? host : `!${host}`];
}

function isSame(one, other) {
  return one.length === other.length && one.every((pattern, at) => pattern === other[at]);
}
