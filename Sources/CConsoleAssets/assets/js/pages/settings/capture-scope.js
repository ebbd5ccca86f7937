import { toast } from "../../core/announce.js";
import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { count } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { removeFilter, savedFilters, saveFilter } from "../../parts/traffic/saved-filters.js";

/** The filter that selects the traffic to record. @param {{ captureFilter: string, captureFilterRemarks: string[] }} settings @param {{ scope?: { leftOut: number } }} state */
export function captureScope(settings, state) {
  const field = el("input", { type: "text", id: "capture-filter", spellcheck: "false", autocomplete: "off",
    value: settings.captureFilter, placeholder: "everything; or host ~ *.example.com & !asset", "aria-describedby": "capture-problem" });
  const problem = el("p", { class: "notice failed", id: "capture-problem", role: "alert", hidden: true });
  const now = el("p", { class: "soft capture-now" });
  const slips = el("div", { role: "status" });
  const tell = (/** @type {string} */ filter, /** @type {string[]} */ remarks, /** @type {number} */ leftOut) => {
    fill(slips, ...remarks.map((remark) => el("p", { class: "notice" }, remark)));
    fill(now, filter ? "Pinhole passes other traffic on without recording it. Earlier records stay. " : "Everything is recorded. ",
    leftOut > 0 && `${count(leftOut)} ${leftOut === 1 ? "exchange was" : "exchanges were"} left out so far.`);
  };
  const use = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.hidden = true;
    field.setAttribute("aria-invalid", "false");
    try {
      const { captureFilter, captureFilterRemarks } = await askJSON("/api/settings",
        { method: "PUT", body: { captureFilter: field.value.trim() } });
      field.value = captureFilter;
      tell(captureFilter, captureFilterRemarks, state.scope?.leftOut ?? 0);
      toast(captureFilter ? "Only that is recorded from now on" : "Everything is recorded from now on");
    } catch (error) {
      const found = Problem.of(error);
      problem.hidden = false;
      problem.textContent = (found.column ? `Column ${found.column}: ` : "") + found.sentence;
      field.setAttribute("aria-invalid", "true");
      field.focus();
    }
  };
  tell(settings.captureFilter, settings.captureFilterRemarks ?? [], state.scope?.leftOut ?? 0);
  return el("section", { class: "capture-scope", "aria-label": "What is recorded" }, el("h2", {}, "What is recorded"),
    el("form", { "aria-label": "What is recorded", onsubmit: use },
      el("div", { class: "line" }, el("label", { for: "capture-filter" }, "Only"), field,
        el("button", { type: "submit", class: "primary capture-use" }, "Use now")), problem, slips), now);
}

/** The saved filters. */
export function filterTable() {
  const place = el("section", { class: "saved-filters", "aria-label": "Saved filters" });
  const show = (/** @type {import("../../parts/traffic/saved-filters.js").SavedFilter[]} */ filters, problem = "") => fill(place,
    el("h2", {}, "Saved filters"), filters.length === 0
      ? el("p", { class: "soft" }, "None. The menu of the filter box saves the filter that is in it.")
      : el("table", {}, el("caption", {}, "Every filter calls them as @name"), el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Name"),
        el("th", { scope: "col" }, "Filter"), el("th", { scope: "col" }, el("span", { class: "visually-hidden" }, "Remove")))),
      el("tbody", {}, ...filters.map(row))), problem && el("p", { class: "notice failed", role: "alert" }, problem));
  const change = async (/** @type {() => Promise<any>} */ ask) => {
    try {
      show(await ask());
    } catch (error) {
      const found = Problem.of(error);
      show(await savedFilters().catch(() => []), found.sentence);
    }
  };
  const row = (/** @type {import("../../parts/traffic/saved-filters.js").SavedFilter} */ one) => el("tr", {}, el("th", { scope: "row" }, `@${one.name}`),
    el("td", {}, el("input", { type: "text", value: one.text, spellcheck: "false", "aria-label": `Filter of @${one.name}`,
      onchange: (/** @type {any} */ event) => change(() => saveFilter(one.name, event.target.value)) })),
    el("td", {}, el("button", { type: "button", class: "plain", "aria-label": `Remove @${one.name}`,
      onclick: () => change(() => removeFilter(one.name)) }, "Remove")));
  change(savedFilters);
  return place;
}
