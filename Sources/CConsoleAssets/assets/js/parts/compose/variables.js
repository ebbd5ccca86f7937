/** @typedef {import("./written-request.js").WrittenRequest} WrittenRequest */

/** Matches a variable in a text. */
const place = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g;

/** The names of the variables in a text, in their order. @param {string} text */
export function namesIn(text) {
  return [...text.matchAll(place)].map((found) => found[1]);
}

/** Moves the focus to a text field, and selects a variable in it. @param {HTMLInputElement | HTMLTextAreaElement | null} input @param {string} [name] */
export function pointAt(input, name) {
  if (!input) return;
  input.setAttribute("aria-invalid", "true");
  input.focus();
  const found = [...input.value.matchAll(place)].find((one) => one[1] === name);
  if (found) input.setSelectionRange(found.index, found.index + found[0].length);
}

/** A text with the values of its variables. @param {string} text @param {Record<string, string>} values */
export function fill(text, values) {
  return text.replace(place, (written, name) => Object.hasOwn(values, name) ? values[name] : written);
}

/**
 * The variables of a request that have no value.
 *
 * @param {WrittenRequest} request
 * @param {Record<string, string>} values
 * @returns {{part: "method" | "url" | "name" | "value" | "body", index: number, name: string}[]} `index` is the index of the field.
 */
export function unknownIn(request, values) {
  /** @type {{part: "method" | "url" | "name" | "value" | "body", index: number, name: string}[]} */
  const found = [];
  const look = (/** @type {"method" | "url" | "name" | "value" | "body"} */ part, /** @type {string} */ text, index = -1) => {
    for (const name of namesIn(text)) if (!Object.hasOwn(values, name)) found.push({ part, index, name });
  };
  if (request.fillsVariables === false) return found;
  look("method", request.method);
  look("url", request.url);
  request.fields.forEach((field, index) => {
    if (field.isOn === false) return;
    look("name", field.name, index);
    look("value", field.value, index);
  });
  // Base64 and captured bytes have no variables.
  if (request.encoding !== "base64" && !request.bodyOf) look("body", request.body);
  return found;
}

/**
 * A request with the values of its variables.
 *
 * @param {WrittenRequest} request
 * @param {Record<string, string>} values
 * @returns {WrittenRequest}
 */
export function filled(request, values) {
  if (request.fillsVariables === false) return request;
  return { ...request, method: fill(request.method, values), url: fill(request.url, values),
    fields: request.fields.map((field) => ({ ...field, name: fill(field.name, values), value: fill(field.value, values) })),
    body: request.encoding === "base64" ? request.body : fill(request.body, values) };
}
