import { askJSON } from "./api.js";
import { copy } from "./clipboard.js";
import { el } from "./dom.js";

/** A command that a client needs for its first request. @typedef {{client: string, command: string}} ClientCommand */

/**
 * The hint of an empty page: a title and the first steps.
 *
 * @param {string} title
 * @param {...(Node | string | null | false)} steps
 */
export function firstStep(title, ...steps) {
  return el("div", { class: "first-step" }, el("h2", {}, title), ...steps.map((step) => (typeof step === "string" ? el("p", {}, step) : step)));
}

/** A command for a shell, and a button that copies it. @param {ClientCommand} line */
export function commandLine({ client, command }) {
  return el("div", { class: "command" }, el("pre", { tabindex: "0" }, ...unbroken(command)),
    el("button", { type: "button", "aria-label": `Copy the line for ${client}`, onclick: () => copy(command, `the line for ${client}`) }, "Copy"));
}

/** The command that sends a first request through this proxy. The command works as it stands. */
async function firstCommand() {
  const { commands = [] } = await askJSON("/api/state");
  return commandLine(commands[0] ?? { client: "any program", command: "pinhole run -- curl https://example.com/" });
}

/**
 * The hint of a page of exchanges that has none to show.
 *
 * @param {string} filter
 * @param {string} purpose A sentence that says what the page shows.
 */
export async function nothingMatches(filter, purpose) {
  if (filter) return firstStep("Nothing matches", el("p", {}, "No exchange matches ", el("code", {}, filter), "."),
    el("p", {}, el("a", { href: "#/" }, "Show all traffic"), ", or write another filter there."));
  return firstStep("No traffic yet", purpose, "Send a first request through the proxy. In a terminal:", await firstCommand(),
    el("p", {}, "Or ", el("a", { href: "#/exchange" }, "import a file"), " of a browser or of another tool."));
}

/** A command whose lines are broken between words alone, because a browser also breaks behind the hyphens of an option. @param {string} command */
function unbroken(command) {
  return command.split(/(\s+)/).map((word) => (/^\s*$/.test(word) ? word : el("span", { class: "command-word" }, word)));
}
