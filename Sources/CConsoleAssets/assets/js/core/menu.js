import { el } from "./dom.js";

/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {string} [hint]
 * @property {boolean} [isChecked] If given, the entry is a checkbox and the menu stays open.
 * @property {MenuItem[]} [items] The entries of a submenu, which replaces this menu.
 * @property {string} [prefix] A prefix for the names of `items` in lists without menus.
 * @property {boolean} [begins] Whether the entry begins a group, below a line.
 * @property {() => void} [choose]
 */

/**
 * The entries of groups, with a line between two groups. Empty groups and entries that are `false` are left out.
 *
 * @param {(MenuItem | false | undefined)[][]} groups
 * @returns {MenuItem[]}
 */
export function grouped(groups) {
  return groups.flatMap((group) => group.filter((item) => item !== false && item !== undefined)
    .map((item, place) => (place === 0 ? { ...item, begins: true } : item)));
}

/** The entries of a menu and of the menus in it, each with a name that needs no menu around it. @param {MenuItem[]} items @returns {MenuItem[]} */
export function flattened(items) {
  return items.flatMap((item) => (item.items
    ? flattened(item.items).map((one) => (item.prefix ? { ...one, label: `${item.prefix}: ${one.label}` } : one)) : [item]));
}

/**
 * Opens a menu below an element or at a point (WAI-ARIA menu pattern): arrows, Home, End, the first letter, Escape.
 *
 * @param {HTMLElement} anchor
 * @param {string} label
 * @param {MenuItem[]} items
 * @param {{point?: {x: number, y: number}, back?: () => void}} [means] The point, if the pointer opened the menu; `back` opens
 * the menu that this menu replaced.
 */
export function openMenu(anchor, label, items, { point, back } = {}) {
  document.querySelector(".menu")?.remove();
  const before = document.activeElement;
  /** @type {Map<Element | null, MenuItem>} */
  const lines = new Map();
  const menu = el("div", { class: "menu", role: "menu", "aria-label": label, tabindex: "-1" });
  const close = (returnsFocus = true) => {
    menu.remove();
    expand(anchor, false);
    document.removeEventListener("pointerdown", outside, true);
    if (returnsFocus && before instanceof HTMLElement) before.focus();
  };
  const outside = (/** @type {Event} */ event) => menu.contains(/** @type {Node} */ (event.target))
    || close(false);
  const open = (/** @type {MenuItem} */ item) => {
    close();
    if (!item.items) return item.choose?.();
    openMenu(anchor, item.label.replace("…", ""), item.items, { point, back: () => {
      openMenu(anchor, label, items, { point, back });
      const line = [...document.querySelectorAll(".menu [aria-haspopup]")].find((one) => one.firstElementChild?.textContent === item.label);
      /** @type {HTMLElement | undefined} */ (line)?.focus();
    } });
  };
  if (back) menu.append(el("button", { type: "button", role: "menuitem", class: "menu-back", tabindex: "-1", "aria-label": `Back, from ${label}`,
    onclick: () => {
      close();
      back();
    } }, el("span", { "aria-hidden": "true" }, "◂"), label));
  for (const item of items) {
    if (item.begins && menu.lastElementChild) menu.append(el("div", { role: "separator" }));
    const line = button(item, open);
    lines.set(line, item);
    menu.append(line);
  }
  menu.addEventListener("keydown", (event) => {
    const line = lines.get(document.activeElement);
    if (event.key === "ArrowRight" && line?.items) open(line);
    else if (event.key === "ArrowLeft" && back) {
      close();
      back();
    } else return keys(event, menu, close);
    event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener("focusout", (event) => menu.contains(event.relatedTarget)
    || queueMicrotask(() => menu.isConnected && !menu.contains(document.activeElement) && close(false)));
  (anchor.closest("header.bar, nav, main, section.detail") ?? document.body).append(menu);
  place(menu, point ? new DOMRect(point.x, point.y - 4, 0, 4) : anchor.getBoundingClientRect());
  expand(anchor, true);
  document.addEventListener("pointerdown", outside, true);
  /** @type {HTMLElement | undefined} */ ([...lines.keys()][0])?.focus();
}

/** Sets `aria-expanded` on buttons of menus only; the row of a list is no such button. @param {HTMLElement} anchor @param {boolean} isOpen */
function expand(anchor, isOpen) {
  if (anchor.hasAttribute("aria-haspopup")) anchor.setAttribute("aria-expanded", String(isOpen));
}

function button(item, open) {
  const isCheckbox = item.isChecked !== undefined;
  const line = el("button", { type: "button", role: isCheckbox ? "menuitemcheckbox" : "menuitem",
    tabindex: "-1", "aria-checked": isCheckbox ? item.isChecked : undefined, "aria-haspopup": item.items && "menu" },
    isCheckbox && el("span", { class: "tick", "aria-hidden": "true" }, item.isChecked ? "✓" : ""),
      el("span", {}, item.label), item.hint && el("span", { class: "hint" }, item.hint),
      item.items && el("span", { class: "hint", "aria-hidden": "true" }, "▸"));
  line.addEventListener("click", () => {
    if (!isCheckbox) return open(item);
    item.choose?.();
    item.isChecked = !item.isChecked;
    line.setAttribute("aria-checked", String(item.isChecked));
    line.firstElementChild.textContent = item.isChecked ? "✓" : "";
  });
  return line;
}

function keys(event, menu, close) {
  const lines = [...menu.querySelectorAll("button")];
  const at = lines.indexOf(document.activeElement);
  const go = (place) => lines[(place + lines.length) % lines.length].focus();
  if (event.key === "ArrowDown") go(at + 1);
  else if (event.key === "ArrowUp") go(at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(-1);
  else if (event.key === "Escape" || event.key === "Tab") close();
  else if (event.key.length === 1 && /\S/.test(event.key)) {
    const found = [...lines.slice(at + 1), ...lines.slice(0, at + 1)].find(
      (line) => line.textContent.replace(/[✓◂]/, "").trim().toLowerCase().startsWith(event.key.toLowerCase()));
    found?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {HTMLElement} menu @param {DOMRect} box The box below which the menu opens. */
function place(menu, box) {
  const size = menu.getBoundingClientRect();
  const below = box.bottom + 4;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - size.width - 8))}px`;
  menu.style.top = `${below + size.height > innerHeight - 8 ? Math.max(8, box.top - size.height - 4) : below}px`;
}
