import { connection } from "../../core/api.js";
import { Problem } from "../../core/problem.js";

/**
 * Sends a file unchanged. `fetch` would report no progress.
 *
 * @param {string} path
 * @param {File} file
 * @param {(sent: number) => void} progress
 * @param {AbortSignal} signal
 * @returns {Promise<any>} The response.
 */
export function upload(path, file, progress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.responseType = "text";
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", (event) => progress(event.loaded));
    request.addEventListener("load", () => {
      const said = parsed(request.responseText);
      if (request.status === 202) return resolve(said);
      if (request.status === 401) connection.emit("unauthorised");
      reject(new Problem({ title: `Status ${request.status}`, status: request.status, ...said }));
    });
    request.addEventListener("error", () => reject(new Problem({ title: "The file was not taken",
      detail: "the connection ended while it was sent.",
      remedy: "See whether Pinhole still runs, whether there is room beside its capture, and whether the file changed or is too large (4 GiB)." })));
    request.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
