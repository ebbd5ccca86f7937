import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { controlOf, meaningOf, titleOf } from "./rule-field.js";
import { membersIn, memberOf, parsed, withMember } from "../../parts/rules/rule-json.js";

/** @typedef {import("./rule-field.js").Key} Key */
/** @typedef {{kind: string, summary: string, details?: string, keys: Key[], alternatives?: {names: string[], isRequired: boolean}}} Kind */
/** @typedef {{keys: Key[], kinds: Kind[]}} Forms */

/** The number of a kind's keys up to which the form shows all. A longer form shows the rule's own keys and offers the others. */
const mostAtOnce = 7;
/** Keys of every rule that are always in the form; others are offered. The switch beside the rule sets `enabled`. */
const always = ["do", "name", "when"];
const elsewhere = "enabled";

/** A rule as a form, made from the keys that the server declares. Emits `write` with the rule's JSON. */
export class RuleForm extends Emitter {
  element = el("div", { class: "rule-form" });
  #text = "";
  /** @type {Map<string, string>} The values that a choice or a change of kind removed, kept in case the user returns to them. */
  #taken = new Map();

  /** @param {Forms} forms @param {string[]} programs */
  constructor(forms, programs) {
    super();
    this.forms = forms;
    this.programs = programs;
  }

  /** The kind of a rule that a form can show; `undefined` for any other text. @param {string} text */
  kindOf(text) {
    const kind = membersIn(text) && parsed(memberOf(text, "do") ?? "");
    return this.forms.kinds.find((one) => one.kind === kind);
  }

  /** @param {string} text A rule whose kind is known. */
  show(text) {
    this.#text = text;
    this.#build();
  }

  /** Puts the keyboard's focus on a key, or on the first control. @param {string} [name] */
  focus(name) {
    const control = /** @type {HTMLElement | null} */ (name && this.element.querySelector(`#rule-key-${name}`));
    (control ?? this.element.querySelector("input, select, textarea"))?.focus();
  }

  /**
   * Shows a mistake at its key.
   *
   * @param {{place: string, message: string} | null} mistake
   * @returns {boolean} Whether the form has that key.
   */
  tell(mistake) {
    const [, name, index] = /^(\w+)(?:\[(\d+)\])?/.exec(mistake?.place ?? "") ?? [];
    let isShown = false;
    for (const field of /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(".rule-field"))) {
      const complaint = field.querySelector(".rule-mistake");
      const control = field.querySelector(`#rule-key-${field.dataset.key}`);
      const isHere = field.dataset.key === name;
      isShown ||= isHere;
      if (complaint) {
        /** @type {HTMLElement} */ (complaint).hidden = !isHere;
        complaint.textContent = isHere ? `${index === undefined ? "" : `${Number(index) + 1}: `}${mistake.message}` : "";
      }
      if (control?.matches("input, textarea, select")) control.setAttribute("aria-invalid", String(isHere));
    }
    return isShown;
  }

  #build() {
    const kind = this.kindOf(this.#text);
    if (!kind) return;
    const has = (/** @type {string} */ name) => memberOf(this.#text, name) !== undefined;
    const common = this.forms.keys.filter((key) => key.name !== elsewhere);
    const choice = kind.alternatives;
    const isLong = kind.keys.length > mostAtOnce;
    const others = kind.keys.filter((key) => !choice?.names.includes(key.name));
    // An empty object may have a meaning, so the form includes an object only if the rule has it.
    const isOffered = (/** @type {Key} */ key) => !has(key.name) && !key.isRequired && (isLong || (key.type === "object" && !key.isList));
    const more = [...others.filter(isOffered), ...common.filter((key) => !always.includes(key.name) && !has(key.name))];
    const known = new Set([...this.forms.keys, ...kind.keys].map((key) => key.name));
    const unknown = (membersIn(this.#text) ?? []).map((one) => one.name).filter((name) => !known.has(name));
    fill(this.element, this.#kinds(kind), ...common.filter((key) => key.name === "name" || key.name === "when").map((key) => this.#field(key)),
      ...others.filter((key) => !isOffered(key)).map((key) => this.#field(key, isLong || key.type === "object")),
      choice && this.#alternatives(kind, choice),
      ...common.filter((key) => !always.includes(key.name) && has(key.name)).map((key) => this.#field(key, true)),
      more.length > 0 && el("p", { class: "rule-more line", role: "group", "aria-label": "More that the rule can say" },
        el("span", { class: "soft" }, "Add"), ...more.map((key) => el("button", { type: "button", class: "rule-chip", title: key.meaning.replaceAll("`", ""),
          "data-add": key.name, onclick: () => this.#add(key) }, titleOf(key)))),
      unknown.length > 0 && el("p", { class: "notice" }, `The form does not know ${unknown.join(", ")}. `
        + "The rule keeps them; edit them as JSON."));
  }

  #kinds(kind) {
    const select = el("select", { id: "rule-key-do", "aria-describedby": "rule-about-do", onchange: () => this.#turn(select.value) },
      ...this.forms.kinds.map((one) => el("option", { value: one.kind }, one.kind)));
    select.value = kind.kind;
    return el("div", { class: "rule-field", "data-key": "do" }, el("label", { for: "rule-key-do" }, "Kind"), select,
      el("p", { class: "soft rule-about", id: "rule-about-do" }, ...meaningOf([asSentence(kind.summary), kind.details].filter(Boolean).join(" "))),
      el("p", { class: "rule-mistake", id: "rule-mistake-do", hidden: true }));
  }

  /** @param {Key} key @param {boolean} [canLeave] Whether the form has a button that leaves the key out. */
  #field(key, canLeave = false) {
    const { name } = key;
    const control = this.#control(key);
    return el("div", { class: "rule-field", "data-key": name },
      // A group of controls has its own name.
      control.matches("[role=group], p") ? el("span", { class: "rule-label" }, titleOf(key)) : el("label", { for: `rule-key-${name}` }, titleOf(key)),
      control, this.#about(key),
      canLeave && memberOf(this.#text, name) !== undefined && !key.isRequired && el("button", { type: "button", class: "plain rule-leave",
        "aria-label": `Leave ${titleOf(key)} out`, onclick: () => {
          this.#write(name, undefined, true);
          this.focus();
        } }, "Leave out"),
      el("p", { class: "rule-mistake", id: `rule-mistake-${name}`, hidden: true }));
  }

  #control(key) {
    return controlOf(key, { id: `rule-key-${key.name}`, describedBy: `rule-about-${key.name} rule-mistake-${key.name}`, programs: this.programs,
      value: memberOf(this.#text, key.name), write: (value, isOther) => this.#write(key.name, value, isOther) });
  }

  #about(key) {
    return el("p", { class: "soft rule-about", id: `rule-about-${key.name}` }, ...meaningOf(key.meaning));
  }

  /** A choice between keys of which the rule takes one. */
  #alternatives(kind, { names, isRequired }) {
    const keys = kind.keys.filter((key) => names.includes(key.name));
    const chosen = keys.find((key) => memberOf(this.#text, key.name) !== undefined);
    const select = el("select", { "aria-label": keys.map(titleOf).join(" or "), class: "rule-choice", onchange: () => {
      if (chosen) this.#taken.set(chosen.name, memberOf(this.#text, chosen.name) ?? "");
      let text = chosen ? withMember(this.#text, chosen.name, undefined) : this.#text;
      if (select.value) text = withMember(text, select.value, this.#taken.get(select.value) ?? '""');
      this.#set(text, true);
      /** @type {HTMLElement | null} */ (this.element.querySelector(".rule-choice"))?.focus();
    } }, ...(isRequired && chosen ? [] : [el("option", { value: "" }, `no ${names.join(" or ")}`)]), ...keys.map((key) => el("option", { value: key.name }, titleOf(key))));
    select.value = chosen?.name ?? "";
    return el("div", { class: "rule-field", "data-key": chosen?.name ?? "" }, select,
      chosen ? this.#labelled(chosen) : el("span", { class: "soft" }, `${keys.map(titleOf).join(" or ")} can be chosen here.`), chosen && this.#about(chosen),
      el("p", { class: "rule-mistake", id: `rule-mistake-${chosen?.name ?? "choice"}`, hidden: true }));
  }

  #labelled(key) {
    const control = this.#control(key);
    (control.querySelector(".rule-coloured > textarea") ?? control).setAttribute("aria-label", titleOf(key));
    return control;
  }

  #add(key) {
    const empty = key.isList ? (key.type === "object" ? `[{${key.keys.filter((one) => one.isRequired).map((one) => `${JSON.stringify(one.name)}: ""`).join(", ")}}]` : "[]")
      : key.type === "object" ? "{}" : key.usual ?? (key.type === "words" ? JSON.stringify(key.words[0])
        : key.minimum !== undefined ? String(key.minimum) : '""');
    this.#write(key.name, this.#taken.get(key.name) ?? empty, true);
    this.focus(key.name);
  }

  /** Changes the kind of the rule. Keys that the new kind lacks are kept in case the user returns. @param {string} name */
  #turn(name) {
    const kind = this.forms.kinds.find((one) => one.kind === name);
    if (!kind) return;
    const before = this.kindOf(this.#text);
    let text = this.#text;
    for (const key of before?.keys ?? []) {
      const value = memberOf(text, key.name);
      if (value === undefined) continue;
      const same = kind.keys.find((other) => other.name === key.name);
      if (same && same.type === key.type && same.isList === key.isList) continue;
      this.#taken.set(`${before?.kind} ${key.name}`, value);
      text = withMember(text, key.name, undefined);
    }
    text = withMember(text, "do", JSON.stringify(name));
    // A new rule has the name of its kind, with a number if another rule has the name.
    const called = parsed(memberOf(text, "name") ?? "");
    if (before && typeof called === "string" && new RegExp(`^${before.kind}( \\(\\d+\\))?$`).test(called)) {
      text = withMember(text, "name", JSON.stringify(called.replace(before.kind, name)));
    }
    for (const key of kind.keys) {
      const taken = this.#taken.get(`${name} ${key.name}`);
      if (taken !== undefined) text = withMember(text, key.name, taken);
    }
    this.#set(withNeeds(text, kind, this.programs), true);
    this.focus("do");
  }

  #write(name, value, isOther = false) {
    // An empty list of lines stays in the form while the user writes in it.
    this.#set(withMember(this.#text, name, value), isOther);
  }

  #set(text, isOther) {
    this.#text = text;
    if (isOther) this.#build();
    this.emit("write", text);
  }
}

/**
 * The rule with the keys that its kind requires, each with an initial value.
 *
 * @param {string} text
 * @param {Kind} kind
 * @param {string[]} programs
 */
export function withNeeds(text, kind, programs) {
  const choice = kind.alternatives;
  const isChosen = choice?.names.some((name) => memberOf(text, name) !== undefined);
  for (const key of kind.keys) {
    const isNeeded = key.isRequired || (choice?.isRequired && !isChosen && key.name === choice.names[0]);
    if (!isNeeded || memberOf(text, key.name) !== undefined) continue;
    const value = key.type === "program" ? programs[0] ?? "" : key.words[0] ?? "";
    text = withMember(text, key.name, key.type === "number" ? String(Math.max(1, key.minimum ?? 1)) : JSON.stringify(value));
  }
  return text;
}

/** @param {string} text */
function asSentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
