/** Levels that are read; deeper ones are a mistake, or an attack on who reads them. */
const deepest = 200;
/** Values that are shown. */
const most = 1_000_000;
/** Bytes of a binary that are shown. */
const longest = 64;

/** What keeps bytes from being MessagePack, and where. */
class Complaint extends Error {
  /** @param {number} offset @param {string} reason @param {boolean} [isEnd] Whether more bytes could make it good. */
  constructor(offset, reason, isEnd = false) {
    super(reason);
    this.offset = offset;
    this.isEnd = isEnd;
  }
}

/**
 * Lays MessagePack out as a text like JSON, a value a line.
 *
 * What JSON has no word for stands in angle brackets: `<bin 3: 01 02 03>`, `<ext 5, 1 byte: ff>`, `<timestamp …>`. Keys of maps are
 * whatever was sent. What is wrong, or ends in the middle, is laid out as far as it goes; values after each other stand below each other.
 *
 * @param {Uint8Array} bytes
 * @returns {{lines: string[], folds: [number, number][], complaint: string, offset: number, isCut: boolean, isLeftOut: boolean}} The complaint is empty where there is none; it `isCut` where the end alone is missing.
 */
export function layOutMessagePack(bytes) {
  const reader = new Reader(bytes);
  let complaint = "";
  let offset = -1;
  let isCut = false;
  try {
    while (reader.at < bytes.length && !reader.isFull) reader.value("", "", 0);
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    complaint = `at byte ${error.offset} (0x${error.offset.toString(16)}): ${error.message}.`;
    ({ offset, isEnd: isCut } = error);
  }
  return { ...reader.end(), complaint, offset, isCut, isLeftOut: reader.isFull };
}

class Reader {
  at = 0;
  /** @type {string[]} */
  lines = [];
  /** @type {[number, number][]} */
  folds = [];
  /** @type {number[]} Lines of what is open. */
  open = [];
  count = 0;
  /** @type {string[]} What is read in what, the innermost last. */
  holders = [];

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Whether there is more than is shown. */
  get isFull() {
    return this.count >= most && this.at < this.bytes.length;
  }

  end() {
    for (const first of this.open) this.folds.push([first, this.lines.length - 1]);
    return { lines: this.lines, folds: this.folds };
  }

  /** Reads a value and writes its lines. @param {string} before A key. @param {string} after A comma. @param {number} depth */
  value(before, after, depth) {
    const start = this.at;
    const indent = "  ".repeat(Math.min(depth, 100));
    const many = this.many();
    if (!many) {
      this.lines.push(`${indent}${before}${this.scalar()}${after}`);
      return;
    }
    if (depth === deepest) throw new Complaint(start, `more than ${deepest} levels lie in each other`);
    const [sign, last] = many.isMap ? "{}" : "[]";
    if (many.length === 0) {
      this.lines.push(`${indent}${before}${sign}${last}${after}`);
      return;
    }
    const first = this.lines.push(`${indent}${before}${sign}`) - 1;
    this.open.push(first);
    this.holders.push(many.name);
    for (let place = 0; place < many.length && !this.isFull; place += 1) {
      this.value(many.isMap ? `${this.key(depth)}: ` : "", place + 1 < many.length ? "," : "", depth + 1);
    }
    if (this.isFull) return;
    this.holders.pop();
    this.lines.push(`${indent}${last}${after}`);
    this.open.pop();
    this.folds.push([first, this.lines.length - 1]);
  }

  /** A key, in one line; it may be of any type. @param {number} depth */
  key(depth) {
    const start = this.at;
    const many = this.many();
    if (!many) return this.scalar();
    if (depth === deepest) throw new Complaint(start, `more than ${deepest} levels lie in each other`);
    const parts = [];
    this.holders.push(many.name);
    for (let place = 0; place < many.length && !this.isFull; place += 1) {
      const name = many.isMap ? `${this.key(depth + 1)}: ` : "";
      parts.push(name + this.key(depth + 1));
    }
    this.holders.pop();
    return many.isMap ? `{${parts.join(", ")}}` : `[${parts.join(", ")}]`;
  }

  /** The length of an array or a map, where one begins here. */
  many() {
    const first = this.bytes[this.at];
    if (first === undefined) throw new Complaint(this.at, `it ends where more of ${this.holders.at(-1)} is expected`, true);
    this.count += 1;
    const isMap = (first & 0xf0) === 0x80 || first === 0xde || first === 0xdf;
    if (!isMap && (first & 0xf0) !== 0x90 && first !== 0xdc && first !== 0xdd) return null;
    const start = this.at;
    this.at += 1;
    const length = first < 0xa0 ? first & 15 : this.number(first & 1 ? 4 : 2);
    return { isMap, length, name: `the ${isMap ? "map" : "array"} of ${length} at byte ${start}` };
  }

  /** Reads what is neither a map nor an array. */
  scalar() {
    const start = this.at;
    const first = this.bytes[this.at++];
    if (first < 0x80) return String(first);
    if (first >= 0xe0) return String(first - 256);
    if (first < 0xc0) return this.text(first & 31, start);
    switch (first) {
      case 0xc0: return "null";
      case 0xc2: return "false";
      case 0xc3: return "true";
      case 0xc4: case 0xc5: case 0xc6: return this.binary(this.number(1 << (first - 0xc4)), start);
      case 0xc7: case 0xc8: case 0xc9: return this.extension(this.number(1 << (first - 0xc7)), start);
      case 0xca: return float(this.fixed(4, start).getFloat32(0), true);
      case 0xcb: return float(this.fixed(8, start).getFloat64(0), false);
      case 0xcc: case 0xcd: case 0xce: return String(this.number(1 << (first - 0xcc)));
      case 0xcf: return String(this.fixed(8, start).getBigUint64(0));
      case 0xd0: return String(this.fixed(1, start).getInt8(0));
      case 0xd1: return String(this.fixed(2, start).getInt16(0));
      case 0xd2: return String(this.fixed(4, start).getInt32(0));
      case 0xd3: return String(this.fixed(8, start).getBigInt64(0));
      case 0xd4: case 0xd5: case 0xd6: case 0xd7: case 0xd8: return this.extension(1 << (first - 0xd4), start);
      case 0xd9: case 0xda: case 0xdb: return this.text(this.number(1 << (first - 0xd9)), start);
      default: throw new Complaint(start, "0xc1 begins no value");
    }
  }

  text(length, start) {
    const taken = this.take(length, start, "a text");
    try {
      return JSON.stringify(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(taken));
    } catch {
      return `<text that is no UTF-8, ${dump(taken)}>`;
    }
  }

  binary(length, start) {
    return `<bin ${dump(this.take(length, start, "a binary"))}>`;
  }

  extension(length, start) {
    const type = this.fixed(1, start).getInt8(0);
    const data = this.take(length, start, "an extension");
    return (type === -1 && timestamp(data)) || `<ext ${type}, ${dump(data)}>`;
  }

  /** An unsigned number of so many bytes. */
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

/** A number that says that it is no integer; of 32 bits no more digits than it has. */
function float(value, isSingle) {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return Object.is(value, -0) ? "-0.0" : Math.abs(value) < 1e21 ? `${value}.0` : String(value);
  if (!isSingle) return String(value);
  for (let digits = 6; digits < 10; digits += 1) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(value);
}

function dump(bytes) {
  const shown = [...bytes.subarray(0, longest)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const rest = bytes.length > longest ? " …" : "";
  return `${bytes.length} ${bytes.length === 1 ? "byte" : "bytes"}${bytes.length > 0 ? ": " : ""}${shown}${rest}`;
}

/** The moment that the extension -1 says; nothing where it says none. @param {Uint8Array} data */
function timestamp(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let seconds;
  let nanoseconds = 0;
  if (data.length === 4) {
    seconds = BigInt(view.getUint32(0));
  } else if (data.length === 8) {
    const both = view.getBigUint64(0);
    nanoseconds = Number(both >> 34n);
    seconds = both & 0x3ffffffffn;
  } else if (data.length === 12) {
    nanoseconds = view.getUint32(0);
    seconds = view.getBigInt64(4);
  } else {
    return "";
  }
  if (nanoseconds >= 1_000_000_000) return "";
  const date = new Date(Number(seconds) * 1000);
  const rest = nanoseconds > 0 ? `.${String(nanoseconds).padStart(9, "0").replace(/0+$/, "")}` : "";
  // A Date ends in the year 275760; what is further is told in seconds.
  if (Number.isNaN(date.getTime())) return `<timestamp ${seconds} s and ${nanoseconds} ns since 1970>`;
  return `<timestamp ${date.toISOString().replace(/\.\d+Z$/, "")}${rest}Z>`;
}
