import { ask, askJSON, hasProxy, withQuery } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { filterLike, patience } from "./breakpoint-rules.js";
import { Draft } from "../../core/draft.js";
import { bytes } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { textOf } from "../detail/copy-request.js";
import { hostOf, literal } from "../../core/facts.js";
import { freeName } from "./change-rules.js";
import { laidOut } from "./rule-json.js";

/** The most bytes of a body that a new rule takes over. */
const longestBody = 20_000;

/** @typedef {import("../../core/types.js").Traffic} Traffic */

/** The rules that an exchange can start: a label, a word for the rule's name, the rule's action, and the filter, if it differs from the one for similar requests. @type {[string, string, (item: Traffic) => object | Promise<object>, ((item: Traffic) => string)?][]} */
const kinds = [
  ["Mock this…", "mock", mock],
  ["Map this to a file…", "file for", (item) => ({ do: "mapLocal", file: fileName(item) })],
  ["Map this to another server…", "elsewhere", () => ({ do: "mapRemote", to: "http://127.0.0.1:3000" })],
  ["Break on this…", "break at", () => ({ do: "breakpoint", at: "request", seconds: patience })],
  ["Block this…", "block", () => ({ do: "block", with: 403 })],
  ["Block this host…", "block", () => ({ do: "block", with: 403 }), (item) => `host == ${literal(hostOf(item))}`],
  ["Rewrite the request…", "rewrite", () => ({ do: "rewriteRequest", set: ["X-Debug: 1"] })],
  ["Rewrite the response…", "rewrite answer of", (item) => ({ do: "rewriteResponse", status: contentful(item.status) })],
];

/** The entries of a menu, one for each rule. @param {Traffic} item @returns {import("../../core/menu.js").MenuItem[]} */
export function ruleItems(item) {
  return kinds.map(([label, word, make, filter]) => {
    const choose = () => begin(item, word, make, filter);
    // A mock for one query differs from a mock for the path, so its entry asks.
    if (make !== mock || !(item.path ?? "").includes("?")) return { label, choose };
    return { label, prefix: "Mock this", items: [{ label: "For every query", choose },
      { label: "For this query alone", choose: () => begin(item, word, make, likeWithQuery) }] };
  });
}

/** @param {Traffic} item */
function likeWithQuery(item) {
  return filterLike(item, true);
}

/** Opens the page of rules with a new rule for similar requests, which the user must save to use. */
async function begin(item, word, make, filter = filterLike) {
  try {
    /** @type {Draft<any>} */
    const draft = new Draft("rules");
    const written = draft.read();
    if (written && written.text !== written.original) {
      toast("Another new rule is not saved yet: use it or cancel it first");
    } else {
      if (!await hasProxy()) return toast("No rule was begun: this console shows a file, and no proxy runs here");
      const { rules } = await askJSON("/api/rules");
      const meant = filter === filterLike || filter === likeWithQuery ? (item.path ?? "/").split("?")[0] : hostOf(item);
      const name = freeName(`${word} ${meant.length > 40 ? `${meant.slice(0, 39)}…` : meant}`, rules);
      const text = laidOut({ name, when: filter(item), ...await make(item) });
      draft.write({ index: null, name: "", original: text, text });
    }
    route.go("#/rules?new=1");
  } catch (error) {
    toast(`No rule was begun: ${Problem.of(error).sentence}`);
  }
}

/** A mock with the recorded response. The body is included if it is short text. @param {Traffic} item */
async function mock(item) {
  const rule = { do: "mock", status: within(item.status),
    ...(item.contentType ? { fields: [`Content-Type: ${item.contentType}`] } : {}) };
  if (!item.responseBytes) return rule;
  const answer = await ask(withQuery(`/api/traffic/${item.id}/response-body`, { decoded: true, offset: "0", length: longestBody }));
  const total = Number(answer.headers.get("Pinhole-Total") ?? Infinity);
  const text = textOf(new Uint8Array(await answer.arrayBuffer()));
  if (total <= longestBody && text !== null && !answer.headers.get("Pinhole-Failure")) return { ...rule, body: text };
  toast(`The body is not in the rule: it has ${bytes(item.responseBytes)}, or is not a text. Save it, and name its file here`);
  return { ...rule, file: fileName(item) };
}

/** A status that a rule may answer with; 200 in place of any other. @param {number | undefined} status */
function within(status) {
  return status !== undefined && status >= 200 && status <= 599 ? status : 200;
}

/** A status that allows content; 200 in place of any other. @param {number | undefined} status */
function contentful(status) {
  return [204, 205, 304].includes(status ?? 0) ? 200 : within(status);
}

function fileName(item) {
  return (item.path ?? "/").split("?")[0].split("/").findLast((part) => part !== "") ?? "index.html";
}
