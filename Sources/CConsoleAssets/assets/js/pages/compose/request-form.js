import { el } from "../../core/dom.js";
import { BodyEditor } from "./body-editor.js";
import { FieldsEditor } from "./fields-editor.js";
import { pointAt } from "../../parts/compose/variables.js";
import { newRequest } from "../../parts/compose/written-request.js";

/** @typedef {import("../../parts/compose/written-request.js").WrittenRequest} WrittenRequest */

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/**
 * @typedef {object} FormMeans
 * @property {() => void} changed
 * @property {() => void} send
 * @property {(text: string) => boolean} curl Reads a pasted command of curl. Returns whether the text was such a command.
 * @property {(text: string) => string} filled A text with the values of its variables.
 * @property {(file: File) => string} refusal Why a file cannot be the body.
 */

/** The form of a request. */
export class RequestForm {
  #hasProxy = true;

  /** @param {FormMeans} means */
  constructor(means) {
    const input = (/** @type {any} */ attributes) => el("input", { type: "text", spellcheck: "false", autocomplete: "off", ...attributes });
    this.method = input({ value: "GET", list: "methods", class: "method", "aria-label": "Method", size: "8" });
    this.url = input({ class: "url", "aria-label": "URL", placeholder: "https://example.com/path, or a command of curl",
      onpaste: (/** @type {ClipboardEvent} */ event) => {
        if (means.curl(event.clipboardData?.getData("text") ?? "")) event.preventDefault();
      }, oninput: () => this.url.removeAttribute("aria-invalid") });
    const changed = () => {
      this.fields.tell();
      this.body.tell();
      means.changed();
    };
    this.fields = new FieldsEditor(changed);
    this.body = new BodyEditor({ changed: means.changed, filled: means.filled, refusal: means.refusal,
      contentType: () => this.fields.value.find((field) => field.isOn !== false && field.name.toLowerCase() === "content-type")?.value ?? "",
      setContentType: (type) => {
        this.fields.set("Content-Type", type);
        means.changed();
      } });
    const way = (/** @type {string} */ value, /** @type {string} */ label) => {
      const button = el("input", { type: "radio", name: "through", value });
      return { button, label: el("label", {}, button, ` ${label}`) };
    };
    const [proxy, direct] = [way("proxy", "through the proxy, so that it is captured"), way("direct", "directly")];
    this.ways = { proxy: proxy.button, direct: direct.button };
    this.ways.proxy.checked = true;
    this.http2 = el("input", { type: "checkbox" });
    this.adds = el("input", { type: "checkbox", checked: true });
    this.fills = el("input", { type: "checkbox", checked: true });
    this.send = el("button", { type: "submit", class: "primary" }, "Send");
    this.element = el("form", { class: "compose-form", "aria-label": "Request", "aria-busy": "true", oninput: changed, onchange: changed,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        means.send();
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          means.send();
        }
      } },
    el("div", { class: "line" }, this.method, this.url, this.send, el("datalist", { id: "methods" }, ...methods.map((value) => el("option", { value })))),
    this.fields.element, this.body.element,
    el("fieldset", { class: "choice" }, el("legend", {}, "Sent"), proxy.label, direct.label, el("label", {}, this.http2, " offer HTTP/2"),
      el("label", {}, this.adds, " add User-Agent and Accept"), el("label", {}, this.fills, " fill in {{variables}}")),
    el("p", { class: "soft" }, "Compose sends the request that you write, once, when you press Send (Ctrl+Enter). No redirect is followed. "
      + "Host and Content-Length are added where you do not write them."));
    this.value = newRequest();
  }

  get through() {
    return this.ways.proxy.checked ? /** @type {const} */ ("proxy") : /** @type {const} */ ("direct");
  }

  set hasProxy(has) {
    this.#hasProxy = has;
    this.ways.proxy.disabled = !has;
    if (!has) this.ways.direct.checked = true;
  }

  set isSending(isSending) {
    this.send.disabled = isSending;
    this.send.textContent = isSending ? "Sending…" : "Send";
  }

  /** @returns {WrittenRequest} */
  get value() {
    return { method: this.method.value.trim() || "GET", url: this.url.value.trim(), fields: this.fields.value, ...this.body.value, through: this.through,
      http2: this.http2.checked, addsFields: this.adds.checked, fillsVariables: this.fills.checked };
  }

  set value(request) {
    const { method, url, fields, body, encoding, through, http2, addsFields, fillsVariables } = { ...newRequest(), ...request };
    this.method.value = method;
    this.url.value = url;
    this.fields.value = fields;
    this.body.value = { body, encoding };
    this.ways[this.#hasProxy && through !== "direct" ? "proxy" : "direct"].checked = true;
    this.http2.checked = http2;
    this.adds.checked = addsFields;
    this.fills.checked = fillsVariables !== false;
  }

  /**
   * Marks a part that cannot be sent.
   *
   * @param {"method" | "url" | "name" | "value" | "body"} part
   * @param {number} index The index of the field.
   * @param {string} variable The variable without a value.
   */
  mark(part, index, variable) {
    if (part === "name" || part === "value") this.fields.mark(index, part, variable);
    else if (part === "body") this.body.mark(variable);
    else pointAt(this[part], variable);
  }
}
