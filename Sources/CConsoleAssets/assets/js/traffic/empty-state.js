import { el, fill } from "../core/dom.js";

/**
 * What the list says when it has no rows.
 *
 * @param {import("./traffic-model.js").TrafficModel} model
 * @param {() => void} showAll
 */
export function emptyState(model, showAll) {
  const element = el("div", { class: "empty", hidden: true });
  let only = "";
  const tell = (/** @type {boolean} */ isLoading) => {
    element.hidden = isLoading || model.length > 0;
    if (element.hidden) return;
    if (model.filter) {
      fill(element, el("h2", {}, "Nothing matches"), el("p", { class: "soft" }, el("code", {}, model.filter)),
        el("button", { type: "button", onclick: showAll }, "Show all"));
    } else {
      fill(element, el("h2", {}, "No traffic yet"),
        el("p", { class: "soft" }, "Send something through the proxy; it appears here as it passes."),
        only && el("p", { class: "notice" }, "Recorded is only what ", el("code", {}, only), " means: ",
          el("a", { href: "#/settings" }, "settings"), "."),
        el("pre", {}, "pinhole run -- curl https://example.com/"),
        el("p", { class: "soft" }, "Or ", el("a", { href: "#/exchange" }, "import a file"), ": HAR, mitmproxy, Charles, a capture."));
    }
  };
  model.on("loading", tell);
  model.on("state", (/** @type {any} */ state) => {
    if ((state.scope?.filter ?? "") === only) return;
    only = state.scope?.filter ?? "";
    tell(false);
  });
  for (const event of ["grown", "shrunk", "replaced", "thinned"]) model.on(event, () => tell(false));
  return element;
}
