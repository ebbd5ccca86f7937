/** The text of a body; `null` for a body that is no text. @param {Uint8Array} data @returns {string | null} */
export function textOf(data) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
    // A text area would change the line endings.
    return /[\0\r]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** @param {Uint8Array} data */
export function toBase64(data) {
  let text = "";
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
  return btoa(text);
}
