import { Problem } from "../../core/problem.js";

/**
 * @typedef {object} ShellCommand
 * @property {string[]} words Bytes, one character each.
 * @property {string[]} remarks Remarks on the parts of the text that were left out.
 */

/** The meanings of a backslash and a letter in $'…' (bash, “ANSI-C Quoting”). */
const letters = { a: 7, b: 8, e: 27, E: 27, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92, "'": 39, '"': 34, "?": 63 };

/**
 * Reads the first command of a text as bash splits it into words. No command runs: `$NAME` becomes the variable
 * `{{NAME}}` of Compose, and a part that only a shell could compute is refused.
 *
 * @param {string} text
 * @returns {ShellCommand}
 */
export function readCommand(text) {
  return new CommandReader(latin1(new TextEncoder().encode(text))).read();
}

class CommandReader {
  /** @type {string[]} */
  #words = [];
  /** The current word; `null` between two words. @type {string | null} */
  #word = null;
  /** The place of an unquoted brace in the current word; -1 for none. */
  #brace = -1;
  /** @type {Set<string>} */
  #remarks = new Set();
  #at = 0;

  /** @param {string} text Bytes, one character each. */
  constructor(text) {
    this.text = text;
  }

  read() {
    while (this.#at < this.text.length && !this.#isEnd()) this.#step();
    this.#endWord();
    const rest = this.text.slice(this.#at).trim();
    if (rest && !rest.startsWith("#")) this.#remarks.add(`Left out, because only the first command is read: ${shortened(rest)}`);
    return { words: this.#words, remarks: [...this.#remarks] };
  }

  /** Whether the command ends at the current place. */
  #isEnd() {
    const sign = this.text[this.#at];
    if (sign === "\n" || sign === ";" || sign === "|") return this.#words.length > 0 || this.#word !== null;
    if (sign !== "&") return false;
    if (/\S/.test(this.text[this.#at + 1] ?? " ") && this.text[this.#at + 1] !== "&") this.#remarks.add(
      "The shell ends the command at “&”. If it belongs to the URL, put the URL in quotes.");
    return true;
  }

  #step() {
    const sign = this.text[this.#at];
    // In JavaScript, \s also matches U+00A0, which is the last byte of “à” here.
    if (/[ \t\r\n\v\f]/.test(sign)) {
      this.#at += 1;
      this.#endWord();
    } else if (sign === "#" && this.#word === null) {
      const end = this.text.indexOf("\n", this.#at);
      this.#at = end < 0 ? this.text.length : end;
    } else if (sign === "\\") this.#escape();
    else if (sign === "'") this.#singleQuoted();
    else if (sign === '"') this.#doubleQuoted();
    else if (sign === "$") this.#dollar(false);
    else if (sign === "`") throw this.#computed();
    else if (sign === ">" || sign === "<") this.#redirection();
    else if (sign === "~" && this.#word === null) throw fault("The shell would write the name of a home folder here (~)",
      "Put it in quotes, or write the name.");
    else this.#plain(sign);
  }

  #plain(sign) {
    if (sign === "{") this.#brace = this.#at;
    else if (sign === "}") this.#brace = -1;
    else if (this.#brace >= 0 && (sign === "," || this.text.startsWith("..", this.#at))) throw fault(
      "The shell makes several words of {…,…} without quotes", "Put it in single quotes.");
    this.#add(sign);
    this.#at += 1;
  }

  #add(bytes) {
    this.#word = (this.#word ?? "") + bytes;
  }

  #endWord() {
    if (this.#word !== null) this.#words.push(this.#word);
    this.#word = null;
    this.#brace = -1;
  }

  /** Reads a backslash outside of quotes. Before the end of a line, it joins two lines. */
  #escape() {
    const end = /^\\\r?\n/.exec(this.text.slice(this.#at, this.#at + 3));
    if (end) {
      this.#at += end[0].length;
      return;
    }
    this.#add(this.text[this.#at + 1] ?? "");
    this.#at += 2;
  }

  #singleQuoted() {
    const end = this.text.indexOf("'", this.#at + 1);
    if (end < 0) throw this.#open("'");
    this.#add(this.text.slice(this.#at + 1, end));
    this.#at = end + 1;
  }

  #doubleQuoted() {
    this.#at += 1;
    this.#add("");
    for (;;) {
      const sign = this.text[this.#at];
      if (sign === undefined) throw this.#open('"');
      if (sign === '"') break;
      if (sign === "`") throw this.#computed();
      if (sign === "$") this.#dollar(true);
      else if (sign === "\\" && this.text[this.#at + 1] === "\n") this.#at += 2;
      else if (sign === "\\" && /["\\$`]/.test(this.text[this.#at + 1] ?? "")) {
        this.#add(this.text[this.#at + 1]);
        this.#at += 2;
      } else {
        this.#add(sign);
        this.#at += 1;
      }
    }
    this.#at += 1;
  }

  /** @param {boolean} isQuoted Whether the dollar stands in double quotes, where $'…' has no meaning. */
  #dollar(isQuoted) {
    const rest = this.text.slice(this.#at + 1, this.#at + 80);
    if (!isQuoted && rest.startsWith("'")) return this.#ansi();
    if (/^[([]/.test(rest) || /^\{(?!\w+\})/.test(rest)) throw this.#computed();
    const name = /^(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/.exec(rest);
    if (!name) {
      const special = /^(?:[0-9@*#?$!-]|\{\d+\})/.exec(rest);
      if (special) this.#remarks.add(`$${special[0]} is kept as text. The shell would write a value of its own here.`);
      // A dollar before any other character is a plain dollar; $"…" equals "…".
      if (isQuoted || !rest.startsWith('"')) this.#add("$");
      this.#at += 1;
      return;
    }
    const variable = name[1] ?? name[2];
    this.#remarks.add(`$${variable} of the shell became {{${variable}}}: give it a value under Variables.`);
    this.#add(`{{${variable}}}`);
    this.#at += 1 + name[0].length;
  }

  /** Reads $'…', in which a backslash begins an escape; \x and \0 make bytes, \u makes a character. */
  #ansi() {
    this.#at += 2;
    this.#add("");
    for (;;) {
      const sign = this.text[this.#at];
      if (sign === undefined) throw this.#open("$'");
      if (sign === "'") break;
      if (sign !== "\\") {
        this.#add(sign);
        this.#at += 1;
        continue;
      }
      const rest = this.text.slice(this.#at + 1, this.#at + 10);
      const number = /^(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([\s\S]))/.exec(rest);
      if (number) {
        const [all, octal, byte, short, long, control] = number;
        const code = octal ? parseInt(octal, 8) & 255 : byte ? parseInt(byte, 16) : control ? control.charCodeAt(0) & 31 : -1;
        this.#add(code >= 0 ? String.fromCharCode(code) : utf8(parseInt(short ?? long, 16)));
        this.#at += 1 + all.length;
      } else {
        const code = Object.hasOwn(letters, rest[0]) ? letters[rest[0]] : undefined;
        this.#add(code === undefined ? `\\${rest[0] ?? ""}` : String.fromCharCode(code));
        this.#at += 2;
      }
    }
    this.#at += 1;
  }

  /** Skips `> file` and `2>&1`, which belong to the shell. */
  #redirection() {
    if (/^[<>&]*\s*[<>]\(/.test(this.text.slice(this.#at))) throw fault("The shell would run a command here (>(…) or <(…))", "Take that part out of the command.");
    if (this.text[this.#at] === "<") throw fault("The shell would read a file here (<)", "Write the content of the file as the body.");
    if (this.#word !== null && /^\d$/.test(this.#word)) this.#word = null;
    this.#endWord();
    const found = /^>+(&\d|\s*[^\s;|&]+)?/.exec(this.text.slice(this.#at));
    this.#at += found ? found[0].length : 1;
    this.#remarks.add("Where the shell writes the response to (>) is left out.");
  }

  #computed() {
    return fault("The shell would run a command here ($(…), `…` or ${…})", "Write what it makes, or a variable such as {{name}}.");
  }

  #open(quote) {
    return fault(`The quote ${quote} has no end`, "Copy the whole command.");
  }
}

function utf8(code) {
  // Half of a surrogate pair is no character; bash would write invalid UTF-8.
  const text = code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
  return latin1(new TextEncoder().encode(text));
}

function shortened(text) {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function fault(title, remedy) {
  return new Problem({ title, remedy });
}

/** Bytes as a text with one character for each. @param {Uint8Array} bytes */
function latin1(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return text;
}
