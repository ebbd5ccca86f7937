/** Edits the JSON of a rule. Only changed values are rewritten: every other byte stays. */

/**
 * @typedef {object} Member A member of an object.
 * @property {string} name
 * @property {number} start The start of the member, with its name.
 * @property {number} from The start of the value.
 * @property {number} to The end of the value.
 */

/**
 * The members of an object.
 *
 * @param {string} text JSON.
 * @returns {Member[] | null} `null` if the text is no object, or has a name twice.
 */
export function membersIn(text) {
  const value = parsed(text);
  if (value === undefined || value === null || typeof value !== "object" || Array.isArray(value)) return null;
  const members = [];
  let at = after(text, skip(text, 0), "{");
  while (text[at] !== "}") {
    const start = at;
    const nameEnd = valueEnd(text, at);
    const from = skip(text, skip(text, nameEnd) + 1);
    const to = valueEnd(text, from);
    members.push({ name: JSON.parse(text.slice(start, nameEnd)), start, from, to });
    at = after(text, skip(text, to), ",");
  }
  return new Set(members.map((one) => one.name)).size === members.length ? members : null;
}

/** The texts of the elements of a list; `null` if the text is no list. @param {string} text JSON. @returns {string[] | null} */
export function elementsIn(text) {
  if (!Array.isArray(parsed(text))) return null;
  const elements = [];
  let at = after(text, skip(text, 0), "[");
  while (text[at] !== "]") {
    const to = valueEnd(text, at);
    elements.push(text.slice(at, to));
    at = after(text, skip(text, to), ",");
  }
  return elements;
}

/** The text of a member's value; `undefined` if the member is missing. @param {string} text @param {string} name @returns {string | undefined} */
export function memberOf(text, name) {
  const member = membersIn(text)?.find((one) => one.name === name);
  return member && text.slice(member.from, member.to);
}

/**
 * The object with a new value for a member, or without the member. A new member comes last.
 *
 * @param {string} text The JSON of an object.
 * @param {string} name
 * @param {string | undefined} value The value as JSON; `undefined` to remove the member.
 */
export function withMember(text, name, value) {
  const members = membersIn(text);
  if (!members) return text;
  const at = members.findIndex((one) => one.name === name);
  const found = members[at];
  if (found && value !== undefined) return text.slice(0, found.from) + value + text.slice(found.to);
  if (found) {
    // The comma before the member goes, too, or the one behind a first member.
    const before = members[at - 1];
    const next = members[at + 1];
    return before ? text.slice(0, before.to) + text.slice(found.to) : text.slice(0, found.start) + text.slice(next?.start ?? found.to);
  }
  if (value === undefined) return text;
  const member = `${JSON.stringify(name)}: ${value}`;
  const last = members[members.length - 1];
  if (!last) return text.replace(/\{\s*\}/, () => `{${member}}`);
  const gap = /\n[ \t]*$/.exec(text.slice(0, last.start))?.[0] ?? " ";
  return `${text.slice(0, last.to)},${gap}${member}${text.slice(last.to)}`;
}

/** A rule as JSON, one key a line. @param {object} rule */
export function laidOut(rule) {
  return `{\n${Object.entries(rule).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(",\n")}\n}`;
}

/** The rule switched on or off. @param {string} text @param {boolean} isEnabled */
export function switched(text, isEnabled) {
  return withMember(text, "enabled", String(isEnabled));
}

/** The value of a text; `undefined` if the text is no JSON. @param {string} text */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The place behind white space. */
function skip(text, at) {
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

/** The place behind a character, if it is there, and behind white space. */
function after(text, at, character) {
  return skip(text, text[at] === character ? at + 1 : at);
}

/** The end of the value that begins at a place, in a text that is JSON. */
function valueEnd(text, at) {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^\s{}[\],:"]+/gy;
  let depth = 0;
  for (;;) {
    token.lastIndex = at = text.slice(at).search(/[^\s,:]/) + at;
    const found = /** @type {RegExpExecArray} */ (token.exec(text))[0];
    at = token.lastIndex;
    if (found === "{" || found === "[") depth += 1;
    else if (found === "}" || found === "]") depth -= 1;
    if (depth === 0) return at;
  }
}
