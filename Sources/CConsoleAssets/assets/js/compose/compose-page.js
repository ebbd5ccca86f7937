import { askJSON } from "../core/api.js";
import { announce } from "../core/announce.js";
import { el, fill } from "../core/dom.js";
import { bytes, duration } from "../core/format.js";
import { Problem } from "../core/problem.js";
import { requestOf } from "../detail/copy-request.js";
import { parseFields } from "../detail/head.js";
import { showBytes, textOf, toBase64 } from "./body-text.js";

/** A request that is written, or edited, and sent once by Pinhole's own client. */
export class ComposePage {
  #visit = 0;
  #origin = 0;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {number} id The exchange that is edited; 0 for none. */
  async show(id) {
    const visit = ++this.#visit;
    this.#origin = id;
    this.#build();
    try {
      const state = await askJSON("/api/state");
      if (visit !== this.#visit) return;
      const hasProxy = state.proxy.length > 0;
      this.through.proxy.disabled = !hasProxy;
      (hasProxy ? this.through.proxy : this.through.direct).checked = true;
      if (id > 0) await this.#take(id, visit);
    } catch (error) {
      fill(this.problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
    }
  }

  hide() {
    this.#visit += 1;
  }

  #build() {
    const input = (/** @type {any} */ attributes) => el("input", { type: "text", spellcheck: "false", ...attributes });
    this.method = input({ value: "GET", list: "methods", class: "method", "aria-label": "Method", size: "8" });
    this.url = input({ class: "url", "aria-label": "URL", placeholder: "https://example.com/path", autofocus: true });
    this.fields = el("textarea", { rows: "8", spellcheck: "false", id: "compose-fields",
      placeholder: "Accept: application/json" });
    this.body = el("textarea", { rows: "8", spellcheck: "false", id: "compose-body" });
    this.encoding = el("select", { "aria-label": "The body is written as" }, el("option", { value: "text" }, "text"),
      el("option", { value: "base64" }, "Base64"));
    this.file = el("input", { type: "file", "aria-label": "Body from a file", onchange: () => this.#readFile() });
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
    const form = el("form", { class: "compose-form", "aria-label": "Request",
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
      el("datalist", { id: "methods" }, ...["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map(
        (value) => el("option", { value })))),
    el("label", { for: "compose-fields" }, "Fields, one a line: order and repetitions are kept"), this.fields,
    el("div", { class: "line" }, el("label", { for: "compose-body" }, "Body, as"), this.encoding,
      el("span", { class: "soft" }, "or"), this.file), this.body,
    el("fieldset", { class: "choice" }, el("legend", {}, "Sent"), proxy.label, direct.label,
      el("label", {}, this.http2, " offer HTTP/2")),
    el("p", { class: "soft" }, "It is sent once, when you press Send (Ctrl+Enter). Nothing is repeated by itself, and no redirect "
      + "is followed. Host, User-Agent, Accept and Content-Length are added where you do not write them."));
    fill(this.page, el("main", { class: "compose", "aria-label": "Compose" }, el("h1", {}, "Compose"),
      form, this.problem, this.answer));
  }

  async #take(id, visit) {
    const request = await requestOf(id);
    if (visit !== this.#visit) return;
    if (!request) throw new Problem({ title: "Nothing to edit", detail: `${id} is a tunnel, and no request.` });
    this.page.querySelector("h1").textContent = `Edit and send again: ${id}`;
    this.method.value = request.method;
    this.url.value = request.url;
    this.fields.value = request.fields.map(([name, value]) => `${name}: ${value}`).join("\n");
    this.#setBody(request.body);
    if (request.remarks.length > 0) fill(this.problem, el("p", { class: "notice" },
      `Beware: ${request.remarks.join("; ")}.`));
  }

  #setBody(data) {
    const text = textOf(data);
    this.encoding.value = text === null ? "base64" : "text";
    this.body.value = text ?? toBase64(data);
  }

  async #readFile() {
    const file = this.file.files?.[0];
    if (file) this.#setBody(new Uint8Array(await file.arrayBuffer()));
  }

  async #send() {
    // A second press must not send it twice.
    if (this.send.disabled) return;
    this.send.disabled = true;
    this.send.textContent = "Sending…";
    const visit = this.#visit;
    fill(this.problem);
    try {
      const answer = await askJSON("/api/send", { method: "POST", body: {
        method: this.method.value.trim(), url: this.url.value.trim(), fields: parseFields(this.fields.value),
        ...(this.encoding.value === "base64" ? { bodyBase64: this.body.value } : { body: this.body.value }),
        through: this.through.proxy.checked ? "proxy" : "direct", http2: this.http2.checked } });
      if (visit === this.#visit) this.#show(answer);
    } catch (error) {
      if (visit === this.#visit) {
        fill(this.answer);
        fill(this.problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      }
    } finally {
      this.send.disabled = false;
      this.send.textContent = "Send";
    }
  }

  #show(answer) {
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
    announce(`Answer: status ${answer.status}`);
    this.answer.focus();
  }
}
