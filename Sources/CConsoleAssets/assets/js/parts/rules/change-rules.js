import { askJSON } from "../../core/api.js";
import { Problem } from "../../core/problem.js";

/**
 * Changes the current rules. If another client changed them first, the change is made again on the new rules.
 *
 * @param {(rules: any[]) => string[] | null} change Makes the new texts from the rules; `null` to keep the rules.
 * @returns {Promise<any>} The rules after the change.
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

/** The members of a rule; an empty object if its text is no JSON. @param {{text: string}} rule @returns {Record<string, any>} */
export function membersOf(rule) {
  try {
    return JSON.parse(rule.text);
  } catch {
    return {};
  }
}

/** An unused name for a rule. @param {string} wish @param {{name: string}[]} rules */
export function freeName(wish, rules) {
  let name = wish;
  for (let number = 2; rules.some((rule) => rule.name === name); number += 1) name = `${wish} (${number})`;
  return name;
}
