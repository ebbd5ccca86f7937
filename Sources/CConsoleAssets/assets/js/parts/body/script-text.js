import { Indentation, isSpace, rowsIn } from "./lines.js";

/**
 * Lays a dense script out, one statement a line; a script with usual line breaks keeps them. Only spaces
 * change. Without a parser of the language, a wrong guess about a token moves a line break, and no text
 * is lost.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][], verbatim: {has: (line: number) => boolean}}} `verbatim` are lines
 * whose spaces count: lines of templates, and all lines of a script that keeps its lines.
 */
export function layOutScript(source) {
  if (!isDense(source)) {
    const lines = rowsIn(source);
    return { lines, folds: [], verbatim: { has: () => lines.length > 1 } };
  }
  const page = new Page(source);
  const tokens = new Tokens(source, 0, none);
  let before = none;
  let token = tokens.next();
  while (token.kind !== "end") {
    const next = tokens.next();
    place(page, tokens, before, token, next);
    before = token;
    token = next;
  }
  return page.end();
}

/** Whether nearly all of a script is in lines too long to read. @param {string} source */
function isDense(source) {
  const lines = source.split("\n");
  let longest = 0;
  for (const line of lines) longest = Math.max(longest, line.length);
  return source.length / lines.length > 120 || (longest > 200 && longest > source.length / 2);
}

/**
 * @typedef {object} Token
 * @property {"word" | "keyword" | "string" | "template" | "regex" | "comment" | "remark" | "mark" | "end"} kind
 * @property {string} text
 * @property {number} end
 * @property {boolean} isSpaced Whether space stands before it.
 * @property {boolean} isBroken Whether a line ends before it.
 * @property {boolean} [isUnary]
 * @property {boolean} [isHead] Whether a statement follows, as after `if (…)`.
 */

/** @type {Token} */
const none = { kind: "mark", text: ";", end: 0, isSpaced: false, isBroken: false };

/** Characters of an object that stays in one line. */
const longestInline = 60;
/** The characters within which a regular expression must end: the search for its end is bounded. */
const longestRegex = 20_000;

const keywords = new Set(("return typeof instanceof in new delete void throw case else do await yield const let var if for "
  + "while switch catch with extends import export default").split(" "));
const goesOn = new Set("else catch finally from instanceof in of as".split(" "));
const spaced = new Set(("= == === != !== => && || ?? ? < > <= >= += -= *= /= %= &= |= ^= <<= >>= >>>= **= &&= ||= ??= "
  + "<< >> >>> % & | ^ ** *").split(" "));
const mark = /[<>*]{2}=|>>>=?|\.\.\.|[=!]==|&&=|\|\|=|\?\?=|=>|[=!<>+\-*/%&|^]=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|<<|>>|\*\*|[^]/y;
const number = /0[xX][\da-fA-F_]+n?|0[bBoO][\d_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?n?/y;
// At most a thousand repetitions: a longer name would need a stack as long as the name.
const word = /(?:[\p{ID_Continue}$#@\u200c\u200d]|\\u(?:\{[\da-fA-F]+\}|[\da-fA-F]{4})){1,1000}/uy;
const lineEnd = /[\n\r\u2028\u2029]/g;

/** The tokens of a script, one after the other. */
class Tokens {
  #source;
  #at;
  /** The last token that is no comment. */
  #before;
  /** For each open parenthesis, whether a statement follows it. */
  #heads = [];
  /** No regular expression that begins before this place ends in its line. */
  #noRegexBefore = 0;

  /** @param {string} source @param {number} at @param {Token} before */
  constructor(source, at, before) {
    this.#source = source;
    this.#at = at;
    this.#before = before;
  }

  /** The tokens after a token, without consuming them. @param {Token} token */
  ahead(token) {
    return new Tokens(this.#source, token.end, token);
  }

  /** @returns {Token} */
  next() {
    const token = this.#read();
    this.#at = token.end;
    if (token.kind === "comment" || token.kind === "remark") return token;
    if (token.kind === "mark") {
      token.isUnary = !isOperand(this.#before);
      if (token.text === "(") this.#heads.push(this.#before.kind === "keyword" && /^(?:if|while|for|with)$/.test(this.#before.text));
      if (token.text === ")") token.isHead = this.#heads.pop() ?? false;
    }
    this.#before = token;
    return token;
  }

  #read() {
    const source = this.#source;
    let at = this.#at;
    let isBroken = false;
    for (; isSpace(source.charCodeAt(at)); at += 1) isBroken ||= source[at] === "\n" || source[at] === "\r";
    const made = (kind, end) => ({ kind, text: source.slice(at, end), end, isSpaced: at > this.#at, isBroken });
    if (at >= source.length) return made("end", at);
    const character = source[at];
    if (character === '"' || character === "'") return made("string", stringEnd(source, at));
    if (character === "`") return made("template", templateEnd(source, at));
    if (source.startsWith("/*", at)) return made("comment", endOf(source, "*/", at + 2));
    if (source.startsWith("//", at) || source.startsWith("<!--", at)) {
      lineEnd.lastIndex = at;
      return made("remark", lineEnd.exec(source)?.index ?? source.length);
    }
    if (character === "/" && (!isOperand(this.#before) || this.#before.text === "}")) {
      const end = this.#regexEnd(at);
      if (end > 0) return made("regex", end);
    }
    const end = matchEnd(number, source, at) || wordEnd(source, at);
    if (!end) return made("mark", matchEnd(mark, source, at));
    const isName = this.#before.text === "." || this.#before.text === "?.";
    return made(!isName && keywords.has(source.slice(at, end)) ? "keyword" : "word", end);
  }

  /** The end of a regular expression; 0 if the slash begins none. */
  #regexEnd(start) {
    if (start < this.#noRegexBefore) return 0;
    const source = this.#source;
    const limit = Math.min(source.length, start + longestRegex);
    let isClass = false;
    let at = start + 1;
    for (; at < limit && !/[\n\r]/.test(source[at]); at += 1) {
      const character = source[at];
      if (character === "\\") at += 1;
      else if (character === "[") isClass = true;
      else if (character === "]") isClass = false;
      else if (character === "/" && !isClass) return matchEnd(/[\w$]*/y, source, at + 1) || at + 1;
    }
    this.#noRegexBefore = at;
    return 0;
  }
}

/** @param {RegExp} pattern @param {string} source @param {number} at */
function matchEnd(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : 0;
}

function endOf(source, text, from) {
  const found = source.indexOf(text, from);
  return found < 0 ? source.length : found + text.length;
}

function wordEnd(source, start) {
  let end = 0;
  for (let at = start; (at = matchEnd(word, source, at)) > 0;) end = at;
  return end;
}

function stringEnd(source, start) {
  const quote = source[start];
  let at = start + 1;
  for (; at < source.length && source[at] !== "\n"; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === quote) return at + 1;
  }
  return Math.min(at, source.length);
}

/** Whether a value may end in this token, so that an operator follows. @param {Token} token */
function isOperand({ kind, text, isUnary, isHead }) {
  if (kind !== "mark") return kind !== "keyword" && kind !== "end";
  return text === "]" || text === "}" || (text === ")" && !isHead) || ((text === "++" || text === "--") && !isUnary);
}

/** The end of a template with its expressions, which may contain templates. */
function templateEnd(source, start) {
  const open = ["`"];
  let at = start + 1;
  for (; at < source.length && open.length > 0; at += 1) {
    const character = source[at];
    const isText = open.at(-1) === "`";
    if (character === "\\") at += 1;
    else if (character === "`" && isText) open.pop();
    else if (character === "`") open.push("`");
    else if (isText && character === "$" && source[at + 1] === "{") open.push(source[at += 1]);
    else if (!isText && character === "{") open.push("{");
    else if (!isText && character === "}") open.pop();
    else if (!isText && (character === '"' || character === "'")) {
      at = stringEnd(source, at) - 1;
    }
  }
  return Math.min(at, source.length);
}

/** Adds a token to its line, and ends lines around it. */
function place(page, tokens, before, token, next) {
  const { text, kind } = token;
  if (token.isBroken && !page.isInline) page.breakLine();
  if (kind === "mark" && text === "}") {
    page.close("}", before.text !== "{");
    const isHeld = /^[)\],;.(:]$/.test(next.text) || next.text === "?." || next.kind === "template" || goesOn.has(next.text)
      || spaced.has(next.text);
    if (!isHeld && !page.isInline) page.breakLine();
    return;
  }
  page.add(text, isApart(page, before, token));
  if (kind === "remark") page.breakLine();
  if (kind !== "mark") return;
  if (text === "{") page.open("{", isShort(tokens, token));
  else if (text === "(" || text === "[") page.open(text, true);
  else if (text === ")" || text === "]") page.close();
  else if (text === "?") page.asked += 1;
  else if (text === ":") page.asked = Math.max(0, page.asked - 1);
  else if (text === ";" && page.innermost !== "(") page.breakLine();
  else if (text === "," && !page.isInline) page.breakLine();
}

/** Whether a space separates a token from the one before it. */
function isApart(page, before, token) {
  const [first, second] = [before.text, token.text];
  if (token.kind === "comment" || before.kind === "comment") return true;
  if (token.kind === "mark" && /^(?:[;,)\].]|\?\.)$/.test(second)) return false;
  if (token.kind === "mark" && second === ":") return page.asked > 0;
  if (before.kind === "mark") {
    if (/^(?:[([.!~@]|\?\.|\.\.\.)$/.test(first)) return false;
    if (/^[,;:{]$/.test(first) || isSpacedMark(before)) return true;
    if (/^[+-]$/.test(first) && before.isUnary) return /^[+-]/.test(second) && second[0] === first;
  }
  if (before.kind === "keyword") return !(second === "(" && first === "import");
  if (token.kind === "mark") {
    if (second === "{") return first !== "(";
    return isSpacedMark(token) || (token.isSpaced && /^(?:\+\+|--|\(|\[)$/.test(second) && before.kind !== "word");
  }
  if (token.kind === "template" && isOperand(before)) return false;
  return before.kind !== "mark" || first === ")" || first === "]" || first === "}";
}

/** An operator between two values. */
function isSpacedMark({ kind, text, isUnary }) {
  return kind === "mark" && (spaced.has(text) || (/^[+\-/]$/.test(text) && !isUnary));
}

/** Whether the content of braces is short enough for one line. */
function isShort(tokens, opening) {
  const ahead = tokens.ahead(opening);
  for (;;) {
    const token = ahead.next();
    if (token.end - opening.end > longestInline || token.isBroken) return false;
    if (token.kind === "end" || token.kind === "remark" || (token.kind === "mark" && /^[{;]$/.test(token.text))) return false;
    if (token.kind === "mark" && token.text === "}") return true;
  }
}

/** The finished lines, and the open brackets. */
class Page {
  lines = [];
  folds = [];
  #line = "";
  #isVerbatim = false;
  /** @type {Set<number>} */
  #verbatim = new Set();
  #depth = 0;
  #indentation;
  /** @type {{mark: string, isInline: boolean, first: number, asked: number}[]} */
  #open = [{ mark: "", isInline: false, first: 0, asked: 0 }];

  constructor(source) {
    this.#indentation = new Indentation(source);
  }

  get #top() {
    return this.#open[this.#open.length - 1];
  }

  get isInline() {
    return this.#top.isInline;
  }

  get innermost() {
    return this.#top.mark;
  }

  /** The number of question marks that wait for their colons. */
  get asked() {
    return this.#top.asked;
  }

  set asked(count) {
    this.#top.asked = count;
  }

  add(text, isApart) {
    const [first, ...rest] = rowsIn(text);
    this.#line += isApart && this.#line !== "" ? ` ${first}` : first;
    // A comment or a template of several lines keeps them as they are.
    for (const row of rest) {
      this.#push();
      this.#line = row;
      this.#isVerbatim = true;
    }
  }

  #push() {
    const indent = this.#isVerbatim ? "" : this.#indentation.of(this.#depth);
    if (this.#isVerbatim) this.#verbatim.add(this.lines.length);
    this.lines.push(indent + this.#line);
    this.#line = "";
    this.#isVerbatim = false;
  }

  breakLine() {
    if (this.#line !== "") this.#push();
  }

  open(mark, isInline) {
    // A function's whole body may stand in parentheses.
    this.#open.push({ mark, isInline, first: this.lines.length, asked: 0 });
    if (isInline) return;
    this.breakLine();
    this.#depth += 1;
  }

  /** Closes the innermost bracket, and adds `text` after it. */
  close(text = "", isApart = false) {
    const { isInline, first } = this.#open.length > 1 ? this.#open.pop() : { isInline: true, first: 0 };
    if (isInline) {
      if (text) this.add(text, isApart);
      return;
    }
    this.breakLine();
    this.#depth -= 1;
    this.folds.push([first, this.lines.length]);
    if (text) this.add(text, false);
  }

  end() {
    this.breakLine();
    const last = this.lines.length - 1;
    for (const { isInline, first } of this.#open.slice(1)) if (!isInline) this.folds.push([first, last]);
    // A fold that a wrong bracket closed may end beyond the last line.
    const folds = this.folds.map(([from, to]) => /** @type {[number, number]} */ ([from, Math.min(to, last)]));
    return { lines: this.lines, folds: folds.filter(([from, to]) => from <= to), verbatim: this.#verbatim };
  }
}
