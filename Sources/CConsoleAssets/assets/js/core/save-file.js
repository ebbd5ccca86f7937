import { toast } from "./announce.js";
import { ask } from "./api.js";
import { Problem } from "./problem.js";

/**
 * Downloads the answer to a request. If there is none, or only a part of it, the page says so, and no file is offered.
 *
 * @param {string} path
 * @param {string} name
 */
export async function download(path, name) {
  try {
    const answer = await ask(path);
    const file = await answer.blob().catch(() => {
      throw new Problem({ title: "the download ended before its end", remedy: "See the log of Pinhole, and try it again." });
    });
    saveFile(file, name);
  } catch (error) {
    toast(`Not downloaded: ${Problem.of(error).sentence}`);
  }
}

/**
 * Offers a file to the browser for download.
 *
 * @param {Blob} file
 * @param {string} name
 */
export function saveFile(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser needs the address until it has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
