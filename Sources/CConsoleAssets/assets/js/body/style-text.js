/**
 * Lays a style sheet out, one declaration a line. Spaces alone change; what is no style sheet is laid out as
 * far as it goes.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][]}}
 */
export function layOutStyle(source) {
  const lines = [];
  const folds = [];
  const open = [];
  let line = "";
  let colon = -1;
  let parentheses = 0;
  const end = (text) => {
    if (text !== "") lines.push("  ".repeat(Math.min(open.length, deepest)) + text);
    line = "";
    colon = -1;
  };
  const declaration = () => (colon < 0 ? line : `${line.slice(0, colon + 1)} ${line.slice(colon + 1).trim()}`).trim();
  for (const [token] of source.matchAll(tokens)) {
    if (token.startsWith("/*")) {
      if (line.trim() !== "") line += token.replace(/\s+/g, " ");
      else for (const row of token.split("\n")) end(row.trim());
    } else if (token.trim() === "") {
      if (line !== "" && !line.endsWith(" ")) line += " ";
    } else if (token === "{" && parentheses === 0) {
      end(`${line.trim()} {`.trim());
      open.push(lines.length - 1);
    } else if (token === "}") {
      parentheses = 0;
      end(declaration());
      const first = open.pop();
      end("}");
      if (first !== undefined) folds.push([first, lines.length - 1]);
    } else if (token === ";" && parentheses === 0) {
      end(`${declaration()};`);
    } else {
      if (token === "(") parentheses += 1;
      if (token === ")") parentheses = Math.max(0, parentheses - 1);
      if (token === ":" && parentheses === 0 && colon < 0) colon = line.length;
      line += token;
    }
  }
  end(line.trim());
  for (const first of open) folds.push([first, lines.length - 1]);
  return { lines, folds };
}

const deepest = 100;
const tokens = /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\s+|[{}();:]|(?:[^\s{}();:"'/\\]|\\[^])+|[^]/g;
