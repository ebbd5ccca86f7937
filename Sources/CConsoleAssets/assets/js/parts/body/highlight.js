/** @typedef {[number, number, string]} Span Start, end, class. */

const literal = "\\b(?:true|false|null)\\b";
const number = "-?\\b\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?\\b";
/** @type {[RegExp, string][]} */
const json = [[/"(?:[^"\\]|\\.)*"(?=\s*:)/y, "key"], [/"(?:[^"\\]|\\.)*"?/y, "string"],
  [new RegExp(number, "y"), "number"], [new RegExp(literal, "y"), "word"]];
const languages = {
  json,
  msgpack: [[/<[^>]*>/y, "soft"], ...json],
  graphql: [[/#.*/y, "soft"], [/"(?:[^"\\]|\\.)*"(?=\s*:)/y, "key"], [/"(?:[^"\\]|\\.)*"?/y, "string"],
    [/[$@]\w+/y, "number"], [/\b(?:query|mutation|subscription|fragment|on|true|false|null)\b/y, "word"], [/\w+(?=\s*:)/y, "key"],
    [new RegExp(number, "y"), "number"], [/\w+/y, ""]],
  markup: [[/<!--.*?(?:-->|$)/y, "soft"], [/<\/?[\w:.-]+|\/?>|<[!?][\w]*/y, "key"],
    [/[\w:.-]+(?==["'])/y, "word"], [/"[^"]*"?|'[^']*'?/y, "string"], [/&\w+;|&#\w+;/y, "number"]],
  script: [[/\/\/.*|\/\*.*?(?:\*\/|$)/y, "soft"], [/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?/y,
    "string"],
    [/\b(?:const|let|var|function|return|if|else|for|while|new|class|import|export|from|await|async|of|in|this|null|true|false|undefined)\b/y, "key"], [new RegExp(number, "y"), "number"]],
  style: [[/\/\*.*?(?:\*\/|$)/y, "soft"], [/"[^"]*"?|'[^']*'?/y, "string"], [/[\w-]+(?=\s*:)/y, "key"],
    [/#[\da-f]{3,8}\b|-?\d*\.?\d+(?:[a-z]+|%)?/iy, "number"]],
};

/**
 * The coloured spans of a row.
 *
 * @param {string} text
 * @param {string} language
 * @returns {Span[]}
 */
export function spans(text, language) {
  const rules = languages[language];
  // Nobody reads a row of half a million characters, so long rows stay plain.
  if (!rules || text.length > 2000) return [];
  const found = [];
  let at = 0;
  while (at < text.length) {
    let end = at + 1;
    for (const [pattern, kind] of rules) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match || match[0].length === 0) continue;
      end = at + match[0].length;
      if (kind) found.push([at, end, kind]);
      break;
    }
    at = end;
  }
  return found;
}

/**
 * Builds the nodes of a row: colours, and the matches of the search above them.
 *
 * @param {string} text
 * @param {Span[]} colours
 * @param {Span[]} marks
 * @returns {Node[]}
 */
export function paint(text, colours, marks) {
  const edges = new Set([0, text.length]);
  for (const [start, end] of [...colours, ...marks]) edges.add(start).add(end);
  const places = [...edges].sort((left, right) => left - right);
  const nodes = [];
  for (let at = 0; at + 1 < places.length; at += 1) {
    const [start, end] = [places[at], places[at + 1]];
    const holds = (/** @type {Span} */ span) => span[0] <= start && span[1] >= end;
    const mark = marks.find(holds);
    const colour = colours.find(holds);
    const part = document.createTextNode(text.slice(start, end));
    if (!mark && !colour) {
      nodes.push(part);
      continue;
    }
    const element = document.createElement(mark ? "mark" : "span");
    element.className = [mark?.[2], colour && `code-${colour[2]}`].filter(Boolean).join(" ");
    element.append(part);
    nodes.push(element);
  }
  return nodes;
}
