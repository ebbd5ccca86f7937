import { showDialog } from "./dialog.js";
import { el } from "./dom.js";
import { allKeys, keyName } from "./keys.js";

const fixed = [
  ["In the list", [["↑ ↓ j k", "Go through the items"], ["PgUp PgDn Home End", "Go far"],
    ["Enter", "Open the item"], ["Space", "Select; with the pointer: Ctrl-click"],
    ["Escape", "Close the detail"]]],
  ["Anywhere", []],
];

/** The current page and its part of the documentation. */
const here = { title: "Traffic", address: "/docs/CONSOLE.html" };

/**
 * Sets the links to the documentation, in the bar and in the help, to the part about a page.
 *
 * @param {string} title
 * @param {string} place Such as `CONSOLE-PAGES.html#compose`.
 */
export function tellPage(title, place) {
  Object.assign(here, { title, address: `/docs/${place}` });
  const link = document.getElementById("page-help");
  link?.setAttribute("href", here.address);
  link?.setAttribute("aria-label", `Documentation: ${title}`);
  link?.setAttribute("title", `Documentation: ${title} (a new tab)`);
}

/** Shows the keys and the filter language in short, and links to the documentation. */
export function showHelp() {
  if (document.querySelector("dialog[open]")) return;
  const shown = fixed.map(([group, keys]) => /** @type {[string, string[][]]} */ (
    [String(group), [.../** @type {string[][]} */ (keys),
    ...allKeys().filter((key) => (key.group ?? "Anywhere") === group).map((key) => [keyName(key.key), key.label])]]));
  showDialog("Keys and filters", () => [
    el("p", { class: "help-page line" }, el("a", { class: "button", href: here.address, target: "_blank" }, `Documentation: ${here.title}`),
      el("a", { href: "/docs/", target: "_blank" }, "All documentation")),
    el("div", { class: "help" },
      ...shown.map(([group, keys]) => el("section", {}, el("h3", {}, group),
        el("dl", { class: "keys" }, ...keys.map(([key, label]) =>
        el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, label)))))),
      el("section", {}, el("h3", {}, "Filters"), el("dl", { class: "keys filters" }, ...[
        ["text", "in the URL"], ["status >= 400", "comparisons: == != < <= > >="],
          ["host ~ *.example.com", "globs; contains, startswith, endswith, matches"],
          ["header[x-id] contains a", "headers of either message"],
        ["duration > 1s, size > 1MB", "units are understood"],
          ["failed, pinned, tls.failed, grpc, websocket", "what holds, or does not"],
          ["& | ! ( )", "and, or, not"], ["~d ~u ~m ~c ~h ~b ~t ~q ~s", "mitmproxy's operators"],
      ].map(([key, label]) => el("div", {}, el("dt", {}, el("code", {}, key)), el("dd", {}, label)))))),
  ]);
}
