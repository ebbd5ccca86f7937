/** Kinds of rules that change responses alone, if their effect says that they changed something. */
const ofResponses = ["rewriteResponse", "noCaching"];
/** Kinds of rules that change requests or responses. */
const ofEither = ["breakpoint", "askProgram"];

/**
 * The changes that rules made to a response on its way to the client.
 *
 * @param {{rule: string, kind: string, effect: string}[]} hits
 * @param {boolean} isStatus Whether only changes of the status count.
 * @returns {string} A sentence; empty if no rule changed the response.
 */
export function changesOfResponse(hits, isStatus) {
  const all = hits.map((hit) => isStatus ? ofStatus(hit) : ofAll(hit)).filter(Boolean);
  if (all.length === 0) return "";
  return `${all.length === 1 ? "A rule" : "Rules"} changed this on its way to the client: ${all.join("; ")}`;
}

/**
 * Which version of a changed response the capture holds. The capture has heads as the server sent them, but messages with a changed
 * body or a manual edit as Pinhole sent them on (docs/RULES.md).
 *
 * @param {{rule: string, kind: string, effect: string}[]} hits
 */
export function recordedOfResponse(hits) {
  if (hits.some((hit) => ofResponses.includes(hit.kind) && /^changed the body /.test(hit.effect))) return "Below is what was sent on.";
  return hits.some((hit) => ofEither.includes(hit.kind) && ofAll(hit)) ? "" : "Below is what the server sent.";
}

function ofStatus({ rule, effect }) {
  const found = /\bstatus \d+ to \d+/.exec(effect);
  return found ? `${found[0]} (${rule})` : "";
}

function ofAll({ rule, kind, effect }) {
  const said = effect.replace(/^(continued with )?changed /, "");
  if (said === effect) return "";
  if (ofResponses.includes(kind) || ofStatus({ rule, effect })) return `${said} (${rule})`;
  return ofEither.includes(kind) && !/\b(method|path) /.test(said) ? `${said} (${rule}; of the request or the response)` : "";
}
