import { announce } from "./announce.js";
import { Emitter } from "./emitter.js";

/** @typedef {import("./types.js").Held} Held */

/**
 * The messages held at breakpoints, kept current by the stream of events. Emits `change` with the numbers of exchanges
 * that are held now or were held before.
 */
class HeldMessages extends Emitter {
  /** @type {(Held & {endsAt: number})[]} In order of arrival; `endsAt` by the clock of this page. */
  list = [];
  /** @type {Set<number>} Exchanges. */
  #exchanges = new Set();
  /** @type {Set<string>} Decided messages, which the server still lists until it has handled the decision. */
  #decided = new Set();

  /** @param {import("./live.js").Live} live */
  follow(live) {
    live.on("breakpoints", (list) => this.#take(list));
  }

  /** @param {number | undefined} exchange */
  has(exchange) {
    return exchange !== undefined && this.#exchanges.has(exchange);
  }

  /** The held message of an exchange. @param {number} exchange */
  of(exchange) {
    return this.list.find((one) => one.exchange === exchange);
  }

  /** Removes a decided message. @param {Held} one */
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

/** A unique name of a message, also across restarts of the proxy. @param {Held} one */
export function nameOf(one) {
  return `${one.since}-${one.id}`;
}

/** The seconds until the proxy continues a message by itself. @param {{endsAt: number}} one */
export function secondsLeft(one) {
  return Math.max(0, Math.ceil((one.endsAt - performance.now()) / 1000));
}
