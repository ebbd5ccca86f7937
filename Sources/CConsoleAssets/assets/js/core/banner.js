import { connection } from "./api.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { askForLogin, loginMissing } from "./log-in.js";

/** Milliseconds without the stream of events before the page reports a lost connection. */
const patience = 4000;

/**
 * Shows a problem above the page.
 *
 * @param {string} text
 * @param {"" | "list" | "page" | "connection"} [kind] A problem of the page stays until it is loaded again, a lost connection until a response comes,
 *   a problem of the list until the list is read again.
 */
export function tellProblem(text, kind = "") {
  const banner = document.getElementById("banner");
  if (!banner || (!banner.hidden && banner.dataset.kind === "page")) return;
  fill(banner, el("span", {}, text), kind !== "page"
    && el("button", { type: "button", class: "plain", "aria-label": "Close",
    onclick: () => (banner.hidden = true) }, icon("close")));
  banner.hidden = false;
  banner.dataset.kind = kind;
}

/**
 * Reports a lost connection to the server and a missing token from now on.
 *
 * @param {import("./emitter.js").Emitter} model The model of the list.
 */
export function watchConnection(model) {
  let timer = 0;
  model.on("status", (status) => {
    clearTimeout(timer);
    // The browser usually restores a broken stream at once.
    if (status === "live") connection.emit("reached");
    else timer = setTimeout(() => connection.emit("lost"), patience);
  });
  connection.on("unauthorised", (problem) => problem?.title === loginMissing ? askForLogin() : tellProblem(
    "Pinhole wants another token: open the URL that it printed when it started.", "page"));
  connection.on("lost",
    () => tellProblem("Pinhole does not answer. See whether it still runs; this page tries again by itself.",
    "connection"));
  connection.on("reached", () => forget("connection"));
  model.on("loading", (isLoading) => isLoading && forget("list"));
}

/** Hides a problem that is over. @param {string} kind */
function forget(kind) {
  const banner = document.getElementById("banner");
  if (banner?.dataset.kind === kind) banner.hidden = true;
}
