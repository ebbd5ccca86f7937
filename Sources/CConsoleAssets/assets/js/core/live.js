import { withQuery } from "./api.js";
import { Emitter } from "./emitter.js";

/** Milliseconds for which the page collects events; the server sends them in batches as well. */
const batch = 8;
/** Milliseconds before the page loads the list without the stream. */
const patience = 10_000;

/**
 * The stream of events. Emits `traffic` (items), `state`, `breakpoints` (held messages), `compose` (collections or history changed),
 * `gone` (an id), `reload` (rows left the middle of the list; `true` if changes were left out), `status` (`live`, `waiting`), and
 * `resumed` when the stream is back after a break or started late.
 */
export class Live extends Emitter {
  /** @type {EventSource | null} */
  #source = null;
  #timer = 0;
  #attempts = 0;
  #wasOpen = false;
  /** Resolves the promise of `open`. */
  #begin = () => {};
  #filter = "";
  /** @type {import("./types.js").Traffic[]} */
  #items = [];
  #batch = 0;
  status = "waiting";

  constructor() {
    super();
    // A browser has six connections to a server. A page that it keeps in memory for a return must not hold one of them.
    let isResting = false;
    addEventListener("pagehide", () => {
      isResting = this.#source !== null;
      this.close();
    });
    addEventListener("pageshow", (event) => event.persisted && isResting && this.#connect());
  }

  /**
   * Opens a new stream.
   *
   * @param {string} filter Only matching items are sent.
   * @returns {Promise<void>} Resolves when the stream is open. A list that is read earlier may miss items that arrive in between.
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
      // The browser reconnects by itself, unless the response was an error.
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

  /** Collects the events of one moment, so that they change the list once. */
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
