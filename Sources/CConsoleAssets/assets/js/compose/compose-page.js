import { askJSON } from "../core/api.js";
import { announce } from "../core/announce.js";
import { el, fill } from "../core/dom.js";
import { Draft } from "../core/draft.js";
import { bytes, duration } from "../core/format.js";
import { Problem } from "../core/problem.js";
import { requestOf } from "../detail/copy-request.js";
import { parseFields, utf8Of } from "../detail/head.js";
import { showBytes, textOf, toBase64 } from "./body-text.js";

/** What the server takes at once, with room for the rest of the request. */
const longestBody = 700_000;
/** Characters of an answer that are kept with a draft. */
const longestAnswer = 300_000;

/** A request that is written, or edited, and sent once by Pinhole's own client. What is written stays in this tab. */
export class ComposePage {
  #visit = 0;
  #origin = 0;
  /** @type {{id: number, length: number} | null} The captured exchange whose body is sent as it is. */
  #captured = null;
  /** @type {any} */
  #answer = null;
  /** @type {Draft<any>} */
  #draft = new Draft("compose");
  /** @type {AbortController | null} */
  #sending = null;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {number} id The exchange that is edited; 0 for none. */
  async show(id) {
    const visit = ++this.#visit;
    this.#origin = id;
    this.#captured = null;
    this.#answer = null;
    this.#draft = new Draft(`compose-${id}`);
    this.#build();
    this.url.focus();
    try {
      const state = await askJSON("/api/state");
      if (visit !== this.#visit) return;
      const hasProxy = state.proxy.length > 0;
      this.through.proxy.disabled = !hasProxy;
      (hasProxy ? this.through.proxy : this.through.direct).checked = true;
      const draft = this.#draft.read();
      if (draft) this.#restore(draft, hasProxy);
      else if (id > 0) await this.#take(id, visit);
    } catch (error) {
      if (visit === this.#visit) fill(this.problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
    }
    if (visit === this.#visit) this.form.setAttribute("aria-busy", "false");
  }

  hide() {
    this.#visit += 1;
    this.#sending?.abort();
    this.#sending = null;
  }

  #build() {
    const input = (/** @type {any} */ attributes) => el("input", { type: "text", spellcheck: "false", ...attributes });
    this.method = input({ value: "GET", list: "methods", class: "method", "aria-label": "Method", size: "8" });
    this.url = input({ class: "url", "aria-label": "URL", placeholder: "https://example.com/path" });
    this.fields = el("textarea", { rows: "8", spellcheck: "false", id: "compose-fields",
      placeholder: "Accept: application/json" });
    this.body = el("textarea", { rows: "8", spellcheck: "false", id: "compose-body" });
    this.encoding = el("select", { "aria-label": "The body is written as" }, el("option", { value: "text" }, "text"),
      el("option", { value: "base64" }, "Base64"));
    this.file = el("input", { type: "file", "aria-label": "Body from a file", onchange: () => this.#readFile() });
    this.kept = el("p", { class: "line kept", hidden: true });
    this.written = el("div", { class: "line" }, el("label", { for: "compose-body" }, "Body, as"), this.encoding,
      el("span", { class: "soft" }, "or"), this.file);
    const way = (/** @type {string} */ value, /** @type {string} */ label) => {
      const button = el("input", { type: "radio", name: "through", value });
      return { button, label: el("label", {}, button, ` ${label}`) };
    };
    const [proxy, direct] = [way("proxy", "through the proxy, so that it is captured"), way("direct", "directly")];
    this.through = { proxy: proxy.button, direct: direct.button };
    this.http2 = el("input", { type: "checkbox" });
    this.send = el("button", { type: "submit", class: "primary" }, "Send");
    this.problem = el("div", { role: "alert" });
    this.answer = el("section", { class: "answer", "aria-label": "Answer", tabindex: "-1" });
    this.form = el("form", { class: "compose-form", "aria-label": "Request", "aria-busy": "true",
      oninput: () => this.#keep(),
      onsubmit: (event) => {
        event.preventDefault();
        this.#send();
      },
      onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          this.#send();
        }
      } },
    el("div", { class: "line" }, this.method, this.url, this.send,
      el("button", { type: "button", class: "plain", onclick: () => this.#startAnew() }, "Start anew"),
      el("datalist", { id: "methods" }, ...["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map(
        (value) => el("option", { value })))),
    el("label", { for: "compose-fields" }, "Fields, one a line: order and repetitions are kept"), this.fields,
    this.kept, this.written, this.body,
    el("fieldset", { class: "choice" }, el("legend", {}, "Sent"), proxy.label, direct.label,
      el("label", {}, this.http2, " offer HTTP/2")),
    el("p", { class: "soft" }, "It is sent once, when you press Send (Ctrl+Enter). Nothing is repeated by itself, and no redirect "
      + "is followed. Host, User-Agent, Accept and Content-Length are added where you do not write them."));
    fill(this.page, el("main", { class: "compose", "aria-label": "Compose" },
      el("h1", {}, this.#origin > 0 ? `Edit and send again: ${this.#origin}` : "Compose"),
      this.form, this.problem, this.answer));
  }

  /** Remembers what is written, for whoever comes back from another page. */
  #keep() {
    const answer = this.#answer && this.#answer.bodyBase64.length <= longestAnswer ? this.#answer : null;
    this.#draft.write({ method: this.method.value, url: this.url.value, fields: this.fields.value,
      body: this.body.value, encoding: this.encoding.value, through: this.through.proxy.checked ? "proxy" : "direct",
      http2: this.http2.checked, captured: this.#captured, answer });
  }

  #restore(draft, hasProxy) {
    this.method.value = draft.method;
    this.url.value = draft.url;
    this.fields.value = draft.fields;
    this.body.value = draft.body;
    this.encoding.value = draft.encoding;
    this.http2.checked = draft.http2;
    if (draft.through === "direct" || hasProxy) this.through[draft.through].checked = true;
    this.#showCaptured(draft.captured);
    if (draft.answer) this.#show(draft.answer, false);
  }

  #startAnew() {
    this.#draft.clear();
    this.show(this.#origin);
  }

  async #take(id, visit) {
    const request = await requestOf(id, longestBody);
    if (visit !== this.#visit) return;
    if (!request) throw new Problem({ title: "Nothing to edit", detail: `${id} is a tunnel, and no request.` });
    this.method.value = request.method;
    this.url.value = request.url;
    this.fields.value = request.fields.map(([name, value]) => `${name}: ${utf8Of(value) ?? value}`).join("\n");
    this.http2.checked = request.protocol === "h2";
    const remarks = [...request.remarks];
    if (request.length > longestBody) this.#showCaptured({ id, length: request.length });
    else this.#setBody(request.body);
    if (request.protocol === "ws") remarks.push("it opened a WebSocket; what is sent here is a plain request, without Upgrade");
    if (request.length > longestBody) remarks.length = 0;
    for (const [name, value] of request.fields) if (utf8Of(value) === null) remarks.push(
      `${name} is not UTF-8; what is sent here is, so its bytes will be others`);
    if (remarks.length > 0) fill(this.problem, el("p", { class: "notice" }, `Beware: ${remarks.join("; ")}.`));
  }

  /** A body that is too large to be edited is sent as it was captured. */
  #showCaptured(captured) {
    this.#captured = captured ?? null;
    const isKept = this.#captured !== null;
    this.kept.hidden = !isKept;
    for (const part of [this.written, this.body]) part.hidden = isKept;
    if (!isKept) return;
    fill(this.kept, el("span", {}, `Body: the ${bytes(captured.length)} of ${captured.id}, as they were captured`),
      el("button", { type: "button", onclick: () => {
        this.#showCaptured(null);
        this.#keep();
        this.body.focus();
      } }, "Write another"));
  }

  #setBody(data) {
    const text = textOf(data);
    this.encoding.value = text === null ? "base64" : "text";
    this.body.value = text ?? toBase64(data);
  }

  async #readFile() {
    const file = this.file.files?.[0];
    if (!file) return;
    fill(this.problem);
    if (file.size > longestBody) {
      this.file.value = "";
      return fill(this.problem, el("p", { class: "notice failed" },
        `${file.name} has ${bytes(file.size)}: at most ${bytes(longestBody)} can be sent from here. `
        + "curl -x with the proxy's address sends larger ones."));
    }
    this.#setBody(new Uint8Array(await file.arrayBuffer()));
    this.#keep();
  }

  /** The fields as pairs; nothing where a line has no colon. */
  #pairs() {
    const lines = this.fields.value.split(/\r?\n/);
    const wrong = lines.findIndex((line) => line.trim() !== "" && line.indexOf(":", 1) < 0);
    if (wrong < 0) return parseFields(this.fields.value);
    fill(this.problem, el("p", { class: "notice failed" },
      `Line ${wrong + 1} of the fields has no colon: expected “Name: value”, found “${lines[wrong].slice(0, 80)}”.`));
    this.fields.focus();
    return null;
  }

  async #send() {
    // A second press must not send it twice.
    if (this.#sending) return;
    fill(this.problem);
    const fields = this.#pairs();
    if (!fields) return;
    const sending = new AbortController();
    this.#sending = sending;
    this.#answer = null;
    this.send.disabled = true;
    this.send.textContent = "Sending…";
    this.#keep();
    const visit = this.#visit;
    const url = this.url.value.trim();
    fill(this.answer, el("p", { class: "line" }, el("span", {}, `Waiting for the answer of ${url}`),
      el("button", { type: "button", class: "wait-end", onclick: () => sending.abort() }, "Wait no longer")));
    try {
      const answer = await askJSON("/api/send", { method: "POST", signal: sending.signal, body: {
        method: this.method.value.trim(), url, fields, ...this.#bodyOf(),
        through: this.through.proxy.checked ? "proxy" : "direct", http2: this.http2.checked } });
      if (visit === this.#visit) this.#show(answer, true);
    } catch (error) {
      if (visit === this.#visit) {
        fill(this.answer);
        const text = sending.signal.aborted ? "Nobody waits for the answer any more. The request may have been sent."
          : Problem.of(error).sentence;
        fill(this.problem, el("p", { class: "notice failed" }, text));
      }
    } finally {
      if (visit === this.#visit) {
        this.#sending = null;
        this.send.disabled = false;
        this.send.textContent = "Send";
      }
    }
  }

  #bodyOf() {
    if (this.#captured) return { bodyOf: this.#captured.id };
    return this.encoding.value === "base64" ? { bodyBase64: this.body.value } : { body: this.body.value };
  }

  #show(answer, isNew) {
    this.#answer = answer;
    const data = Uint8Array.from(atob(answer.bodyBase64), (character) => character.charCodeAt(0));
    fill(this.answer, el("h2", {}, `Status ${answer.status}`, el("span", { class: "soft" },
      ` ${bytes(answer.length)} in ${duration(answer.milliseconds)}`)),
    el("p", { class: "line" },
      answer.id ? el("a", { class: "button", href: `#/?id=${answer.id}&tab=response` }, `Open as ${answer.id}`)
        : el("span", { class: "soft" }, this.through.proxy.checked ? "It is not in the capture (yet): perhaps recording is paused."
          : "Sent directly: it is not in the capture."),
      answer.id && this.#origin > 0 && el("a", { class: "button", href: `#/diff/${this.#origin}/${answer.id}` },
        `Compare with ${this.#origin}`)),
    el("pre", { class: "answer-head" }, answer.head.trimEnd()), showBytes(data, answer.length));
    if (!isNew) return;
    this.#keep();
    announce(`Answer: status ${answer.status}`);
    this.answer.focus();
  }
}
