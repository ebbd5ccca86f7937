/**
 * Reads ascending numbers from the unsigned LEB128 of their differences.
 *
 * @param {Uint8Array} bytes
 * @returns {Float64Array}
 */
export function decodeDifferences(bytes) {
  // Each number takes at least one byte.
  const numbers = new Float64Array(bytes.length);
  let length = 0;
  let last = 0;
  let difference = 0;
  let scale = 1;
  for (const byte of bytes) {
    difference += (byte & 127) * scale;
    if (byte & 128) {
      // Numbers may be longer than 32 bits, so no shifts.
      scale *= 128;
      continue;
    }
    last += difference;
    numbers[length++] = last;
    difference = 0;
    scale = 1;
  }
  return numbers.subarray(0, length);
}
