import { Indentation, rowsIn, trimmed } from "./lines.js";

/**
 * Lays a style sheet out, one declaration a line. Only spaces change. A text that is no style sheet is laid out as
 * far as possible.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][]}}
 */
export function layOutStyle(source) {
  const sheet = new Sheet(source);
  for (const [token] of source.matchAll(tokens)) {
    if (token.startsWith("/*")) sheet.comment(token);
    else if (spaces.test(token)) sheet.space();
    else if (token === "{" && sheet.parentheses === 0) sheet.open();
    else if (token === "}") sheet.close();
    else if (token === ";" && sheet.parentheses === 0) sheet.endDeclaration(";");
    else sheet.add(token);
  }
  return sheet.end();
}

const spaces = /^[ \t\n\r\f]/;
// Each run of plain characters is one step: single alternatives would need a stack as long as the token.
const tokens = new RegExp([
  /\/\*[^]*?(?:\*\/|$)/, /"(?:[^"\\\n]+|\\[^])*"?/, /'(?:[^'\\\n]+|\\[^])*'?/, /url\([ \t\n\r\f]*(?=[^"' \t\n\r\f)])(?:[^)\\]+|\\[^])*\)?/,
  /[ \t\n\r\f]+/, /[{}();:]/, /(?:[^ \t\n\r\f{}();:"'/\\]+|\\[^])+/, /[^]/,
].map(({ source }) => source).join("|"), "gi");

/** The finished lines, and the current line. */
class Sheet {
  parentheses = 0;
  #lines = [];
  #folds = [];
  #open = [];
  #indentation;
  #line = "";
  // Facts about the line are kept: a search of the line each time would take the square of its length.
  #isEmpty = true;
  #isSpaced = false;
  #colon = -1;

  constructor(source) {
    this.#indentation = new Indentation(source);
  }

  add(token) {
    if (token === "(") this.parentheses += 1;
    if (token === ")") this.parentheses = Math.max(0, this.parentheses - 1);
    if (token === ":" && this.parentheses === 0 && this.#colon < 0) this.#colon = this.#line.length;
    this.#line += token;
    this.#isEmpty = false;
    this.#isSpaced = false;
  }

  space() {
    if (!this.#isEmpty && !this.#isSpaced) this.#line += " ";
    this.#isSpaced = true;
  }

  comment(token) {
    if (!this.#isEmpty) return this.add(token.replace(/[ \t\n\r\f]+/g, " "));
    for (const row of rowsIn(token)) this.#push(trimmed(row));
  }

  open() {
    const selector = this.#take();
    this.#push(selector === "" ? "{" : `${selector} {`);
    this.#open.push(this.#lines.length - 1);
  }

  close() {
    this.parentheses = 0;
    if (!this.#isEmpty) this.endDeclaration("");
    this.#take();
    const first = this.#open.pop();
    this.#push("}");
    if (first !== undefined) this.#folds.push([first, this.#lines.length - 1]);
  }

  endDeclaration(mark) {
    const colon = this.#colon;
    const text = this.#line;
    this.#take();
    const [name, value] = [text.slice(0, colon + 1), text.slice(colon + 1)].map(trimmed);
    this.#push((colon < 0 ? value : trimmed(`${name} ${value}`)) + mark);
  }

  end() {
    const rest = this.#take();
    if (rest !== "") this.#push(rest);
    for (const first of this.#open) this.#folds.push([first, this.#lines.length - 1]);
    return { lines: this.#lines, folds: this.#folds };
  }

  #take() {
    const text = trimmed(this.#line);
    this.#line = "";
    this.#isEmpty = true;
    this.#isSpaced = false;
    this.#colon = -1;
    return text;
  }

  #push(text) {
    const [first, ...rest] = rowsIn(text);
    this.#lines.push(this.#indentation.of(this.#open.length) + first);
    // A line break after an escape continues the token, so the spaces behind it count.
    for (const row of rest) this.#lines.push(row);
  }
}
