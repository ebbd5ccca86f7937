import { toast } from "../../core/announce.js";
import { askJSON } from "../../core/api.js";
import { showDialog } from "../../core/dialog.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";

/** @typedef {{ name: string, text: string, canonical: string }} SavedFilter */

/** The saved filters, which other filters refer to as “@name”. @returns {Promise<SavedFilter[]>} */
export async function savedFilters() {
  return (await askJSON("/api/filters")).filters;
}

/** Saves a filter under a name. @returns {Promise<SavedFilter[]>} */
export async function saveFilter(/** @type {string} */ name, /** @type {string} */ text) {
  return (await askJSON(`/api/filters/${encodeURIComponent(name)}`, { method: "PUT", body: { text } })).filters;
}

/** Removes the filter of that name. @returns {Promise<SavedFilter[]>} */
export async function removeFilter(/** @type {string} */ name) {
  return (await askJSON(`/api/filters/${encodeURIComponent(name)}`, { method: "DELETE" })).filters;
}

/** Asks for a name and saves a filter under it. @param {string} text @param {SavedFilter[]} others */
export async function askAndSave(text, others) {
  const name = await showDialog("Save the filter", (close) => {
    const field = el("input", { type: "text", id: "saved-name", autocomplete: "off", spellcheck: "false", autofocus: true,
      maxlength: "64", placeholder: "errors", "aria-describedby": "saved-problem" });
    const problem = el("div", { role: "alert", id: "saved-problem" });
    const save = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const wanted = field.value.trim().replace(/^@/, "");
      const complain = (/** @type {string} */ text) => {
        fill(problem, el("p", { class: "notice failed" }, text));
        field.focus();
      };
      if (!wanted) return complain("The filter needs a name.");
      const old = others.find((one) => one.name.toLowerCase() === wanted.toLowerCase());
      if (old && old.text !== text && field.dataset.replaces !== wanted) {
        field.dataset.replaces = wanted;
        return fill(problem, el("p", { class: "notice" }, "@", old.name, " is ", el("code", {}, old.text),
          " so far. Save once more to replace it."));
      }
      try {
        await saveFilter(wanted, text);
        close(wanted);
      } catch (error) {
        complain(Problem.of(error).sentence);
      }
    };
    return [el("form", { onsubmit: save }, el("p", {}, el("code", {}, text)),
      el("label", { for: "saved-name" }, "Name; every filter can call it as @name"), field, problem,
      el("p", { class: "soft" }, "The filter lasts until the proxy ends, unless you save the settings to the configuration."),
      el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => close() }, "Cancel"),
        el("button", { type: "submit", class: "primary" }, "Save")))];
  });
  if (name) toast(`Saved as @${name}`);
}
