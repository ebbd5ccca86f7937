import { askJSON, hasProxy } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { showDialog } from "../../core/dialog.js";
import { el, fill } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { requestOf } from "../detail/copy-request.js";
import { utf8Of } from "../../core/head.js";

/** The limits on the number of requests, and on concurrent requests. */
const [mostTimes, mostAtOnce] = [1000, 10];

/** @typedef {import("../../core/types.js").Traffic} Traffic */

/** Whether an item can be sent again unchanged. @param {Traffic} item */
export function isRepeatable(item) {
  return item.type === "exchange" && item.protocol !== "ws";
}

/** Sends a request once more, unchanged. @param {Traffic} item @param {(id: number) => void} open */
export async function repeat(item, open) {
  try {
    const { id, status } = await send(await orderOf(item));
    toast(`Sent again: status ${status}.`, id ? [{ label: `Open ${id}`, run: () => open(id) }] : []);
  } catch (error) {
    toast(`Repeating failed: ${Problem.of(error).sentence}`);
  }
}

/** Asks for a number, and sends a request so many times. @param {Traffic} item */
export async function askAndRepeat(item) {
  let isStopped = false;
  await showDialog("Repeat", (close) => {
    const number = (/** @type {string} */ name, /** @type {number} */ value, /** @type {number} */ most) => el("input", { type: "number",
      name, value: String(value), min: "1", max: String(most), step: "1", required: true });
    const times = number("times", 10, mostTimes);
    times.autofocus = true;
    const atOnce = number("atOnce", 1, mostAtOnce);
    const told = el("p", { role: "status", class: "soft" }, "Each is sent as it was captured, whatever the others are answered with.");
    const start = el("button", { type: "submit", class: "primary" }, "Send");
    const stop = el("button", { type: "button", onclick: () => close() }, "Cancel");
    const run = async () => {
      stop.textContent = "Stop";
      start.disabled = times.disabled = atOnce.disabled = true;
      fill(told, "Sending…");
      try {
        const answers = await sendOften(item, times.valueAsNumber, atOnce.valueAsNumber, () => isStopped, (found) => fill(told, summary(found)));
        fill(told, `Done: ${summary(answers)}`);
        if (isStopped) toast(`Stopped. ${summary(answers)}`);
      } catch (error) {
        fill(told, Problem.of(error).sentence);
      }
      stop.textContent = "Close";
    };
    return [el("form", { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      run();
    } }, el("p", { class: "cut", title: item.url ?? "" }, `${item.method} ${item.url}`),
    el("p", { class: "line" }, el("label", {}, "Times ", times), el("label", {}, "At once ", atOnce)), told,
    el("p", { class: "buttons" }, stop, start))];
  });
  // Closing the dialog stops the remaining requests.
  isStopped = true;
}

/**
 * @param {Traffic} item
 * @param {number} times
 * @param {number} atOnce
 * @param {() => boolean} isStopped
 * @param {(answers: Map<string, number>) => void} tell
 */
async function sendOften(item, times, atOnce, isStopped, tell) {
  const order = { ...await orderOf(item), wantsID: false };
  /** @type {Map<string, number>} */
  const answers = new Map();
  let left = times;
  const worker = async () => {
    while (left > 0 && !isStopped()) {
      left -= 1;
      const word = await send(order).then(({ status }) => `status ${status}`, (error) => Problem.of(error).title);
      answers.set(word, (answers.get(word) ?? 0) + 1);
      tell(answers);
    }
  };
  await Promise.all(Array.from({ length: Math.min(times, atOnce) }, worker));
  return answers;
}

/** @param {Map<string, number>} answers */
function summary(answers) {
  const sent = [...answers.values()].reduce((sum, one) => sum + one, 0);
  return `${counted(sent, "request")} sent: ${[...answers].map(([word, number]) => `${number} × ${word}`).join(", ") || "none"}.`;
}

/** The order for the server to send the request of an item. @param {Traffic} item */
async function orderOf(item) {
  const request = await requestOf(item.id, 1);
  if (!request) throw new Problem({ title: "The item cannot be sent again", detail: `${item.id} is a tunnel, and no request.` });
  if (request.url.includes("\ufffd") || item.path === "*") throw new Problem({ title: "The request cannot be sent unchanged",
    detail: item.path === "*" ? "The request is for *, not for a path." : "Its path is not UTF-8." });
  const odd = request.fields.find(([, value]) => utf8Of(value) === null);
  if (odd) throw new Problem({ title: "The request cannot be sent unchanged", detail: `${odd[0]} is not UTF-8.`,
    remedy: "Edit and send again shows what would become of it." });
  return { method: request.method, url: request.url, fields: request.fields.map(([name, value]) => [name, utf8Of(value)]),
    ...(request.length > 0 ? { bodyOf: item.id } : { body: "" }), through: await hasProxy() ? "proxy" : "direct",
    http2: request.protocol === "h2" };
}

/** @returns {Promise<{id?: number, status: number}>} */
function send(order) {
  return askJSON("/api/send", { method: "POST", body: order });
}
