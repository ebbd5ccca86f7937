import { Emitter } from "./emitter.js";
import { Problem } from "./problem.js";

/** Tells `unauthorised`, with the problem, when the server wants another token, and `reached` or `lost` with each answer. */
export const connection = new Emitter();

/** Milliseconds before a failed GET request is sent again. */
const secondAttempt = 300;

/**
 * @param {string} path
 * @param {{method?: string, body?: any, text?: string, signal?: AbortSignal}} [options] `body` is sent as JSON, `text` as it is.
 * @returns {Promise<Response>}
 */
export async function ask(path, { method = "GET", body, text, signal } = {}) {
  const type = body !== undefined ? "application/json" : text !== undefined ? "application/octet-stream" : "";
  const request = {
    method,
    signal,
    headers: type ? { "Content-Type": type } : {},
    body: body === undefined ? text : JSON.stringify(body),
  };
  let response;
  try {
    // The browser may have used a pooled connection to a server that is gone, so a GET request is sent once more.
    response = await fetch(path, request).catch(async (error) => {
      if (method !== "GET" || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, secondAttempt));
      return fetch(path, request);
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unanswered();
  }
  connection.emit("reached");
  if (response.ok) return response;
  const problem = new Problem({ title: `Status ${response.status}`, status: response.status,
    ...await problemDocument(response) });
  if (response.status === 401) connection.emit("unauthorised", problem);
  throw problem;
}

/** @param {string} path @param {Parameters<typeof ask>[1]} [options] @returns {Promise<any>} */
export async function askJSON(path, options) {
  return read((await ask(path, options)).json(), options);
}

/** @param {string} path @param {Parameters<typeof ask>[1]} [options] */
export async function askBytes(path, options) {
  return new Uint8Array(await read((await ask(path, options)).arrayBuffer(), options));
}

/** Reads the body of a response. The connection may end in the middle. */
async function read(body, { signal } = {}) {
  try {
    return await body;
  } catch (error) {
    if (signal?.aborted || !(error instanceof TypeError)) throw error;
    throw unanswered();
  }
}

function unanswered() {
  connection.emit("lost");
  return new Problem({ title: "Pinhole does not answer", detail: "the connection failed.",
    remedy: "See whether it still runs.", isUnanswered: true });
}

/** Whether a proxy runs here. A console of a file has no rules; the browser would log an error for each request for them. */
export async function hasProxy() {
  const { proxy } = await askJSON("/api/state");
  return proxy.length > 0;
}

/**
 * How the server understands a text as a filter. Throws a problem for a text that is no filter, although the server has answered.
 *
 * @param {string} text
 * @returns {Promise<{canonical: string, isSQL: boolean, remarks: string[]}>}
 */
export async function checkFilter(text) {
  const found = await askJSON(withQuery("/api/filter", { text }));
  if (found.problem) throw new Problem(found.problem);
  return found;
}

/**
 * A path with a query. Empty parameters are left out.
 *
 * @param {string} path
 * @param {Record<string, string | number | boolean | undefined>} parameters
 */
export function withQuery(path, parameters) {
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== "" && value !== false)
    .map(([name, value]) => `${name}=${encodeURIComponent(value === true ? 1 : String(value))}`)
    .join("&");
  return query ? `${path}?${query}` : path;
}

async function problemDocument(response) {
  try {
    return (response.headers.get("Content-Type") ?? "").includes("json") ? await response.json() : {};
  } catch {
    return {};
  }
}
