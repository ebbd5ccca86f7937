import { el } from "./dom.js";

/** The advice of a message, with its pages as links. @param {string} text @returns {(Node | string)[]} The parts, for `el`. */
export function whatToDo(text) {
  return [el("b", {}, "What to do: "), ...withPages(text)];
}

/**
 * Turns the pages that a message names, such as docs/INSTALL.md#how-to-trust-it, into links.
 *
 * @param {string} text
 * @returns {(Node | string)[]} The parts of the text, for `el`.
 */
export function withPages(text) {
  return text.split(/(docs\/[A-Z0-9-]+\.md(?:#[a-z0-9-]+)?)/).map((part, index) => {
    if (index % 2 === 0) return part;
    const [page, section] = part.split("#");
    const address = `/${page.replace(/\.md$/, ".html")}${section ? `#${section}` : ""}`;
    return el("a", { href: address, target: "_blank" }, page);
  });
}
