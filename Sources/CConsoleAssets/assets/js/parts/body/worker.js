// Decodes and lays out bodies in a thread of its own, so that a big body never stops the page.
import { layOutCBOR } from "./cbor-text.js";
import { complaintAboutJSON } from "./json-text.js";
import { layOutText } from "./layouts.js";
import { rowsOf } from "./lines.js";
import { layOutMessagePack } from "./msgpack-text.js";
import { complaintAboutXML } from "./xml-text.js";

addEventListener("message", ({ data: { bytes, charset, layout, width, isWhole } }) => {
  try {
    const { lines, folds, remarks } = binary[layout] ? unpack(bytes, layout, isWhole) : read(bytes, charset, layout, isWhole);
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
function read(bytes, charset, layout, isWhole) {
  const { text, remarks } = decode(bytes, charset);
  const { lines, folds, complaint } = layOut(text, layout, isWhole);
  if (complaint) remarks.unshift(complaint);
  remarks.push(...turned(charset && !/^utf-?8$/i.test(charset) ? new TextDecoder().decode(bytes) : text));
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

function decode(bytes, charset) {
  const remarks = [];
  let decoder;
  try {
    decoder = new TextDecoder(charset || "utf-8");
  } catch {
    decoder = new TextDecoder("utf-8");
    remarks.push(`The charset “${charset}” is not known; read as UTF-8.`);
  }
  const text = decoder.decode(bytes);
  // The sender may have sent a replacement character; only the strict decoder can tell.
  if (text.includes("\ufffd") && !isDecodable(bytes, decoder.encoding)) remarks.push(
    `Some bytes are no ${decoder.encoding.toUpperCase()}: “\ufffd” stands for them. The hex view has them as they were sent.`);
  return { text, remarks };
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
