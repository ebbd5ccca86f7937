import { ask, askBytes } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Draft } from "../../core/draft.js";
import { Problem } from "../../core/problem.js";

/** The fewest characters of a readable part of a file, as for `strings -n 6`. */
const shortest = 6;

/** @param {any} lesson @param {string} name */
const path = (lesson, name) => `/api/lessons/${lesson.number}/files/${encodeURIComponent(name)}`;

/** The files of a lesson: each can be shown in the page, and downloaded. @param {any} lesson @param {any} words */
export function fileList(lesson, words) {
  const shown = el("div", { "aria-live": "polite" });
  const show = async (/** @type {string} */ name) => {
    try {
      const bytes = await askBytes(path(lesson, name));
      const isText = !bytes.includes(0);
      fill(shown, el("p", { class: "soft" }, isText ? name : words.readable(name)),
        el("pre", { class: "unit-shown", tabindex: "0" }, isText ? new TextDecoder().decode(bytes) : readable(bytes)));
    } catch (error) {
      fill(shown, el("p", { class: "unit-message" }, Problem.of(error).sentence));
    }
  };
  return el("div", {}, el("ul", { class: "unit-files" }, ...lesson.files.map((/** @type {{name: string, size: number}} */ file) =>
    el("li", {}, el("a", { href: path(lesson, file.name), download: file.name.split("/").join("-") }, file.name), ` (${file.size} bytes) `,
      el("button", { type: "button", "aria-label": `${words.show}: ${file.name}`, onclick: () => show(file.name) }, words.show)))), shown);
}

/** The readable parts of a file, one in each line. @param {Uint8Array} bytes */
function readable(bytes) {
  const parts = [];
  let part = "";
  for (const byte of bytes) {
    if (byte >= 0x20 && byte < 0x7f) {
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
