/** Kinds that change responses and nothing else, where they say that they changed something. */
const ofResponses = ["rewriteResponse", "noCaching"];
/** Kinds that change either. */
const ofEither = ["breakpoint", "askProgram"];

/**
 * What rules made of a response on its way to the client.
 *
 * @param {{rule: string, kind: string, effect: string}[]} hits
 * @param {boolean} isStatus Whether only another status is of interest.
 * @returns {string} A sentence; empty where they changed nothing.
 */
export function changesOfResponse(hits, isStatus) {
  const all = hits.map((hit) => isStatus ? ofStatus(hit) : ofAll(hit)).filter(Boolean);
  if (all.length === 0) return "";
  return `${all.length === 1 ? "A rule" : "Rules"} changed this on its way to the client: ${all.join("; ")}`;
}

/**
 * What is recorded of a response that rules changed: heads as they came, but messages whose body was changed, or that somebody edited,
 * as they were sent on (docs/RULES.md).
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
