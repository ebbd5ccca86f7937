import { layOutJSON } from "./json-text.js";
import { Indentation, inOneLine, rowsIn, trimmed } from "./lines.js";
import { layOutScript } from "./script-text.js";
import { layOutStyle } from "./style-text.js";

/**
 * Lays HTML out: block elements on lines of their own, a text with its inline elements on one, scripts and style sheets
 * by their own rules. Only spaces outside of `pre` and `textarea` change. The browser's parser is not used, so a page cannot run.
 *
 * @param {string} source
 * @returns {{lines: string[], folds: [number, number][]}}
 */
export function layOutHTML(source) {
  const page = new Page(source);
  for (let at = 0, end; at < source.length; at = end) {
    tagStart.lastIndex = at;
    const start = tagStart.exec(source)?.index ?? source.length;
    page.text(source.slice(at, start));
    end = start < source.length ? take(page, source, start) : start;
  }
  return page.end();
}

const tagStart = /<(?:[a-z]|\/[a-z]|!|\?)/gi;
/** Characters after which a text is broken before the next element in it. */
const widest = 120;
const names = (/** @type {string} */ list) => new Set(list.split(" "));
const voids = names("area base br col embed hr img input link meta param source track wbr");
const inline = names("a abbr b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark q s samp small "
  + "span strike strong sub sup time tt u var wbr");
/** Elements whose content is no markup, or whose spaces count. */
const verbatim = names("script style textarea pre title xmp iframe noembed noframes");
/** The open elements that an opening tag closes (WHATWG HTML §13.1.2.4). */
const closed = {
  ...Object.fromEntries(("address article aside blockquote center details dialog dir div dl fieldset figure footer form h1 h2 h3 h4 "
    + "h5 h6 header hgroup hr main menu nav ol p pre section table ul").split(" ").map((name) => [name, names("p")])),
  li: names("p li"), dt: names("p dt dd"), dd: names("p dt dd"), option: names("option"), optgroup: names("option optgroup"),
  tr: names("p tr td th"), td: names("p td th"), th: names("p td th"), tbody: names("p tr td th thead tbody"),
  tfoot: names("p tr td th thead tbody"), body: names("head"),
};

/** Adds a tag or a comment to the page, and returns its end. */
function take(page, source, start) {
  if (source.startsWith("<!--", start)) {
    const closing = source.indexOf("-->", start + 4);
    const end = closing < 0 ? source.length : closing + 3;
    page.rows(source.slice(start, end));
    return end;
  }
  const end = tagEnd(source, start);
  const tag = source.slice(start, end);
  const name = /^<\/?([a-z][^\s/>]*)/i.exec(tag)?.[1].toLowerCase() ?? "";
  if (!name) page.rows(tag);
  else if (tag.startsWith("</")) page.close(name, tag);
  else if (verbatim.has(name) && !(page.isForeign && tag.endsWith("/>"))) return takeVerbatim(page, source, name, start, end);
  else page.open(name, tag);
  return end;
}

function takeVerbatim(page, source, name, start, content) {
  const pattern = new RegExp(`</${name}[\\s/>]`, "gi");
  pattern.lastIndex = content;
  const closing = pattern.exec(source)?.index ?? source.length;
  const end = closing < source.length ? tagEnd(source, closing) : closing;
  page.hold(name, source.slice(start, content), source.slice(content, closing), source.slice(closing, end));
  return end;
}

/** The end of a tag. A `>` in the value of an attribute is no end. */
function tagEnd(source, start) {
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === ">") return at + 1;
    if (source[at] !== "=") continue;
    while (/[ \t\n\f\r]/.test(source[at + 1] ?? "")) at += 1;
    const quote = source[at + 1];
    if (quote !== '"' && quote !== "'") {
      while (/[^ \t\n\f\r>]/.test(source[at + 1] ?? "")) at += 1;
      continue;
    }
    const closing = source.indexOf(quote, at + 2);
    if (closing < 0) return source.length;
    at = closing;
  }
  return source.length;
}

/** The layout for the content of a script or a style sheet, by its tag; `null` for unknown types. */
function layoutOf(name, tag) {
  if (name === "style") return layOutStyle;
  if (name !== "script") return null;
  const type = /\stype\s*=\s*["']?([^\s"'>]*)/i.exec(tag)?.[1].toLowerCase() ?? "";
  if (/json|importmap|speculationrules/.test(type)) return layOutJSON;
  return type === "" || type === "module" || type.includes("script") ? layOutScript : null;
}

/** The finished lines, and the open elements. */
class Page {
  #lines = [];
  #folds = [];
  /** The elements that are open, with the first and the last line of their tags. @type {{name: string, line: number, last: number}[]} */
  #open = [];
  #indentation;
  /** The number of open elements of each name. @type {Map<string, number>} */
  #counts = new Map();
  /** The text of the current line, with its inline elements. */
  #run = "";

  constructor(source) {
    this.#indentation = new Indentation(source);
  }

  /** Whether the place is in SVG or MathML, where `/>` ends an empty element. */
  get isForeign() {
    return Boolean(this.#counts.get("svg") || this.#counts.get("math"));
  }

  text(text) {
    const spaces = text.replace(/[ \t\n\f\r]+/g, " ");
    this.#run += spaces.startsWith(" ") && (this.#run === "" || this.#run.endsWith(" ")) ? spaces.slice(1) : spaces;
  }

  open(name, tag) {
    if (inline.has(name)) {
      if (this.#run.length > widest) this.#flush();
      this.#run += inOneLine(tag);
      if (name === "br") this.#flush();
      return;
    }
    this.#flush();
    while (closed[name]?.has(this.#open.at(-1)?.name)) this.#leave();
    const line = this.#lines.length;
    this.#pushTag(tag);
    if (voids.has(name) || tag.endsWith("/>")) return;
    this.#open.push({ name, line, last: this.#lines.length - 1 });
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  close(name, tag) {
    if (inline.has(name) || !this.#counts.get(name)) {
      this.#run += inOneLine(tag);
      if (!inline.has(name) || this.#run.length > 10 * widest) this.#flush();
      return;
    }
    const place = this.#open.findLastIndex((one) => one.name === name);
    if (place < this.#open.length - 1) this.#flush();
    while (this.#open.length - 1 > place) this.#leave();
    const last = this.#lines.length - 1;
    const text = trimmed(this.#run);
    if (this.#open[place].last === last && this.#lines[last].length + text.length <= widest) {
      this.#pop();
      this.#lines[last] += text + inOneLine(tag);
      this.#run = "";
      return;
    }
    this.#flush();
    const { line: first } = this.#pop();
    this.#push(inOneLine(tag));
    this.#folds.push([first, this.#lines.length - 1]);
  }

  /** Adds an element whose content is no markup. */
  hold(name, tag, content, closing) {
    this.#flush();
    while (closed[name]?.has(this.#open.at(-1)?.name)) this.#leave();
    const line = this.#lines.length;
    const layout = layoutOf(name, tag);
    if (layout && trimmed(content) !== "") {
      this.#pushTag(tag);
      this.#nest(layout(content));
      if (closing) this.#push(inOneLine(closing));
    } else {
      const [first, ...rest] = rowsIn(inOneLine(tag) + content + inOneLine(closing));
      this.#push(first);
      for (const row of rest) this.#lines.push(row);
    }
    this.#folds.push([line, this.#lines.length - 1]);
  }

  /** Adds a comment, a declaration or an instruction. */
  rows(text) {
    this.#flush();
    for (const row of rowsIn(text)) if (trimmed(row) !== "") this.#push(trimmed(row));
  }

  end() {
    this.#flush();
    while (this.#open.length > 0) this.#leave();
    return { lines: this.#lines, folds: this.#folds };
  }

  /** Leaves an open element that has no closing tag. */
  #leave() {
    const { line } = this.#pop();
    if (line < this.#lines.length - 1) this.#folds.push([line, this.#lines.length - 1]);
  }

  #pop() {
    const one = this.#open.pop() ?? { name: "", line: 0 };
    this.#counts.set(one.name, (this.#counts.get(one.name) ?? 1) - 1);
    return one;
  }

  #flush() {
    const text = trimmed(this.#run);
    this.#run = "";
    if (text !== "") this.#push(text);
  }

  #push(text) {
    this.#lines.push(this.#indent + text);
  }

  get #indent() {
    return this.#indentation.of(this.#open.length);
  }

  /** Adds a tag in one line. A long tag that was written in several lines keeps them. */
  #pushTag(tag) {
    const line = inOneLine(tag);
    if (line.length <= widest) return this.#push(line);
    rowsIn(tag).forEach((row, number) => this.#push(number === 0 ? row : `    ${trimmed(row)}`));
  }

  /** Adds lines with a layout of their own one level deeper. Lines whose spaces count stay unchanged. */
  #nest({ lines, folds, verbatim = noLines }) {
    const isBlank = (/** @type {string} */ line) => trimmed(line) === "";
    const kept = Math.max(0, lines.findIndex((line) => !isBlank(line)));
    const end = lines.findLastIndex((line) => !isBlank(line)) + 1;
    const first = this.#lines.length;
    for (let at = kept; at < end; at += 1) this.#lines.push(verbatim.has(at) ? lines[at] : `${this.#indent}  ${lines[at]}`);
    for (const [from, to] of folds) if (to < end) this.#folds.push([first + from - kept, first + to - kept]);
  }
}

const noLines = { has: () => false };
