import { complaintAboutJSON, layOutJSON } from "../../parts/body/json-text.js";
import { layOutText } from "../../parts/body/layouts.js";
import { el, fill } from "../../core/dom.js";
import { bytes } from "../../core/format.js";
import { formPairs } from "../../core/head.js";
import { PairsTable } from "./pairs-table.js";
import { pointAt } from "../../parts/compose/variables.js";
import { bytesOf, editableBody } from "../../parts/compose/written-request.js";

/** The longest text that is checked at each key; a longer text is checked at a press of its button. */
const longestChecked = 200_000;
/** The longest form that is shown as a table. */
const longestForm = 100_000;
const formType = "application/x-www-form-urlencoded";

/**
 * @typedef {object} BodyMeans
 * @property {() => void} changed
 * @property {() => string} contentType The type in the fields; empty for none.
 * @property {(type: string) => void} setContentType
 * @property {(text: string) => string} filled A text with the values of its variables.
 * @property {(file: File) => string} refusal Why a file cannot be the body; empty if it can.
 */

/** The body of a request: a text with tools for JSON, XML and forms, Base64, a file, or a captured body. */
export class BodyEditor {
  /** @type {{id: number, length: number} | null} The captured exchange whose body is sent unchanged. */
  captured = null;

  /** @param {BodyMeans} means */
  constructor(means) {
    this.means = means;
    this.text = el("textarea", { rows: "10", spellcheck: "false", id: "compose-body", "aria-describedby": "compose-body-said",
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#indent(event) });
    this.encoding = el("select", { "aria-label": "The body is written as", onchange: () => this.tell() },
      el("option", { value: "text" }, "Text"), el("option", { value: "crlf" }, "Text, lines end with CR LF"),
      el("option", { value: "base64" }, "Base64"));
    this.file = el("input", { type: "file", "aria-label": "Body from a file", onchange: () => this.#readFile() });
    this.form = new PairsTable({ label: "Form", one: "value", placeholder: "Value", parse: pairsOf, changed: () => this.#formEdited() });
    this.form.element.addEventListener("input", () => this.#formEdited());
    this.form.element.addEventListener("change", () => this.#formEdited());
    this.form.element.hidden = true;
    this.asForm = this.#tool("As a table", () => this.#turnForm());
    this.asForm.setAttribute("aria-pressed", "false");
    this.layOut = this.#tool("Lay out", () => this.#layOut());
    this.narrow = this.#tool("On one line", () => this.#replace(oneLine(this.text.value)));
    this.find = this.#tool("Show the mistake", () => this.#showMistake());
    this.types = el("span", { class: "line", hidden: true });
    this.said = el("span", { class: "soft said", id: "compose-body-said" });
    this.kept = el("p", { class: "line kept", hidden: true });
    this.tools = el("span", { class: "end" }, this.asForm, this.layOut, this.narrow, this.find);
    this.foot = el("div", { class: "line body-foot" }, this.encoding, this.file, this.types);
    this.element = el("section", { class: "compose-part", "aria-label": "Body" },
      el("div", { class: "line" }, el("h2", {}, el("label", { for: "compose-body" }, "Body")), this.said, this.tools),
      this.kept, this.text, this.form.element, this.foot);
  }

  /** @returns {Pick<import("../../parts/compose/written-request.js").WrittenRequest, "body" | "encoding" | "bodyOf">} */
  get value() {
    return { body: this.captured ? "" : this.text.value, encoding: this.encoding.value, ...(this.captured ? { bodyOf: this.captured.id } : {}) };
  }

  set value({ body, encoding }) {
    this.text.value = body;
    this.encoding.value = encoding;
    this.showCaptured(null);
  }

  /** Shows a captured body that is too large for the editor and is sent unchanged. @param {{id: number, length: number} | null} captured */
  showCaptured(captured) {
    this.captured = captured;
    const isKept = captured !== null;
    this.#closeForm();
    this.kept.hidden = !isKept;
    for (const part of [this.text, this.foot, this.tools]) part.hidden = isKept;
    if (captured) fill(this.kept, el("span", {}, `The ${captured.length > 0 ? `${bytes(captured.length)} of the ` : ""}body of ${captured.id}, as captured`),
      el("button", { type: "button", onclick: () => {
        this.showCaptured(null);
        this.means.changed();
        this.text.focus();
      } }, "Write another"));
    this.tell();
  }

  /** Marks the text as wrong. @param {string} [variable] The variable without a value. */
  mark(variable) {
    this.#closeForm();
    pointAt(this.text, variable);
  }

  /** Shows the length of the body, and whether the body matches its type. */
  tell() {
    if (this.captured) {
      this.said.textContent = "";
      return;
    }
    this.text.removeAttribute("aria-invalid");
    const { body, encoding } = this.value;
    const data = bytesOf({ body, encoding });
    const kind = data && data.length > 0 ? this.#kind : "";
    const complaint = kind === "json" && body.length <= longestChecked ? complaintAboutJSON(this.means.filled(body)) : "";
    const verdict = !data ? "This is not Base64" : kind !== "json" || body.length > longestChecked ? "" : complaint ? `No JSON: ${complaint}` : "JSON";
    this.said.textContent = [data && bytes(data.length), verdict].filter(Boolean).join(" · ");
    this.said.classList.toggle("wrong", complaint !== "" || !data);
    this.layOut.hidden = kind === "" || kind === "form";
    this.narrow.hidden = kind !== "json" || complaint !== "";
    this.find.hidden = complaint === "" || positionIn(complaint, body) < 0;
    this.asForm.hidden = kind !== "form" || body.length > longestForm;
    this.#offerTypes(data !== null && data.length > 0, kind);
  }

  /** Offers types for a body without a Content-Type. */
  #offerTypes(hasBody, kind) {
    const isMissing = hasBody && this.means.contentType() === "";
    this.types.hidden = !isMissing;
    if (!isMissing) return fill(this.types);
    const types = kind === "json" ? ["application/json"] : kind === "xml" ? ["application/xml"] : /^[^\s=&]+=/.test(this.text.value)
      ? [formType, "text/plain"] : ["text/plain", "application/json"];
    return fill(this.types, el("span", { class: "soft" }, "No Content-Type is sent. Add"), ...types.map((type) => el("button",
      { type: "button", onclick: () => {
        this.means.setContentType(type);
        this.tell();
        this.text.focus();
      } }, type)));
  }

  /** The kind of the text, by its Content-Type or by its first character. */
  get #kind() {
    if (this.encoding.value === "base64") return "";
    const type = this.means.contentType().toLowerCase().split(";")[0].trim();
    if (type.endsWith("json")) return "json";
    if (type === formType) return "form";
    if (/[/+]xml$/.test(type)) return "xml";
    if (type.includes("html")) return "html";
    if (type === "application/graphql") return "graphql";
    return type !== "" ? "" : /^\s*[{[]/.test(this.text.value) && !/^\s*\{\{/.test(this.text.value) ? "json" : /^\s*</.test(this.text.value) ? "xml" : "";
  }

  #tool(label, run) {
    return el("button", { type: "button", class: "plain", onclick: run }, label);
  }

  #layOut() {
    const text = this.text.value;
    const { lines } = this.#kind === "json" ? layOutJSON(text) : layOutText(text, this.#kind);
    this.#replace(lines.join("\n"));
  }

  /** Replaces the whole text as one step, which Ctrl+Z takes back. */
  #replace(text) {
    this.text.focus();
    this.text.select();
    if (!document.execCommand("insertText", false, text)) this.text.value = text;
    this.text.setSelectionRange(0, 0);
    this.tell();
    this.means.changed();
  }

  #showMistake() {
    const at = positionIn(complaintAboutJSON(this.means.filled(this.text.value)), this.text.value);
    if (at < 0) return;
    this.text.focus();
    this.text.setSelectionRange(at, Math.min(at + 1, this.text.value.length));
  }

  /** Indents a new line like the line before. */
  #indent(event) {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey) return;
    const before = this.text.value.slice(0, this.text.selectionStart);
    const space = /^[ \t]*/.exec(before.slice(before.lastIndexOf("\n") + 1))?.[0] ?? "";
    if (space === "" || !document.execCommand("insertText", false, `\n${space}`)) return;
    event.preventDefault();
  }

  #turnForm() {
    if (!this.form.element.hidden) return this.#closeForm();
    this.form.value = pairsOf(this.text.value);
    this.form.element.hidden = false;
    this.text.hidden = true;
    this.asForm.setAttribute("aria-pressed", "true");
    return this.form.focus();
  }

  #closeForm() {
    this.form.element.hidden = true;
    this.text.hidden = false;
    this.asForm.setAttribute("aria-pressed", "false");
  }

  /** Writes the form's text only after an edit, because a captured form may use another encoding. */
  #formEdited() {
    this.text.value = this.form.value.filter((pair) => pair.isOn !== false).map(({ name, value }) => `${encoded(name)}=${encoded(value)}`).join("&");
    this.tell();
    this.means.changed();
  }

  async #readFile() {
    const file = this.file.files?.[0];
    if (!file) return;
    if (this.means.refusal(file)) {
      this.file.value = "";
      return;
    }
    this.value = editableBody(new Uint8Array(await file.arrayBuffer()));
    this.means.changed();
  }
}

/** The pairs of a form, or of lines with one pair each. @param {string} text */
function pairsOf(text) {
  return formPairs(text.trim().replace(/\r?\n/g, "&")).map(([name, value]) => ({ name, value }));
}

/** A part of a form; {{variables}} stay unchanged. @param {string} text */
function encoded(text) {
  return text.split(/(\{\{[\w.-]+\}\})/).map((part, index) => (index % 2 === 1 ? part
    : encodeURIComponent(part).replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll("%20", "+"))).join("");
}

/** JSON without the space between its values; no value changes. @param {string} text */
function oneLine(text) {
  return layOutJSON(text).lines.map((line) => line.trimStart().replace(/^("(?:[^"\\]|\\.)*"): /, "$1:")).join("");
}

/** The place of a mistake; -1 if the parser names none. @param {string} complaint @param {string} text */
function positionIn(complaint, text) {
  const found = /at position (\d+)/.exec(complaint);
  if (found) return Math.min(Number(found[1]), text.length);
  return /end of/i.test(complaint) ? text.length : -1;
}
