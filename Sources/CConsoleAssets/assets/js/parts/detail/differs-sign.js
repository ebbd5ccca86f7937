import { el } from "../../core/dom.js";

/** A sign that two values differ, which needs no colour. */
export function differsSign() {
  return el("span", { class: "differs-sign", title: "differs" }, el("span", { "aria-hidden": "true" }, " ≠"),
    el("span", { class: "visually-hidden" }, " (differs)"));
}
