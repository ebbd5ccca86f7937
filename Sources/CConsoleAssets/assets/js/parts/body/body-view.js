import { announce, toast } from "../../core/announce.js";
import { copy } from "../../core/clipboard.js";
import { el, fill } from "../../core/dom.js";
import { bytes, count } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { Problem } from "../../core/problem.js";
import { saveFile } from "../../core/save-file.js";
import { fieldsTable } from "../../core/fields-table.js";
import { formPairs, mediaType, parameterOf } from "../../core/head.js";
import { tokensIn, tokensView } from "./jwt.js";
import { binaryLayouts } from "./binary-text.js";
import { BodySource } from "./body-source.js";
import { CodeView } from "./code-view.js";
import { layOut } from "./formatter.js";
import { HexDocument } from "./hex-document.js";
import { partsOf } from "./multipart.js";
import { PointerBox } from "./pointer-box.js";
import { RowMenu } from "./row-menu.js";
import { TextDocument } from "./text-document.js";
import { viewsFor } from "./views.js";

const rows = "rows";
/** The most bytes that are laid out: the default limit of a captured body. The rows of more would take a gigabyte. */
const longestLayout = 16 << 20;
/** Milliseconds for which a new width must last, because a user who drags the edge of a pane gives many. */
const patience = 200;

/** A body in one of its views. */
export class BodyView {
  /** @type {string | null} The view that the user chose; `null` for the best view. */
  #chosen = null;
  #shows = 0;
  /** The width of the layout in characters. */
  #columns = 0;
  #timer = 0;
  #address = "";
  /** @type {FontFace | null} */
  #face = null;
  #abort = new AbortController();
  /** @type {import("./views.js").View[]} */
  #views = [];
  /** Called when the content changes. */
  changed = () => {};

  /**
   * @param {{id: number, owner: "request" | "response", contentType: string, reference:
   * import("../../core/types.js").BodyReference | undefined, head: string, sources?: {decoded: any, raw: any}, isRunning?: boolean}} of `sources` belong to a body that
   * is in no capture.
   */
  constructor(of) {
    this.of = of;
    this.decoded = of.sources?.decoded ?? new BodySource(of.id, of.owner, true);
    this.raw = of.sources?.raw ?? new BodySource(of.id, of.owner, false);
    this.code = new CodeView(`Body of the ${of.owner}`);
    this.code.resized = () => this.#refit();
    this.pointer = new PointerBox(this.code);
    this.menu = new RowMenu(this.code);
    this.picker = el("select", { "aria-label": "View of the body",
      onchange: () => this.#choose(this.picker.value) });
    this.folds = el("span", { class: "folds", hidden: true },
      el("button", { type: "button", onclick: () => this.#foldAll(true) }, "Fold"),
        el("button", { type: "button", onclick: () => this.#foldAll(false) }, "Unfold"));
    this.copier = el("button", { type: "button", class: "plain", title: "Copy what is shown",
      "aria-label": "Copy the body", onclick: () => this.#copy() }, icon("copy"));
    this.download = el("button", { type: "button", class: "plain", title: "Download",
      "aria-label": "Download the body", onclick: () => this.#save() }, icon("download"));
    this.stage = el("div", { class: "stage" });
    this.remarks = el("div", { class: "remarks" });
    this.element = el("div", { class: "body-view" },
      el("div", { class: "body-tools" }, this.picker, this.folds, this.pointer.element, el("span", { class: "acts" },
        this.copier, this.download)), this.remarks, this.stage);
    this.#load();
  }

  /** Stops loading and layout. */
  end() {
    this.#abort.abort();
    clearTimeout(this.#timer);
    if (this.#address) URL.revokeObjectURL(this.#address);
    if (this.#face) document.fonts.delete(this.#face);
  }

  /** Lays the rows out again if the view got another width and keeps it for a moment. */
  #refit() {
    clearTimeout(this.#timer);
    if (this.#rows instanceof TextDocument) this.#timer = setTimeout(() => {
      if (this.#rows && this.code.columns !== this.#columns) this.#show().catch((error) => this.#fail(error));
    }, patience);
  }

  /** Finds a text in the visible view's rows. @param {string} query @returns {number} The number of matches. */
  find(query) {
    this.#rows?.find(query);
    if (this.#rows) this.code.refresh();
    return this.#rows?.matches.length ?? 0;
  }

  /** Shows a match. @param {number} place */
  visit(place) {
    const shown = this.#rows;
    if (!shown) return;
    this.code.reveal(shown.visit(place));
    this.pointer.tell(shown.matches[shown.current].row);
  }

  /** Clears the current match, which is now in another place. */
  leave() {
    const shown = this.#rows;
    if (!shown || shown.current < 0) return;
    shown.current = -1;
    this.code.refresh();
  }

  /** Whether the whole body is loaded. */
  get isWhole() {
    return !this.#rows || this.#source.isWhole;
  }

  get hasMoreMatches() {
    return this.#rows?.hasMoreMatches ?? false;
  }

  /** The document of the rows, where the view has rows. */
  get #rows() {
    return this.code.element.isConnected ? this.code.document : null;
  }

  get #view() {
    return this.#views.find((view) => view.id === this.#chosen) ?? this.#views[0];
  }

  get #source() {
    return this.#view?.kind === "raw" ? this.raw : this.decoded;
  }

  async #load() {
    fill(this.stage, el("p", { class: "soft" }, "Loading…"));
    try {
      await this.decoded.more(this.#abort.signal);
      this.#views = viewsFor(this.of.contentType, this.decoded.bytes, this.of.owner);
      fill(this.picker, ...this.#views.map((view) => el("option", { value: view.id }, view.label)));
      await this.#show();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #choose(id) {
    this.#chosen = id;
    try {
      if (!this.#source.isStarted) await this.#source.more(this.#abort.signal);
      await this.#show();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Shows a byte in the hex view. @param {number} offset */
  async #showByte(offset) {
    await this.#choose("hex");
    if (!(this.code.document instanceof HexDocument)) return;
    this.code.document.mark(offset);
    this.code.reveal(this.code.document.visit(0));
    this.code.element.focus();
  }

  async #more(button) {
    button.disabled = true;
    button.textContent = "Loading…";
    try {
      await this.#source.more(this.#abort.signal);
      await this.#show();
      announce(`${bytes(this.#source.bytes.length)} are here`);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #all(button) {
    button.disabled = true;
    try {
      await this.#source.all((loaded) => {
        button.textContent = `${bytes(loaded)} of ${bytes(this.#source.total)}…`;
      }, this.#abort.signal);
      button.textContent = "Laying it out…";
      await this.#show();
      announce(`All ${bytes(this.#source.bytes.length)} are here`);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #save() {
    this.download.disabled = true;
    try {
      saveFile(await this.#source.whole(), `pinhole-${this.of.id}-${this.of.owner}`);
    } catch (error) {
      toast(`Not downloaded: ${Problem.of(error).sentence}`);
    } finally {
      this.download.disabled = false;
    }
  }

  #fail(error) {
    if (this.#abort.signal.aborted) return;
    fill(this.stage, el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence),
      el("button", { type: "button", onclick: () => this.#load() }, "Try again"));
  }

  async #show() {
    const show = ++this.#shows;
    const view = this.#view;
    const source = this.#source;
    const made = await this.#make(view, source);
    if (show !== this.#shows || this.#abort.signal.aborted) return;
    this.picker.value = view.id;
    const isRows = made.content === rows;
    if (isRows) {
      if (this.stage.firstElementChild !== this.code.element) fill(this.stage, this.code.element);
      this.code.show(made.document);
    } else {
      fill(this.stage, made.content);
    }
    this.folds.hidden = !(isRows && made.document.hasFolds);
    this.menu.isJSON = isRows && view.layout === "json";
    this.pointer.offer(this.menu.isJSON && made.document.hasFolds);
    this.copier.hidden = !isRows;
    fill(this.remarks, ...this.#remarks(source, made.remarks));
    this.changed();
  }

  /** Whether the capture holds less than the whole body. */
  get #isCut() {
    const { reference } = this.of;
    return Boolean(reference && reference.captured < reference.length);
  }

  #remarks(source, more) {
    const { reference } = this.of;
    const lines = [...more];
    if (source.failure && !this.#isCut) lines.unshift(`The body could not be decoded to the end: ${source.failure}`);
    if (this.#isCut) {
      const sizes = `${bytes(reference.captured)} of ${bytes(reference.length)}`;
      lines.unshift(`This is the first part only: ${sizes} were captured; the rest passed and was not kept.`);
    } else if (reference && !reference.isComplete) {
      lines.push(this.of.isRunning ? "The body is still on its way." : "The body ended before it was complete.");
    }
    const nodes = lines.map((line) => (typeof line === "string" ? el("p", { class: "notice" }, line)
      : el("p", { class: "notice" }, line.text, " ", el("button", { type: "button", class: "show-byte",
        onclick: () => this.#showByte(line.offset) }, "Show the byte"))));
    if (!source.isWhole) {
      const button = el("button", { type: "button", onclick: () => this.#more(button) }, "Load more");
      const all = el("button", { type: "button", class: "load-all", onclick: () => this.#all(all) }, "Load all");
      nodes.push(el("p", { class: "loaded" },
        `${bytes(source.bytes.length)} of ${bytes(source.total)} are loaded. `,
        source.canGrow ? button : "Download it to see the rest.", " ", source.canBeWhole && all));
    }
    return nodes;
  }

  async #make(view, source) {
    if (source.bytes.length === 0) {
      const text = source.failure ? "Nothing could be decoded; “Raw, as sent” has the bytes." : "No body.";
      return { content: el("p", { class: "soft" }, text), remarks: [] };
    }
    switch (view.kind) {
      case "hex": return { content: rows, document: new HexDocument(source.bytes), remarks: [] };
      case "image": return this.#image(source);
      case "form": return { content: fieldsTable(["Name", "Value"],
        formPairs(new TextDecoder().decode(source.bytes)), "Form"), remarks: [] };
      case "media": return this.#media(view, source);
      case "font": return this.#font(source);
      case "tokens": return { content: tokensView(tokensIn([["the body", new TextDecoder().decode(source.bytes)]])), remarks: [] };
      case "multipart": return this.#multipart(source);
      case "protobuf": return this.#protobuf(view, source);
      default: return this.#text(view, source);
    }
  }

  async #text(view, source) {
    if (!this.code.element.isConnected) fill(this.stage, this.code.element);
    const isRaw = view.kind === "raw";
    const sent = isRaw ? joined(this.of.head, source.bytes) : source.bytes;
    const charset = isRaw ? "latin1" : parameterOf(this.of.contentType, "charset");
    const isLong = sent.length > longestLayout && Boolean(view.layout);
    if (isLong && binaryLayouts.has(view.layout ?? "")) return { content: rows, document: new HexDocument(sent),
      remarks: [`More than ${bytes(longestLayout)} are not laid out: these are its bytes.`] };
    this.#columns = this.code.columns;
    const laidOut = await layOut(
      { bytes: sent, charset, type: isRaw ? "" : mediaType(this.of.contentType), layout: isLong ? "" : view.layout ?? "", width: this.#columns,
      isWhole: source.isWhole && !source.failure && !this.#isCut });
    const lines = laidOut.rows;
    const remarks = isLong ? [`More than ${bytes(longestLayout)} are not laid out: it is shown as it was sent, broken where the view ends.`,
      ...laidOut.remarks] : laidOut.remarks;
    return { content: rows, document: new TextDocument(lines, view.language ?? ""), remarks };
  }

  async #protobuf(view, source) {
    try {
      const { bytes: made, type } = await source.asProtobuf(this.#abort.signal);
      this.#columns = this.code.columns;
      const laidOut = await layOut({ bytes: made, charset: "", layout: view.layout ?? "", width: this.#columns, isWhole: true });
      const remarks = [type ? `The fields have the names of ${type}.`
        : "The names of the fields are not known: fields have their numbers, and the types of their values are a guess. "
          + "“pinhole proxy --proto FILE.proto” names them."];
      return { content: rows, document: new TextDocument(laidOut.rows, view.language ?? ""), remarks };
    } catch (error) {
      if (this.#abort.signal.aborted) throw error;
      return { content: el("p", { class: "notice" }, Problem.of(error).sentence), remarks: [] };
    }
  }

  #image(source) {
    if (!source.isWhole) {
      return { content: el("p", { class: "soft" }, "An image is shown when all of it is here."), remarks: [] };
    }
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(new Blob([source.bytes], { type: mediaType(this.of.contentType) }));
    const caption = el("figcaption", { class: "soft" }, bytes(source.bytes.length));
    const image = el("img", { src: this.#address, alt: `The image in the ${this.of.owner}` });
    image.addEventListener("load", () => {
      caption.textContent = `${image.naturalWidth} × ${image.naturalHeight} · ${bytes(source.bytes.length)}`;
    });
    image.addEventListener("error", () => {
      caption.textContent = "The browser cannot read this image; the hex view shows its bytes.";
    });
    return { content: el("figure", { class: "image" }, image, caption), remarks: [] };
  }

  #media(view, source) {
    const name = view.label.toLowerCase();
    if (!source.isWhole) return { content: el("p", { class: "soft" }, `The ${name} is offered when all of it is here.`), remarks: [] };
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(new Blob([source.bytes], { type: mediaType(this.of.contentType) }));
    const caption = el("figcaption", { class: "soft" }, bytes(source.bytes.length));
    const player = el(view.id, { src: this.#address, controls: true, preload: "metadata", "aria-label": `The ${name} in the ${this.of.owner}` });
    player.addEventListener("loadedmetadata", () => {
      const size = player.videoWidth ? `${player.videoWidth} × ${player.videoHeight} · ` : "";
      const length = Number.isFinite(player.duration) ? `${player.duration.toFixed(1)} s · ` : "";
      caption.textContent = `${size}${length}${bytes(source.bytes.length)}`;
    });
    player.addEventListener("error", () => {
      caption.textContent = `The browser cannot play this ${name}; the hex view shows its bytes.`;
    });
    return { content: el("figure", { class: "image" }, player, caption), remarks: [] };
  }

  async #font(source) {
    if (!source.isWhole) return { content: el("p", { class: "soft" }, "A font is shown when all of it is here."), remarks: [] };
    const name = `pinhole-${this.of.id}-${this.of.owner}`;
    try {
      const face = await new FontFace(name, source.bytes.slice().buffer).load();
      if (this.#face) document.fonts.delete(this.#face);
      document.fonts.add(face);
      this.#face = face;
    } catch {
      return { content: el("p", { class: "notice" }, "The browser cannot read this font; the hex view shows its bytes."), remarks: [] };
    }
    const lines = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789 .,:;!? €$& ÄÖÜß éèñ",
      "The quick brown fox jumps over the lazy dog"].map((line) => el("p", {}, line));
    const sample = el("div", { class: "font-sample" }, ...lines);
    sample.style.fontFamily = `"${name}"`;
    return { content: el("figure", { class: "image" }, sample, el("figcaption", { class: "soft" }, bytes(source.bytes.length))),
      remarks: [] };
  }

  #multipart(source) {
    const parts = partsOf(source.bytes, parameterOf(this.of.contentType, "boundary"));
    if (parts.length === 0) {
      const text = "No part was found: the boundary of the Content-Type is not in the body.";
      return { content: el("p", { class: "soft" }, text), remarks: [] };
    }
    const table = fieldsTable(["Name", "File", "Type", "Size"],
      parts.map((part) => [part.name, part.file || "—", part.type || "—", bytes(part.bytes.length)]), "Parts");
    return { content: el("div", {}, table, el("ol", { class: "parts" }, ...parts.map((part) => this.#part(part)))), remarks: [] };
  }

  #part(part) {
    const isText = part.type ? /^text\/|json|xml|urlencoded/.test(part.type)
      : !part.bytes.some((byte) => byte < 9);
    const view = isText ? el("pre", { tabindex: "0" },
      new TextDecoder().decode(part.bytes.subarray(0, 65536))) : hexPreview(part.bytes);
    return el("li", {}, el("h4", {}, part.name || "(no name)",
      el("span", { class: "soft" }, [part.file, part.type, bytes(part.bytes.length),
      part.isWhole ? "" : "cut off"].filter(Boolean).map((text) => ` · ${text}`).join(""))),
      fieldsTable(["Name", "Value"], part.fields, `Headers of ${part.name || "a part"}`), view);
  }

  #foldAll(isFolded) {
    if (!(this.code.document instanceof TextDocument)) return;
    this.code.document.foldAll(isFolded);
    this.code.refresh();
  }

  #copy() {
    const document = this.code.document;
    if (document) copy(document.text, `the body, ${count(document.length)} rows`);
  }
}

function hexPreview(bytes) {
  const document = new HexDocument(bytes.subarray(0, 512));
  return el("pre", { tabindex: "0", class: "hex-text" }, document.text + (bytes.length > 512 ? "\n…" : ""));
}

function joined(head, bytes) {
  const start = Uint8Array.from(head, (character) => character.charCodeAt(0));
  const all = new Uint8Array(start.length + bytes.length);
  all.set(start);
  all.set(bytes, start.length);
  return all;
}
