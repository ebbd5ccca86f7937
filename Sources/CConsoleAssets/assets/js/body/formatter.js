/** Bytes after which the worker is begun anew: it would keep the memory. */
const longestKept = 8 << 20;

/** @type {Worker | null} */
let worker = null;
let jobs = 0;
/** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
const waiting = new Map();

/**
 * Lays a body out in the worker.
 *
 * @param {{bytes: Uint8Array, charset: string, layout: string, width: number, isWhole: boolean}} order
 * @returns {Promise<{rows: import("./lines.js").Lines, remarks: (string | {text: string, offset: number})[]}>} A remark may be about a byte.
 */
export function layOut(order) {
  worker ??= start();
  const job = ++jobs;
  const used = worker;
  used.postMessage({ job, ...order });
  return new Promise((resolve, reject) => waiting.set(job, { resolve, reject })).finally(() => {
    if (order.bytes.length <= longestKept || waiting.size > 0 || worker !== used) return;
    used.terminate();
    worker = null;
  });
}

function start() {
  const made = new Worker("/js/body/worker.js", { type: "module" });
  made.onmessage = ({ data }) => {
    const one = waiting.get(data.job);
    waiting.delete(data.job);
    if (data.error) one?.reject(new Error(data.error));
    else one?.resolve(data);
  };
  made.onerror = () => {
    for (const one of waiting.values()) one.reject(new Error("The worker that lays bodies out has ended."));
    waiting.clear();
    worker = null;
  };
  return made;
}
