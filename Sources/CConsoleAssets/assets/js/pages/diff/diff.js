import { ask, askJSON, withQuery } from "../../core/api.js";
import { layOutText } from "../../parts/body/layouts.js";
import { isBinary, viewsFor } from "../../parts/body/views.js";
import { el, fill } from "../../core/dom.js";
import { bytes, clockOrDate, count, counted, duration } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { differsSign } from "../../parts/detail/differs-sign.js";
import { parameterOf, parseHead, protocolOf, valueOf } from "../../core/head.js";
import { protocolName } from "../../parts/detail/overview.js";
import { section } from "../../core/fields-table.js";
import { began, outcomeName, title } from "../../core/facts.js";
import { diffLines, linesAround } from "../../parts/diff/line-diff.js";

const longest = 1_000_000;

/**
 * A comparison of two items: facts, fields, bodies.
 *
 * @param {HTMLElement} page
 * @param {number} left
 * @param {number} right
 */
export async function showDiff(page, left, right) {
  const main = el("main", { class: "diff", "aria-label": "Comparison" }, el("h1", {}, `${left} and ${right}`),
    el("p", { class: "soft" }, "Loading…"));
  fill(page, main);
  try {
    const [one, other] = await Promise.all([left, right].map((id) => askJSON(`/api/traffic/${id}`)));
    if (!one.exchange || !other.exchange) {
      fill(main, el("h1", {}, `${left} and ${right}`),
        el("p", { class: "notice" }, "Only exchanges can be compared; one of these is a tunnel."));
      return;
    }
    const parts = [];
    for (const owner of /** @type {const} */ (["request", "response"])) parts.push(
      ...await messageParts(owner, one, other));
    fill(main, el("h1", {}, "Comparison"), el("h2", {},
      el("a", { href: `#/?id=${left}` }, `${left} ${title(one.exchange)}`), " and ",
      el("a", { href: `#/?id=${right}` }, `${right} ${title(other.exchange)}`)),
      section("Facts", "", true, factsTable(factsOf(one), factsOf(other), left, right)), ...parts);
  } catch (error) {
    fill(main, el("h1", {}, `${left} and ${right}`),
      el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
  }
}

function factsOf(detail) {
  return { ...detail.exchange, protocol: protocolOf(detail) };
}

function factsTable(one, other, left, right) {
  const rows = [["Method", (item) => item.method], ["URL", (item) => item.url],
    ["Status", (item) => item.status], ["Protocol", protocolName],
    ["Began", (item) => clockOrDate(began(item)), true], ["Took", (item) => duration(item.milliseconds), true],
    ["Sent", (item) => bytes(item.requestBytes)], ["Received", (item) => bytes(item.responseBytes)],
      ["Outcome", outcomeName], ["Comment", (item) => item.comment]];
  return compared(String(left), String(right), rows.map(
    ([label, of, isExpected]) => [label, text(of(one)), text(of(other)), isExpected]), "Facts");
}

async function messageParts(owner, one, other) {
  const [left, right] = [one[owner], other[owner]].map(
    (message) => (message ? parseHead(message.head) : null));
  if (!left && !right) return [];
  const name = owner === "request" ? "Request" : "Response";
  const rows = pairFields(left?.fields ?? [], right?.fields ?? []);
  const differing = rows.filter(([, a, b]) => a !== b).length;
  const bodies = await Promise.all([one, other].map((detail) => bodyLines(detail, owner)));
  const parts = [section(`${name}: headers`, differing ? counted(differing, "difference") : "the same", true,
    compared("Left", "Right", rows, `Headers of the ${owner}`))];
  if (bodies.some((body) => body.total > 0)) parts.push(bodyPart(name, bodies[0], bodies[1]));
  return parts;
}

/** Pairs fields of the same name, in the order of the left side. */
function pairFields(left, right) {
  const rest = right.map((field) => [...field]);
  const rows = left.map(([name, value]) => {
    const same = rest.findIndex(([other, its]) => other?.toLowerCase() === name.toLowerCase()
      && its === value);
    const at = same >= 0 ? same : rest.findIndex(([other]) => other?.toLowerCase() === name.toLowerCase());
    return [name, value, at < 0 ? "—" : rest.splice(at, 1)[0][1]];
  });
  return [...rows, ...rest.map(([name, value]) => [name, "—", value])];
}

function compared(left, right, rows, label) {
  return el("table", { class: "compared", "aria-label": label },
    el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, left),
    el("th", { scope: "col" }, right))),
    el("tbody", {}, ...rows.map(([name, a, b, isExpected]) =>
      el("tr", { class: a !== b && !isExpected ? "differs" : "" },
      el("th", { scope: "row" }, name, a !== b && !isExpected && differsSign()), el("td", {}, a),
      el("td", {}, b)))));
}

async function bodyLines(detail, owner) {
  const reference = detail[owner]?.body;
  if (!reference || reference.length === 0) return { data: new Uint8Array(), total: 0, lines: [], isBinary: false, isWhole: true };
  const response = await ask(withQuery(`/api/traffic/${detail.exchange.id}/${owner}-body`,
    { decoded: true, offset: "0", length: longest }));
  const data = new Uint8Array(await response.arrayBuffer());
  const total = Number(response.headers.get("Pinhole-Total") ?? data.length);
  const contentType = valueOf(parseHead(detail[owner].head).fields, "content-type");
  if (isBinary(data, parameterOf(contentType, "charset"))) return { data, total, lines: [], isBinary: true, isWhole: data.length >= total };
  const source = new TextDecoder().decode(data);
  const [view] = viewsFor(contentType, data, owner);
  const { lines } = layOutText(source, view.kind === "text" ? view.layout : "");
  return { data, total, lines, isBinary: false, isWhole: data.length >= total };
}

/** A comparison of binary bodies: whether the bytes are equal, and their lengths. */
function binaryPart(name, left, right) {
  const length = Math.min(left.data.length, right.data.length);
  let at = 0;
  while (at < length && left.data[at] === right.data[at]) at += 1;
  const isCompared = left.isWhole && right.isWhole;
  const areEqual = at === length && left.total === right.total;
  const verdict = !areEqual ? `they differ from byte ${count(at)} on` : isCompared ? "they are equal"
    : "their first megabyte, which was compared, is equal";
  const kind = (body) => body.total === 0 ? "no body" : `${body.isBinary ? "binary" : "text"}, ${bytes(body.total)}`;
  return section(`${name}: body`, areEqual && isCompared ? "the same" : areEqual ? "" : "differs", true,
    el("p", { class: "soft" }, `Left: ${kind(left)}. Right: ${kind(right)}. Compared byte by byte, ${verdict}.`));
}

function bodyPart(name, left, right) {
  if (left.isBinary || right.isBinary) return binaryPart(name, left, right);
  const lines = diffLines(left.lines, right.lines);
  const remark = !left.isWhole || !right.isWhole ? el(
    "p", { class: "notice" }, "Only the first megabyte of each body was compared.") : null;
  if (!lines) return section(`${name}: body`, "", true, remark,
    el("p", { class: "soft" }, "The bodies are too long or too different to be compared line by line."));
  const changes = lines.filter((line) => line.kind !== "same").length;
  return section(`${name}: body`, changes ? counted(changes, "line") + " differ" : "the same", true, remark,
    changes > 0 && el("div", { class: "diff-lines", role: "region", tabindex: "0",
    "aria-label": `Lines of the ${name.toLowerCase()}` }, ...linesAround(lines)));
}

function text(value) {
  return value === undefined || value === null || value === "" ? "—" : String(value);
}
