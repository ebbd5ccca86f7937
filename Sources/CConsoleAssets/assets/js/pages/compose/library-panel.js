import { toast } from "../../core/announce.js";
import { showDialog } from "../../core/dialog.js";
import { el, fill } from "../../core/dom.js";
import { kindOf } from "../../core/facts.js";
import { clockOrDate, counted, duration } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { openMenu } from "../../core/menu.js";
import { Problem } from "../../core/problem.js";
import { saveFile } from "../../core/save-file.js";
import { exported } from "../../parts/compose/compose-library.js";
import { askForName } from "../../parts/compose/compose-dialogs.js";

/**
 * @typedef {import("../../parts/compose/compose-library.js").Sent} Sent
 * @typedef {import("../../parts/compose/compose-library.js").Collection} Collection
 * @typedef {import("../../parts/compose/written-request.js").WrittenRequest} WrittenRequest
 */

/** The largest file of collections that is read. */
const longestFile = 8 << 20;

/** The history and the collections, beside the request in the form. */
export class LibraryPanel {
  #tab = "history";
  /** The folded collections. @type {Set<string>} */
  #folded = new Set();

  /**
   * @param {import("../../parts/compose/compose-library.js").ComposeLibrary} library
   * @param {(request: WrittenRequest, saved: {collection: string, name: string} | null) => void} take Loads a request into the form.
   */
  constructor(library, take) {
    this.library = library;
    this.take = take;
    const tab = (/** @type {string} */ name, /** @type {string} */ label) => el("button", { type: "button", role: "tab", id: `compose-tab-${name}`,
      "aria-controls": "compose-list", onclick: () => this.#choose(name) }, label);
    this.tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Requests", onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      this.#choose(this.#tab === "history" ? "collections" : "history");
      this.tabs.querySelector("[aria-selected=true]").focus();
    } }, tab("history", "History"), tab("collections", "Collections"));
    this.search = el("input", { type: "text", class: "search", placeholder: "Search", "aria-label": "Search the requests", spellcheck: "false",
      oninput: () => this.#list() });
    this.list = el("div", { class: "compose-list" });
    this.tools = el("div", { class: "line" });
    this.panel = el("div", { role: "tabpanel", id: "compose-list" }, this.search, this.list, this.tools);
    this.trouble = el("div", { role: "alert" });
    this.file = el("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": "A file with collections",
      onchange: () => this.#import() });
    this.element = el("aside", { class: "compose-side", "aria-label": "History and collections" }, this.tabs, this.trouble, this.panel, this.file);
    this.show();
  }

  show() {
    for (const tab of this.tabs.children) {
      const isChosen = tab.id === `compose-tab-${this.#tab}`;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) this.panel.setAttribute("aria-labelledby", tab.id);
    }
    this.#list();
  }

  /** @param {string} name */
  #choose(name) {
    this.#tab = name;
    this.show();
  }

  /** Shows the collections, after a request was saved in them. */
  showCollections() {
    this.#choose("collections");
  }

  #list() {
    const wanted = this.search.value.trim().toLowerCase();
    const fits = (/** @type {(string | undefined)[]} */ ...texts) => wanted === "" || texts.some((text) => text?.toLowerCase().includes(wanted));
    if (this.#tab === "history") this.#showHistory(this.library.history.filter(({ request, status }) =>
      fits(request.method, request.url, String(status ?? ""))), wanted);
    else this.#showCollections(this.library.collections.map((one) => ({ ...one, requests: one.requests.filter((request) =>
      fits(one.name, request.name, request.url, request.method)) })).filter((one) => one.requests.length > 0 || wanted === ""), wanted);
  }

  /** @param {Sent[]} sent @param {string} wanted */
  #showHistory(sent, wanted) {
    const { history, historyFile } = this.library;
    fill(this.list, sent.length > 0 ? el("ul", {}, ...sent.map((one) => this.#sent(one)))
      : el("p", { class: "soft" }, wanted ? "Nothing matches." : "Nothing was sent yet. The requests you send appear here, with the names of their variables."));
    fill(this.tools, history.length > 0 && el("button", { type: "button", onclick: () => this.#forgetAll() }, "Clear the history…"),
      history.length > 0 && el("span", { class: "soft note", title: historyFile }, "Only you can read the file. It may hold tokens that you wrote."));
  }

  /** @param {Sent} one */
  #sent(one) {
    const { request, status, failure, at, milliseconds } = one;
    const kind = status ? kindOf(status) : "failed";
    const [place, path] = parts(request.url);
    return el("li", {}, el("button", { type: "button", class: "request", title: `${request.method} ${request.url}${failure ? `: ${failure}` : ""}`,
      onclick: () => this.take(request, null) },
    el("span", { class: "top" }, el("b", {}, request.method), el("span", { class: "path" }, path), el("span", { class: `outcome ${kind}` }, status ? String(status) : "failed")),
    el("span", { class: "below soft" }, el("span", { class: "path" }, place), el("span", {}, `${clockOrDate(at).replace(/\.\d+$/, "")}${milliseconds === undefined ? "" : ` · ${duration(milliseconds)}`}`))),
    el("button", { type: "button", class: "plain remove", "aria-label": `Forget ${request.method} ${request.url}`.slice(0, 200), title: "Forget it",
      onclick: () => this.#do(() => this.library.forget(one.id)) }, icon("close")));
  }

  /** @param {Collection[]} collections @param {string} wanted */
  #showCollections(collections, wanted) {
    fill(this.list, ...collections.map((one) => this.#collection(one)), collections.length === 0 && el("p", { class: "soft" },
      wanted ? "Nothing matches." : "There are no collections yet. Write a request and press Save, or import a file that a colleague exported."));
    fill(this.tools, el("button", { type: "button", onclick: () => this.file.click() }, "Import…"),
      this.library.file && el("span", { class: "soft note", title: this.library.file }, `Kept beside the capture: ${this.library.file.split("/").at(-1)}`));
  }

  /** @param {Collection} one */
  #collection(one) {
    const more = el("button", { type: "button", class: "plain more", "aria-label": `Collection ${one.name}`, "aria-haspopup": "menu", "aria-expanded": "false",
      onclick: () => openMenu(more, one.name, [
        { label: "Rename…", choose: async () => {
          const name = await askForName("Rename the collection", one.name);
          if (name && name !== one.name) this.#do(() => this.library.renameCollection(one.name, name));
        } },
        { label: "Export as a file", choose: () => this.#export(one.name) },
        { label: "Remove…", choose: () => this.#removeCollection(one) }]) }, icon("more"));
    return el("div", { class: "collection" }, more, el("details", { open: !this.#folded.has(one.name), ontoggle: (/** @type {Event} */ event) => {
      if (/** @type {HTMLDetailsElement} */ (event.currentTarget).open) this.#folded.delete(one.name);
      else this.#folded.add(one.name);
    } }, el("summary", {}, el("span", {}, one.name), el("span", { class: "soft" }, String(one.requests.length))),
    el("ul", {}, ...one.requests.map((request) => this.#saved(one, request)))));
  }

  /** @param {Collection} collection @param {WrittenRequest & {name: string}} request */
  #saved(collection, request) {
    const { name } = request;
    const more = el("button", { type: "button", class: "plain more", "aria-label": `Request ${name}`, "aria-haspopup": "menu", "aria-expanded": "false",
      onclick: () => openMenu(more, name, this.#savedItems(collection, name)) }, icon("more"));
    return el("li", {}, el("button", { type: "button", class: "request", title: `${request.method} ${request.url}`,
      onclick: () => this.take(request, { collection: collection.name, name }) },
    el("span", { class: "top" }, el("b", {}, request.method), el("span", { class: "path" }, name)),
    el("span", { class: "below soft" }, el("span", { class: "path" }, request.url || "(no URL)"))), more);
  }

  /** @param {Collection} collection @param {string} name */
  #savedItems({ name: collection }, name) {
    // The list may be filtered by the search, so the place comes from the whole collection.
    const all = this.library.collections.find((one) => one.name === collection)?.requests ?? [];
    const at = all.findIndex((one) => one.name === name);
    const move = (/** @type {{name?: string, collection?: string, at?: number}} */ change) => this.#do(() => this.library.move(collection, name, change));
    return [
      { label: "Rename…", choose: async () => {
        const other = await askForName("Rename the request", name);
        if (other && other !== name) move({ name: other });
      } },
      ...(at > 0 ? [{ label: "Move up", choose: () => move({ at: at - 1 }) }] : []),
      ...(at < all.length - 1 ? [{ label: "Move down", choose: () => move({ at: at + 1 }) }] : []),
      { label: "Move to a collection…", choose: async () => {
        const other = await askForName("Move to a collection", collection, this.library.collections.map((one) => one.name));
        if (other && other !== collection) move({ collection: other });
      } },
      { label: "Remove", choose: () => this.#remove(collection, name, all, at) },
    ];
  }

  /** @param {string} collection @param {string} name @param {(WrittenRequest & {name: string})[]} all @param {number} at */
  async #remove(collection, name, all, at) {
    const request = all[at];
    if (await this.#do(() => this.library.remove(collection, name))) toast(`Removed ${name}`, [{ label: "Undo", run: () => this.#do(async () => {
      await this.library.save(collection, name, request, true);
      await this.library.move(collection, name, { at });
    }) }]);
  }

  /** @param {Collection} one */
  async #removeCollection(one) {
    const all = this.library.collections.find((other) => other.name === one.name)?.requests ?? [];
    const isSure = all.length === 0 || await sure("Remove the collection", `This removes ${one.name} with ${counted(all.length, "request")}. This cannot be undone.`, "Remove");
    if (isSure) this.#do(() => this.library.removeCollection(one.name));
  }

  async #forgetAll() {
    if (await sure("Clear the history", `This forgets ${counted(this.library.history.length, "request")} that were sent. This cannot be undone. Collections and the capture stay.`, "Clear")) {
      this.#do(() => this.library.forgetAll());
    }
  }

  /** @param {string} name */
  #export(name) {
    const collection = this.library.collections.find((one) => one.name === name);
    if (!collection) return;
    saveFile(new Blob([exported(collection, this.library.environments)], { type: "application/json" }), `${name.replace(/[^\w.-]+/g, "-")}.compose.json`);
    toast(`Exported ${counted(collection.requests.length, "request")}. Values that are marked secret are left out.`);
  }

  /** Reads a file of collections. Names in use get a number, so that nothing is overwritten. */
  async #import() {
    const file = this.file.files?.[0];
    this.file.value = "";
    if (!file) return;
    await this.#do(async () => {
      if (file.size > longestFile) throw new Problem({ title: `${file.name} is too large`, detail: "expected at most 8 MB" });
      const found = parse(await file.text(), file.name);
      for (const collection of found.collections ?? []) {
        const name = free(collection.name, this.library.collections.map((one) => one.name));
        for (const { name: request, ...rest } of collection.requests ?? []) await this.library.save(name, request, rest, true);
      }
      const names = this.library.environments.map((one) => one.name);
      for (const one of found.environments ?? []) if (!names.includes(one.name)) await this.library.saveEnvironment(one.name, one.variables);
      this.showCollections();
      toast(`Imported ${counted(found.collections?.length ?? 0, "collection")} of ${file.name}`);
    });
  }

  /** Runs a change, and shows why it failed. @param {() => Promise<unknown>} run */
  async #do(run) {
    fill(this.trouble);
    try {
      await run();
      return true;
    } catch (error) {
      fill(this.trouble, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      return false;
    }
  }
}

function parse(text, name) {
  try {
    const found = JSON.parse(text);
    if (Array.isArray(found?.collections)) return found;
  } catch (error) {
    throw new Problem({ title: `${name} is not JSON`, detail: error instanceof Error ? error.message : "" });
  }
  throw new Problem({ title: `${name} has no collections`, remedy: "Expected is a file that “Export as a file” made." });
}

function free(name, taken) {
  let found = name;
  for (let number = 2; taken.includes(found); number += 1) found = `${name} ${number}`;
  return found;
}

/** The origin and the path of a URL; a variable may stand for the origin. @param {string} url */
function parts(url) {
  const found = /^([^/?]*\/\/[^/?]*|\{\{[^}]*\}\})?([\s\S]*)$/.exec(url);
  return [found?.[1] ?? "", found?.[2] || "/"];
}

async function sure(title, text, label) {
  return showDialog(title, (close) => [el("p", {}, text), el("p", { class: "buttons" },
    el("button", { type: "button", autofocus: true, onclick: () => close(false) }, "Cancel"),
    el("button", { type: "button", class: "danger", onclick: () => close(true) }, label))]);
}
