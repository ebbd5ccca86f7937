import { duration } from "../../core/format.js";

/** Steps between two marks of an axis: 1, 2 or 5 of a power of ten. @param {number} length Milliseconds. @param {number} most The most steps. */
export function stepOf(length, most) {
  const power = 10 ** Math.floor(Math.log10(length / most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => length / step <= most) ?? 10 * power;
}

/** The places of marks, each with its text. @param {number} length Milliseconds. @param {number} [most] @returns {{at: number, text: string}[]} */
export function marksOf(length, most = 5) {
  const step = stepOf(length, most);
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, place) => ({ at: place * step, text: place === 0 ? "0" : short(place * step) }));
}

/** A duration without trailing zeros. @param {number} value Milliseconds. */
function short(value) {
  return duration(value).replace(/\.0+(?= )/, "").replace(/(\.\d*?)0+(?= )/, "$1");
}
