import { toast } from "./announce.js";
import { askJSON, hasProxy } from "./api.js";
import { el } from "./dom.js";
import { Emitter } from "./emitter.js";
import { openMenu } from "./menu.js";
import { Problem } from "./problem.js";
import { route } from "./route.js";

/** The browsers that the proxy opens with a fresh profile. Emits `change`. */
class Browsers extends Emitter {
  /** @type {string[]} */
  #names = [];
  #asksForPassword = false;
  #isOpening = false;
  /** Why no browser can be opened; `null` if a browser can be opened, no proxy runs, or the proxy has not answered yet. @type {Problem | null} */
  obstacle = null;

  /** The names of the browsers, the default browser first. */
  get names() {
    return this.#names;
  }

  /** Reads the browsers from the proxy. */
  async read() {
    if (!await hasProxy()) return;
    const { browsers, asksForPassword, problem } = await askJSON("/api/browser");
    this.#names = browsers.map((/** @type {{name: string}} */ one) => one.name);
    this.#asksForPassword = asksForPassword;
    this.obstacle = problem ? new Problem(problem) : null;
    this.emit("change");
  }

  /** Opens a browser. A second press does nothing while a browser starts, which takes a moment. @param {string} name */
  async open(name) {
    if (this.#isOpening) return;
    this.#isOpening = true;
    toast(`Opening ${titleOf(name)}…`);
    try {
      await askJSON("/api/browser", { method: "POST", body: { browser: name } });
      const login = this.#asksForPassword ? " It asks you for the user name and the password of the proxy." : "";
      toast(`${titleOf(name)} runs with a fresh profile, through the proxy.${login} Should no window come, the events say why.`,
        [{ label: "Show the events", run: () => route.go("#/events") }]);
    } catch (error) {
      toast(`Not opened: ${Problem.of(error).sentence}`);
      this.read().catch(() => {});
    } finally {
      this.#isOpening = false;
    }
  }

  /** The actions for the palette. @returns {import("./keys.js").Action[]} */
  actions() {
    return this.#names.map((name) => ({ label: this.#names.length > 1 ? `${label}: ${titleOf(name)}` : label, group: "Browser",
      run: () => this.open(name) }));
  }
}

const label = "Open a browser";

export const browsers = new Browsers();

/** A button that opens the browser, or a menu of the browsers. */
export function browserButton() {
  const { names } = browsers;
  const button = el("button", { type: "button", class: "primary open-browser", "aria-haspopup": names.length > 1 ? "menu" : undefined,
    "aria-expanded": names.length > 1 ? "false" : undefined, onclick: () => {
      if (names.length === 1) browsers.open(names[0]);
      else openMenu(button, label, names.map((name) => ({ label: titleOf(name), choose: () => browsers.open(name) })));
    } }, names.length > 1 ? `${label}…` : label);
  if (names.length === 1) button.title = titleOf(names[0]);
  return button;
}

/** @param {string} name */
function titleOf(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
