import { el, fill } from "../../core/dom.js";
import { CodeView } from "./code-view.js";
import { layOut } from "./formatter.js";
import { isDocument } from "./graphql-text.js";
import { TextDocument } from "./text-document.js";

/**
 * The GraphQL request in a URL's query; `null` for any other query.
 *
 * @param {[string, string][]} pairs
 * @returns {string | null} The request as JSON, like the body of a POST.
 */
export function graphQLOf(pairs) {
  const value = (name) => pairs.find(([other]) => other === name)?.[1];
  const query = value("query");
  if (query === undefined ? !value("extensions")?.includes('"persistedQuery"') : !isDocument(query)) return null;
  const members = ["query", "operationName"].filter((name) => value(name) !== undefined)
    .map((name) => `"${name}": ${JSON.stringify(value(name))}`);
  for (const name of ["variables", "extensions"]) {
    const text = value(name);
    if (text) members.push(`"${name}": ${isJSON(text) ? text : JSON.stringify(text)}`);
  }
  return `{${members.join(", ")}}`;
}

/** Shows a GraphQL request of a URL, laid out like a body. @param {string} source @returns {HTMLElement} */
export function queryView(source) {
  const code = new CodeView("GraphQL of the URL");
  const element = el("div", { class: "body-view" }, code.element);
  const order = { bytes: new TextEncoder().encode(source), charset: "", layout: "graphql", isWhole: true };
  // The number of characters in a row is known once the element is visible.
  requestAnimationFrame(async () => {
    try {
      const { rows } = await layOut({ ...order, width: code.columns });
      code.show(new TextDocument(rows, "graphql"));
    } catch (error) {
      fill(element, el("p", { class: "notice failed" }, String(error)));
    }
  });
  return element;
}

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
