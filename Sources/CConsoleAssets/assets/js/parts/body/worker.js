// Decodes and lays out bodies in a thread of its own, so that a big body never stops the page.
import { layOutCBOR } from "./cbor-text.js";
import { complaintAboutJSON } from "./json-text.js";
import { layOutText } from "./layouts.js";
import { rowsOf } from "./lines.js";
import { layOutMessagePack } from "./msgpack-text.js";
import { complaintAboutXML } from "./xml-text.js";

addEventListener("message", ({ data: { bytes, charset, type, layout, width, isWhole } }) => {
  try {
    const { lines, folds, remarks } = binary[layout] ? unpack(bytes, layout, isWhole) : read(bytes, charset, type, layout, isWhole);
    const rows = rowsOf(lines, folds, width);
    postMessage({ rows, remarks },
      { transfer: [rows.starts.buffer, rows.ends.buffer, rows.numbers.buffer, rows.folds.buffer] });
  } catch (error) {
    postMessage({ error: String(error) });
  }
});

/** The binary formats. */
const binary = { msgpack: { name: "MessagePack", layOut: layOutMessagePack }, cbor: { name: "CBOR", layOut: layOutCBOR } };

/** Lays a text out. */
function read(bytes, charset, type, layout, isWhole) {
  const { text, encoding, remarks } = decode(bytes, charset, type);
  const { lines, folds, complaint } = layOut(text, layout, isWhole);
  if (complaint) remarks.unshift(complaint);
  remarks.push(...turned(encoding !== "utf-8" ? new TextDecoder().decode(bytes) : text));
  return { lines, folds, remarks };
}

/** Lays out the bytes of a binary format. */
function unpack(bytes, layout, isWhole) {
  const { lines, folds, complaint, offset, isCut, isLeftOut } = binary[layout].layOut(bytes);
  const remarks = [];
  // The end of an incomplete body is no mistake.
  if (complaint && (isWhole || !isCut)) remarks.push({ text: `This is not ${binary[layout].name}: ${complaint}`, offset });
  if (isLeftOut) remarks.push("More values follow than are shown.");
  return { lines, folds, remarks: [...remarks, ...turned(lines.join("\n"))] };
}

/** Remarks on hidden characters that change the direction of text, so that it reads as something else. */
function turned(text) {
  const found = new Set();
  for (const [one] of text.matchAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g)) {
    found.add(`U+${one.charCodeAt(0).toString(16).toUpperCase()}`);
    if (found.size === 11) break;
  }
  return found.size === 0 ? [] : [`Characters turn the direction of the text (${[...found].join(", ")}): what is shown may stand in another `
    + "order than it was sent. The hex view has the order."];
}

/** The charset in the declaration of an XML or HTML document (HTML, §13.2.3.2). */
function declaredIn(bytes, type) {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  const found = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)/i.exec(head)
    ?? (type === "text/html" ? /<meta[^>]*?charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(head) : null);
  // It was read as ASCII, so the document is in no encoding of two bytes.
  return found && !/^utf-(16|32)/i.test(found[1]) ? found[1] : "";
}

function decode(bytes, charset, type) {
  const remarks = [];
  const label = charset || declaredIn(bytes, type);
  // Browsers read a text that is not UTF-8 and declares nothing they know in this encoding.
  const isLegacy = /^text\/(?!xml)/.test(type) && !bytes.includes(0) && !isDecodable(bytes, "utf-8");
  let decoder;
  try {
    decoder = new TextDecoder(label || (isLegacy ? "windows-1252" : "utf-8"));
    if (!label && isLegacy) remarks.push("The text declares no charset and is not UTF-8; read as windows-1252.");
  } catch {
    decoder = new TextDecoder(isLegacy ? "windows-1252" : "utf-8");
    remarks.push(`The charset “${label}” is not known; read as ${isLegacy ? "windows-1252" : "UTF-8"}.`);
  }
  const text = decoder.decode(bytes);
  // The sender may have sent a replacement character; only the strict decoder can tell.
  if (text.includes("\ufffd") && !isDecodable(bytes, decoder.encoding)) remarks.push(
    `Some bytes are no ${decoder.encoding.toUpperCase()}: “\ufffd” stands for them. The hex view has them as they were sent.`);
  return { text, encoding: decoder.encoding, remarks };
}

function isDecodable(bytes, encoding) {
  try {
    // A character that is cut off at the end is no mistake.
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function layOut(text, layout, isWhole) {
  return { ...layOutText(text, layout), complaint: isWhole ? complaintAbout(text, layout) : "" };
}

function complaintAbout(text, layout) {
  const complaint = layout === "json" ? complaintAboutJSON(text) : layout === "xml" ? complaintAboutXML(text) : "";
  return complaint && `This is not ${layout.toUpperCase()}: ${complaint}`;
}
