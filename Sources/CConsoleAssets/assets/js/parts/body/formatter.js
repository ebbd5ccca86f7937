import { binaryLayouts } from "./binary-text.js";

/** Bytes of a body after which a new worker starts, because a worker keeps its memory. */
const longestKept = 8 << 20;

/** Milliseconds before a body is shown unchanged, so that waiting bodies get their turn. */
const patience = 10_000;

/**
 * @typedef {object} Order A body to lay out.
 * @property {Uint8Array} bytes
 * @property {string} charset
 * @property {string} [type] The media type in lower case, without parameters.
 * @property {string} layout
 * @property {number} width
 * @property {boolean} isWhole
 *
 * @typedef {{rows: import("./lines.js").Lines, remarks: (string | {text: string, offset: number})[]}} Made The result; a remark may name the place of a byte.
 * @typedef {{order: Order, remarks: string[], resolve: (made: Made) => void, reject: (error: Error) => void}} Job
 */

/** @type {Worker | null} */
let worker = null;
/** Jobs in order; the worker runs the first. @type {Job[]} */
const jobs = [];
let timer = 0;

/**
 * Lays a body out in the worker, after the earlier jobs.
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
  // Binary formats have no text to fall back on, and their reader has limits of its own.
  if (job.order.layout && !binaryLayouts.has(job.order.layout)) timer = setTimeout(giveUp, patience);
}

/** Shows a body unchanged after the time limit. */
function giveUp() {
  stop();
  const [job] = jobs;
  job.order = { ...job.order, layout: "" };
  job.remarks.push(`The layout took more than ${patience / 1000} s. The body is shown as it was sent, with lines broken at the width of the view.`);
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
  const made = new Worker("/js/parts/body/worker.js", { type: "module" });
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
