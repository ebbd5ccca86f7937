/**
 * Something that can be done: by its key, and by its name in the palette.
 *
 * @typedef {object} Action
 * @property {string} [key] As `KeyboardEvent.key`, with `Ctrl+` before it where Ctrl (⌘ on a Mac) belongs to it.
 * @property {string} label What the help and the palette say.
 * @property {string} [group]
 * @property {() => boolean} [fits] Whether it can be done now; always where it is left out.
 * @property {() => void} run
 */

/** @type {Action[]} */
const keys = [];
/** @type {(() => Action[])[]} */
const sources = [];

/** Keys that hold wherever nobody is typing; those with Ctrl also where somebody does. @param {Action[]} more */
export function addKeys(more) {
  keys.push(...more);
}

/** What can be done without a key of its own, as menus and pages offer it at the moment. @param {() => Action[]} source */
export function addActions(source) {
  sources.push(source);
}

/** @returns {Action[]} */
export function allKeys() {
  return keys;
}

/** Everything that can be done now, what has a key first; a menu's entry for a key is the key. @returns {Action[]} */
export function allActions() {
  const own = new Set(keys.map((action) => action.key));
  const others = sources.flatMap((source) => source()).filter((action) => !action.key || !own.has(action.key));
  return [...keys, ...others].filter((action) => action.fits?.() ?? true);
}

/** A key as its keyboard has it. @param {string} key */
export function keyName(key) {
  return /Mac/.test(navigator.platform) ? key.replace("Ctrl+", "⌘") : key;
}

/** Begins to listen. */
export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open], .menu")) return;
    const hasControl = event.ctrlKey || event.metaKey;
    const target = /** @type {HTMLElement} */ (event.target);
    // Whoever writes or chooses means no command, and Escape takes nothing of it away.
    if (!hasControl && target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    const name = hasControl ? `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.toUpperCase()}` : event.key;
    const found = keys.find((key) => key.key === name);
    // A key with Ctrl is the browser's where it means nothing here.
    if (!found || (hasControl && !(found.fits?.() ?? true))) return;
    event.preventDefault();
    found.run();
  });
}
