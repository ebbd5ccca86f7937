import { el } from "./dom.js";

/**
 * Loads the style sheet of a page that is shown on demand.
 *
 * @param {string} path
 * @returns {Promise<void>} Resolves when the style sheet applies.
 */
export function loadStyles(path) {
  return new Promise((resolve, reject) => {
    document.head.append(el("link", { rel: "stylesheet", href: path, onload: () => resolve(),
      onerror: () => reject(new Error(`${path} does not come`)) }));
  });
}
