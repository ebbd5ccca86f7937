import { toast } from "./announce.js";

/**
 * Copies a text to the clipboard and reports the result.
 *
 * @param {string} text
 * @param {string} what Such as `curl command`.
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied: ${what}`);
  } catch {
    // Some browsers refuse the clipboard API, but copy a selection.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    toast(isDone ? `Copied: ${what}` : "The browser does not let this page use the clipboard");
  }
}
