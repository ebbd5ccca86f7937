import { layOutGraphQL } from "./graphql-text.js";
import { layOutHTML } from "./html-text.js";
import { layOutJSON } from "./json-text.js";
import { rowsIn } from "./lines.js";
import { layOutScript } from "./script-text.js";
import { layOutStyle } from "./style-text.js";
import { layOutXML } from "./xml-text.js";

const layouts = { graphql: layOutGraphQL, html: layOutHTML, json: layOutJSON, script: layOutScript, style: layOutStyle, xml: layOutXML };

/**
 * Lays a text out; a text without a known layout keeps its lines.
 *
 * @param {string} text
 * @param {string} [layout]
 * @returns {{lines: string[], folds: [number, number][]}} Folds are the first and the last line of a foldable part.
 */
export function layOutText(text, layout) {
  return layouts[layout ?? ""]?.(text) ?? { lines: rowsIn(text), folds: [] };
}
