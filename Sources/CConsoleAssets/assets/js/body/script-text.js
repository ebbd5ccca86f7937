/**
 * Lays a script out that came without line breaks, one statement a line; one that has lines keeps them. Spaces
 * alone change. Nothing is parsed as a language: where a guess about a token is wrong, a line breaks at another
 * place, and nothing is lost.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][]}}
 */
export function layOutScript(source) {
  if (!isDense(source)) return { lines: source.split(/\r\n|\r|\n/), folds: [] };
  const page = new Page();
  let before = none;
  let token = tokenAt(source, 0, before);
  while (token.kind !== "end") {
    const next = tokenAt(source, token.end, token);
    place(page, source, before, token, next);
    before = token;
    token = next;
  }
  return page.end();
}

/** Whether nearly all of a script stands in lines that nobody reads. @param {string} source */
export function isDense(source) {
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
 */

/** @type {Token} */
const none = { kind: "mark", text: ";", end: 0, isSpaced: false, isBroken: false };

/** Objects that are no longer stay in their line. */
const longestInline = 60;
const deepest = 100;

const keywords = new Set(("return typeof instanceof in of new delete void throw case else do await yield const let var if for "
  + "while switch catch with extends import export default").split(" "));
const goesOn = new Set("else catch finally from instanceof in of as".split(" "));
const spaced = new Set(("= == === != !== => && || ?? ? < > <= >= += -= *= /= %= &= |= ^= <<= >>= >>>= **= &&= ||= ??= "
  + "<< >> >>> % & | ^ ** *").split(" "));
const mark = /[<>*]{2}=|>>>=?|\.\.\.|[=!]==|&&=|\|\|=|\?\?=|=>|[=!<>+\-*/%&|^]=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|<<|>>|\*\*|[^]/y;
const word = /[\p{ID_Start}$_#@\d\\](?:[\p{ID_Continue}$\u200c\u200d\\]|\.(?=\d))*/uy;
const quoted = /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?/y;
// Bounded, so that what only looks like one is not followed to the end of the script, over and over.
const regex = /\/(?![*/])(?:[^\\/[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,500}\]){1,2000}\/[\w$]*/y;
const remark = /\/\/[^\n\r\u2028\u2029]*|<!--[^\n\r]*/y;
const comment = /\/\*[^]*?(?:\*\/|$)/y;

/** @param {string} source @param {number} start @param {Token} before @returns {Token} */
function tokenAt(source, start, before) {
  let at = start;
  let isBroken = false;
  for (; at < source.length && source.charCodeAt(at) <= 32; at += 1) isBroken ||= source[at] === "\n" || source[at] === "\r";
  const made = (kind, end) => ({ kind, text: source.slice(at, end), end, isSpaced: at > start, isBroken });
  if (at >= source.length) return made("end", at);
  const matched = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0].length ?? 0;
  };
  const character = source[at];
  if (character === '"' || character === "'") return made("string", at + matched(quoted));
  if (character === "`") return made("template", templateEnd(source, at));
  if (character === "/" || character === "<") {
    let length = matched(comment);
    if (length > 0) return made("comment", at + length);
    length = matched(remark);
    if (length > 0) return made("remark", at + length);
    length = isOperand(before) ? 0 : matched(regex);
    if (length > 0) return made("regex", at + length);
  }
  const length = matched(word);
  if (length === 0) return { ...made("mark", at + matched(mark)), isUnary: !isOperand(before) };
  const isName = before.text === "." || before.text === "?.";
  return made(!isName && keywords.has(source.slice(at, at + length)) ? "keyword" : "word", at + length);
}

/** Whether a value may end in it, so that what follows is an operator. @param {Token} token */
function isOperand({ kind, text, isUnary }) {
  if (kind !== "mark") return kind !== "keyword" && kind !== "end";
  return /^[)\]}]$/.test(text) || (/^(?:\+\+|--)$/.test(text) && !isUnary);
}

/** Where a template ends, with the expressions in it, which may hold templates. */
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
      quoted.lastIndex = at;
      at += (quoted.exec(source)?.[0].length ?? 1) - 1;
    }
  }
  return Math.min(at, source.length);
}

/** Puts a token to its line, and ends lines around it. */
function place(page, source, before, token, next) {
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
  if (text === "{") page.open("{", inlineEnd(source, token));
  else if (text === "(" || text === "[") page.open(text, true);
  else if (text === ")" || text === "]") page.close();
  else if (text === "?") page.asked += 1;
  else if (text === ":") page.asked = Math.max(0, page.asked - 1);
  else if (text === ";" && page.innermost !== "(") page.breakLine();
  else if (text === "," && !page.isInline) page.breakLine();
}

/** Whether a space stands before a token in its line. */
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

/** Whether braces hold so little that they stay in their line. */
function inlineEnd(source, opening) {
  let before = opening;
  for (;;) {
    const token = tokenAt(source, before.end, before);
    if (token.end - opening.end > longestInline || token.isBroken) return false;
    if (token.kind === "end" || token.kind === "remark" || (token.kind === "mark" && /^[{;]$/.test(token.text))) return false;
    if (token.kind === "mark" && token.text === "}") return true;
    before = token;
  }
}

/** The lines so far, and what is open. */
class Page {
  lines = [];
  folds = [];
  #line = "";
  #isVerbatim = false;
  #depth = 0;
  /** @type {{mark: string, isInline: boolean, first: number, asked: number}[]} */
  #open = [{ mark: "", isInline: false, first: 0, asked: 0 }];

  get #top() {
    return this.#open[this.#open.length - 1];
  }

  get isInline() {
    return this.#top.isInline;
  }

  get innermost() {
    return this.#top.mark;
  }

  /** The question marks that wait for their colons. */
  get asked() {
    return this.#top.asked;
  }

  set asked(count) {
    this.#top.asked = count;
  }

  add(text, isApart) {
    const [first, ...rest] = text.split(/\r\n|\r|\n/);
    this.#line += isApart && this.#line !== "" ? ` ${first}` : first;
    // What holds lines of its own (a comment, a template) keeps them as they are.
    for (const row of rest) {
      this.#push();
      this.#line = row;
      this.#isVerbatim = true;
    }
  }

  #push() {
    const indent = this.#isVerbatim ? "" : "  ".repeat(Math.min(this.#depth, deepest));
    this.lines.push(indent + this.#line);
    this.#line = "";
    this.#isVerbatim = false;
  }

  breakLine() {
    if (this.#line !== "") this.#push();
  }

  open(mark, isInline) {
    // Braces in parentheses may hold a function's whole body.
    this.#open.push({ mark, isInline, first: this.lines.length, asked: 0 });
    if (isInline) return;
    this.breakLine();
    this.#depth += 1;
  }

  /** Closes the innermost; `text` is put after it is left. */
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
    for (const { isInline, first } of this.#open.slice(1)) if (!isInline) this.folds.push([first, this.lines.length - 1]);
    return { lines: this.lines, folds: this.folds };
  }
}
