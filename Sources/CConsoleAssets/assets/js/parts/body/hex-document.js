const width = 16;
const mostMatches = 5000;

/** Bytes in rows of sixteen. Only visible rows are written. */
export class HexDocument {
  hasFolds = false;
  /** @type {{row: number, start: number, end: number}[]} */
  matches = [];
  current = -1;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }

  get length() {
    return Math.ceil(this.bytes.length / width);
  }

  get text() {
    const rows = [];
    for (let row = 0; row < Math.min(this.length, 65536); row += 1) rows.push(this.#parts(row).join("  "));
    return rows.join("\n");
  }

  /** Finds a text, or bytes that are written as `0x89504e`. @param {string} query */
  find(query) {
    this.matches = [];
    this.current = -1;
    const wanted = bytesOf(query);
    if (wanted.length === 0) return;
    for (let at = this.bytes.indexOf(wanted[0]); at >= 0; at = this.bytes.indexOf(wanted[0], at + 1)) {
      if (wanted.every((byte, place) => this.bytes[at + place] === byte)) {
        this.matches.push({ row: Math.floor(at / width), start: at, end: at + wanted.length });
      }
      if (this.matches.length === mostMatches) break;
    }
  }

  /** Marks a byte. @param {number} offset */
  mark(offset) {
    const at = Math.max(0, Math.min(this.bytes.length - 1, offset));
    this.matches = [{ row: Math.floor(at / width), start: at, end: at + 1 }];
  }

  get hasMoreMatches() {
    return this.matches.length === mostMatches;
  }

  /** @param {number} place */
  visit(place) {
    this.current = (place + this.matches.length) % this.matches.length;
    return this.matches[this.current].row;
  }

  /** @param {HTMLElement} element @param {number} row */
  render(element, row) {
    const [offset, hex, ascii] = this.#parts(row);
    const part = (kind, text) => {
      const span = document.createElement("span");
      span.className = kind;
      span.textContent = text;
      return span;
    };
    element.replaceChildren(part("gutter", offset + "  "), part("hex", hex + "  "), part("ascii", ascii));
    const found = this.matches.filter((match) => match.start < (row + 1) * width && match.end > row * width);
    element.classList.toggle("found", found.length > 0);
    element.classList.toggle("current", found.some((match) => match === this.matches[this.current]));
  }

  #parts(row) {
    const bytes = this.bytes.subarray(row * width, (row + 1) * width);
    let hex = "";
    let ascii = "";
    for (let at = 0; at < width; at += 1) {
      hex += at < bytes.length ? bytes[at].toString(16).padStart(2, "0") : "  ";
      hex += at === 7 ? "  " : at === width - 1 ? "" : " ";
      const isPrintable = bytes[at] >= 32 && bytes[at] < 127;
      if (at < bytes.length) ascii += isPrintable ? String.fromCharCode(bytes[at]) : "·";
    }
    return [(row * width).toString(16).padStart(8, "0"), hex, ascii];
  }
}

function bytesOf(query) {
  const digits = /^0x((?:[\da-f]{2}\s*)+)$/i.exec(query.trim())?.[1].replaceAll(/\s/g, "");
  if (digits) return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  return new TextEncoder().encode(query);
}
