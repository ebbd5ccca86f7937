import { el, fill } from "../../core/dom.js";
import { withPages } from "../../core/advice.js";
import { paint, spans } from "../../parts/body/highlight.js";
import { complaintAboutJSON, layOutJSON } from "../../parts/body/json-text.js";
import { completes } from "../../parts/traffic/filter-box.js";
import { elementsIn, memberOf, parsed, withMember } from "../../parts/rules/rule-json.js";

/**
 * @typedef {object} Key A key of a rule, as the server declares it.
 * @property {string} name
 * @property {string} [title] The label, if the name is not clear enough.
 * @property {string} meaning
 * @property {string} [usual] The default as JSON.
 * @property {boolean} isRequired
 * @property {string} type
 * @property {boolean} isList
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {string} [unit]
 * @property {string[]} words
 * @property {number[]} numbers
 * @property {Key[]} keys
 */

/** @typedef {(value: string | undefined, isOther?: boolean) => void} Write Takes the value as JSON, or `undefined` to leave the key out; `isOther` if the form must be built again. */

/** @typedef {{value: string | undefined, write: Write, id: string, describedBy: string, programs: string[]}} Means */

/**
 * The control of a key.
 *
 * @param {Key} key
 * @param {Means} means
 * @returns {HTMLElement}
 */
export function controlOf(key, means) {
  const value = means.value === undefined ? undefined : parsed(means.value);
  if (key.isList) return key.type === "object" ? rows(key, means) : lines(key, means);
  if (key.type === "object") return group(key, means);
  if (value !== undefined && !fits(key, value)) return unknown();
  switch (key.type) {
    case "boolean": return checkbox(key, means, value);
    case "words": return select(key, means, key.words.map((word) => [JSON.stringify(word), word]));
    case "numbers": return select(key, means, key.numbers.map((number) => [String(number), String(number)]));
    case "program": if (means.programs.length === 0 && !value) return el("p", { class: "notice" }, ...withPages("No program is declared. Add one under programs in config.json: docs/PROGRAMS.md."));
      return select({ ...key, isRequired: true }, means, [...new Set([...means.programs, ...(value ? [value] : [])])]
      .map((name) => [JSON.stringify(name), name]));
    case "number": case "integer": return number(key, means, value);
    case "content": return content(key, means, value ?? "");
    case "any": return area(key, means, means.value ?? "", (text) => (parsed(text) === undefined ? JSON.stringify(text) : text.trim()));
    default: return line(key, means, value ?? "");
  }
}

/** The label of a key: “Keep host” for “keepHost”. @param {{name: string, title?: string}} key */
export function titleOf({ name, title }) {
  if (title) return title;
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/ [A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
  return words[0].toUpperCase() + words.slice(1);
}

/** A meaning, with code in backticks and links to pages. @param {string} text @returns {(Node | string)[]} */
export function meaningOf(text) {
  return text.split(/`([^`]*)`/).flatMap((part, index) => (index % 2 ? [el("code", {}, asWritten(part))] : withPages(part)));
}

/** An example as the form takes it: the texts of a list, which has one a line, without brackets and quotes. @param {string} example */
function asWritten(example) {
  const value = parsed(example);
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(", ") : example;
}

/** Whether a control can show a value. */
function fits(key, value) {
  if (key.type === "any") return true;
  if (key.type === "boolean") return typeof value === "boolean";
  if (key.type === "number" || key.type === "integer") return typeof value === "number" || typeof value === "string";
  if (key.type === "numbers") return key.numbers.includes(value);
  if (key.type === "words") return key.words.includes(value);
  return typeof value === "string" && (key.type === "content" || !value.includes("\n"));
}

function unknown() {
  return el("p", { class: "soft" }, "The form cannot show this value. It stays as it is; edit it as JSON.");
}

function line(key, { id, describedBy, write }, value) {
  const isCode = key.type === "filter" || key.type === "expression";
  const placeholder = key.type === "filter" ? "host == api.example.com & path startswith /v2/" : undefined;
  const input = el("input", { type: key.type === "secret" ? "password" : "text", id, value, placeholder, spellcheck: "false",
    autocomplete: "off", class: isCode ? "rule-code" : "", "aria-describedby": describedBy, "aria-required": key.isRequired ? "true" : undefined,
    oninput: () => write(input.value === "" && !key.isRequired ? undefined : JSON.stringify(input.value)) });
  if (key.usual !== undefined) input.placeholder = String(parsed(key.usual) ?? "");
  if (key.type === "filter") completes(input);
  return input;
}

function number(key, { id, describedBy, write }, value) {
  const list = key.words.length > 0 && el("datalist", { id: `${id}-words` }, ...key.words.map((word) => el("option", { value: word })));
  const input = el("input", { type: "text", inputmode: key.words.length > 0 ? "text" : "decimal", id, size: "9", value: value === undefined ? "" : String(value),
    placeholder: key.usual ?? "", spellcheck: "false", autocomplete: "off", list: list ? `${id}-words` : undefined,
    "aria-describedby": describedBy, "aria-required": key.isRequired ? "true" : undefined,
    oninput: () => {
      const text = input.value.trim();
      // The server refuses a text that is no number, and its message names the expected values.
      write(text === "" ? undefined : /^-?\d+(\.\d+)?$/.test(text) && typeof parsed(text) === "number" ? text : JSON.stringify(text));
    } });
  const bounds = key.minimum === undefined ? "" : `${key.minimum} to ${key.maximum}${key.words.map((word) => `, ${word}`).join("")}`;
  return el("div", { class: "line" }, input, list, el("span", { class: "soft" }, [key.unit, bounds && `(${bounds})`].filter(Boolean).join(" ")));
}

function checkbox(key, { id, describedBy, write }, value) {
  const input = el("input", { type: "checkbox", id, checked: value ?? key.usual === "true", "aria-describedby": describedBy,
    onchange: () => write(String(input.checked) === key.usual ? undefined : String(input.checked)) });
  return input;
}

function select(key, { id, describedBy, write, value }, choices) {
  const usual = key.usual === undefined ? "–" : `${parsed(key.usual)} (usual)`;
  const input = el("select", { id, "aria-describedby": describedBy, onchange: () => write(input.value || undefined) },
    ...(key.isRequired && value !== undefined ? [] : [el("option", { value: "" }, usual)]),
    ...choices.filter(([text]) => text !== key.usual || text === value).map(([text, label]) => el("option", { value: text }, label)));
  input.value = value ?? "";
  return input;
}

function area(key, { id, describedBy, write }, text, read) {
  const input = el("textarea", { id, rows: String(Math.min(12, Math.max(key.type === "any" ? 1 : 3, text.split("\n").length))), spellcheck: "false",
    value: text, "aria-describedby": describedBy, oninput: () => write(read(input.value)) });
  return input;
}

/** The longest content that is coloured while somebody writes, in characters. */
const longestColoured = 50_000;

/** The content of a message: a text with room, and for JSON colours and a button that lays it out. */
function content(key, means, text) {
  const input = area(key, means, text, (written) => JSON.stringify(written));
  input.rows = Math.min(30, Math.max(10, text.split("\n").length + 1));
  input.classList.add("rule-code");
  const tidy = el("button", { type: "button", onclick: () => {
    input.value = layOutJSON(input.value).lines.join("\n");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  } }, "Lay out JSON");
  const said = el("span", { class: "soft" });
  // A text area has one colour, so the coloured text lies behind it.
  const behind = el("pre", { "aria-hidden": "true" });
  const coloured = el("div", { class: "rule-coloured" }, behind, input);
  const follow = () => { behind.scrollTop = input.scrollTop; };
  const tell = () => {
    const isMeant = /^\s*[[{]/.test(input.value);
    coloured.classList.toggle("on", isMeant && input.value.length <= longestColoured);
    fill(behind, ...(coloured.matches(".on") ? input.value.split("\n").flatMap((row) => [...paint(row, spans(row, "json"), []), "\n"]) : []));
    follow();
    const complaint = isMeant ? complaintAboutJSON(input.value) : "";
    tidy.hidden = !isMeant || complaint !== "";
    said.textContent = !isMeant ? "" : complaint ? `No JSON: ${complaint}` : "JSON";
  };
  input.addEventListener("input", tell);
  input.addEventListener("scroll", follow);
  tell();
  return el("div", { class: "rule-content" }, coloured, el("div", { class: "line" }, tidy, said));
}

/** A list of texts, one a line. */
function lines(key, { id, describedBy, write, value }) {
  const texts = value === undefined ? [] : parsed(value);
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== "string" || text.includes("\n"))) return unknown();
  const input = el("textarea", { id, rows: String(Math.min(8, texts.length + 1)), spellcheck: "false", value: texts.join("\n"),
    "aria-describedby": describedBy, placeholder: "one a line", oninput: () => {
      const written = input.value.split("\n").filter((text) => text.trim() !== "");
      write(written.length === 0 ? undefined : JSON.stringify(written));
    } });
  return input;
}

/** A list of objects, one a row. */
function rows(key, { id, describedBy, write, value, programs }) {
  const texts = value === undefined ? [] : elementsIn(value);
  if (!texts || texts.some((text) => memberOf(text, "") !== undefined || !isObject(text))) return unknown();
  const list = el("div", { class: "rule-rows", role: "group", id, tabindex: "-1", "aria-describedby": describedBy });
  const tell = (isOther = false) => write(texts.length === 0 ? undefined : `[${texts.join(", ")}]`, isOther);
  fill(list, ...texts.map((text, at) => el("div", { class: "rule-row", role: "group", "aria-label": `${titleOf(key)} ${at + 1}` },
    ...key.keys.map((member) => el("label", {}, el("span", { class: "soft" }, titleOf(member)),
      controlOf(member, { id: `${id}-${at}-${member.name}`, describedBy: "", programs, value: memberOf(text, member.name),
        write: (made) => {
          texts[at] = withMember(texts[at], member.name, made ?? (member.isRequired ? '""' : undefined));
          tell();
        } }))),
    el("button", { type: "button", class: "plain", "aria-label": `Remove ${titleOf(key)} ${at + 1}`, onclick: () => {
      texts.splice(at, 1);
      tell(true);
    } }, "Remove"))),
  el("button", { type: "button", class: "rule-row-add", onclick: () => {
    texts.push(`{${key.keys.filter((member) => member.isRequired).map((member) => `${JSON.stringify(member.name)}: ""`).join(", ")}}`);
    tell(true);
  } }, "Add a row"));
  return list;
}

/** An object with keys of its own. */
function group(key, { id, write, value, programs }) {
  let text = value ?? "{}";
  if (!isObject(text)) return unknown();
  return el("div", { class: "rule-row", role: "group", id, tabindex: "-1", "aria-label": titleOf(key) }, ...key.keys.map((member) =>
    el("label", {}, el("span", { class: "soft" }, titleOf(member)), controlOf(member, { id: `${id}-${member.name}`, describedBy: "", programs,
      value: memberOf(text, member.name), write: (made) => {
        text = withMember(text, member.name, made);
        write(text);
      } }))));
}

function isObject(text) {
  const value = parsed(text);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
