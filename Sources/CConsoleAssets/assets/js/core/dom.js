/**
 * Builds an element. Texts become text nodes: the console never parses HTML.
 *
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `on…` are listeners; `true` is an empty attribute; `false` and missing ones are left out. Attributes of ARIA are written as `true` and `false`.
 * @param {...(Node | string | number | null | undefined | false)} children
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  element.append(...kept(children));
  return element;
}

/**
 * Replaces all children of an element.
 *
 * @param {Element} element
 * @param {...(Node | string | number | null | undefined | false)} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...kept(children));
}

/**
 * Makes these the children of an element, in this order. Children that are already in place are not touched, so
 * that they keep the focus and a pressed pointer.
 *
 * @param {Element} element
 * @param {(Element | null | undefined | false)[]} children
 */
export function arrange(element, children) {
  const wanted = new Set(children.filter(Boolean));
  for (const child of [...element.children]) if (!wanted.has(child)) child.remove();
  let next = element.firstElementChild;
  for (const child of wanted) {
    if (child === next) next = next.nextElementSibling;
    else element.insertBefore(/** @type {Element} */ (child), next);
  }
}

/** @param {Element} element @param {Record<string, string | null>} attributes `null` removes an attribute. */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

/** @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function kept(children) {
  return children.filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => child instanceof Node ? child : String(child));
}
