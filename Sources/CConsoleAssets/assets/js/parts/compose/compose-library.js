import { askJSON } from "../../core/api.js";
import { Emitter } from "../../core/emitter.js";
import { namesIn } from "./variables.js";

/**
 * @typedef {import("./written-request.js").WrittenRequest} WrittenRequest
 * @typedef {{name: string, value: string, isSecret?: boolean}} Variable
 * @typedef {{name: string, requests: (WrittenRequest & {name: string})[]}} Collection
 * @typedef {{name: string, variables: Variable[]}} Environment
 * @typedef {{id: number, at: string, request: WrittenRequest, status?: number, failure?: string, milliseconds?: number, exchange?: number, environment?: string}} Sent
 */

/** The collections, variables and history beside the capture. Emits `change` after each change. */
export class ComposeLibrary extends Emitter {
  /** @type {Collection[]} */
  collections = [];
  /** @type {Environment[]} */
  environments = [];
  /** @type {Sent[]} The newest first. */
  history = [];
  /** The path of the file with the collections. */
  file = "";
  historyFile = "";
  #asked = 0;

  async read() {
    const asked = ++this.#asked;
    const found = await askJSON("/api/compose");
    // Only the response to the latest request counts.
    if (asked === this.#asked) this.#take(found);
  }

  /** @param {string} collection @param {string} name @param {WrittenRequest} request @param {boolean} isNew */
  save(collection, name, request, isNew) {
    const { name: _, ...rest } = request;
    return this.#change("PUT", path("collections", collection, name), { ...rest, isNew });
  }

  /** @param {string} collection @param {string} name @param {{name?: string, collection?: string, at?: number}} change */
  move(collection, name, change) {
    return this.#change("PATCH", path("collections", collection, name), change);
  }

  /** @param {string} collection @param {string} name */
  remove(collection, name) {
    return this.#change("DELETE", path("collections", collection, name));
  }

  /** @param {string} collection @param {string} name */
  renameCollection(collection, name) {
    return this.#change("PATCH", path("collections", collection), { name });
  }

  /** @param {string} collection */
  removeCollection(collection) {
    return this.#change("DELETE", path("collections", collection));
  }

  /** @param {string} name @param {Variable[]} variables */
  saveEnvironment(name, variables) {
    return this.#change("PUT", path("environments", name), { variables });
  }

  /** @param {string} name */
  removeEnvironment(name) {
    return this.#change("DELETE", path("environments", name));
  }

  /** @param {Omit<Sent, "id" | "at">} entry */
  addToHistory(entry) {
    return this.#change("POST", path("history"), entry);
  }

  /** @param {number} id */
  forget(id) {
    return this.#change("DELETE", path("history", String(id)));
  }

  forgetAll() {
    return this.#change("DELETE", path("history"));
  }

  /** The values of a set by their names. @param {string} name @returns {Record<string, string>} */
  values(name) {
    const found = this.environments.find((one) => one.name === name);
    return Object.fromEntries((found?.variables ?? []).map((one) => [one.name, one.value]));
  }

  async #change(method, address, body) {
    this.#asked += 1;
    this.#take(await askJSON(address, { method, body }));
  }

  #take(found) {
    Object.assign(this, found);
    this.emit("change");
  }
}

/**
 * A collection as a file for others, with the values of its variables. Values of secrets are left out.
 *
 * @param {Collection} collection
 * @param {Environment[]} environments
 */
export function exported(collection, environments) {
  const used = new Set(namesIn(JSON.stringify(collection.requests)));
  const sets = environments.map(({ name, variables }) => ({ name, variables: variables.filter((one) => used.has(one.name))
    .map((one) => (one.isSecret ? { ...one, value: "" } : one)) })).filter(({ variables }) => variables.length > 0);
  // A body as a list of lines, so that a diff shows the changed line.
  const requests = collection.requests.map((one) => ({ ...one, body: one.body.includes("\n") ? one.body.split("\n") : one.body }));
  return `${JSON.stringify({ version: 1, collections: [{ name: collection.name, requests }], environments: sets }, null, 2)}\n`;
}

function path(...parts) {
  return `/api/compose/${parts.map(encodeURIComponent).join("/")}`;
}
