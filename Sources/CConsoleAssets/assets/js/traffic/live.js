import { withQuery } from "../core/api.js";
import { Emitter } from "../core/emitter.js";

/** Milliseconds in which events are collected; the server sends them in batches as well. */
const batch = 8;
/** Milliseconds until it is gone on without the stream. */
const patience = 10_000;

/**
 * The stream of events: tells `traffic` (items), `state`, `breakpoints` (what is held), `compose` (its collections or history changed), `gone` (an id), `reload` when rows were removed from the
 * middle or (`true`) changes were left out, `status` (`live`, `waiting`), and `resumed` when it is there again after a break, or came late.
 */
export class Live extends Emitter {
  /** @type {EventSource | null} */
  #source = null;
  #timer = 0;
  #attempts = 0;
  #wasOpen = false;
  /** Says that the stream has begun. */
  #begin = () => {};
  #filter = "";
  /** @type {import("../core/types.js").Traffic[]} */
  #items = [];
  #batch = 0;
  status = "waiting";

  /**
   * Begins anew.
   *
   * @param {string} filter Only what matches is told.
   * @returns {Promise<void>} Until the stream stands: a list that is read before may lack what came meanwhile, and nobody would tell it.
   */
  open(filter) {
    this.#filter = filter;
    this.#wasOpen = false;
    const begun = new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, patience);
      this.#begin = () => {
        clearTimeout(timer);
        this.#begin = () => {};
        resolve();
        if (isLate) this.emit("resumed");
      };
    });
    this.#connect();
    return begun;
  }

  close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#batch);
    this.#batch = 0;
    this.#items = [];
    this.#source?.close();
    this.#source = null;
  }

  #connect() {
    this.close();
    const source = new EventSource(withQuery("/api/events", { filter: this.#filter }));
    this.#source = source;
    source.onopen = () => {
      this.#attempts = 0;
      this.#say("live");
      if (this.#wasOpen) this.emit("resumed");
      this.#wasOpen = true;
    };
    source.onerror = () => {
      this.#say("waiting");
      // The browser connects again by itself, unless the answer was an error.
      if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
      this.#attempts += 1;
      this.#timer = setTimeout(() => this.#connect(), Math.min(15_000, 500 * 2 ** this.#attempts));
    };
    const listen = (/** @type {string} */ name, /** @type {(data: any) => void} */ run) =>
      source.addEventListener(name, (event) => source === this.#source && run(JSON.parse(event.data)));
    listen("begin", () => this.#begin());
    listen("traffic", (data) => this.#collect(Array.isArray(data) ? data : [data]));
    listen("state", (data) => this.emit("state", data));
    listen("breakpoints", (data) => this.emit("breakpoints", data));
    listen("compose", () => this.emit("compose"));
    listen("gone", (data) => {
      this.#flush();
      this.emit("gone", data.upTo);
    });
    listen("reload", (data) => {
      this.#flush();
      this.emit("reload", data.isBehind === true);
    });
  }

  /** Many events of one moment change the list once. */
  #collect(items) {
    for (const item of items) this.#items.push(item);
    this.#batch ||= setTimeout(() => this.#flush(), batch);
  }

  #flush() {
    clearTimeout(this.#batch);
    this.#batch = 0;
    const items = this.#items;
    this.#items = [];
    if (items.length > 0) this.emit("traffic", items);
  }

  #say(status) {
    if (status === this.status) return;
    this.status = status;
    this.emit("status", status);
  }
}
