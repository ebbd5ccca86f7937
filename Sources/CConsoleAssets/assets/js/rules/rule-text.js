/** Rules as texts of JSON: what is written stays as it is, but for what is asked for. */

const templates = {
  block: { name: "no ads", when: "~d ads.example.com", do: "block" },
  mock: { name: "outage", when: "path == /pay", do: "mock", status: 503, fields: ["Retry-After: 30"], body: "later\n" },
  mapLocal: { name: "my files", when: "host == www.example.com", do: "mapLocal", folder: "dist", from: "/static" },
  mapRemote: { name: "my build", when: "host == api.example.com", do: "mapRemote", to: "http://127.0.0.1:3000" },
  redirect: { name: "moved", when: "host == old.example.com", do: "redirect", to: "https://new.example.com/" },
  rewriteRequest: { name: "debug", when: "host == api.example.com", do: "rewriteRequest", set: ["X-Debug: 1"] },
  rewriteResponse: { name: "gone", when: "path == /old", do: "rewriteResponse", status: 410 },
  setAuthentication: { name: "as me", when: "host == api.example.com", do: "setAuthentication", bearer: "TOKEN" },
  delay: { name: "slow", when: "host == api.example.com", do: "delay", seconds: 2 },
};

/** A rule to begin with. @param {string} kind @param {string[]} programs What is declared. */
export function templateOf(kind, programs) {
  if (kind === "askProgram") return laidOut({ name: "ask a program", when: "host == api.example.com", do: kind, program: programs[0] });
  return laidOut(templates[kind] ?? { name: kind, when: "host == api.example.com", do: kind });
}

/** What every rule has, which is shown elsewhere. */
const common = ["name", "when", "do", "enabled"];
/** What nobody should read over a shoulder; the editor has it. */
const secret = ["basic", "bearer", "password"];
/** Characters of one value that are shown. */
const longestValue = 60;

/**
 * The arguments of a rule in one line; empty where it has none.
 *
 * @param {string} text The rule as JSON.
 */
export function argumentsOf(text) {
  let rule;
  try {
    rule = JSON.parse(text);
  } catch {
    return "";
  }
  return Object.entries(rule).filter(([name]) => !common.includes(name))
    .map(([name, value]) => `${name} ${secret.includes(name) ? "…" : argument(value)}`).join(" · ");
}

function argument(value) {
  const text = typeof value === "string" ? value
    : Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(", ") : JSON.stringify(value);
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestValue ? `${line.slice(0, longestValue)}…` : line === "" ? "(empty)" : line;
}

/** A rule as JSON, a key a line. @param {object} rule */
export function laidOut(rule) {
  return `{\n${Object.entries(rule).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(",\n")}\n}`;
}

/** The rule switched on or off. @param {string} text @param {boolean} isEnabled */
export function switched(text, isEnabled) {
  const said = valueOf(text, "enabled");
  return said ? text.slice(0, said[0]) + isEnabled + text.slice(said[1])
    : text.replace(/\s*\}\s*$/, (end) => `, "enabled": ${isEnabled}${end}`);
}

/** Where in the JSON of an object the value of one of its own members stands, which is no list and no object. @returns {[number, number] | null} */
function valueOf(text, member) {
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)];
  let depth = 0;
  for (const [at, { 0: token }] of tokens.entries()) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (depth === 1 && token === JSON.stringify(member) && tokens[at + 1]?.[0] === ":" && tokens[at + 2]) {
      const value = tokens[at + 2];
      return [value.index, value.index + value[0].length];
    }
  }
  return null;
}

/**
 * Where in a text a complaint is about.
 *
 * @param {string} text
 * @param {string} complaint As the server says it.
 * @returns {[number, number] | null} From where to where; nothing where it does not say.
 */
export function placeOf(text, complaint) {
  const inLine = /line (\d+), column (\d+)/.exec(complaint);
  if (inLine) {
    const lines = text.split("\n");
    const start = lines.slice(0, Number(inLine[1]) - 1).reduce((sum, line) => sum + line.length + 1, 0)
      + Number(inLine[2]) - 1;
    return [Math.min(start, text.length), Math.min(start + 1, text.length)];
  }
  const key = /^rules\[\d+\]\.(\w+)/.exec(complaint)?.[1] ?? /“(\w+)”/.exec(complaint)?.[1];
  const found = key ? new RegExp(`"${key}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|[^,}\\s]+)?`).exec(text) : null;
  if (!found) return null;
  const column = Number(/: column (\d+)/.exec(complaint)?.[1] ?? 0);
  const value = found.index + found[0].length - (found[1]?.length ?? 0);
  // Columns of a filter count behind its quote.
  return column > 0 ? [value + column, value + (found[1]?.length ?? 1) - 1] : [found.index, found.index + found[0].length];
}
