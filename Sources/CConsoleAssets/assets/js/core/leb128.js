/**
 * Reads ascending numbers from the unsigned LEB128 of their differences.
 *
 * @param {Uint8Array} bytes
 * @returns {Float64Array}
 */
export function decodeDifferences(bytes) {
  return decode(bytes, false);
}

/**
 * Reads numbers in any order from the unsigned LEB128 of their zigzag differences: the last bit is the sign.
 *
 * @param {Uint8Array} bytes
 * @returns {Float64Array}
 */
export function decodeSteps(bytes) {
  return decode(bytes, true);
}

function decode(bytes, isSigned) {
  // Each number takes at least one byte.
  const numbers = new Float64Array(bytes.length);
  let length = 0;
  let last = 0;
  let step = 0;
  let scale = 1;
  for (const byte of bytes) {
    step += (byte & 127) * scale;
    if (byte & 128) {
      // Numbers may be longer than 32 bits, beyond JavaScript's shift operators.
      scale *= 128;
      continue;
    }
    const half = Math.floor(step / 2);
    if (isSigned) last += step === half * 2 ? half : -half - 1;
    else last += step;
    numbers[length++] = last;
    step = 0;
    scale = 1;
  }
  return numbers.subarray(0, length);
}
