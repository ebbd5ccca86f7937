import { ask, askBytes } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Draft } from "../../core/draft.js";
import { Problem } from "../../core/problem.js";

/** The fewest characters of a readable part of a file, as for `strings -n 6`. */
const shortest = 6;
const tab = 9;

/** @param {any} lesson @param {string} name */
const path = (lesson, name) => `/api/lessons/${lesson.number}/files/${encodeURIComponent(name)}`;

/** The files of a lesson: each can be shown in the page, beside others that are shown, and downloaded. @param {any} lesson @param {any} words */
export function fileList(lesson, words) {
  const rows = [];
  const places = [];
  for (const file of lesson.files) {
    const place = el("section", { class: "unit-file", "aria-label": file.name });
    const button = el("button", { type: "button", onclick: async () => {
      if (place.childElementCount > 0) fill(place);
      else fill(place, ...await shown(path(lesson, file.name), file.name, words));
      label();
    } });
    const label = () => {
      button.textContent = place.childElementCount > 0 ? words.hide : words.show;
      button.setAttribute("aria-label", `${button.textContent}: ${file.name}`);
    };
    label();
    places.push(place);
    rows.push(el("li", {}, el("a", { href: path(lesson, file.name), download: file.name.split("/").join("-") }, file.name), ` (${words.size(file.size)}) `, button));
  }
  return el("div", {}, el("ul", { class: "unit-files" }, ...rows), el("div", { class: "unit-shown", "aria-live": "polite" }, ...places));
}

/** The text of a file, or the reason why there is none. @param {string} place @param {string} name @param {any} words */
async function shown(place, name, words) {
  try {
    const bytes = await askBytes(place);
    const isText = !bytes.includes(0);
    return [el("p", { class: "soft" }, isText ? name : words.readable(name)),
      el("pre", { tabindex: "0" }, isText ? new TextDecoder().decode(bytes) : readable(bytes))];
  } catch (error) {
    return [el("p", { class: "unit-message" }, Problem.of(error).sentence)];
  }
}

/** The readable parts of a file, one in each line. @param {Uint8Array} bytes */
function readable(bytes) {
  const parts = [];
  let part = "";
  for (const byte of bytes) {
    if (byte === tab || byte >= 0x20 && byte < 0x7f) {
      part += String.fromCharCode(byte);
    } else {
      if (part.length >= shortest) parts.push(part);
      part = "";
    }
  }
  if (part.length >= shortest) parts.push(part);
  return parts.join("\n");
}

/** A field for the file of a lesson that the student edits. The browser keeps a text that is not saved. */
export class FileEditor {
  /** @type {string | null} The text on the server, once it was read. */
  #saved = null;
  #draft;

  /** @param {any} lesson @param {string} student @param {any} words */
  constructor(lesson, student, words) {
    this.words = words;
    this.path = path(lesson, lesson.edited);
    this.#draft = new Draft(`file-${student}-${lesson.number}`);
    this.said = el("span", { class: "soft", role: "status" });
    this.field = el("textarea", { "aria-label": lesson.edited, rows: "12", spellcheck: "false", oninput: () => this.#keep() });
    const draft = this.#draft.read();
    this.node = el("details", { class: "unit-editor", open: typeof draft === "string", ontoggle: (/** @type {any} */ event) => {
      if (event.target.open) this.#read();
    } }, el("summary", {}, `${words.edit}: ${lesson.edited}`), this.field,
    el("p", {}, el("button", { type: "button", onclick: () => this.#save() }, words.save), " ", this.said));
    if (typeof draft === "string") {
      this.field.value = draft;
      this.said.textContent = words.unsaved;
    }
  }

  async #read() {
    if (this.#saved !== null) return;
    try {
      this.#saved = new TextDecoder().decode(await askBytes(this.path));
      if (this.#draft.read() === null) this.field.value = this.#saved;
    } catch (error) {
      this.said.textContent = Problem.of(error).sentence;
    }
  }

  #keep() {
    this.#draft.write(this.field.value);
    this.said.textContent = this.words.unsaved;
  }

  async #save() {
    try {
      await this.#send();
    } catch (error) {
      this.said.textContent = Problem.of(error).sentence;
    }
  }

  /** Saves the text if it is not saved yet. */
  async saveChanges() {
    if (this.#draft.read() !== null) await this.#send();
  }

  async #send() {
    await ask(this.path, { method: "PUT", text: this.field.value });
    this.#saved = this.field.value;
    this.#draft.clear();
    this.said.textContent = this.words.saved;
  }
}
