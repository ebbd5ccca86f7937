import { announce } from "../core/announce.js";
import { Emitter } from "../core/emitter.js";

/** @typedef {import("../core/types.js").Held} Held */

/**
 * What is held at breakpoints, as the stream of events tells it. It tells `change` with the numbers of the exchanges that
 * are held now, or were before.
 */
class HeldMessages extends Emitter {
  /** @type {(Held & {endsAt: number})[]} In the order in which they came; `endsAt` by the clock of this page. */
  list = [];
  /** @type {Set<number>} Exchanges. */
  #exchanges = new Set();
  /** @type {Set<string>} What is decided about, and is told still until the server has heard of it. */
  #decided = new Set();

  /** @param {import("../traffic/live.js").Live} live */
  follow(live) {
    live.on("breakpoints", (list) => this.#take(list));
  }

  /** @param {number | undefined} exchange */
  has(exchange) {
    return exchange !== undefined && this.#exchanges.has(exchange);
  }

  /** What is held of an exchange. @param {number} exchange */
  of(exchange) {
    return this.list.find((one) => one.exchange === exchange);
  }

  /** Leaves a message out that was decided about. @param {Held} one */
  forget(one) {
    this.#decided.add(nameOf(one));
    this.#set(this.list.filter((other) => nameOf(other) !== nameOf(one)));
  }

  /** @param {Held[]} list */
  #take(list) {
    const now = performance.now();
    const names = new Set(list.map(nameOf));
    for (const name of this.#decided) if (!names.has(name)) this.#decided.delete(name);
    const known = new Set(this.list.map(nameOf));
    const next = list.filter((one) => !this.#decided.has(nameOf(one))).map(
      (one) => ({ ...one, endsAt: now + one.secondsLeft * 1000 }));
    const first = next.find((one) => !known.has(nameOf(one)));
    if (first) announce(`Held at a breakpoint: ${first.method} ${first.url}`);
    this.#set(next);
  }

  #set(list) {
    const before = this.#exchanges;
    this.list = list;
    this.#exchanges = new Set(list.map((one) => one.exchange).filter((id) => id !== undefined && id !== null));
    this.emit("change", [...new Set([...before, ...this.#exchanges])]);
  }
}

export const held = new HeldMessages();

/** Tells a message from every other, those of another run of the proxy included. @param {Held} one */
export function nameOf(one) {
  return `${one.since}-${one.id}`;
}

/** The seconds until it goes on by itself. @param {{endsAt: number}} one */
export function secondsLeft(one) {
  return Math.max(0, Math.ceil((one.endsAt - performance.now()) / 1000));
}
