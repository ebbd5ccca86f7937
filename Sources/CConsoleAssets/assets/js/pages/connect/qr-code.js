/**
 * A QR code (ISO/IEC 18004) of bytes, with error correction of level M, in the versions 1 to 10: up to 213 bytes.
 * An address of a proxy needs version 2 or 3.
 */

/** For each version from 1: the codewords, those of error correction in a block, the blocks, the places of alignment. */
const versions = [
  [26, 10, 1, []], [44, 16, 1, [6, 18]], [70, 26, 1, [6, 22]], [100, 18, 2, [6, 26]], [134, 24, 2, [6, 30]],
  [172, 16, 4, [6, 34]], [196, 18, 4, [6, 22, 38]], [242, 22, 4, [6, 24, 42]], [292, 22, 5, [6, 26, 46]],
  [346, 26, 5, [6, 28, 50]],
].map(([words, correction, blocks, alignment]) => ({ words: Number(words), correction: Number(correction), blocks: Number(blocks),
  alignment: /** @type {number[]} */ (alignment) }));

/** The conditions under which a mask inverts a module. @type {((row: number, column: number) => boolean)[]} */
const masks = [
  (row, column) => (row + column) % 2 === 0, (row) => row % 2 === 0, (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0, (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => (row * column) % 2 + (row * column) % 3 === 0,
  (row, column) => ((row * column) % 2 + (row * column) % 3) % 2 === 0,
  (row, column) => ((row + column) % 2 + (row * column) % 3) % 2 === 0,
];

/**
 * @param {string} text
 * @returns {boolean[][]} The rows of modules; true is dark. The quiet zone of four modules is not included.
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const index = versions.findIndex(({ words, correction, blocks }, at) =>
    bytes.length + (at < 9 ? 2 : 3) <= words - correction * blocks);
  if (index < 0) throw new RangeError("The text is too long for a QR code of version 10.");
  const data = withCorrection(dataWords(bytes, index), versions[index]);
  const codes = masks.map((_, mask) => drawn(index, data, mask));
  const penalties = codes.map(penalty);
  return codes[penalties.indexOf(Math.min(...penalties))];
}

/** The codewords of data: mode, length, bytes, and padding. */
function dataWords(bytes, index) {
  const { words, correction, blocks } = versions[index];
  // The mode of bytes is 0100, and the length has 8 bits, or 16 from version 10.
  const bits = [..."0100", ...bytes.length.toString(2).padStart(index < 9 ? 8 : 16, "0")].map(Number);
  for (const byte of bytes) bits.push(...[...byte.toString(2).padStart(8, "0")].map(Number));
  const room = 8 * (words - correction * blocks);
  for (let terminator = Math.min(4, room - bits.length); terminator > 0; terminator -= 1) bits.push(0);
  while (bits.length % 8 !== 0) bits.push(0);
  const found = [];
  for (let at = 0; at < bits.length; at += 8) found.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let pad = 0xec; found.length < room / 8; pad ^= 0xec ^ 0x11) found.push(pad);
  return found;
}

/** Splits codewords into blocks, adds the correction of each block, and interleaves the blocks. */
function withCorrection(data, { words, correction, blocks }) {
  const size = Math.floor(words / blocks) - correction;
  // The last blocks are one codeword longer.
  const short = blocks - words % blocks;
  const divisor = generator(correction);
  const parts = [];
  for (let block = 0, at = 0; block < blocks; block += 1) {
    const part = data.slice(at, at += size + (block < short ? 0 : 1));
    parts.push({ part, rest: remainder(part, divisor) });
  }
  const found = [];
  for (let at = 0; at <= size; at += 1) for (const { part } of parts) if (at < part.length) found.push(part[at]);
  for (let at = 0; at < correction; at += 1) for (const { rest } of parts) found.push(rest[at]);
  return found;
}

/** A product in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function product(one, other) {
  let found = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    found = (found << 1) ^ ((found >> 7) * 0x11d);
    if (other >> bit & 1) found ^= one;
  }
  return found;
}

/** The coefficients of (x - 1)(x - 2)(x - 4)…, without the highest. */
function generator(degree) {
  const found = [...new Array(degree - 1).fill(0), 1];
  for (let round = 0, root = 1; round < degree; round += 1, root = product(root, 2))
    for (let at = 0; at < degree; at += 1) found[at] = product(found[at], root) ^ (found[at + 1] ?? 0);
  return found;
}

function remainder(data, divisor) {
  const found = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ found[0];
    found.shift();
    found.push(0);
    divisor.forEach((coefficient, at) => found[at] ^= product(coefficient, factor));
  }
  return found;
}

/** A code with a mask. */
function drawn(index, data, mask) {
  const size = 21 + 4 * index;
  /** Modules; `undefined` where none is drawn yet. @type {(boolean | undefined)[][]} */
  const rows = Array.from({ length: size }, () => new Array(size).fill(undefined));
  drawPatterns(rows, index);
  drawFormat(rows, mask);
  if (index >= 6) drawVersion(rows, index + 1);
  drawData(rows, data, masks[mask]);
  return /** @type {boolean[][]} */ (rows);
}

/** Finders, alignment and timing. */
function drawPatterns(rows, index) {
  const size = rows.length;
  for (let at = 0; at < size; at += 1) rows[6][at] = rows[at][6] = at % 2 === 0;
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) drawRings(rows, row, column, 4);
  const places = versions[index].alignment;
  const last = places.at(-1);
  for (const row of places) for (const column of places) {
    const isFinder = row === 6 && column === 6 || row === 6 && column === last || row === last && column === 6;
    if (!isFinder) drawRings(rows, row, column, 2);
  }
}

/** Draws squares around a place: dark, light, dark; around a finder two more. */
function drawRings(rows, row, column, radius) {
  for (let y = -radius; y <= radius; y += 1) for (let x = -radius; x <= radius; x += 1) {
    // Two sides of a finder's outermost ring lie outside of the code.
    if (row + y < 0 || column + x < 0 || row + y >= rows.length || column + x >= rows.length) continue;
    const ring = Math.max(Math.abs(x), Math.abs(y));
    rows[row + y][column + x] = radius === 4 ? ring !== 2 && ring !== 4 : ring !== 1;
  }
}

/** The level and the mask, twice, with their own correction. */
function drawFormat(rows, mask) {
  const size = rows.length;
  // Level M is 00.
  let rest = mask;
  for (let round = 0; round < 10; round += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = (mask << 10 | rest) ^ 0x5412;
  const bit = (/** @type {number} */ at) => (bits >> at & 1) === 1;
  for (let at = 0; at < 6; at += 1) rows[at][8] = bit(at);
  [rows[7][8], rows[8][8], rows[8][7]] = [bit(6), bit(7), bit(8)];
  for (let at = 9; at < 15; at += 1) rows[8][14 - at] = bit(at);
  for (let at = 0; at < 8; at += 1) rows[8][size - 1 - at] = bit(at);
  for (let at = 8; at < 15; at += 1) rows[size - 15 + at][8] = bit(at);
  rows[size - 8][8] = true;
}

/** The version, twice, with its own correction. */
function drawVersion(rows, version) {
  let rest = version;
  for (let round = 0; round < 12; round += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = version << 12 | rest;
  for (let at = 0; at < 18; at += 1) {
    const [far, near] = [rows.length - 11 + at % 3, Math.floor(at / 3)];
    rows[near][far] = rows[far][near] = (bits >> at & 1) === 1;
  }
}

/** The codewords, in columns of two from the right, upward and downward by turns. */
function drawData(rows, data, isTurned) {
  const size = rows.length;
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = (right + 1 & 2) === 0;
    for (let step = 0; step < size; step += 1) for (const column of [right, right - 1]) {
      const row = isUpward ? size - 1 - step : step;
      if (rows[row][column] !== undefined) continue;
      const isDark = at < 8 * data.length && (data[at >> 3] >> (7 - (at & 7)) & 1) === 1;
      rows[row][column] = isDark !== isTurned(row, column);
      at += 1;
    }
  }
}

/** The penalty of a code that is hard to read: runs, squares, shapes like finders, and an excess of one colour. */
function penalty(rows) {
  const size = rows.length;
  let found = 0;
  for (const lines of [rows, rows.map((_, at) => rows.map((row) => row[at]))]) for (const line of lines) {
    const text = line.map((isDark) => isDark ? "1" : "0").join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) found += run.length - 2;
    for (let at = 0; at + 11 <= size; at += 1)
      if (["10111010000", "00001011101"].includes(text.slice(at, at + 11))) found += 40;
  }
  for (let row = 1; row < size; row += 1) for (let column = 1; column < size; column += 1)
    if (rows[row][column] === rows[row - 1][column] && rows[row][column] === rows[row][column - 1]
      && rows[row][column] === rows[row - 1][column - 1]) found += 3;
  const dark = rows.flat().filter(Boolean).length;
  return found + 10 * Math.floor(Math.abs(20 * dark - 10 * size * size) / (size * size));
}

/**
 * A picture of a QR code, with its quiet zone.
 *
 * @param {string} text
 * @param {string} name The name for screen readers.
 */
export function qrPicture(text, name) {
  const rows = qrCode(text);
  const size = rows.length + 8;
  const made = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const picture = made("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": name, "shape-rendering": "crispEdges" });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")).join("");
  picture.append(made("rect", { class: "qr-ground", width: String(size), height: String(size) }), made("path", { class: "qr-dark", d: path }));
  return picture;
}
