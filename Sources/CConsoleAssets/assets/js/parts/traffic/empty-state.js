import { askJSON, withQuery } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { commandLine } from "../../core/first-step.js";
import { browserButton, browsers } from "../../core/browsers.js";

/**
 * The hint of a list without rows.
 *
 * @param {import("./traffic-model.js").TrafficModel} model
 * @param {() => void} showAll
 * @param {(filter: string) => void} show Applies another filter.
 * @param {import("./search-places.js").SearchPlaces} places The other places in which the words of the filter can be searched.
 */
export function emptyState(model, showAll, show, places) {
  const element = el("div", { class: "empty", hidden: true });
  let only = "";
  /** @type {{ client: string, command: string }[]} */
  let commands = [];
  let isLoading = true;
  /** The filter that the last request was for. The answer is the suggestion. */
  let asked = "";
  /** @type {{filter: string, entries: number, isWhole: boolean} | undefined} */
  let suggestion;
  const ask = async () => {
    const filter = model.filter;
    if (filter === asked) return;
    [asked, suggestion] = [filter, undefined];
    const answer = await askJSON(withQuery("/api/filter/suggestion", { filter })).catch(() => ({}));
    if (asked !== filter) return;
    suggestion = answer.suggestion;
    tell();
  };
  const tell = () => {
    element.hidden = isLoading || model.length > 0;
    if (element.hidden) {
      asked = "";
      return;
    }
    if (model.filter && model.search) {
      fill(element, el("h2", {}, "Nothing found yet"),
        el("p", { class: "soft" }, `The search was stopped after ${Math.floor(model.search.part * 100)} % of the capture.`),
        el("button", { type: "button", onclick: () => model.load() }, "Search all"));
    } else if (model.filter) {
      fill(element, el("h2", {}, "Nothing matches"), el("p", { class: "soft" }, el("code", {}, model.filter)),
        suggestion && suggested(suggestion, show),
        ...places.actions().map(({ label, run }) => el("button", { type: "button", class: "search-more", onclick: run }, label)),
        el("button", { type: "button", onclick: showAll }, "Show all"));
      ask();
    } else {
      fill(element, el("h2", {}, "No traffic yet"),
        el("p", { class: "soft" }, "Send something through the proxy; it appears here as it passes. A row is an exchange (a request with its response), or a flow: a connection that failed or is not decrypted."),
        only && el("p", { class: "notice" }, "Pinhole records only traffic that matches ", el("code", {}, only), ": ",
          el("a", { href: "#/settings" }, "settings"), "."),
        browsers.names.length > 0 && browserButton(),
        browsers.names.length > 0 && el("p", { class: "soft" }, "The browser has a fresh profile that trusts Pinhole's CA and uses the proxy. Or in a terminal:"),
        commandLine(commands[0] ?? { client: "any program", command: "pinhole run -- curl https://example.com/" }),
        commands.length > 1 && el("p", {}, el("a", { class: "button to-connect", href: "#/connect" }, "Connect something else"),
          el("span", { class: "soft" }, " a phone, a browser, Docker, Python, Node.js, Java, another computer")),
        browsers.obstacle && el("p", { class: "soft obstacle" }, "In a terminal, this command opens a browser with a fresh profile: ",
          el("code", {}, "pinhole browser"), ". From here none can be opened: ", browsers.obstacle.detail, "; ", browsers.obstacle.remedy, "."),
        el("p", { class: "soft" }, "Or ", el("a", { href: "#/exchange" }, "import a file"), ": HAR, mitmproxy, Charles, a capture."));
    }
  };
  model.on("loading", (/** @type {boolean} */ now) => {
    isLoading = now;
    tell();
  });
  model.on("state", (/** @type {any} */ state) => {
    const isSame = JSON.stringify(state.commands ?? []) === JSON.stringify(commands);
    if (isSame && (state.scope?.filter ?? "") === only) return;
    commands = state.commands ?? [];
    only = state.scope?.filter ?? "";
    tell();
  });
  browsers.on("change", tell);
  places.on("change", tell);
  for (const event of ["grown", "shrunk", "replaced", "thinned"]) model.on(event, tell);
  return element;
}

/** A filter similar to one without matches, with the number of entries that it matches. */
function suggested({ filter, entries, isWhole }, show) {
  const count = `${isWhole ? "" : "at least "}${entries} ${entries === 1 ? "entry" : "entries"}`;
  return el("p", {}, el("button", { type: "button", onclick: () => show(filter) }, "Show ", el("code", {}, filter)),
    ` finds ${count}`);
}
