// What the list computes: numbers of items, words of filters, sizes, and the second question to a server.
import assert from "node:assert/strict";
import test from "node:test";
import { chance, page } from "./page.mjs";

const { next, of } = chance(6);
const ids = [];
for (let last = 0; ids.length < 2000;) ids.push(last += of([1, 2, 127, 128, 300, 2 ** 20, 2 ** 40]));

function leb128(numbers) {
  const out = [];
  for (let rest of numbers) {
    for (; rest > 127; rest = Math.floor(rest / 128)) out.push(rest % 128 + 128);
    out.push(rest);
  }
  return Uint8Array.from(out);
}
const differences = (numbers) => numbers.map((number, at) => number - (numbers[at - 1] ?? 0));

test("decodes differences in LEB128", async () => {
  const { decodeDifferences, decodeSteps } = await page("core/leb128.js");
  assert.deepEqual([...decodeDifferences(leb128(differences(ids)))], ids);
  // Numbers in any order: the sign of each difference is its last bit.
  const turned = [...ids].reverse().concat(ids.filter((_, at) => at % 3 === 0));
  const steps = differences(turned).map((difference) => difference >= 0 ? 2 * difference : -2 * difference - 1);
  assert.deepEqual([...decodeSteps(leb128(steps))], turned, "steps up and down");
});

test("finds places of sorted ids", async () => {
  const { SortedIDs } = await page("parts/traffic/sorted-ids.js");
  const turned = [...ids].reverse();
  const sorted = new SortedIDs(Float64Array.from(turned));
  const rest = sorted.after(turned[500]);
  assert.deepEqual([turned.every((id, place) => sorted.placeOf(id) === place && sorted.at(place) === id), sorted.last === turned[0], sorted.has(7.5),
    rest.length, rest.has(turned[499]), rest.has(turned[500]), new SortedIDs(new Float64Array()).placeOf(3)], [true, true, false, 500, true, false, -1]);
});

test("asks once more only what reads", async () => {
  const { ask } = await page("core/api.js");
  const tried = [];
  globalThis.fetch = async (path, request) => {
    if (tried.push(request.method) % 2) throw new TypeError("gone");
    return Response.json({});
  };
  await ask("/api/state");
  await ask("/api/recording", { method: "PUT", body: {} }).catch(() => {});
  assert.deepEqual(tried, ["GET", "GET", "PUT"]);
});

test("writes sizes with three digits", async () => {
  const { bytes } = await page("core/format.js");
  assert.deepEqual([0, 999, 1000, 9994, 999499, 999500, 1e9, 5e13].map(bytes),
    ["0 B", "999 B", "1.00 kB", "9.99 kB", "999 kB", "1.00 MB", "1.00 GB", "50.0 TB"]);
});

test("writes and reads words that are searched in more places", async () => {
  const { parseWords, quotedWords, writeWords } = await page("parts/traffic/search-places.js");
  const both = '(cart | ~h cart) ("two words" | ~h "two words")';
  assert.equal(writeWords(["cart", '"two words"'], ["heads"]), both);
  assert.deepEqual(parseWords(both), { words: ["cart", '"two words"'], others: ["heads"] });
  assert.deepEqual(parseWords("cart checkout"), { words: ["cart", "checkout"], others: [] });
  for (const text of ["a | b", "~u a", "(a | ~h b)"]) assert.equal(parseWords(text) ?? null, null, text);
  assert.equal(quotedWords('status "a b" c'), '"status" "a b" "c"');
});
