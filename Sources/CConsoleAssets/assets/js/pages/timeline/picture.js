import { bytes, dateAndClock, duration } from "../../core/format.js";
import { saveFile } from "../../core/save-file.js";
import { serverStage, stageNames } from "../../parts/detail/waterfall.js";
import { causeOf, lasted, receivedBytes, standing } from "../../core/facts.js";
import { marksOf } from "./axis.js";
import { nameIn, totalsOf } from "./group-view.js";

/** @typedef {import("./page-loads.js").Group} Group */

const space = "http://www.w3.org/2000/svg";
const width = 1200;
const margin = 24;
/** The end of the figures and the start of the axis. */
const axisStart = 640;
const axisLength = width - margin - axisStart;
const rowHeight = 18;
/** The height limit of browsers for pictures. */
const highest = 16_000;

/** Colours on white, as in the page's light theme, and the place of a bar in its row. */
const looks = {
  queue: { color: "#8a94a3", top: 8, height: 2 }, dns: { color: "#0a7d77", top: 6, height: 6 }, connect: { color: "#b65c00", top: 5, height: 8, pattern: "M-1 1l2-2M0 4l4-4M3 5l2-2" },
  tls: { color: "#7c3aa0", top: 5, height: 8, pattern: "M-1 3l2 2M0 0l4 4M3-1l2 2" }, send: { color: "#586273", top: 3, height: 12, pattern: "M1 0v4M3 0v4" },
  wait: { color: "#1d6b3a", top: 3, height: 12, pattern: "" }, receive: { color: "#0b57a4", top: 3, height: 12 },
  open: { color: "#586273", top: 7, height: 4, pattern: "" }, server: { color: "#a3265f", top: 5, height: 8, pattern: "M0 0v4M2 0v4" },
};

/**
 * Draws groups as a picture without external style sheets, fonts or scripts.
 *
 * @param {Group[]} groups
 * @param {boolean} showsServer Whether the picture includes the times that servers report.
 * @param {string} filter The filter of the list, for the title.
 */
function pictureOf(groups, showsServer, filter) {
  const body = [];
  let at = margin + 20;
  const write = (x, y, content, more = {}) => body.push(text(x, y, content, more));
  write(margin, at, "Timeline of exchanges", { "font-size": 18, "font-weight": 600 });
  at += 20;
  write(margin, at, cut([filter && `filter ${filter}`, `saved ${dateAndClock(new Date().toISOString())} by Pinhole`].filter(Boolean).join(" · "), 160), { fill: "#586273" });
  at += 14;
  at = legend(body, at, showsServer);
  for (const group of groups) at = draw(body, group, at + 16, showsServer);
  const height = at + margin;
  const root = node("svg", { xmlns: space, width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": "title",
    "font-family": "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif", "font-size": 12, fill: "#1a2029" },
  node("title", { id: "title" }, `Timeline of ${groups.reduce((sum, group) => sum + group.rows.length, 0)} exchanges`),
  node("defs", {}, ...Object.entries(looks).filter(([, look]) => look.pattern).map(([name, look]) =>
    node("pattern", { id: name, width: 4, height: 4, patternUnits: "userSpaceOnUse" }, node("path", { d: look.pattern, stroke: look.color, "stroke-width": 1.2, fill: "none" })))),
  node("rect", { width, height, fill: "#ffffff" }), ...body);
  return { text: new XMLSerializer().serializeToString(root), height };
}

/**
 * @param {Group[]} groups
 * @param {"svg" | "png"} format
 * @param {boolean} showsServer
 * @param {string} filter
 */
export async function savePicture(groups, format, showsServer, filter) {
  const { text: source, height } = pictureOf(groups, showsServer, filter);
  const vector = new Blob([source], { type: "image/svg+xml" });
  if (format === "svg") return saveFile(vector, "pinhole-timeline.svg");
  if (height > highest) throw new Error(`The picture would be ${height} pixels high, and a PNG has at most ${highest}. Save it as SVG, or save one group.`);
  saveFile(await pixels(vector, height), "pinhole-timeline.png");
}

/** Draws a picture at twice the resolution of a plain screen, if the height limit allows. */
async function pixels(vector, height) {
  const address = URL.createObjectURL(vector);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = height * 2 > highest ? 1 : 2;
    const canvas = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser could not write a PNG. Save it as SVG."))), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

function legend(body, at, showsServer) {
  let x = margin;
  const names = { ...stageNames, ...(showsServer ? { server: "Server-Timing" } : {}) };
  for (const [name, label] of Object.entries(names)) {
    const length = 38 + label.length * 6.6;
    if (x + length > width - margin) {
      x = margin;
      at += rowHeight;
    }
    body.push(...bar(name, x, 18, at), text(x + 24, at + 13, label));
    x += length;
  }
  return at + rowHeight + 4;
}

/** @param {Group} group */
function draw(body, group, at, showsServer) {
  const along = (value) => axisStart + Math.max(0, Math.min(1, value / group.length)) * axisLength;
  body.push(text(margin, at + 14, cut(group.title, 150), { "font-size": 14, "font-weight": 600 }));
  const { slowest, failed } = group;
  const facts = [dateAndClock(new Date(group.start).toISOString()), ...totalsOf(group), failed > 0 && `${failed} failed`,
    slowest && `slowest ${duration(lasted(slowest.item))}: ${nameIn(group, slowest)}`, group.about].filter(Boolean);
  body.push(text(margin, at + 32, cut(facts.join(" · "), 180), { fill: "#586273" }));
  at += 44;
  const bottom = at + rowHeight * (1 + group.rows.reduce((sum, row) => sum + 1 + (showsServer ? row.said.length : 0), 0));
  for (const mark of marksOf(group.length)) {
    body.push(node("path", { d: `M${along(mark.at)} ${at + rowHeight}V${bottom}`, stroke: "#dfe3e9" }),
      text(along(mark.at), at + 13, mark.text, { fill: "#586273", "text-anchor": mark.at / group.length > .95 ? "end" : "start" }));
  }
  for (const [x, title, anchor] of /** @type {[number, string, string][]} */ ([[margin, "Name", "start"], [440, "Status", "start"], [560, "Size", "end"], [625, "Time", "end"]])) {
    body.push(text(x, at + 13, title, { fill: "#586273", "text-anchor": anchor }));
  }
  at += rowHeight;
  for (const row of group.rows) {
    const { item, span } = row;
    const { sign, kind } = standing(item);
    const mark = row === slowest ? "slowest" : "";
    body.push(text(margin, at + 13, shortened([nameIn(group, row), causeOf(item)].filter(Boolean).join(": "), mark ? 50 : 60)), mark && text(430, at + 13, mark, { "font-weight": 600, "text-anchor": "end" }),
      text(440, at + 13, `${sign} ${item.status ?? ""}`.trim() || "—", kind === "failed" || kind === "warned" ? { fill: "#b3261e", "font-weight": 600 } : {}),
      text(560, at + 13, bytes(receivedBytes(item)), { "text-anchor": "end" }), text(625, at + 13, duration(lasted(item)) || "…", { "text-anchor": "end" }));
    const offset = span.start - group.start;
    // Only the part of a stream within the axis is drawn.
    for (const one of span.bars.filter((bar) => offset + bar.start < group.length)) body.push(...bar(one.name, along(offset + one.start), along(offset + one.start + one.length) - along(offset + one.start), at));
    at += rowHeight;
    const waited = span.bars.find((one) => one.name === "wait")?.start ?? 0;
    for (const entry of showsServer ? row.said : []) {
      const stage = serverStage(entry, offset + waited);
      body.push(text(margin + 16, at + 13, shortened(`Server-Timing ${stage.label}`, 80), { fill: "#586273" }),
        text(625, at + 13, entry.duration === undefined ? "—" : duration(entry.duration), { "text-anchor": "end" }));
      if (entry.duration !== undefined) body.push(...bar("server", along(stage.start), along(stage.start + stage.length) - along(stage.start), at));
      at += rowHeight;
    }
  }
  return at;
}

/** A bar in the row at a height. */
function bar(name, x, length, at) {
  const { color, top, height, pattern } = looks[name];
  const place = { x, y: at + top, width: Math.max(1.5, length), height };
  if (pattern === undefined) return [node("rect", { ...place, fill: color })];
  return [node("rect", { ...place, fill: pattern ? `url(#${name})` : "#ffffff", stroke: color })];
}

function text(x, y, content, more = {}) {
  return node("text", { x, y, ...more }, content);
}

/** The beginning of a text. */
function cut(content, most) {
  return content.length <= most ? content : `${content.slice(0, most - 1)}…`;
}

/** The beginning and the end of a text. */
function shortened(content, most) {
  return content.length <= most ? content : `${content.slice(0, most * 0.55)}…${content.slice(1 - most * 0.45)}`;
}

function node(name, attributes, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) if (key !== "xmlns") element.setAttribute(key, String(value));
  // XML does not allow control characters, which a path may contain.
  element.append(...children.filter(Boolean).map((child) => (child instanceof Node ? child : String(child).replace(/[\0-\x1f\x7f-\x9f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"))));
  return element;
}
