import { el } from "../../core/dom.js";
import { duration } from "../../core/format.js";
import { whatToDo } from "../../core/advice.js";
import { passOnButton } from "../../core/pass-on.js";
import { remedyLine } from "./error-page.js";
import { facts } from "../../core/fields-table.js";
import { trustButtons } from "./host-trust.js";

/**
 * A card with the cause of a failed handshake and its remedy.
 *
 * @param {import("../../core/types.js").HandshakeFailure} failure
 * @param {{cause?: string, remedy?: string} | undefined} told The server's cause and remedy, if it has better ones.
 * @param {import("../../core/types.js").Traffic} item The item whose handshake failed.
 * @param {(() => void)} [more]
 */
export function causeCard(failure, told, item, more) {
  return el("section", { class: "cause-card", "aria-label": "Why the handshake failed" },
    el("h3", {}, el("span", { class: "sign", "aria-hidden": "true" }, "✕"),
      `TLS with the ${failure.peer} failed: ${failure.summary}`,
      el("span", { class: "certainty" }, failure.isHint ? "probably" : "certain")),
    el("p", {}, told?.cause ?? failure.detail),
    told?.remedy ? el("p", { class: "remedy" }, ...whatToDo(told.remedy)) : item.type === "exchange" && remedyLine(item),
    facts([
      ["Alert", failure.alert && `${failure.alert} (${failure.alertCode})`],
        ["Ended by", failure.endedBy ?? "Pinhole, or a deadline"], ["After", duration(failure.milliseconds)],
      ["Bytes after the handshake", failure.bytesAfterHandshake], ["Certainty", certainty(failure)],
    ]),
    el("p", { class: "line" }, ...trustButtons(failure.cause, item), passOnButton(item),
      more && el("button", { type: "button", onclick: more }, "Show both handshakes")));
}

function certainty(failure) {
  if (failure.isHint) return "a guess from what happened around it";
  return failure.endedBy ? `the ${failure.endedBy} said so` : "Pinhole found it itself";
}
