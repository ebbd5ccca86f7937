import { askJSON } from "../core/api.js";
import { Problem } from "../core/problem.js";

/**
 * Changes the rules that count, as they are at this moment; where somebody else was quicker it is done again with theirs.
 *
 * @param {(rules: any[]) => string[] | null} change Makes the texts of the new ones out of the rules; nothing to leave them.
 * @returns {Promise<any>} How they stand then.
 */
export async function changeRules(change) {
  for (let attempt = 0; ; attempt += 1) {
    const listing = await askJSON("/api/rules");
    const rules = change(listing.rules);
    if (!rules) return listing;
    try {
      return await askJSON("/api/rules", { method: "PUT", body: { rules, revision: listing.revision } });
    } catch (error) {
      if (Problem.of(error).status !== 409 || attempt === 3) throw error;
    }
  }
}

/** What a rule says; nothing where its text is none. @param {{text: string}} rule @returns {Record<string, any>} */
export function membersOf(rule) {
  try {
    return JSON.parse(rule.text);
  } catch {
    return {};
  }
}

/** A name that no rule has. @param {string} wish @param {{name: string}[]} rules */
export function freeName(wish, rules) {
  let name = wish;
  for (let number = 2; rules.some((rule) => rule.name === name); number += 1) name = `${wish} (${number})`;
  return name;
}
