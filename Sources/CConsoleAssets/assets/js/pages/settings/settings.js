import { el, fill } from "../../core/dom.js";
import { proxySettings } from "./proxy-settings.js";
import { preferences } from "../../core/preferences.js";
import { column, columns } from "../../parts/traffic/columns.js";
import { setWidth, toggleColumn, widthOf } from "../../parts/traffic/grid-header.js";

/** The page of settings: preferences of this browser, and settings of the proxy. @param {HTMLElement} page */
export function showSettings(page) {
  fill(page, el("main", { class: "settings", "aria-label": "Settings" }, el("h1", {}, "Settings"),
    group("Appearance",
      choice("Theme", "theme", [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]]),
      choice("Rows", "density", [["dense", "Dense"], ["roomy", "Roomy"]])),
    group("List",
      choice("Sort order", "newestFirst", [[true, "Newest first"], [false, "Oldest first"]]),
      choice("New traffic", "follow", [[true, "Follow it"], [false, "Stay where I am"]]),
      columnTable(page)),
    el("p", {}, el("button", { type: "button", onclick: () => {
      preferences.reset();
      showSettings(page);
    } }, "Restore the defaults"), " ", el("span", { class: "soft" },
      "These settings stay in this browser.")), proxySettings()));
}

function group(title, ...content) {
  return el("section", { "aria-label": title }, el("h2", {}, title), ...content);
}

function choice(label, name, options) {
  return el("fieldset", { class: "choice" }, el("legend", {}, label), ...options.map(([value, text]) =>
    el("label", {}, el("input", { type: "radio", name, checked: preferences.get(name) === value,
      onchange: () => preferences.set(name, value) }), ` ${text}`)));
}

function columnTable(page) {
  const chosen = preferences.get("columns");
  const ordered = [...chosen.map(column).filter((one) => one !== undefined),
    ...columns.filter((one) => !chosen.includes(one.id))];
  return el("table", { class: "columns", "aria-label": "Columns" },
    el("caption", {}, "Columns, in their order"),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Shown"), el("th", { scope: "col" }, "Width"),
      el("th", { scope: "col" }, "Order"))),
    el("tbody", {}, ...ordered.map((one) => columnRow(one, chosen, page))));
}

function columnRow(one, chosen, page) {
  const name = one.name ?? one.title;
  const at = chosen.indexOf(one.id);
  const move = (by) => {
    const order = [...chosen];
    order.splice(at, 1);
    order.splice(at + by, 0, one.id);
    preferences.set("columns", order);
    showSettings(page);
    page.querySelector(`[data-move="${one.id}${by}"]`)?.focus();
  };
  const mover = (by, sign, word) => el("button", { type: "button", class: "plain",
    "data-move": `${one.id}${by}`, "aria-label": `${name}: ${word}`,
    disabled: at < 0 || at + by < 0 || at + by >= chosen.length, onclick: () => move(by) }, sign);
  return el("tr", {},
    el("th", { scope: "row" },
      el("label", {}, el("input", { type: "checkbox", checked: at >= 0, onchange: () => {
      toggleColumn(one.id);
      showSettings(page);
    } }), ` ${name}`)),
    el("td", {}, el("input", { type: "number", min: "24", max: "1200", step: "4",
      "aria-label": `Width of ${name}`, value: String(widthOf(one)),
      onchange: (event) => setWidth(one.id, Number(event.target.value) || one.width) })),
    el("td", {}, mover(-1, "↑", "earlier"), mover(1, "↓", "later")));
}
