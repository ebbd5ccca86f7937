/**
 * Says a short sentence: to screen readers, and for a moment at the foot of the page.
 *
 * @param {string} text
 */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer) announcer.textContent = text;
}

let timer = 0;

/** @param {string} text */
export function toast(text) {
  announce(text);
  document.querySelector(".toast")?.remove();
  const box = document.createElement("div");
  box.className = "toast";
  // The announcer has said it.
  box.setAttribute("aria-hidden", "true");
  box.textContent = text;
  document.body.append(box);
  clearTimeout(timer);
  timer = setTimeout(() => box.remove(), 2500);
}
