/**
 * @typedef {object} Key
 * @property {string} key As `KeyboardEvent.key`.
 * @property {string} label What the help says.
 * @property {string} [group]
 * @property {() => void} run
 */

/** @type {Key[]} */
const keys = [];

/** Keys that hold wherever nobody is typing. @param {Key[]} more */
export function addKeys(more) {
  keys.push(...more);
}

/** @returns {Key[]} */
export function allKeys() {
  return keys;
}

/** Begins to listen. */
export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey
      || document.querySelector("dialog[open], .menu")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    // Whoever writes or chooses means no command, and Escape takes nothing of it away.
    if (target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    const found = keys.find((key) => key.key === event.key);
    if (!found) return;
    event.preventDefault();
    found.run();
  });
}
