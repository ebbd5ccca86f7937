import { showDialog } from "../../core/dialog.js";
import { el, fill } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { Problem } from "../../core/problem.js";
import { readCurl } from "./curl-reader.js";

/** @typedef {import("./compose-library.js").Variable} Variable */

/**
 * Asks for a name.
 *
 * @param {string} title
 * @param {string} name The current name.
 * @param {string[]} [others] Names to choose from.
 * @returns {Promise<string | undefined>}
 */
export function askForName(title, name, others = []) {
  return showDialog(title, (close) => {
    const input = textInput({ value: name, maxlength: "100", required: true, "aria-label": "Name", list: others.length > 0 ? "compose-names" : undefined });
    input.autofocus = true;
    return [el("form", { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      close(input.value.trim());
    } }, input, datalist("compose-names", others), buttons(close, "OK"))];
  });
}

/**
 * Asks for the place where a request is saved.
 *
 * @param {import("./compose-library.js").ComposeLibrary} library
 * @param {{collection: string, name: string}} proposed
 * @param {(collection: string, name: string, isNew: boolean) => Promise<void>} save Throws if the request was not saved.
 */
export function askAndSave(library, proposed, save) {
  return showDialog("Save to a collection", (close) => {
    const collection = textInput({ value: proposed.collection, maxlength: "100", required: true, list: "compose-collections" });
    const name = textInput({ value: proposed.name, maxlength: "100", required: true });
    name.autofocus = true;
    const trouble = el("div", { role: "alert" });
    const submit = el("button", { type: "submit", class: "primary" }, "Save");
    const known = () => library.collections.find((one) => one.name === collection.value.trim())?.requests.some((one) => one.name === name.value.trim());
    const tell = () => {
      const isKnown = known() === true;
      submit.textContent = isKnown ? "Replace" : "Save";
      fill(trouble, isKnown && el("p", { class: "notice" }, `${collection.value.trim()} has a request of this name. It is replaced.`));
    };
    tell();
    return [el("form", { class: "compose-dialog", oninput: tell, onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await save(collection.value.trim(), name.value.trim(), known() !== true);
        close();
      } catch (error) {
        fill(trouble, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      }
    } }, el("label", {}, "Name ", name), el("label", {}, "Collection ", collection),
    el("p", { class: "soft" }, "A collection that does not exist is made. Variables are saved by their names: {{token}}."),
    datalist("compose-collections", library.collections.map((one) => one.name)), trouble,
    el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => close() }, "Cancel"), submit))];
  });
}

/**
 * The place where a request is saved, unless the user chooses another.
 *
 * @param {import("./compose-library.js").ComposeLibrary} library
 * @param {{method: string, url: string}} request
 * @param {{collection: string, name: string} | null} [saved] The place of the request so far.
 */
export function proposedPlace(library, { method, url }, saved = null) {
  const path = url.split(/[?#]/)[0].replace(/^(?:[^/]*\/\/[^/]*|\{\{[^}]*\}\})/, "") || "/";
  return { collection: saved?.collection ?? library.collections[0]?.name ?? "My requests",
    name: saved ? `${saved.name} 2` : `${method} ${path}`.slice(0, 100) };
}

/**
 * Asks for a command of curl.
 *
 * @returns {Promise<ReturnType<typeof readCurl> | undefined>}
 */
export function askForCurl() {
  return showDialog("Paste a command of curl", (close) => {
    const text = el("textarea", { rows: "9", spellcheck: "false", class: "curl-text", "aria-label": "Command of curl",
      placeholder: "curl 'https://example.com/' \\\n  -H 'Accept: application/json'" });
    text.autofocus = true;
    const trouble = el("div", { role: "alert" });
    return [el("form", { class: "compose-dialog", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        close(readCurl(text.value));
      } catch (error) {
        fill(trouble, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      }
    } }, el("p", { class: "soft" }, "As you would type it in a terminal, or as a browser copies it: “Copy as cURL (bash)”. Nothing is run or sent. "
      + "$NAME becomes the variable {{NAME}}."), text, trouble, buttons(close, "Read it"))];
  });
}

/**
 * Edits the sets of variables.
 *
 * @param {import("./compose-library.js").ComposeLibrary} library
 * @param {string} chosen The set to show first.
 * @param {string[]} missing Names that need a value.
 * @returns {Promise<string | undefined>} The set that was edited last.
 */
export async function editVariables(library, chosen, missing = []) {
  let current = library.environments.some((one) => one.name === chosen) ? chosen : library.environments[0]?.name ?? "";
  let added = missing;
  await showDialog("Variables", (close) => {
    const sets = el("select", { "aria-label": "Set of variables", onchange: () => {
      current = sets.value;
      show();
    } });
    const name = textInput({ "aria-label": "Name of the set", maxlength: "100", required: true, placeholder: "test server" });
    const body = el("tbody");
    const trouble = el("div", { role: "alert" });
    const remove = el("button", { type: "button", onclick: () => act(async () => {
      await library.removeEnvironment(current);
      current = library.environments[0]?.name ?? "";
      show();
    }) }, "Remove the set");
    const act = async (/** @type {() => Promise<void>} */ run) => {
      fill(trouble);
      try {
        await run();
      } catch (error) {
        fill(trouble, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      }
    };
    const show = () => {
      const found = library.environments.find((one) => one.name === current);
      fill(sets, ...library.environments.map((one) => el("option", { value: one.name }, one.name)), el("option", { value: "" }, "New set…"));
      sets.value = current;
      sets.hidden = library.environments.length === 0;
      name.value = found?.name ?? "";
      remove.hidden = !found;
      const known = (found?.variables ?? []).map((one) => one.name);
      fill(body, ...(found?.variables ?? []).map(row), ...added.filter((one) => !known.includes(one)).map((one) => row({ name: one, value: "" })), row());
    };
    const row = (/** @type {Variable} */ variable = { name: "", value: "" }) => {
      const value = textInput({ class: "variable-value", value: variable.value, "aria-label": "Value", autocomplete: "off" });
      const secret = el("input", { type: "checkbox", checked: variable.isSecret === true, "aria-label": "Secret", onchange: () => hide() });
      const hide = () => (value.type = secret.checked ? "password" : "text");
      // Browsers would offer to save the value as a password of the page.
      value.setAttribute("autocomplete", "one-time-code");
      hide();
      const line = el("tr", { oninput: () => line === body.lastElementChild && body.append(row()) },
        el("td", {}, textInput({ class: "variable-name", value: variable.name, "aria-label": "Name of the variable", autocomplete: "off" })),
        el("td", {}, value), el("td", { class: "tick" }, secret),
        el("td", { class: "act" }, el("button", { type: "button", class: "plain remove", "aria-label": "Remove the variable", title: "Remove", onclick: () => {
          if (line !== body.lastElementChild) line.remove();
        } }, icon("close"))));
      return line;
    };
    const variables = () => [...body.children].map((line) => {
      const isSecret = line.querySelector("input[type=checkbox]").checked;
      return { name: line.querySelector(".variable-name").value.trim(), value: line.querySelector(".variable-value").value, ...(isSecret ? { isSecret } : {}) };
    }).filter((one) => one.name !== "" || one.value !== "");
    show();
    queueMicrotask(() => [...body.querySelectorAll(".variable-value")].find((one) => one.value === "")?.focus());
    return [el("form", { class: "compose-dialog", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      act(async () => {
        const [before, now] = [current, name.value.trim()];
        if (before !== now && library.environments.some((one) => one.name === now)) throw new Problem({ title: `A set ${now} exists`,
          remedy: "Choose another name." });
        await library.saveEnvironment(now, variables());
        if (before && before !== now) await library.removeEnvironment(before);
        current = now;
        added = [];
        close();
      });
    } }, el("p", { class: "soft" }, "{{name}} in the URL, a header or the body gets the value of the chosen set. Values marked secret are not shown and not exported; "
      + "they lie in a file that only you can read."),
    el("div", { class: "line" }, sets, el("label", {}, "Name of the set ", name), remove),
    el("table", { class: "variables", "aria-label": "Variables" }, el("thead", {}, el("tr", {}, ...["Name", "Value", "Secret"].map((text) => el("th", { scope: "col" }, text)), el("td"))), body),
    trouble, buttons(close, "Save"))];
  });
  return current;
}

function textInput(attributes) {
  return el("input", { type: "text", spellcheck: "false", ...attributes });
}

function datalist(id, names) {
  return el("datalist", { id }, ...names.map((value) => el("option", { value })));
}

function buttons(close, label) {
  return el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => close() }, "Cancel"),
    el("button", { type: "submit", class: "primary" }, label));
}
