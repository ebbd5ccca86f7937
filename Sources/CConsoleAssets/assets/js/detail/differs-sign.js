import { el } from "../core/dom.js";

/** Says that two values differ, for those who see no colour, too. */
export function differsSign() {
  return el("span", { class: "differs-sign", title: "differs" }, el("span", { "aria-hidden": "true" }, " ≠"),
    el("span", { class: "visually-hidden" }, " (differs)"));
}
