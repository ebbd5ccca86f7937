import { layOutJSON, skipSpace, stringEnd } from "./json-text.js";
import { Indentation, rowsIn } from "./lines.js";

/**
 * Lays a GraphQL request out: the document with a selection a line, then the variables and the other members as JSON.
 * Numbers keep all their digits.
 *
 * @param {string} source JSON with `query`, `variables` and `operationName`, a list of these, or a document alone.
 * @returns {{lines: string[], folds: [number, number][]}}
 */
export function layOutGraphQL(source) {
  const made = { lines: /** @type {string[]} */ ([]), folds: /** @type {[number, number][]} */ ([]) };
  if (!isJSON(source)) {
    append(made, layOutDocument(source));
    return made;
  }
  const requests = source[skipSpace(source, 0)] === "[" ? elementsOf(source) : [source];
  requests.forEach((request, place) => {
    if (requests.length > 1) heading(made, `request ${place + 1} of ${requests.length}`);
    appendRequest(made, request);
  });
  return made;
}

/**
 * Whether a JSON value is a GraphQL request, or a list of requests.
 *
 * @param {any} value
 * @returns {boolean}
 */
export function isGraphQL(value) {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => !Array.isArray(one) && isGraphQL(one));
  if (typeof value !== "object" || value === null) return false;
  return typeof value.query === "string" ? isDocument(value.query) : typeof value.extensions?.persistedQuery === "object";
}

/** Whether a text begins like a document: with a selection, an operation or a fragment. @param {string} text */
export function isDocument(text) {
  return /^(?:[\s,\ufeff]|#[^\n]*(?:\n|$))*(?:\{|(?:query|mutation|subscription|fragment)\b)/.test(text);
}

function isJSON(source) {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

function appendRequest(made, source) {
  const members = source.trimStart().startsWith("{") ? membersOf(source) : new Map();
  const query = textOf(members.get("query"));
  const name = textOf(members.get("operationName"));
  if (name) heading(made, `operation ${name}`);
  if (query === null) heading(made, "no document: it is named by what follows");
  else append(made, layOutDocument(query));
  for (const [key, value] of members) {
    const isSaid = (key === "query" && query !== null) || (key === "operationName" && name !== null) || value === "null";
    if (isSaid) continue;
    heading(made, key);
    append(made, layOutJSON(value));
  }
}

function heading(made, text) {
  const last = made.lines.at(-1) ?? "";
  if (last !== "" && !last.startsWith("# ")) made.lines.push("");
  made.lines.push(`# ${text}`);
}

function append(made, { lines, folds }) {
  const first = made.lines.length;
  for (const line of lines) made.lines.push(line);
  for (const [from, to] of folds) made.folds.push([from + first, to + first]);
}

/** A JSON string's text; `null` for any other JSON. @param {string | undefined} source */
function textOf(source) {
  return source?.startsWith('"') ? JSON.parse(source) : null;
}

/** The members of an object as they are written. @param {string} source JSON. @returns {Map<string, string>} */
function membersOf(source) {
  const members = new Map();
  let at = skipSpace(source, skipSpace(source, 0) + 1);
  while (source[at] === '"') {
    const keyEnd = stringEnd(source, at);
    const start = skipSpace(source, skipSpace(source, keyEnd) + 1);
    const end = valueEnd(source, start);
    members.set(JSON.parse(source.slice(at, keyEnd)), source.slice(start, end));
    at = skipSpace(source, skipSpace(source, end) + 1);
  }
  return members;
}

/** The elements of an array as they are written. @param {string} source JSON. */
function elementsOf(source) {
  const elements = [];
  let at = skipSpace(source, skipSpace(source, 0) + 1);
  while (at < source.length && source[at] !== "]") {
    const end = valueEnd(source, at);
    elements.push(source.slice(at, end));
    at = skipSpace(source, skipSpace(source, end) + 1);
  }
  return elements;
}

function valueEnd(source, start) {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '"') {
      at = stringEnd(source, at) - 1;
      if (depth === 0) return at + 1;
    } else if (sign === "{" || sign === "[") {
      depth += 1;
    } else if (sign === "}" || sign === "]") {
      depth -= 1;
      if (depth <= 0) return depth < 0 ? at : at + 1;
    } else if (depth === 0 && (sign === "," || sign <= " ")) {
      return at;
    }
  }
  return source.length;
}

/** The tokens: comments, block strings, strings, names with their signs, numbers, `...`, and any other character. */
const tokens = /#[^\n\r]*|"""(?:[^\\]|\\[^])*?(?:"""|$)|"(?:[^"\\\n\r]|\\.)*"?|[$@]?[A-Za-z_]\w*|-?\d[\w.+-]*|\.\.\.|[^\s\ufeff]/g;

/**
 * Lays a document out by its braces: each field of a selection has a line, and arguments stay together.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][]}}
 */
function layOutDocument(source) {
  const lines = [];
  const folds = [];
  const indentation = new Indentation(source);
  /** Lines of the selections that are open. */
  const open = [];
  /** The number of open parentheses, brackets and braces of values. */
  let inside = 0;
  let line = "";
  let before = "";
  const flush = () => {
    if (line.trim() !== "") lines.push(line);
    line = indentation.of(open.length);
  };
  const put = (/** @type {string} */ token) => {
    line += line.trim() === "" || joins(before, token, inside > 0) ? token : ` ${token}`;
  };
  for (const [token] of source.matchAll(tokens)) {
    if (token[0] === "#") {
      flush();
      line += token;
      flush();
    } else if (token.startsWith('"""')) {
      const [first, ...rest] = rowsIn(token);
      put(first);
      for (const row of rest) {
        lines.push(line);
        line = row;
      }
    } else if (inside > 0 || token === "(" || token === "[") {
      if (/^[([{]$/.test(token)) inside += 1;
      if (/^[)\]}]$/.test(token)) inside -= 1;
      put(token);
    } else if (token === "{") {
      put(token);
      open.push(lines.length);
      flush();
    } else if (token === "}") {
      const first = open.pop();
      flush();
      line += token;
      if (first !== undefined) folds.push([first, lines.length]);
      flush();
      if (open.length === 0) lines.push("");
    } else if (token !== ",") {
      // A name begins another field, unless it continues an alias, a fragment or a type condition.
      const begins = token === "..." || (/^[A-Za-z_]/.test(token) && before !== ":" && before !== "..." && before !== "on");
      if (open.length > 0 && begins) flush();
      put(token);
    }
    before = token;
  }
  flush();
  while (lines.at(-1) === "") lines.pop();
  for (const first of open) folds.push([first, lines.length - 1]);
  return { lines, folds };
}

/** Whether a token follows the one before it without a space. @param {string} before @param {string} token @param {boolean} isValue */
function joins(before, token, isValue) {
  if (/^[)\]:!,]$/.test(token) || (isValue && token === "}")) return true;
  if (before === "(" || before === "[" || (isValue && before === "{")) return true;
  if (before === "...") return /^[A-Za-z_]/.test(token) && token !== "on";
  return token === "(" && /^@?\w+$/.test(before);
}
