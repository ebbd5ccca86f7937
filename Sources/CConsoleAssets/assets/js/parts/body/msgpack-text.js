import { BinaryReader, Complaint, dump, float, layOutBinary } from "./binary-text.js";

/**
 * Lays MessagePack out as a text like JSON, a value a line.
 *
 * Types that JSON lacks are written in angle brackets: `<bin 3: 01 02 03>`, `<ext 5, 1 byte: ff>`, `<timestamp …>`. Keys of maps
 * may be of any type.
 *
 * @param {Uint8Array} bytes
 */
export function layOutMessagePack(bytes) {
  return layOutBinary(new MessagePackReader(bytes));
}

class MessagePackReader extends BinaryReader {
  /** The length of an array or a map that begins here; `null` for another value. */
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

  /** Reads a value that is neither a map nor an array. */
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

  binary(length, start) {
    return `<bin ${dump(this.take(length, start, "a binary"))}>`;
  }

  extension(length, start) {
    const type = this.fixed(1, start).getInt8(0);
    const data = this.take(length, start, "an extension");
    return (type === -1 && timestamp(data)) || `<ext ${type}, ${dump(data)}>`;
  }
}

/** The moment of a timestamp (extension -1); `null` for invalid data. @param {Uint8Array} data */
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
  // A Date ends in the year 275760; a later moment is written in seconds.
  if (Number.isNaN(date.getTime())) return `<timestamp ${seconds} s and ${nanoseconds} ns since 1970>`;
  return `<timestamp ${date.toISOString().replace(/\.\d+Z$/, "")}${rest}Z>`;
}
