/**
 * A command of the console, with its key and its name in the palette.
 *
 * @typedef {object} Action
 * @property {string} [key] As `KeyboardEvent.key`, with `Ctrl+` before it for a combination with Ctrl (⌘ on a Mac).
 * @property {string} label The name in the help and in the palette.
 * @property {string} [group]
 * @property {() => boolean} [fits] Whether the action is possible now; always if left out.
 * @property {() => void} run
 */

/** @type {Action[]} */
const keys = [];
/** @type {(() => Action[])[]} */
const sources = [];

/** Adds keys. Keys without Ctrl do nothing while the user types in a field. @param {Action[]} more */
export function addKeys(more) {
  keys.push(...more);
}

/** Adds a source of actions without keys, such as the entries of a menu. @param {() => Action[]} source */
export function addActions(source) {
  sources.push(source);
}

/** @returns {Action[]} */
export function allKeys() {
  return keys;
}

/** All actions that are possible now, actions with keys first. A key replaces a menu's entry for the same key. @returns {Action[]} */
export function allActions() {
  const own = new Set(keys.map((action) => action.key));
  const others = sources.flatMap((source) => source()).filter((action) => !action.key || !own.has(action.key));
  return [...keys, ...others].filter((action) => action.fits?.() ?? true);
}

/** A key as it is printed on this system's keyboards. @param {string} key */
export function keyName(key) {
  return /Mac/.test(navigator.platform) ? key.replace("Ctrl+", "⌘") : key;
}

/** Listens for keys from now on. */
export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open], .menu")) return;
    const hasControl = event.ctrlKey || event.metaKey;
    const target = /** @type {HTMLElement} */ (event.target);
    // In a field a key without Ctrl is text, and Escape belongs to the field.
    if (!hasControl && target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    const name = hasControl ? `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.toUpperCase()}` : event.key;
    const found = keys.find((key) => key.key === name);
    // A combination without a meaning here is left to the browser.
    if (!found || (hasControl && !(found.fits?.() ?? true))) return;
    event.preventDefault();
    found.run();
  });
}
