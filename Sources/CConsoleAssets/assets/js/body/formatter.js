import { binaryLayouts } from "./binary-text.js";

/** Bytes after which the worker is begun anew: it would keep the memory. */
const longestKept = 8 << 20;

/** Milliseconds after which a body is shown as it was sent: those that wait behind it are not to wait for ever. */
const patience = 10_000;

/**
 * @typedef {object} Order What is to be laid out.
 * @property {Uint8Array} bytes
 * @property {string} charset
 * @property {string} layout
 * @property {number} width
 * @property {boolean} isWhole
 *
 * @typedef {{rows: import("./lines.js").Lines, remarks: (string | {text: string, offset: number})[]}} Made A remark may be about a byte.
 * @typedef {{order: Order, remarks: string[], resolve: (made: Made) => void, reject: (error: Error) => void}} Job
 */

/** @type {Worker | null} */
let worker = null;
/** The first is at work. @type {Job[]} */
const jobs = [];
let timer = 0;

/**
 * Lays a body out in the worker, after those that came before it.
 *
 * @param {Order} order
 * @returns {Promise<Made>}
 */
export function layOut(order) {
  return new Promise((resolve, reject) => {
    jobs.push({ order, remarks: [], resolve, reject });
    if (jobs.length === 1) begin();
  });
}

function begin() {
  const [job] = jobs;
  if (!job) return;
  worker ??= start();
  worker.postMessage(job.order);
  // What is no text cannot be shown as one; how much of it is read is bounded anyhow.
  if (job.order.layout && !binaryLayouts.has(job.order.layout)) timer = setTimeout(giveUp, patience);
}

/** Shows what takes too long as it was sent. */
function giveUp() {
  stop();
  const [job] = jobs;
  job.order = { ...job.order, layout: "" };
  job.remarks.push(`It was not laid out within ${patience / 1000} s: it is shown as it was sent, broken where the view ends.`);
  begin();
}

function stop() {
  worker?.terminate();
  worker = null;
}

/** @param {(job: Job) => void} settle */
function end(settle) {
  clearTimeout(timer);
  const job = jobs.shift();
  if (!job) return;
  if (job.order.bytes.length > longestKept) stop();
  settle(job);
  begin();
}

function start() {
  const made = new Worker("/js/body/worker.js", { type: "module" });
  made.onmessage = ({ data }) => end((job) => {
    if (data.error) job.reject(new Error(data.error));
    else job.resolve({ rows: data.rows, remarks: [...job.remarks, ...data.remarks] });
  });
  made.onerror = () => {
    stop();
    end((job) => job.reject(new Error("The worker that lays bodies out has ended.")));
  };
  return made;
}
