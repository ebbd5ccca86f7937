import { connection } from "./api.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";

/** Milliseconds without events until it is said. */
const patience = 4000;

/**
 * Says above the page what went wrong.
 *
 * @param {string} text
 * @param {"" | "token" | "connection"} [kind] A missing token is said until the page is loaded anew, a lost connection until an answer comes.
 */
export function tellProblem(text, kind = "") {
  const banner = document.getElementById("banner");
  if (!banner || (!banner.hidden && banner.dataset.kind === "token")) return;
  fill(banner, el("span", {}, text), kind !== "token"
    && el("button", { type: "button", class: "plain", "aria-label": "Close",
    onclick: () => (banner.hidden = true) }, icon("close")));
  banner.hidden = false;
  banner.dataset.kind = kind;
}

/**
 * Begins to tell of the connection to the server.
 *
 * @param {import("../traffic/traffic-model.js").TrafficModel} model
 */
export function watchConnection(model) {
  let timer = 0;
  model.on("status", (status) => {
    clearTimeout(timer);
    // A stream that is cut is there again at once, as a rule.
    if (status === "live") connection.emit("reached");
    else timer = setTimeout(() => connection.emit("lost"), patience);
  });
  connection.on("unauthorised", () => tellProblem(
    "Pinhole wants another token: open the URL that it printed when it started.", "token"));
  connection.on("lost",
    () => tellProblem("Pinhole does not answer. See whether it still runs; this page tries again by itself.",
    "connection"));
  connection.on("reached", () => {
    const banner = document.getElementById("banner");
    if (banner?.dataset.kind === "connection") banner.hidden = true;
  });
}
