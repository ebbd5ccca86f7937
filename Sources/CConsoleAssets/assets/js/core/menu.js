import { el } from "./dom.js";

/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {string} [hint]
 * @property {boolean} [isChecked] Given: it is a checkbox, and the menu stays open.
 * @property {() => void} choose
 */

/**
 * Opens a menu below an element (WAI-ARIA menu pattern): arrows, Home, End, the first letter, Escape.
 *
 * @param {HTMLElement} anchor
 * @param {string} label
 * @param {MenuItem[]} items
 */
export function openMenu(anchor, label, items) {
  document.querySelector(".menu")?.remove();
  const before = document.activeElement;
  const menu = el("div", { class: "menu", role: "menu", "aria-label": label, tabindex: "-1" });
  const close = (returnsFocus = true) => {
    menu.remove();
    anchor.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    if (returnsFocus && before instanceof HTMLElement) before.focus();
  };
  const outside = (/** @type {Event} */ event) => menu.contains(/** @type {Node} */ (event.target))
    || close(false);
  for (const item of items) menu.append(button(item, close));
  menu.addEventListener("keydown", (event) => keys(event, menu, close));
  menu.addEventListener("focusout", (event) => menu.contains(event.relatedTarget)
    || queueMicrotask(() => menu.isConnected && !menu.contains(document.activeElement) && close(false)));
  (anchor.closest("header.bar, nav, main, section.detail") ?? document.body).append(menu);
  place(menu, anchor);
  anchor.setAttribute("aria-expanded", "true");
  document.addEventListener("pointerdown", outside, true);
  menu.firstElementChild?.focus();
}

function button(item, close) {
  const isCheckbox = item.isChecked !== undefined;
  const line = el("button", { type: "button", role: isCheckbox ? "menuitemcheckbox" : "menuitem",
    tabindex: "-1", "aria-checked": isCheckbox ? item.isChecked : undefined },
    isCheckbox && el("span", { class: "tick", "aria-hidden": "true" }, item.isChecked ? "✓" : ""),
      el("span", {}, item.label), item.hint && el("span", { class: "hint" }, item.hint));
  line.addEventListener("click", () => {
    if (!isCheckbox) close();
    item.choose();
    if (!isCheckbox) return;
    item.isChecked = !item.isChecked;
    line.setAttribute("aria-checked", String(item.isChecked));
    line.firstElementChild.textContent = item.isChecked ? "✓" : "";
  });
  return line;
}

function keys(event, menu, close) {
  const lines = [...menu.children];
  const at = lines.indexOf(document.activeElement);
  const go = (place) => lines[(place + lines.length) % lines.length].focus();
  if (event.key === "ArrowDown") go(at + 1);
  else if (event.key === "ArrowUp") go(at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(-1);
  else if (event.key === "Escape" || event.key === "Tab") close();
  else if (event.key.length === 1 && /\S/.test(event.key)) {
    const found = [...lines.slice(at + 1), ...lines.slice(0, at + 1)].find(
      (line) => line.textContent.replace("✓", "").trim().toLowerCase().startsWith(event.key.toLowerCase()));
    found?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function place(menu, anchor) {
  const box = anchor.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const below = box.bottom + 4;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - size.width - 8))}px`;
  menu.style.top = `${below + size.height > innerHeight - 8 ? Math.max(8, box.top - size.height - 4) : below}px`;
}
