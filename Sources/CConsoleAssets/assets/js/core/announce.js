/**
 * Tells screen readers a short sentence.
 *
 * @param {string} text
 */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = text;
}

/** Milliseconds for which a sentence stays visible, without and with buttons. */
const [short, long] = [2500, 12_000];
let timer = 0;
/** @type {ToastAction[]} */
let offered = [];

/** @typedef {{label: string, run: () => void}} ToastAction A button beside a sentence. */

/**
 * Shows a sentence for a moment, longer with buttons. The palette lists the actions of the buttons, too.
 *
 * @param {string} text
 * @param {ToastAction[]} [actions]
 */
export function toast(text, actions = []) {
  announce(actions.length > 0 ? `${text} ${actions.map((one) => one.label).join(", ")}: see Commands.` : text);
  document.querySelector(".toast")?.remove();
  offered = actions;
  const box = document.createElement("div");
  box.className = "toast";
  const words = document.createElement("span");
  words.textContent = text;
  // The announcer tells screen readers the sentence; a second reading would repeat it.
  words.setAttribute("aria-hidden", "true");
  box.append(words, ...actions.map((action) => button(action, end)));
  document.body.append(box);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(end, actions.length > 0 ? long : short);
  };
  function end() {
    clearTimeout(timer);
    if (box.contains(document.activeElement)) /** @type {HTMLElement | null} */ (document.querySelector(".grid"))?.focus();
    box.remove();
    if (offered === actions) offered = [];
  }
  // The sentence stays while the pointer or the focus is on it, so that the user has time for its buttons.
  for (const kind of ["pointerenter", "focusin"]) box.addEventListener(kind, () => clearTimeout(timer));
  for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, wait);
  wait();
}

/** The actions of the sentence that is visible now. @returns {ToastAction[]} */
export function toastActions() {
  return offered;
}

function button(action, end) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = action.label;
  element.addEventListener("click", () => {
    end();
    action.run();
  });
  return element;
}
