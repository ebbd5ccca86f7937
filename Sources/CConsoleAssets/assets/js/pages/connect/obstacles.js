import { el } from "../../core/dom.js";
import { whatToDo } from "../../core/advice.js";
import { trustButtons } from "../../parts/detail/host-trust.js";
import { causeName } from "../../core/facts.js";
import { passOnButton } from "../../core/pass-on.js";

/** @typedef {{id: number, authority: string, cause: string, peer: "client" | "server", isHint: boolean, detail: string, client: string}} Obstacle */

/** Remedies that the server's detail does not include. */
const remedies = {
  authorityNotTrusted: "Follow the steps for the CA below, and start the program again.",
  certificateRefused: "Usually the CA is missing: follow the steps for it below. Else read the log of the program.",
  looksPinned: "The program accepts its own certificate only. Pass the host through, or use a build without pins.",
  serverCertificateRefused: "If you know this server, accept its certificate; it holds for this server alone.",
  clientCertificateRequired: "Choose the certificate that the client would present.",
  dateRefused: "Compare the clocks of both machines.",
};

/** @param {string} cause */
export function shortCause(cause) {
  return cause === "http3" ? "HTTP/3 is offered" : causeName(cause);
}

/** A card with an obstacle, its remedy, and buttons for the remedy. @param {Obstacle} obstacle */
export function obstacleCard(obstacle) {
  const { id, authority, cause, peer, isHint, detail, client } = obstacle;
  const [, host, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(authority) ?? ["", authority, authority, undefined];
  const item = /** @type {import("../../core/types.js").Traffic} */ ({ type: "flow", id, authority, host, port: Number(port ?? 443), detail });
  const isOffer = cause === "http3";
  return el("section", { class: isOffer ? "obstacle is-offer" : "obstacle", "aria-label": `${shortCause(cause)}: ${authority}` },
    el("h3", {}, el("span", { class: "sign", "aria-hidden": "true" }, isOffer ? "i" : "✕"),
      isOffer ? `${authority} offers HTTP/3` : `${client}, ${authority}: ${shortCause(cause)}`,
      !isOffer && el("span", { class: "certainty" }, isHint ? "probably" : "certain")),
    el("p", {}, detail),
    remedies[cause] && el("p", {}, ...whatToDo(remedies[cause])),
    el("p", { class: "line" }, ...trustButtons(cause, item), peer === "client" && !isOffer && host && passOnButton(item),
      el("a", { class: "button", href: `#/?id=${id}` }, "Show in the traffic")));
}
