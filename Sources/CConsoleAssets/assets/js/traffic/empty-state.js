import { el, fill } from "../core/dom.js";
import { browserButton, browsers } from "./browsers.js";

/**
 * What the list says when it has no rows.
 *
 * @param {import("./traffic-model.js").TrafficModel} model
 * @param {() => void} showAll
 */
export function emptyState(model, showAll) {
  const element = el("div", { class: "empty", hidden: true });
  let only = "";
  let isLoading = true;
  const tell = () => {
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
        browsers.names.length > 0 && browserButton(),
        browsers.names.length > 0 && el("p", { class: "soft" }, "It has a fresh profile that trusts Pinhole's CA, and goes through the proxy. Or in a terminal:"),
        el("pre", {}, "pinhole run -- curl https://example.com/"),
        browsers.obstacle && el("p", { class: "soft obstacle" }, "A browser with a fresh profile is opened in a terminal by ",
          el("code", {}, "pinhole browser"), ". From here none can be opened: ", browsers.obstacle.detail, "; ", browsers.obstacle.remedy, "."),
        el("p", { class: "soft" }, "Or ", el("a", { href: "#/exchange" }, "import a file"), ": HAR, mitmproxy, Charles, a capture."));
    }
  };
  model.on("loading", (/** @type {boolean} */ now) => {
    isLoading = now;
    tell();
  });
  model.on("state", (/** @type {any} */ state) => {
    if ((state.scope?.filter ?? "") === only) return;
    only = state.scope?.filter ?? "";
    tell();
  });
  browsers.on("change", tell);
  for (const event of ["grown", "shrunk", "replaced", "thinned"]) model.on(event, tell);
  return element;
}
