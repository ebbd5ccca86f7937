import { ask, askJSON, withQuery } from "../../core/api.js";
import { announce } from "../../core/announce.js";
import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { bytes, counted } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { upload } from "./upload.js";

/** Milliseconds between two readings of the imports. */
const pause = 300;

/**
 * @typedef {object} Import
 * @property {number} id
 * @property {string} name
 * @property {number} bytes
 * @property {number} read
 * @property {number} exchanges
 * @property {number} leftOut
 * @property {string[]} remarks
 * @property {"waiting" | "running" | "done" | "failed" | "cancelled"} state
 * @property {string} [failure]
 */

/** A file on its way, before the server has a number for it. */
class Sending {
  abort = new AbortController();
  sent = 0;
  /** @type {string} Why the file did not arrive. */
  problem = "";

  /** @param {File} file */
  constructor(file) {
    this.file = file;
  }
}

/**
 * Files that the server reads. The page sends them one after the other and shows their progress. Emits `imported` when a file
 * was read, and `loaded` after each reading of the list.
 */
class ImportList extends Emitter {
  /** @type {Import[]} */
  #imports = [];
  /** @type {Sending[]} */
  #sending = [];
  #isSending = false;
  #timer = 0;
  #isAsking = false;
  /** Whether a new import began during a request for the list. */
  #asksAgain = false;

  /**
   * @param {string} name The last part of the path, and the member of the answer.
   * @param {string} label
   * @param {boolean} isKept Whether files stay until they are removed, and the capture does not get them.
   */
  constructor(name, label, isKept) {
    super();
    this.name = name;
    this.isKept = isKept;
    this.element = el("ul", { class: "imports", "aria-label": label });
  }

  /** The imports that were read to the end. */
  get done() {
    return this.#imports.filter((one) => one.state === "done");
  }

  /** @param {Iterable<File>} files */
  take(files) {
    for (const file of files) {
      const one = new Sending(file);
      if (file.size === 0) one.problem = "The file is empty, or a folder, which cannot be read.";
      this.#sending.push(one);
    }
    this.#render();
    this.#next();
  }

  /** Reads the list of imports, and follows the running ones. */
  async load() {
    clearTimeout(this.#timer);
    this.#asksAgain = this.#isAsking;
    if (this.#isAsking) return;
    this.#isAsking = true;
    const before = this.#imports;
    try {
      const { [this.name]: all } = await askJSON(`/api/${this.name}`);
      this.#imports = all;
      this.#render();
      this.emit("loaded");
      for (const one of all) {
        const was = before.find((other) => other.id === one.id);
        if (was && !isOver(was) && isOver(one)) {
          announce(`${one.name}: ${this.#summary(one)}`);
          this.emit("imported", one);
        }
      }
    } catch {
      // The list is read again while an import runs; the banner reports a lost connection.
    } finally {
      this.#isAsking = false;
    }
    if (this.#asksAgain) return this.load();
    if (this.#imports.some((one) => !isOver(one))) this.#timer = setTimeout(() => this.load(), pause);
  }

  async #next() {
    if (this.#isSending) return;
    const one = this.#sending.find((other) => !other.problem);
    if (!one) return;
    this.#isSending = true;
    try {
      const job = await upload(withQuery(`/api/${this.name}`, { name: one.file.name }), one.file, (sent) => {
        one.sent = sent;
        this.#render();
      }, one.abort.signal);
      this.#sending = this.#sending.filter((other) => other !== one);
      this.#imports = [...this.#imports, job];
    } catch (error) {
      if (one.abort.signal.aborted) this.#sending = this.#sending.filter((other) => other !== one);
      else one.problem = Problem.of(error).sentence;
      if (one.problem) announce(one.problem);
    }
    this.#isSending = false;
    this.#render();
    this.load();
    this.#next();
  }

  #render() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.import;
    // The newest import comes first, because the user waits for it.
    fill(this.element, ...[...this.#sending].reverse().map((one) => this.#sendingRow(one)),
      ...[...this.#imports].reverse().map((one) => this.#row(one)));
    if (focused) this.element.querySelector(`[data-import="${CSS.escape(focused)}"]`)?.focus();
  }

  #sendingRow(one) {
    const { file } = one;
    const isCurrent = one === this.#sending.find((other) => !other.problem);
    return el("li", { class: one.problem ? "import is-failed" : "import" }, el("b", {}, file.name), el("span", { class: "soft" }, bytes(file.size)),
      one.problem ? el("p", { class: "notice failed" }, one.problem)
        : el("progress", { max: String(Math.max(1, file.size)), value: String(one.sent), "aria-label": `${file.name}: sent` }),
      el("span", { class: "import-state" }, one.problem ? "" : isCurrent ? `sending, ${bytes(one.sent)}` : "waits"),
      el("button", { type: "button", "data-import": `sending ${file.name}`, "aria-label": `${one.problem ? "Forget" : "Cancel"} ${file.name}`,
        onclick: () => {
          one.abort.abort();
          this.#sending = this.#sending.filter((other) => other !== one);
          this.#render();
        } }, one.problem ? "Forget" : "Cancel"));
  }

  #row(one) {
    return el("li", { class: `import is-${one.state}` }, el("b", {}, one.name), el("span", { class: "soft" }, bytes(one.bytes)),
      !isOver(one) && el("progress", { max: String(Math.max(1, one.bytes)), value: one.read > 0 ? String(one.read) : undefined,
        "aria-label": `${one.name}: read` }),
      el("span", { class: "import-state" }, this.#summary(one)),
      (!isOver(one) || this.isKept) && el("button", { type: "button", "data-import": String(one.id),
        "aria-label": `${this.isKept ? "Remove" : "Cancel"} ${one.name}`, onclick: () => this.#cancel(one) }, this.isKept ? "Remove" : "Cancel"),
      one.failure && el("p", { class: "notice failed" }, el("b", {}, "✕ "), one.failure,
        one.exchanges > 0 && !this.isKept ? `${one.failure.endsWith(".") ? "" : "."} What was whole before that place was imported: ${counted(one.exchanges, "entry", "entries")}.` : ""),
      one.remarks.length > 0 && el("ul", { class: "notice import-remarks", "aria-label": `Remarks on ${one.name}` },
        ...one.remarks.map((text) => el("li", {}, text)), one.leftOut > one.remarks.length
          && el("li", {}, `${counted(one.leftOut, "entry", "entries")} left out in all.`)));
  }

  async #cancel(one) {
    try {
      await ask(`/api/${this.name}/${one.id}`, { method: "DELETE" });
    } catch {
      // The server no longer knows the import, so it is over.
    }
    this.load();
  }

  /** @param {Import} one */
  #summary(one) {
    const found = counted(one.exchanges, "entry", "entries");
    const done = this.isKept ? "read" : "imported";
    switch (one.state) {
      case "waiting": return "waits for its turn";
      case "running": return `${found} so far`;
      case "cancelled": return `cancelled; ${found} ${done} before`;
      case "failed": return `could not be read to its end; ${found} ${done}`;
      default: return `${found} ${done}${one.leftOut > 0 ? `, ${one.leftOut} left out` : ""}`;
    }
  }
}

/** @param {Import} one */
function isOver(one) {
  return one.state !== "waiting" && one.state !== "running";
}

/** Files that are added to the capture. */
export const imports = new ImportList("imports", "Imports", false);

/** Files for comparison with the capture. */
export const recordings = new ImportList("recordings", "Recordings", true);

/** The files of a drag or drop; `null` for other content. @param {DragEvent} event */
export function filesOf(event) {
  return event.dataTransfer && [...event.dataTransfer.types].includes("Files") ? event.dataTransfer.files : null;
}
