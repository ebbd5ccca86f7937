import { held } from "../../core/held.js";
import { ask, askJSON } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { copy } from "../../core/clipboard.js";
import { el, fill, setText } from "../../core/dom.js";
import { bytes, clockOrDate, count, counted } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { preferences } from "../../core/preferences.js";
import { Problem } from "../../core/problem.js";
import { labelOf } from "./sorting.js";

const monthsInMilliseconds = 30 * 86_400_000;

/**
 * The line at the foot of every page: recording, the proxy's address, the capture, slow or held traffic, and the
 * connection of the page.
 */
export class StatusBar {
  #state = null;
  /** @type {(() => void) | undefined} Shows spare connections. */
  onspares;

  /** @param {HTMLElement} element @param {import("./traffic-model.js").TrafficModel} model */
  constructor(element, model) {
    this.model = model;
    this.recording = el("button", { type: "button", class: "recording", title: "Pause or go on recording (r)",
      onclick: () => this.toggleRecording() });
    this.proxy = el("button", { type: "button", class: "plain address",
      title: "Copy the address of the proxy", onclick: () =>
      copy(this.#state?.proxy[0] ?? "", "address of the proxy") });
    this.capture = el("span", { class: "part" });
    this.authority = el("span", { class: "part notice-text", hidden: true });
    this.throttled = el("a", { class: "throttled-link", href: "#/settings", hidden: true });
    this.scope = el("a", { class: "scope-link", href: "#/settings", hidden: true });
    this.held = el("a", { class: "held-link", href: "#/breakpoints", hidden: true });
    this.standstill = el("span", { class: "standstill", role: "alert", hidden: true });
    this.shown = el("span", { class: "part shown" });
    this.search = el("button", { type: "button", class: "plain search", hidden: true, onclick: () =>
      model.isWhole ? model.load() : model.stopSearch() });
    this.selected = el("span", { class: "part" });
    this.spares = el("button", { type: "button", class: "plain spares", hidden: true,
      title: "Connections that clients opened and did not need; they are hidden. Show them",
      onclick: () => this.onspares?.() });
    this.folded = el("button", { type: "button", class: "plain folded", hidden: true, onclick: () => toggleFolding() });
    this.live = el("span", { class: "part live" });
    fill(element, this.recording, this.standstill, this.proxy, this.capture, this.authority, el("span", { class: "gap" }),
      this.scope, this.throttled, this.held, this.selected, this.spares, this.folded, this.shown, this.search, this.live);
    held.on("change", () => {
      this.held.hidden = held.list.length === 0;
      fill(this.held, icon("pause"), ` ${held.list.length} held`);
    });
    model.on("state", (state) => this.show(state));
    model.on("status", (status) => this.#tellLive(status));
    for (const event of ["reset", "grown", "shrunk", "replaced", "thinned", "loading", "searched", "folded"]) model.on(event, () => this.count());
    this.#tellLive("waiting");
    this.load();
  }

  async load() {
    try {
      this.show(await askJSON("/api/state"));
    } catch {
      // The stream of events sends the state, too, once it is open.
    }
  }

  /** @param {any} state */
  show(state) {
    this.#state = state;
    this.#tellRecording();
    const [first, ...more] = state.proxy ?? [];
    setText(this.proxy, first ? `Proxy ${first}${more.length > 0 ? ` +${more.length}` : ""}` : "No proxy");
    setText(this.capture, `${bytes(state.capture.bytes)} in ${fileName(state.capture.path)}`);
    this.capture.title = `${state.capture.path}: ${count(state.capture.exchanges)} exchanges, ${count(state.capture.flows)} flows. `
      + "An exchange is a request with its response, a flow a connection of a client.";
    const left = Date.parse(state.ca?.notAfter ?? "") - Date.now();
    this.authority.hidden = !(left < 2 * monthsInMilliseconds);
    setText(this.authority, left < 0 ? "⚠ The CA has expired"
      : `⚠ The CA expires on ${state.ca?.notAfter?.slice(0, 10)}`);
    const only = state.scope?.filter ?? "";
    this.scope.hidden = only === "";
    fill(this.scope, icon("filter"), " Some only");
    this.scope.title = `Pinhole records only traffic that matches ${only}; ${count(state.scope?.leftOut ?? 0)} exchanges were left out`;
    const slow = state.throttling ?? [];
    this.throttled.hidden = slow.length === 0;
    fill(this.throttled, icon("slow"), " Throttled");
    this.throttled.title = slow.map((one) => `${one.name}: ${one.filter ? `what matches ${one.filter}` : "all traffic"} is slow`).join("\n");
    this.count();
  }

  count() {
    const { length, isWhole, isLoading, filter, order, search } = this.model;
    if (!this.#state) return setText(this.shown, "");
    const spares = this.#state.capture.spares ?? 0;
    this.spares.hidden = spares === 0 || /\bspare\b/.test(filter);
    setText(this.spares, `${count(spares)} spare hidden`);
    const folded = this.model.folded.length;
    this.folded.hidden = folded === 0 && preferences.get("foldsHandshakes");
    setText(this.folded, folded > 0 ? `${counted(folded, "handshake")} folded` : "Fold handshakes");
    this.folded.title = folded > 0
      ? `${counted(folded, "failed handshake")} with servers: each stands in the row of the request that Pinhole answered with the failure. Show them as rows`
      : "Failed handshakes with servers are rows of their own. Fold them into the rows of the requests that Pinhole answered with the failure";
    this.search.hidden = !search;
    setText(this.search, isWhole ? "Search all" : "Stop");
    this.search.title = isWhole ? "Search the whole capture" : "Stop the search and keep what was found";
    const part = search ? `${Math.floor(search.part * 100)} %` : "";
    if (!isWhole && !isLoading) return setText(this.shown, "");
    if (!isWhole) return setText(this.shown, search ? `searching, ${part}, ${count(search.found)} found` : "counting…");
    if (search) return setText(this.shown, `stopped at ${part}: ${count(length)} found`);
    const sorted = order ? ` by ${labelOf(order.column)} ${order.isDescending ? "↓" : "↑"}` : "";
    setText(this.shown, `${count(length)} ${!filter ? "shown" : length === 1 ? "matches" : "match"}${sorted}`);
  }

  /** @param {number} selected */
  tellSelection(selected) {
    setText(this.selected, selected > 0 ? `${count(selected)} selected` : "");
  }

  async toggleRecording() {
    if (this.recording.disabled || this.recording.hidden) return;
    const isRecording = !this.#state.isRecording;
    try {
      await ask("/api/recording", { method: "PUT", body: { isRecording } });
      this.show({ ...this.#state, isRecording });
      toast(isRecording ? "Recording" : "Recording is paused; traffic still passes through");
    } catch (error) {
      toast(Problem.of(error).sentence);
    }
  }

  #tellLive(status) {
    this.live.dataset.status = status;
    fill(this.live, el("span", { class: "dot", "aria-hidden": "true" }),
      status === "live" ? "live" : "connecting…");
    this.#tellRecording();
  }

  /** Shows that recording stands still. Screen readers read an alert when its text changes, so the text is set once. */
  #tellStandstill() {
    const why = this.#state?.capture?.standstill;
    this.standstill.hidden = !why;
    const what = why?.isFinal ? "The capture has stopped" : "Traffic waits for the capture";
    const text = why ? `${what} since ${clockOrDate(why.since)}: ${why.reason}. ${why.remedy}` : "";
    if (this.standstill.textContent !== text) setText(this.standstill, text);
    this.standstill.title = text;
  }

  #tellRecording() {
    this.#tellStandstill();
    const state = this.#state;
    const isKnown = state !== null && this.live.dataset.status === "live";
    // A console of a file records nothing, so it has nothing to pause.
    this.recording.hidden = state !== null && (state.proxy ?? []).length === 0;
    this.recording.disabled = !isKnown;
    const isRecording = isKnown && state.isRecording;
    document.body.classList.toggle("read-only", state?.isReadOnly === true);
    const hasStopped = Boolean(state?.capture?.standstill);
    this.recording.disabled ||= hasStopped;
    fill(this.recording, icon(isRecording ? "record" : "pause"),
      !isKnown ? "Not connected" : hasStopped ? "Not recording" : isRecording ? "Recording" : "Paused");
    this.recording.setAttribute("aria-pressed", String(isRecording));
  }
}

/** Folds failed handshakes into the rows of the failed requests, or shows them as rows of their own. */
export function toggleFolding() {
  preferences.set("foldsHandshakes", !preferences.get("foldsHandshakes"));
}

function fileName(path) {
  return path.split(/[\\/]/).at(-1) ?? path;
}
