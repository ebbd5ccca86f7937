// What pages make of bodies: layouts, pointers, rows, parts and differences.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { chance, page, textOf } from "./page.mjs";

const { next, of } = chance(6);

function value(depth) {
  const kind = next(depth < 5 ? 7 : 5);
  if (kind < 5) return of([null, true, false, next(10 ** 6), 'a"b\\ \n\u2028{}[],:', "", -1.5e-7]);
  const count = next(5);
  const inside = Array.from({ length: count }, () => value(depth + 1));
  return kind === 5 ? inside : Object.fromEntries(inside.map((one, at) => [`k${at}`, one]));
}
const texts = Array.from({ length: 300 }, () => {
  const text = JSON.stringify(value(0));
  return next(2) ? text : text.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
});

test("lays out JSON without a change of its meaning", async () => {
  const { layOutJSON } = await page("parts/body/json-text.js");
  for (const text of texts) assert.equal(JSON.stringify(JSON.parse(layOutJSON(text).lines.join("\n"))), JSON.stringify(JSON.parse(text)), text);
});

test("loses nothing of what is no JSON", async () => {
  const { layOutJSON } = await page("parts/body/json-text.js");
  const bare = (text) => text.replace(/\s/g, "");
  for (const text of texts.map((one) => one.slice(0, next(one.length + 1)) + of(["", "]", "}}", '"', "\\", ",,"])))
    assert.equal(bare(layOutJSON(text).lines.join("")), bare(text), text);
});

test("compares lines, and has all lines of both", async () => {
  const { diffLines } = await page("parts/diff/line-diff.js");
  for (let round = 0; round < 300; round += 1) {
    const [left, right] = [0, 1].map(() => Array.from({ length: next(14) }, () => of("abcd")));
    const lines = diffLines(left, right);
    const without = (kind) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
    assert.deepEqual([without("added").join(), without("removed").join()], [left.join(), right.join()]);
  }
});

test("finds the parts of a multipart body", async () => {
  const { partsOf } = await page("parts/body/multipart.js");
  const body = 'preamble\r\n--x\r\nContent-Disposition: form-data; name="é"; filename="a\\"b"\r\n\r\nbody\r\nmore\r\n--x\r\n\r\nbare\r\n--x--\r\n';
  const parts = partsOf(new TextEncoder().encode(body), "x").map((part) => [part.name, part.file, new TextDecoder().decode(part.bytes)]);
  assert.deepEqual(parts, [["é", 'a"b', "body\r\nmore"], ["", "", "bare"]]);
});

test("says what is wrong with XML", async () => {
  const { complaintAboutXML } = await page("parts/body/xml-text.js");
  assert.deepEqual([
    '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "<b>"> ]><r a=">"><!-- <x> --><![CDATA[<y>]]><z/>&a;</r>', "<r><a>", "<r", "</r>", "none", "<r>1 < 2</r>",
  ].map(complaintAboutXML), ["", "it ends before </a>.", "line 1: “<r” does not end.", "line 1: expected no closing tag, found </r>.", "it has no element.",
    "line 1: “< 2</r>” is no tag."]);
});

test("lays out pages, scripts and style sheets", async () => {
  const { layOutText } = await page("parts/body/layouts.js");
  for (const { layout, source, lines } of JSON.parse(readFileSync(new URL("layouts.json", import.meta.url), "utf8")))
    assert.deepEqual(layOutText(source, layout).lines, lines, layout);
});

test("loses nothing of pages, scripts and style sheets, whatever the source is", async () => {
  const { layOutText } = await page("parts/body/layouts.js");
  const own = ["js/main.js", "js/parts/body/script-text.js", "css/base.css", "index.html"].map(textOf);
  const joined = own.map((source) => source.replace(/\/\/.*/g, "").replaceAll("\n", " "));
  const odd = ["=/[".repeat(999), "{`${".repeat(999), "<script".repeat(99), "<p a='".repeat(99), "<div>".repeat(999) + "</p>".repeat(999),
    "{".repeat(999) + "/*", "([".repeat(999) + ")}".repeat(2000), "</b> ".repeat(999), "<!--<pre><a", '\u2028"\\', "}".repeat(99), '<a b=\n"c>"<style>p{',
    "<pre>" + "x\n".repeat(150000) + "</pre>", 'a="' + "x".repeat(8 << 20) + '"', "a ".repeat(1 << 19), "a/*x*/".repeat(1 << 17), "[=/]".repeat(1 << 17),
    "{" + "a=1;".repeat(99) + ")", "<script>{" + "a=1;".repeat(99) + ")", "\u00a0".repeat(9), "\u0001".repeat(300), "<!--\r<p\ra>\r-->", " \n".repeat(1 << 19) + "x"];
  const bare = (text) => text.replace(/[ \t\n\v\f\r]+/g, "");
  for (const layout of ["html", "script", "style"])
    for (const source of [...own, ...joined, ...odd]) {
      const { lines, folds } = layOutText(source, layout);
      assert.ok(bare(lines.join("\n")) === bare(source), `${layout}: ${source.slice(0, 40)}`);
      assert.ok(!lines.some((line) => /[\r\n]/.test(line)), `${layout}: a line has an end in it: ${source.slice(0, 40)}`);
      for (const [first, last] of folds) assert.ok(first >= 0 && first <= last && last < lines.length, `${layout}: a fold leads nowhere: ${source.slice(0, 40)}`);
    }
});

test("gives up on a layout that takes too long", async () => {
  // Waiting bodies must get their turn: the page ends the worker, and shows the body unchanged.
  const real = globalThis.setTimeout;
  const [posted, ended] = [[], []];
  globalThis.Worker = class {
    postMessage({ layout }) {
      posted.push(layout);
      if (layout !== "html") queueMicrotask(() => this.onmessage({ data: { rows: layout, remarks: ["its own"] } }));
    }
    terminate() { ended.push(posted.length); }
  };
  globalThis.setTimeout = (work) => { queueMicrotask(work); return 0; };
  const { layOut } = await page("parts/body/formatter.js");
  const order = { bytes: new Uint8Array(1), charset: "", width: 80, isWhole: true };
  const made = layOut({ ...order, layout: "html" });
  globalThis.setTimeout = real;
  const both = await Promise.all([made, layOut({ ...order, layout: "json" })]);
  const said = "The layout took more than 10 s. The body is shown as it was sent, with lines broken at the width of the view.";
  assert.deepEqual([posted, ended, both], [["html", "", "json"], [1], [{ rows: "", remarks: [said, "its own"] }, { rows: "json", remarks: ["its own"] }]]);
});

/** The number of complaints about seeded bytes: for any input, a layout reports a mistake or ends. */
function complaints(layOut) {
  let seed = 7, found = 0;
  const byte = () => (seed = seed * 1103515245 + 12345 & 0x7fffffff);
  for (let round = 0; round < 3000; round += 1) {
    const bytes = Uint8Array.from({ length: byte() % 40 }, () => byte() >> 8 & 255);
    const made = layOut(bytes);
    if (made.complaint) {
      found += 1;
      assert.ok(made.offset >= 0 && made.offset <= bytes.length, made.complaint);
    }
    for (const [first, last] of made.folds) assert.ok(first <= last && last < made.lines.length, "a fold leads nowhere");
  }
  return found;
}

test("bounds what it makes of MessagePack", async () => {
  const { layOutMessagePack } = await page("parts/body/msgpack-text.js");
  assert.ok(complaints(layOutMessagePack) > 1000);
  assert.ok(layOutMessagePack(new Uint8Array(5000).fill(0x91)).complaint.includes("more than 200 levels"));
  const many = layOutMessagePack(new Uint8Array(1_200_000));
  assert.deepEqual([many.isLeftOut, many.lines.length], [true, 1_000_000]);
});

test("writes the examples of RFC 8949, Appendix A", async () => {
  const { layOutCBOR } = await page("parts/body/cbor-text.js");
  const of = (hex) => layOutCBOR(Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16)));
  const examples = { "3bffffffffffffffff": "-18446744073709551616", f90001: "5.960464477539063e-8", f97bff: "65504.0", f98000: "-0.0",
    fa7f7fffff: "3.4028234663852886e+38", f97e00: "NaN", f9fc00: "-Infinity", f0: "simple(16)", f8ff: "simple(255)",
    c11a514b67b0: "1(1363896240)", d74401020304: "23(h'01020304')", 80: "[]", "9fff": "[]", bfff: "{}", "5f42010243030405ff": "(_ h'0102', h'030405')",
    a1820102820304: "{\n  [1, 2]: [\n    3,\n    4\n  ]\n}" };
  for (const [hex, text] of Object.entries(examples)) {
    const made = of(hex);
    assert.ok(!made.complaint, `${hex}: ${made.complaint}`);
    assert.equal(made.lines.join("\n"), text, hex);
  }
  assert.ok(complaints(layOutCBOR) > 1000);
  assert.ok(layOutCBOR(new Uint8Array(5000).fill(0x81)).complaint.includes("more than 200 levels"));
  assert.ok(of("c1".repeat(20)).complaint.includes("16 tags"));
  assert.equal(of("9f01").isCut, true);
});

test("finds the keys and values of rows", async () => {
  const { valueAt, keyAt } = await page("parts/body/json-pointer.js");
  const { layOutText } = await page("parts/body/layouts.js");
  const { rowsOf } = await page("parts/body/lines.js");
  const source = JSON.stringify({ a: ["b: c", { 'd"\\': "e\n\u00e9", f: 0 }], g: "x".repeat(99) }).replace(":0", ":12345678901234567890");
  const { lines, folds } = layOutText(source, "json");
  const rows = rowsOf(lines, folds, 40);
  const values = [...rows.starts].map((_, row) => JSON.stringify([keyAt(rows, row) ?? null, valueAt(rows, row).replace(/\s+/g, " ").slice(0, 24)]));
  for (const pair of [[null, "b: c"], ['d"\\', "e é"], ["f", "12345678901234567890"]]) assert.ok(values.includes(JSON.stringify(pair)), `${pair}: ${values}`);
  assert.ok(values.some((one) => /^\["g","x+"\]$/.test(one)), `${values}`);
});

test("leads from every row to its value by a pointer, at any width", async () => {
  const pointers = await page("parts/body/json-pointer.js");
  const { layOutJSON } = await page("parts/body/json-text.js");
  const { rowsOf } = await page("parts/body/lines.js");
  const value = { "a/b": [1, { "~": null, "": [[], {}, [[2]]] }], "~1": { ["long ".repeat(40)]: "x".repeat(90), 'e\u00e9"\n': [true] }, "": 0, 0: { 0: [{ 0: 5 }] } };
  const wrong = [];
  for (const width of [7, 40, 200]) {
    const { lines: texts, folds } = layOutJSON(JSON.stringify(value));
    const rows = rowsOf(texts, folds, width);
    for (let row = 0; row < rows.starts.length; row += 1) {
      const pointer = pointers.pointerTo(rows, row);
      const found = pointers.rowOf(rows, pointer);
      if (typeof found === "string" || pointers.pointerTo(rows, found) !== pointer) wrong.push([width, row, pointer, found]);
      const meant = pointer.split("/").slice(1).reduce((at, token) => at?.[token.replaceAll("~1", "/").replaceAll("~0", "~")], value);
      let line = found;
      while (line > 0 && rows.numbers[line] === 0) line -= 1;
      const text = texts[rows.numbers[line] - 1].replace(/,$/, "");
      const shown = meant === null || typeof meant !== "object" || Object.keys(meant).length === 0 ? JSON.stringify(meant) : Array.isArray(meant) ? "[" : "{";
      if (meant === undefined || !text.endsWith(shown)) wrong.push([width, row, pointer, text, shown]);
    }
  }
  assert.deepEqual(wrong, []);
});

test("breaks lines between words", async () => {
  const { rowsOf } = await page("parts/body/lines.js");
  const rows = (line, width) => {
    const made = rowsOf([line], [], width);
    return [...made.starts].map((start, row) => made.text.slice(start, made.ends[row]));
  };
  assert.deepEqual(rows("one two three four five", 12), ["one two ", "three four ", "five"], "between words");
  assert.deepEqual(rows("aaaa,bbbb,cccc", 12), ["aaaa,bbbb,", "cccc"], "else behind a sign");
  assert.deepEqual(rows("0123456789012345", 11), ["0123456789", "012345"], "else where the view ends");
  assert.deepEqual(rows("123456789\u{1f600}1", 11), ["123456789", "\u{1f600}1"], "a character stays whole");
});
