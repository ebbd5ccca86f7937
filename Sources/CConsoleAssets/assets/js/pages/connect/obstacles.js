import { el } from "../../core/dom.js";
import { whatToDo } from "../../core/advice.js";
import { trustButtons } from "../../parts/detail/host-trust.js";
import { passOnButton } from "../../core/pass-on.js";

/** @typedef {{id: number, authority: string, cause: string, summary: string, remedy?: string, peer: "client" | "server", isHint: boolean, detail: string, client: string}} Obstacle */

/** A card with an obstacle, its remedy, and buttons for the remedy. @param {Obstacle} obstacle */
export function obstacleCard(obstacle) {
  const { id, authority, cause, summary, remedy, peer, isHint, detail, client } = obstacle;
  const [, host, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(authority) ?? ["", authority, authority, undefined];
  const item = /** @type {import("../../core/types.js").Traffic} */ ({ type: "flow", id, authority, host, port: Number(port ?? 443), detail });
  const isOffer = cause === "http3";
  return el("section", { class: isOffer ? "obstacle is-offer" : "obstacle", "aria-label": `${summary}: ${authority}` },
    el("h3", {}, el("span", { class: "sign", "aria-hidden": "true" }, isOffer ? "i" : "✕"),
      isOffer ? `${authority} offers HTTP/3` : `${client}, ${authority}: ${summary}`,
      !isOffer && el("span", { class: "certainty" }, isHint ? "probably" : "certain")),
    el("p", {}, detail),
    remedy && el("p", {}, ...whatToDo(remedy)),
    el("p", { class: "line" }, ...trustButtons(cause, item), peer === "client" && !isOffer && host && passOnButton(item),
      el("a", { class: "button", href: `#/?id=${id}` }, "Show in the traffic")));
}
