import { BinaryReader, Complaint, dump, float, layOutBinary } from "./binary-text.js";

/**
 * Lays CBOR out in its diagnostic notation (RFC 8949 §8), a value a line: `h'0102'` for bytes, `32("https://…")` for a
 * tag, `_` for an indefinite length.
 *
 * @param {Uint8Array} bytes
 */
export function layOutCBOR(bytes) {
  return layOutBinary(new CBORReader(bytes));
}

const simple = { 20: "false", 21: "true", 22: "null", 23: "undefined" };

class CBORReader extends BinaryReader {
  /** Tags before a value. @returns {[string, string]} */
  wrap() {
    let lead = "";
    let trail = "";
    for (let count = 0; this.bytes[this.at] >> 5 === 6; count += 1) {
      if (count === 16) throw new Complaint(this.at, "more than 16 tags stand before a value");
      const start = this.at;
      const { length } = this.head();
      if (length === null) throw new Complaint(start, "a tag has no number");
      lead += `${length}(`;
      trail += ")";
    }
    return [lead, trail];
  }

  many() {
    const first = this.bytes[this.at];
    if (first === undefined) throw new Complaint(this.at, `it ends where more of ${this.holders.at(-1) ?? "a tag"} is expected`, true);
    this.count += 1;
    const type = first >> 5;
    if (type !== 4 && type !== 5) return null;
    const start = this.at;
    const { length } = this.head();
    const isMap = type === 5;
    const many = length === null ? Infinity : Number(length);
    return { isMap, length: many, name: `the ${isMap ? "map" : "array"} ${length === null ? "" : `of ${length} `}at byte ${start}` };
  }

  hasMore(many, place) {
    return many.length === Infinity ? this.bytes[this.at] !== 0xff : place < many.length;
  }

  close(many) {
    if (many.length === Infinity) this.at += 1;
  }

  scalar() {
    const start = this.at;
    const type = this.bytes[start] >> 5;
    if (type === 7) return this.other(start);
    const { length } = this.head();
    switch (type) {
      case 0: if (length !== null) return String(length); break;
      case 1: if (length !== null) return String(-1n - BigInt(length)); break;
      case 2: return length === null ? this.chunks(start, 2) : this.binary(Number(length), start);
      default: return length === null ? this.chunks(start, 3) : this.text(Number(length), start);
    }
    throw new Complaint(start, "a number has no end");
  }

  /** The chunks of bytes or text of indefinite length. */
  chunks(start, type) {
    const parts = [];
    while (this.bytes[this.at] !== 0xff) {
      const at = this.at;
      if (at >= this.bytes.length) throw this.ending(start);
      this.count += 1;
      if (this.bytes[at] >> 5 !== type) throw new Complaint(at, "a piece of another type lies in it");
      const { length } = this.head();
      if (length === null) throw new Complaint(at, "a piece has no length");
      parts.push(type === 2 ? this.binary(Number(length), at) : this.text(Number(length), at));
    }
    this.at += 1;
    return `(_ ${parts.join(", ")})`;
  }

  binary(length, start) {
    const taken = this.take(length, start, "a binary");
    return length <= 64 ? `h'${[...taken].map((byte) => byte.toString(16).padStart(2, "0")).join("")}'` : `<${dump(taken)}>`;
  }

  /** A number with a fraction, or a simple value. */
  other(start) {
    const kind = this.bytes[start] & 31;
    this.at += 1;
    if (kind === 25) return float(half(this.fixed(2, start).getUint16(0)), false);
    if (kind === 26) return float(this.fixed(4, start).getFloat32(0), true);
    if (kind === 27) return float(this.fixed(8, start).getFloat64(0), false);
    if (kind === 31) throw new Complaint(start, "an end stands where nothing was begun");
    if (kind > 24) throw new Complaint(start, `0x${this.bytes[start].toString(16)} begins no value`);
    const value = kind === 24 ? this.fixed(1, start).getUint8(0) : kind;
    return simple[value] ?? `simple(${value})`;
  }

  /** The argument in the first bytes of a value; `null` for an indefinite length. */
  head() {
    const start = this.at;
    const kind = this.bytes[start] & 31;
    this.at += 1;
    if (kind < 24) return { length: kind };
    if (kind === 31) return { length: null };
    if (kind > 27) throw new Complaint(start, `0x${this.bytes[start].toString(16)} begins no value`);
    if (kind === 27) return { length: this.fixed(8, start).getBigUint64(0) };
    const size = 1 << (kind - 24);
    const view = this.fixed(size, start);
    return { length: size === 1 ? view.getUint8(0) : size === 2 ? view.getUint16(0) : view.getUint32(0) };
  }
}

/** A number of 16 bits (IEEE 754 binary16). @param {number} bits */
function half(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const value = exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? (fraction ? NaN : Infinity)
    : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -value : value;
}
