/**
 * Says a short sentence: to screen readers, and for a moment at the foot of the page.
 *
 * @param {string} text
 */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = text;
}

/** Milliseconds that a sentence stands, and one that offers something. */
const [short, long] = [2500, 12_000];
let timer = 0;
/** @type {ToastAction[]} */
let offered = [];

/** @typedef {{label: string, run: () => void}} ToastAction Something that can be done about what was said. */

/**
 * Says a sentence for a moment, longer where it offers something; what it offers stands in the palette, too.
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
  // The announcer has said it.
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
  // Who is about to press it is not hurried.
  for (const kind of ["pointerenter", "focusin"]) box.addEventListener(kind, () => clearTimeout(timer));
  for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, wait);
  wait();
}

/** What the last sentence offers. @returns {ToastAction[]} */
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
