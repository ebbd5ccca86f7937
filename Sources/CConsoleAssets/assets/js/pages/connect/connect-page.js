import { announce } from "../../core/announce.js";
import { askJSON } from "../../core/api.js";
import { el, fill, setAttributes, setText } from "../../core/dom.js";
import { commandLine } from "../../core/first-step.js";
import { clock } from "../../core/format.js";
import { withPages } from "../../core/advice.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { browsers } from "../../core/browsers.js";
import { obstacleCard } from "./obstacles.js";
import { qrPicture } from "./qr-code.js";

/** @typedef {{text: string, command?: string}} Step */
/** @typedef {import("./obstacles.js").Obstacle} Obstacle */
/** @typedef {{kind: string, title: string, steps: Step[], light: "none" | "refused" | "plain" | "read", connections: number, last?: string, client?: string, obstacles: Obstacle[]}} Way */
/** @typedef {{isOpen: boolean, places: string[], command?: string, network?: string}} Network */

/** Milliseconds between two readings of the connections. */
const pause = 1500;
/** Signs for the lights, which need no colour. */
const signs = { none: "○", refused: "✕", plain: "◐", read: "●" };
/** The kinds of clients on other machines. */
const outer = ["android", "ios", "computer"];
/** The names of the browsers that a tile opens. */
const families = { chromium: /^(chrom|brave|edge)/, firefox: /^firefox/ };

/** A tile for each kind of client, with its steps and a light for the traffic that has arrived. */
export class ConnectPage {
  #timer = 0;
  #isShown = false;
  /** @type {Way[]} */
  #ways = [];
  /** @type {Network} */
  #network = { isOpen: false, places: [] };
  #asksForPassword = false;
  /** The data of the drawn steps and obstacles, so that the page draws them again only after a change. */
  #told = { steps: "", obstacles: "" };
  /** @type {Map<string, {link: HTMLElement, sign: HTMLElement, said: HTMLElement}>} */
  #tiles = new Map();

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    browsers.on("change", () => this.#isShown && this.#tellWay());
  }

  show() {
    this.#isShown = true;
    // A tile leads to another address of this page; the tiles keep their elements and the focus.
    if (!this.main?.isConnected) this.#build();
    if (this.#ways.length > 0) this.#tell();
    clearTimeout(this.#timer);
    this.#load();
  }

  hide() {
    this.#isShown = false;
    clearTimeout(this.#timer);
  }

  get #kind() {
    return route.path[1] ?? "terminal";
  }

  #build() {
    this.#tiles.clear();
    this.#told = { steps: "", obstacles: "" };
    this.list = el("ul", {});
    this.problem = el("p", { class: "notice failed", role: "alert", hidden: true });
    this.heading = el("h2", { id: "way-title" });
    this.state = el("p", { class: "way-state" });
    this.obstacles = el("div", { class: "obstacles" });
    this.steps = el("div", { class: "way-steps" });
    this.way = el("section", { class: "way", "aria-labelledby": "way-title" }, this.heading, this.state, this.obstacles, this.steps);
    this.main = el("main", { class: "connect", "aria-label": "Connect" }, el("h1", {}, "Connect"),
      el("p", { class: "soft" }, "Choose what you want to see the traffic of, and follow its steps. The sign of a tile changes as soon as "
        + "something of this kind comes through the proxy."), this.problem,
      el("div", { class: "ways" }, el("nav", { class: "tiles", "aria-label": "Clients" }, this.list), this.way));
    this.main.hidden = false;
    this.way.hidden = this.#ways.length === 0;
    fill(this.page, this.main);
  }

  async #load() {
    const { main } = this;
    try {
      const found = await askJSON("/api/connect");
      if (main !== this.main) return;
      [this.#ways, this.#network, this.#asksForPassword] = [found.ways, found.network, found.asksForPassword];
      this.problem.hidden = true;
      this.#tell();
    } catch (error) {
      if (main !== this.main) return;
      this.problem.hidden = false;
      fill(this.problem, ...withPages(Problem.of(error).status === 409
        ? "This console shows a file, and no proxy runs here. Start one in a terminal: pinhole proxy." : Problem.of(error).sentence));
    }
    if (this.#isShown) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#load(), pause);
    }
  }

  #tell() {
    if (this.#tiles.size === 0) this.#buildTiles();
    for (const way of this.#ways) {
      const tile = this.#tiles.get(way.kind);
      if (!tile) continue;
      const before = tile.link.dataset.light;
      setAttributes(tile.link, { "data-light": way.light, "aria-current": way.kind === this.#kind ? "page" : null });
      setText(tile.sign, signs[way.light]);
      setText(tile.said, short(way));
      if (before && before !== way.light) announce(`${way.title}: ${short(way)}`);
    }
    this.#tellWay();
  }

  #buildTiles() {
    for (const { kind, title } of this.#ways) {
      const [sign, said] = [el("span", { class: "light", "aria-hidden": "true" }), el("span", { class: "said" })];
      const link = el("a", { class: "tile", href: `#/connect/${kind}` }, sign, el("b", {}, title), said);
      this.#tiles.set(kind, { link, sign, said });
    }
    fill(this.list, ...[...this.#tiles.values()].map(({ link }) => el("li", {}, link)));
  }

  /** Shows the steps of the way that the address names, and its state. */
  #tellWay() {
    const way = this.#ways.find(({ kind }) => kind === this.#kind) ?? this.#ways[0];
    if (!way) return;
    this.way.hidden = false;
    setText(this.heading, way.title);
    setAttributes(this.state, { "data-light": way.light });
    setText(this.state, `${signs[way.light]} ${long(way)}`);
    const obstacles = JSON.stringify(way.obstacles);
    if (obstacles !== this.#told.obstacles) {
      this.#told.obstacles = obstacles;
      fill(this.obstacles, ...way.obstacles.toReversed().map(obstacleCard));
    }
    const steps = JSON.stringify([way.kind, way.steps, this.#network, browsers.names]);
    if (steps === this.#told.steps) return;
    this.#told.steps = steps;
    fill(this.steps, outer.includes(way.kind) && this.#networkPart(), this.#browserButton(way.kind),
      this.#asksForPassword && el("p", { class: "soft" }, "The proxy asks for a user name and a password: put yours where a command says USER:PASSWORD."),
      el("ol", {}, ...way.steps.map((step) => el("li", {}, el("p", {}, step.text), step.command && commandLine({ client: `${way.title}: ${step.command.slice(0, 60)}`, command: step.command })))));
  }

  #browserButton(kind) {
    const name = families[kind] && browsers.names.find((one) => families[kind].test(one));
    return name && el("p", {}, el("button", { type: "button", class: "primary open-browser", onclick: () => browsers.open(name) },
      `Open ${name.charAt(0).toUpperCase()}${name.slice(1)} now`), el("span", { class: "soft" }, " with a fresh profile that trusts the CA"));
  }

  /** The QR code of the CA's page, or the steps that open the proxy to the network. */
  #networkPart() {
    const { isOpen, places, command, network } = this.#network;
    if (!isOpen) return el("section", { class: "network", "aria-label": "The network" },
      el("p", { class: "notice" }, "Other devices cannot reach this proxy: it listens on loopback only. Nothing is opened from this page."),
      el("p", {}, "End the proxy (Ctrl+C) and start it with this command. Then ",
        network ? el("span", {}, "every device in the network ", el("code", {}, network), " may use it")
          : "every device that reaches this machine may use it",
        ", its traffic is recorded here, and this place shows a QR code. Add ", el("code", {}, "--proxy-auth @FILE"), " to ask for a password."),
      command && commandLine({ client: "the network", command }));
    if (places.length === 0) return el("section", { class: "network", "aria-label": "The network" },
      el("p", { class: "notice" }, "This machine is in no network that other devices could reach. Join one, and load this page again."));
    const picture = el("div", { class: "qr-place" });
    const show = (/** @type {string} */ place) => fill(picture, qrPicture(`http://${place}/`, `QR code of http://${place}/`),
      el("p", {}, "The proxy is ", el("code", {}, place), ". Its page has the CA: ", el("code", {}, `http://${place}/`)));
    show(places[0]);
    return el("section", { class: "network", "aria-label": "The network" }, picture,
      places.length > 1 && el("p", {}, el("label", { for: "qr-address" }, "Address "),
        el("select", { id: "qr-address", onchange: (/** @type {Event} */ event) => show(/** @type {HTMLSelectElement} */ (event.target).value) },
          ...places.map((place) => el("option", { value: place }, place))),
        el("span", { class: "soft" }, " this machine has several; choose the one in the network of the device")));
  }
}

/** The short state of a way, for its tile. @param {Way} way */
function short(way) {
  const refused = way.obstacles.findLast(({ peer, cause }) => peer === "client" && cause !== "http3");
  switch (way.light) {
    case "none": return way.obstacles.at(-1)?.summary ?? "nothing yet";
    case "refused": return refused?.summary ?? "";
    case "plain": return "came, HTTPS not yet";
    default: return "HTTPS is read";
  }
}

/** The meaning of a way's light, and the missing step. @param {Way} way */
function long(way) {
  const count = `${way.connections} ${way.connections === 1 ? "connection" : "connections"} since the proxy began`;
  const last = way.last ? `, the last request at ${clock(way.last).slice(0, 8)} from ${way.client}` : "";
  switch (way.light) {
    case "none": return way.obstacles.length > 0 ? "Connections arrived, but none carried a request." : "Nothing of this kind came yet. Follow the steps below, then make a request.";
    case "refused": return way.last ? `Some connections are refused (${count}${last}).` : "Connections came, but the client ended their handshakes. See below for the reason.";
    case "plain": return `Requests arrived, but none over HTTPS yet: ${count}${last}.`;
    default: return `Requests arrive, and HTTPS is read: ${count}${last}.`;
  }
}
