/** The deepest level that is read. Deeper nesting is a mistake, or an attack on the reader. */
const deepest = 200;
/** The limit on the number of values in the layout. */
const most = 1_000_000;
/** The limit on the bytes of a binary value in the layout. */
const longest = 64;

/** The layouts of binary formats. @type {ReadonlySet<string>} */
export const binaryLayouts = new Set(["msgpack", "cbor"]);

/** A reason why bytes do not follow a format, and the place. */
export class Complaint extends Error {
  /** @param {number} offset @param {string} reason @param {boolean} [isEnd] Whether more bytes could complete the value. */
  constructor(offset, reason, isEnd = false) {
    super(reason);
    this.offset = offset;
    this.isEnd = isEnd;
  }
}

/**
 * Lays a binary format out as a text like JSON, a value a line.
 *
 * Wrong or incomplete bytes are laid out up to the mistake; a sequence of values is laid out one below the other.
 *
 * @param {BinaryReader} reader
 * @returns {{lines: string[], folds: [number, number][], complaint: string, offset: number, isCut: boolean, isLeftOut: boolean}} `complaint` is empty for valid bytes; `isCut` if only the end is missing.
 */
export function layOutBinary(reader) {
  let complaint = "";
  let offset = -1;
  let isCut = false;
  try {
    while (reader.at < reader.bytes.length && !reader.isFull) reader.value("", 0);
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    complaint = `at byte ${error.offset} (0x${error.offset.toString(16)}): ${error.message}.`;
    ({ offset, isEnd: isCut } = error);
  }
  return { ...reader.end(), complaint, offset, isCut, isLeftOut: reader.isFull };
}

/**
 * A reader of a format whose values are scalars, arrays and maps. A format implements `many` and `scalar` for the start of
 * a value, and `wrap` for the texts around it.
 */
export class BinaryReader {
  at = 0;
  /** @type {string[]} */
  lines = [];
  /** @type {[number, number][]} */
  folds = [];
  /** @type {number[]} The first lines of open arrays and maps. */
  open = [];
  count = 0;
  /** @type {string[]} The names of the values that are being read, the innermost last. */
  holders = [];

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Whether the bytes hold more values than the limit. */
  get isFull() {
    return this.count >= most && this.at < this.bytes.length;
  }

  end() {
    for (const first of this.open) this.folds.push([first, this.lines.length - 1]);
    return { lines: this.lines, folds: this.folds };
  }

  /** Reads a value and writes its lines. @param {string} before The text of the key, if any. @param {number} depth */
  value(before, depth) {
    const start = this.at;
    const indent = "  ".repeat(Math.min(depth, 100));
    const [lead, trail] = this.wrap();
    const many = this.many();
    if (!many) {
      this.lines.push(`${indent}${before}${lead}${this.scalar()}${trail}`);
      return;
    }
    if (depth === deepest) throw new Complaint(start, `more than ${deepest} levels lie in each other`);
    const [sign, last] = many.isMap ? "{}" : "[]";
    if (!this.hasMore(many, 0)) {
      this.close(many);
      this.lines.push(`${indent}${before}${lead}${sign}${last}${trail}`);
      return;
    }
    const first = this.lines.push(`${indent}${before}${lead}${sign}`) - 1;
    this.open.push(first);
    this.holders.push(many.name);
    for (let place = 0; this.hasMore(many, place) && !this.isFull; place += 1) {
      this.value(many.isMap ? `${this.key(depth)}: ` : "", depth + 1);
      if (this.hasMore(many, place + 1)) this.lines[this.lines.length - 1] += ",";
    }
    if (this.isFull) return;
    this.close(many);
    this.holders.pop();
    this.lines.push(`${indent}${last}${trail}`);
    this.open.pop();
    this.folds.push([first, this.lines.length - 1]);
  }

  /** A key of any type, in one line. @param {number} depth */
  key(depth) {
    const start = this.at;
    const [lead, trail] = this.wrap();
    const many = this.many();
    if (!many) return `${lead}${this.scalar()}${trail}`;
    if (depth === deepest) throw new Complaint(start, `more than ${deepest} levels lie in each other`);
    const parts = [];
    this.holders.push(many.name);
    for (let place = 0; this.hasMore(many, place) && !this.isFull; place += 1) {
      const name = many.isMap ? `${this.key(depth + 1)}: ` : "";
      parts.push(name + this.key(depth + 1));
    }
    this.close(many);
    this.holders.pop();
    return `${lead}${many.isMap ? `{${parts.join(", ")}}` : `[${parts.join(", ")}]`}${trail}`;
  }

  /** The texts around the next value. @returns {[string, string]} */
  wrap() {
    return ["", ""];
  }

  /** Whether an array or a map has a value at a place. @param {{length: number}} many @param {number} place */
  hasMore(many, place) {
    return place < many.length;
  }

  /** Reads the mark at the end of an array or a map. @param {{length: number}} many */
  close(many) {}

  /** The length of an array or a map that begins here; `null` for another value. @returns {{isMap: boolean, length: number, name: string} | null} */
  many() {
    throw new Error("a format says how arrays begin");
  }

  /** Reads a value that is neither a map nor an array. @returns {string} */
  scalar() {
    throw new Error("a format says how values begin");
  }

  text(length, start) {
    const taken = this.take(length, start, "a text");
    try {
      return JSON.stringify(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(taken));
    } catch {
      return `<text that is not UTF-8, ${dump(taken)}>`;
    }
  }

  /** An unsigned number of `size` bytes. */
  number(size) {
    const view = this.fixed(size, this.at - 1);
    return size === 1 ? view.getUint8(0) : size === 2 ? view.getUint16(0) : view.getUint32(0);
  }

  fixed(size, start) {
    if (size > this.bytes.length - this.at) throw this.ending(start);
    const view = new DataView(this.view.buffer, this.view.byteOffset + this.at, size);
    this.at += size;
    return view;
  }

  take(length, start, what) {
    const left = this.bytes.length - this.at;
    if (length > left) throw new Complaint(start, `${what} of ${length} bytes begins here, of which ${left} are there`, true);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  ending(start) {
    return new Complaint(start, "it ends in the middle of a value", true);
  }
}

/** A float as text that cannot be read as an integer. A float of 32 bits has no more digits than its precision. */
export function float(value, isSingle) {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return Object.is(value, -0) ? "-0.0" : Math.abs(value) < 1e21 ? `${value}.0` : String(value);
  if (!isSingle) return String(value);
  for (let digits = 6; digits < 10; digits += 1) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(value);
}

export function dump(bytes) {
  const shown = [...bytes.subarray(0, longest)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const rest = bytes.length > longest ? " …" : "";
  return `${bytes.length} ${bytes.length === 1 ? "byte" : "bytes"}${bytes.length > 0 ? ": " : ""}${shown}${rest}`;
}
