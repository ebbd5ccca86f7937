import { toast } from "../../core/announce.js";
import { Problem } from "../../core/problem.js";
import { hasOtherPort, hostOf, literal, portOf } from "../../core/facts.js";
import { changeRules, freeName, membersOf } from "./change-rules.js";
import { switched } from "./rule-json.js";

/** Seconds for which an undecided message is held by default. */
export const patience = 120;
/** The most characters of a path in a filter. */
const longestPath = 2000;
/** Methods that have no other meaning in a filter, and read better without quotes. */
const usualMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The breakpoints among the rules, each with its place and its members. @param {any[]} rules */
export function breakpointsOf(rules) {
  return rules.map((rule, at) => ({ ...rule, at, says: membersOf(rule) })).filter((rule) => rule.kind === "breakpoint");
}

/**
 * Holds messages that match a filter from now on: switches an equal breakpoint on, or adds one behind all rules.
 *
 * @param {string} filter
 * @param {{at?: "request" | "response" | "both", seconds?: number}} [how] Without a stage requests are held, or responses if the filter needs a response.
 * @returns {Promise<{name: string, remark: string}>} The rule, and the server's remark on it.
 */
export async function holdWhat(filter, { at, seconds = patience } = {}) {
  const first = await add(filter, at ?? "request", seconds);
  if (at || !/before there is a response/.test(first.remark)) return first;
  await changeRules((rules) => rules.filter((rule) => rule.name !== first.name).map((rule) => rule.text));
  return add(filter, "response", seconds);
}

async function add(filter, stage, seconds) {
  let name = "";
  const listing = await changeRules((rules) => {
    const texts = rules.map((rule) => rule.text);
    const same = breakpointsOf(rules).find((rule) => rule.filter === filter && (rule.says.at ?? "request") === stage);
    name = same?.name ?? freeName(shortened(filter), rules);
    if (!same) return [...texts, JSON.stringify({ name, when: filter, do: "breakpoint", at: stage, seconds })];
    if (same.isEnabled) return null;
    texts[same.at] = switched(same.text, true);
    return texts;
  });
  const index = listing.rules.findIndex((rule) => rule.name === name);
  return { name, remark: listing.remarks.filter((one) => one.index === index).map((one) => one.text).join(" ") };
}

/** Holds messages that match a filter, and shows a note. @param {string} filter */
export async function holdAndTell(filter) {
  try {
    const { remark } = await holdWhat(filter);
    toast(remark ? `Held from now on, but: ${remark}` : `Held from now on: ${filter}`);
  } catch (error) {
    toast(`Not held: ${Problem.of(error).sentence}`);
  }
}

/** A filter for requests similar to an item: the same method, host, port and path. @param {import("../../core/types.js").Traffic} item @param {boolean} withQuery Whether the query is the same, too. */
export function filterLike(item, withQuery = false) {
  const port = hasOtherPort(item) ? ` & port == ${portOf(item)}` : "";
  const method = usualMethods.includes(item.method ?? "") ? item.method : literal(item.method ?? "");
  const [path, ...query] = (item.path ?? "/").split("?");
  const rest = withQuery ? ` & query == ${literal(query.join("?"))}` : "";
  return `method == ${method} & host == ${literal(hostOf(item))}${port} & ${pathLike(path)}${rest}`;
}

/** A path for a filter: its beginning, up to the length limit or the first invalid UTF-8. */
function pathLike(path) {
  const odd = path.indexOf("\ufffd");
  const known = path.slice(0, odd < 0 ? longestPath : Math.min(odd, longestPath)).replace(/[\ud800-\udbff]$/, "");
  return known === path ? `path == ${literal(path)}` : `path startswith ${literal(known)}`;
}

function shortened(filter) {
  return `break: ${filter.length > 60 ? `${filter.slice(0, 59)}…` : filter}`;
}
