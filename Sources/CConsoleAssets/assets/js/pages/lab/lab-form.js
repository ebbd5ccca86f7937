import { el, fill } from "../../core/dom.js";
import { Draft } from "../../core/draft.js";
import { Emitter } from "../../core/emitter.js";
import { counted } from "../../core/format.js";

/** The setup of a run: rows, columns, and the user's own policies, kept in this tab. Emits `change`. */
export class LabForm extends Emitter {
  /** @type {{name: string, text?: string, base64?: string}[]} */
  #documents = [];
  /** The files that the policies may name.
   * @type {{name: string, base64: string}[]} */
  #files = [];
  /** @type {Draft<any>} */
  #draft = new Draft("lab");

  /** @param {any} catalogue */
  constructor(catalogue) {
    super();
    this.catalogue = catalogue;
    this.policies = this.#picker("Policies", "policy", catalogue.policies,
      [["Client modes", (one) => one.group === "client modes"], ["All", () => true], ["None", () => false]]);
    this.scenarios = this.#picker("Scenarios", "scenario", catalogue.scenarios,
      [["Who issued it", (one) => one.group === "who issued it"], ["Attacks", (one) => one.kind === "attack"],
        ["Changes", (one) => one.kind === "change"], ["All", () => true], ["None", () => false]]);
    this.element = el("form", { class: "lab-form", "aria-label": "What is run",
      onsubmit: (event) => event.preventDefault() }, this.policies, this.scenarios, this.#own());
    const draft = this.#draft.read();
    this.#choose("policy", (one) => draft ? draft.order.policies.includes(one.id) : one.group === "client modes");
    this.#choose("scenario", (one) => draft ? draft.order.scenarios.includes(one.id) : one.group === "who issued it");
    if (draft) this.#restore(draft);
    this.element.addEventListener("input", () => this.#keep());
  }

  #restore({ order, text, name }) {
    this.text.value = text;
    this.name.value = name;
    this.host.value = order.host;
    this.chain.value = order.chain;
    this.#documents = order.documents;
    this.#files = order.files ?? [];
    this.#showOwn();
  }

  #keep() {
    this.#draft.write({ order: this.order, text: this.text.value, name: this.name.value });
  }

  /** The order of a run for the server. */
  get order() {
    const chosen = (/** @type {string} */ name) => /** @type {HTMLInputElement[]} */ (
      [...this.element.querySelectorAll(`input[name=${name}]:checked`)]).map((box) => box.value);
    return { policies: chosen("policy"), scenarios: chosen("scenario"), documents: this.#documents,
      files: this.#files, host: this.host.value.trim(), chain: this.chain.value.trim() };
  }

  #picker(title, name, items, presets) {
    const groups = Map.groupBy(items, (/** @type {any} */ one) => one.group);
    return el("details", { class: "picker" },
      el("summary", {}, el("b", {}, title), " ", el("span", { class: "soft", "data-count": name })),
      el("div", { class: "presets" }, ...presets.map(([label, test]) =>
        el("button", { type: "button", onclick: () => {
          this.#choose(name, test);
          this.#keep();
        } }, label))),
      ...[...groups].map(([group, members]) => el("fieldset", {}, el("legend", {}, group),
        ...members.map((/** @type {any} */ one) => el("label", { title: one.presents ?? one.notes?.join(" ") },
          el("input", { type: "checkbox", name, value: one.id, onchange: () => this.#changed() }), " ",
          el("code", {}, one.id), ` ${one.title}`, one.stance === "broken"
            && el("span", { class: "soft" }, " (broken on purpose)"))))));
  }

  #own() {
    this.text = el("textarea", { rows: "7", spellcheck: "false", "aria-label": "Your policy as text",
      placeholder: "network_security_config.xml, Info.plist, TrustKit, OkHttp lines, sha256//… of curl, HPKP, TLSA, or Pinhole's JSON" });
    this.name = el("input", { type: "text", value: "mine", maxlength: "60" });
    this.host = el("input", { type: "text", placeholder: "the first that the policy names", spellcheck: "false" });
    this.chain = el("textarea", { rows: "3", spellcheck: "false", placeholder: "-----BEGIN CERTIFICATE-----" });
    this.list = el("ul", { class: "own-list", "aria-label": "Your policies" });
    const file = el("input", { type: "file", multiple: true, "aria-label": "Policy files",
      onchange: () => this.#upload(file, (one) => this.#add(one)) });
    const named = el("input", { type: "file", multiple: true, "aria-label": "Files that your policies name",
      onchange: () => this.#upload(named, (one) => {
        this.#files = [...this.#files.filter((other) => other.name !== one.name), one];
        this.#showOwn();
        this.#keep();
      }) });
    return el("details", { class: "picker own" },
      el("summary", {}, el("b", {}, "Your own policy"), " ", el("span", { class: "soft", "data-count": "own" })),
      el("p", { class: "soft" }, "Any file that “pinhole pins check” reads. It stays on this machine. Hosts, dates "
        + "and settings are kept; its pins are replaced by pins of the lab, whose keys the lab has."),
      this.text, el("div", { class: "own-row" }, el("label", {}, "Name ", this.name),
        el("button", { type: "button", onclick: () => this.#add({ name: this.name.value.trim() || "mine",
          text: this.text.value }) }, "Add"), el("span", { class: "soft" }, "or"), file),
      this.list,
      el("label", { class: "stacked" }, "Files that your policies name, such as certificates; optional ", named),
      el("label", { class: "stacked" }, "Host ", this.host),
      el("label", { class: "stacked" },
        "Chain of your server (PEM), by which each pin is known for what it is; optional ", this.chain));
  }

  async #upload(/** @type {HTMLInputElement} */ input,
    /** @type {(file: {name: string, base64: string}) => void} */ take) {
    for (const file of input.files ?? []) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(
        ...bytes.subarray(at, at + 0x8000));
      take({ name: file.name, base64: btoa(text) });
    }
    input.value = "";
  }

  #add(document) {
    if (document.text !== undefined && document.text.trim() === "") return;
    this.#documents = [...this.#documents.filter((one) => one.name !== document.name), document];
    this.text.value = "";
    this.#showOwn();
    this.#keep();
  }

  #showOwn() {
    fill(this.list, ...[...this.#documents, ...this.#files].map((one) => el("li", {}, el("code", {}, one.name), " ",
      el("button", { type: "button", class: "plain", "aria-label": `Remove ${one.name}`, onclick: () => {
        this.#documents = this.#documents.filter((other) => other !== one);
        this.#files = this.#files.filter((other) => other !== one);
        this.#showOwn();
        this.#keep();
      } }, "✕"))));
    this.#tell();
  }

  #choose(name, test) {
    const wanted = new Set(this.catalogue[name === "policy" ? "policies" : "scenarios"].filter(test)
      .map((/** @type {any} */ one) => one.id));
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (
      this.element.querySelectorAll(`input[name=${name}]`))) box.checked = wanted.has(box.value);
    this.#tell();
  }

  #tell() {
    const order = this.order;
    const say = (name, text) => {
      const place = this.element.querySelector(`[data-count=${name}]`);
      if (place) place.textContent = text;
    };
    say("policy", `${counted(order.policies.length, "row")} of ${this.catalogue.policies.length}`);
    say("scenario", `${counted(order.scenarios.length, "column")} of ${this.catalogue.scenarios.length}`);
    say("own", order.documents.length ? counted(order.documents.length, "row") : "");
    this.emit("change");
  }

  /** Keeps the form for the user's return. */
  #changed() {
    this.#tell();
    this.#keep();
  }
}
