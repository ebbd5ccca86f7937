import { Problem } from "../../core/problem.js";
import { requestOf } from "../detail/copy-request.js";
import { utf8Of } from "../../core/head.js";
import { namesIn } from "./variables.js";
import { editableBody, newRequest } from "./written-request.js";

/** The most bytes of a body that the server accepts, with room for the rest of the request. */
export const longestBody = 700_000;

/**
 * A captured request as Compose edits it.
 *
 * @param {number} id
 * @returns {Promise<{request: import("./written-request.js").WrittenRequest, length: number, remarks: string[]}>} The length of the body; remarks
 * on the parts that would be sent in another form.
 */
export async function capturedRequest(id) {
  const captured = await requestOf(id, longestBody);
  if (!captured) throw new Problem({ title: "Nothing to edit", detail: `${id} is a tunnel, and no request.` });
  const isLong = captured.length > longestBody;
  const body = isLong ? { bodyOf: id } : editableBody(captured.body);
  const fields = captured.fields.map(([name, value]) => ({ name, value: utf8Of(value) ?? value }));
  const request = { ...newRequest(), method: captured.method, url: captured.url, fields, ...body, http2: captured.protocol === "h2" };
  // A captured request has no variables of Compose.
  request.fillsVariables = ![request.url, request.body, ...fields.map(({ value }) => value)].some((text) => namesIn(text).length > 0);
  const remarks = isLong ? [] : [...captured.remarks];
  if (captured.protocol === "ws") remarks.push("it opened a WebSocket; what is sent here is a plain request, without Upgrade");
  for (const [name, value] of captured.fields) if (utf8Of(value) === null) remarks.push(
    `${name} is not UTF-8; what is sent here is, so its bytes will be others`);
  return { request, length: captured.length, remarks };
}
