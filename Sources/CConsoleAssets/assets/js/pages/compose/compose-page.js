import { askJSON } from "../../core/api.js";
import { announce, toast } from "../../core/announce.js";
import { el, fill } from "../../core/dom.js";
import { Draft } from "../../core/draft.js";
import { bytes } from "../../core/format.js";
import { preferences } from "../../core/preferences.js";
import { Problem } from "../../core/problem.js";
import { AnswerView } from "./answer-view.js";
import { capturedRequest, longestBody } from "../../parts/compose/captured-request.js";
import { ComposeLibrary } from "../../parts/compose/compose-library.js";
import { askAndSave, askForCurl, editVariables, proposedPlace } from "../../parts/compose/compose-dialogs.js";
import { looksLikeCurl, readCurl } from "../../parts/compose/curl-reader.js";
import { LibraryPanel } from "./library-panel.js";
import { RequestForm } from "./request-form.js";
import { filled, unknownIn } from "../../parts/compose/variables.js";
import { bytesOf, newRequest, orderOf } from "../../parts/compose/written-request.js";

/** The most characters of a response that a draft keeps. */
const longestAnswer = 300_000;

/**
 * @typedef {import("../../parts/compose/written-request.js").WrittenRequest} WrittenRequest
 * @typedef {{collection: string, name: string}} Saved The place of a request in the collections.
 */

/** A request that the user writes or edits, and that Pinhole's own client sends, beside earlier and saved requests. */
export class ComposePage {
  #visit = 0;
  #origin = 0;
  #isShown = false;
  /** The place of the request in the collections; `null` for an unsaved request. @type {Saved | null} */
  #saved = null;
  /** @type {import("./answer-view.js").Answer | null} */
  #answer = null;
  /** @type {Draft<any>} */
  #draft = new Draft("compose");
  /** @type {AbortController | null} */
  #sending = null;

  /** @param {HTMLElement} page @param {import("../../core/emitter.js").Emitter} live */
  constructor(page, live) {
    this.page = page;
    this.library = new ComposeLibrary();
    live.on("compose", () => this.#isShown && this.library.read().catch(() => {}));
    this.panel = new LibraryPanel(this.library, (request, saved) => this.#load(request, saved));
    this.library.on("change", () => {
      this.panel.show();
      this.#tellSets();
      this.#tellSaved();
    });
  }

  /** @param {number} id The exchange to edit; 0 for none. */
  async show(id) {
    const visit = ++this.#visit;
    this.#isShown = true;
    this.#origin = id;
    this.#saved = null;
    this.#answer = null;
    this.#draft = new Draft(`compose-${id}`);
    this.#build();
    this.form.url.focus();
    this.library.read().catch((error) => visit === this.#visit && this.#tell(Problem.of(error).sentence));
    try {
      const state = await askJSON("/api/state");
      if (visit !== this.#visit) return;
      this.form.hasProxy = state.proxy.length > 0;
      const draft = this.#draft.read();
      if (draft?.request) this.#restore(draft);
      else if (id > 0) await this.#take(id, visit);
    } catch (error) {
      if (visit === this.#visit) this.#tell(Problem.of(error).sentence);
    }
    if (visit === this.#visit) this.form.element.setAttribute("aria-busy", "false");
  }

  hide() {
    this.#visit += 1;
    this.#isShown = false;
    this.#sending?.abort();
    this.#sending = null;
    this.answer.clear();
  }

  #build() {
    this.form = new RequestForm({ changed: () => this.#keep(), send: () => this.#send(), curl: (text) => this.#readCurl(text),
      filled: (text) => filled({ ...newRequest(), body: text }, this.#values).body, refusal: (file) => this.#refusal(file) });
    this.problem = el("div", { role: "alert" });
    this.answer = new AnswerView();
    this.title = el("h1", {}, this.#origin > 0 ? `Edit and send again: ${this.#origin}` : "Compose");
    this.place = el("span", { class: "soft place" });
    this.sets = el("select", { "aria-label": "Set of variables", onchange: () => {
      preferences.set("variables", this.sets.value);
      this.form.body.tell();
    } });
    this.save = el("button", { type: "button", onclick: () => this.#save() }, "Save…");
    this.saveAs = el("button", { type: "button", hidden: true, onclick: () => this.#saveAs() }, "Save as…");
    fill(this.page, el("main", { class: "compose", "aria-label": "Compose" }, this.panel.element,
      el("div", { class: "compose-work" },
        el("header", { class: "line" }, this.title, this.place, el("span", { class: "end" },
          el("span", { class: "line sets" }, el("span", { class: "soft", "aria-hidden": "true" }, "Variables"), this.sets,
            el("button", { type: "button", onclick: () => this.#editVariables() }, "Edit…")),
          el("button", { type: "button", onclick: () => this.#pasteCurl() }, "Paste curl…"), this.save, this.saveAs,
          el("button", { type: "button", class: "start-anew", onclick: () => this.#startAnew() }, "Start over"))),
        el("div", { class: "compose-columns" }, el("div", { class: "compose-request" }, this.problem, this.form.element), this.answer.element))));
    this.#tellSets();
    this.#tellSaved();
  }

  get #set() {
    const chosen = preferences.get("variables");
    return this.library.environments.some((one) => one.name === chosen) ? chosen : "";
  }

  get #values() {
    return this.library.values(this.#set);
  }

  #tellSets() {
    if (!this.sets) return;
    fill(this.sets, el("option", { value: "" }, "(none)"), ...this.library.environments.map((one) => el("option", { value: one.name }, one.name)));
    this.sets.value = this.#set;
  }

  /** Shows the place of a saved request, and whether the request has unsaved changes. */
  #tellSaved() {
    if (!this.place) return;
    const saved = this.#saved && this.library.collections.find((one) => one.name === this.#saved?.collection)?.requests
      .find((one) => one.name === this.#saved?.name);
    const isChanged = saved && essence(saved) !== essence(this.form.value);
    this.place.textContent = saved && this.#saved ? `${this.#saved.collection} / ${this.#saved.name}${isChanged ? " · changed" : ""}` : "";
    this.save.textContent = saved ? "Save" : "Save…";
    this.saveAs.hidden = !saved;
  }

  /** @param {string} text @param {boolean} [isNotice] */
  #tell(text, isNotice = false) {
    fill(this.problem, text !== "" && el("p", { class: isNotice ? "notice" : "notice failed" }, text));
  }

  /** Keeps the request for the user's return from another page. */
  #keep() {
    const answer = this.#answer && this.#answer.bodyBase64.length <= longestAnswer ? this.#answer : null;
    this.#draft.write({ request: this.form.value, captured: this.form.body.captured, saved: this.#saved, answer });
    this.#tellSaved();
  }

  #restore({ request, captured, saved, answer }) {
    this.form.value = request;
    if (captured) this.form.body.showCaptured(captured);
    this.#saved = saved ?? null;
    this.#tellSaved();
    if (answer) this.#show(answer, false);
  }

  #startAnew() {
    this.#draft.clear();
    this.show(this.#origin);
  }

  /** Loads a request of the history or of a collection into the form. @param {WrittenRequest} request @param {Saved | null} saved */
  #load(request, saved) {
    const before = { request: this.form.value, captured: this.form.body.captured, saved: this.#saved, answer: this.#answer, origin: this.#origin };
    const put = (/** @type {typeof before} */ state) => {
      this.#origin = state.origin;
      this.#draft = new Draft(`compose-${state.origin}`);
      history.replaceState(null, "", state.origin > 0 ? `#/compose/${state.origin}` : "#/compose");
      this.title.textContent = state.origin > 0 ? `Edit and send again: ${state.origin}` : "Compose";
      this.#answer = null;
      this.answer.clear();
      this.#tell("");
      this.#restore(state);
      this.#keep();
    };
    put({ request, captured: request.bodyOf ? { id: request.bodyOf, length: 0 } : null, saved, answer: null, origin: 0 });
    this.form.url.focus();
    if (before.request.url !== "" && essence(before.request) !== essence(request)) toast("Another request is in the form.",
      [{ label: "Back to what was written", run: () => put(before) }]);
  }

  async #take(id, visit) {
    const { request, length, remarks } = await capturedRequest(id);
    if (visit !== this.#visit) return;
    this.form.value = { ...request, through: this.form.through };
    if (request.bodyOf) this.form.body.showCaptured({ id, length });
    if (remarks.length > 0) this.#tell(`Beware: ${remarks.join("; ")}.`, true);
  }

  /** @param {File} file */
  #refusal(file) {
    const text = file.size <= longestBody ? "" : `${file.name} has ${bytes(file.size)}: at most ${bytes(longestBody)} can be sent from here. `
      + "curl -x with the proxy's address sends larger ones.";
    this.#tell(text);
    return text;
  }

  /** Reads a text that was pasted into the URL. @param {string} text Whether it was a command of curl. */
  #readCurl(text) {
    if (!looksLikeCurl(text)) return false;
    try {
      this.#takeCurl(readCurl(text));
    } catch (error) {
      this.#tell(`The pasted command was not read. ${Problem.of(error).sentence}`);
    }
    return true;
  }

  async #pasteCurl() {
    const found = await askForCurl();
    if (found) this.#takeCurl(found);
  }

  /** @param {ReturnType<typeof readCurl>} found */
  #takeCurl({ request, remarks }) {
    this.#load({ ...newRequest(), ...request, through: this.form.through }, null);
    this.#tell(remarks.join(" "), true);
    announce(`The command was read. ${remarks.join(" ")}`);
  }

  /** @param {string[]} [missing] */
  async #editVariables(missing) {
    const last = await editVariables(this.library, this.#set, missing);
    if (last !== undefined && this.library.environments.some((one) => one.name === last)) preferences.set("variables", last);
    this.#tellSets();
    this.form.body.tell();
  }

  async #save() {
    const saved = this.#saved;
    if (!saved || this.saveAs.hidden) return this.#saveAs();
    try {
      await this.library.save(saved.collection, saved.name, this.form.value, false);
      toast(`Saved ${saved.name}`);
    } catch (error) {
      this.#tell(`Not saved. ${Problem.of(error).sentence}`);
    }
    return undefined;
  }

  async #saveAs() {
    const proposed = proposedPlace(this.library, this.form.value, this.#saved);
    await askAndSave(this.library, proposed, async (collection, name, isNew) => {
      await this.library.save(collection, name, this.form.value, isNew);
      this.#saved = { collection, name };
      this.#keep();
      this.panel.showCollections();
      toast(`Saved ${name}`);
    });
  }

  /** Whether every part is valid. Mistakes are shown at their parts. @param {WrittenRequest} request */
  #isSendable(request) {
    const line = this.form.fields.wrongLine;
    if (line > 0) {
      this.#tell(`Line ${line} of the headers has no colon. Expected is “Name: value”.`);
      this.form.fields.mark(0, "name");
      return false;
    }
    const nameless = request.fields.findIndex((field) => field.isOn !== false && field.name === "");
    if (nameless >= 0) {
      this.#tell(`Header ${nameless + 1} has no name.`);
      this.form.fields.mark(nameless, "name");
      return false;
    }
    if (!request.bodyOf && bytesOf(request) === null) {
      this.#tell("The body is not Base64. Choose “Text”, or correct it.");
      this.form.body.mark();
      return false;
    }
    const unknown = unknownIn(request, this.#values);
    if (unknown.length === 0) return true;
    const [{ part, index, name }] = unknown;
    const where = part === "url" ? "the URL" : part === "body" ? "the body" : part === "method" ? "the method" : `the header ${request.fields[index].name}`;
    const known = Object.keys(this.#values);
    const why = this.#set === "" ? "no set of variables is chosen"
      : `the set ${this.#set} has ${known.length > 0 ? known.slice(0, 12).join(", ") : "no variables"}`;
    const names = [...new Set(unknown.map((one) => one.name))];
    fill(this.problem, el("p", { class: "notice failed" }, `{{${name}}} in ${where} has no value: ${why}. Nothing was sent. `,
      el("button", { type: "button", onclick: () => this.#editVariables(names) }, names.length > 1 ? `Give ${names.length} variables values` : `Give ${name} a value`)));
    this.form.mark(part, index, name);
    return false;
  }

  async #send() {
    // A second press must not send the request twice.
    if (this.#sending) return;
    this.#tell("");
    const written = this.form.value;
    if (!this.#isSendable(written)) return;
    const sending = new AbortController();
    this.#sending = sending;
    this.#answer = null;
    this.form.isSending = true;
    this.#keep();
    const visit = this.#visit;
    const set = this.#set;
    const request = filled(written, this.#values);
    this.answer.wait(request.url, () => sending.abort());
    /** @type {Omit<import("../../parts/compose/compose-library.js").Sent, "id" | "at">} */
    const entry = { request: written, ...(set ? { environment: set } : {}) };
    try {
      const answer = await askJSON("/api/send", { method: "POST", signal: sending.signal, body: orderOf(request) });
      Object.assign(entry, { status: answer.status, milliseconds: answer.milliseconds, ...(answer.id ? { exchange: answer.id } : {}) });
      if (visit === this.#visit) this.#show(answer, true);
    } catch (error) {
      const text = sending.signal.aborted ? "The page no longer waits for the response. The request may have been sent." : Problem.of(error).sentence;
      entry.failure = text;
      if (visit === this.#visit) {
        this.answer.clear();
        this.#tell(text);
      }
    } finally {
      if (visit === this.#visit) {
        this.#sending = null;
        this.form.isSending = false;
      }
    }
    this.library.addToHistory(entry).catch((error) => visit === this.#visit
      && toast(`Not kept in the history. ${Problem.of(error).sentence}`));
  }

  /** @param {import("./answer-view.js").Answer} answer @param {boolean} isNew */
  #show(answer, isNew) {
    this.#answer = answer;
    this.answer.show(answer, { origin: this.#origin, isProxied: this.form.value.through === "proxy" });
    if (!isNew) return;
    this.#keep();
    announce(`Response: status ${answer.status}`);
    this.answer.element.focus();
  }
}

/** The parts of a request that decide whether two requests are equal. @param {WrittenRequest} request */
function essence(request) {
  const { method, url, fields, body, encoding, bodyOf, through, http2, addsFields, fillsVariables } = { ...newRequest(), ...request };
  return JSON.stringify([method, url, fields.map(({ name, value, isOn }) => [name, value, isOn !== false]), body, encoding, bodyOf ?? 0, through ?? "proxy",
    http2, addsFields, fillsVariables !== false]);
}
