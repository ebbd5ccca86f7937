import { askJSON } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { showDialog } from "../../core/dialog.js";
import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { hostOf, portOf, withPort } from "../../core/facts.js";
import { isErrorPage, remedyLine } from "./error-page.js";

/** Emits `change` with the settings for single servers after each change on this page. */
export const trust = new Emitter();

/** The limit on the bytes of a certificate's file. */
const longestFile = 256 << 10;

/**
 * The remedies for a server that wants a client certificate, or whose certificate was refused; `null` for other failures.
 *
 * @param {import("../../core/types.js").Detail} detail
 * @param {import("../../core/types.js").Traffic} item
 * @param {() => void} [more] Shows both handshakes.
 */
export function trustCard(detail, item, more) {
  const buttons = trustButtons(neededTrust(detail), item);
  if (buttons.length === 0) return null;
  const title = buttons[0].classList.contains("accept-certificate") ? "The server's certificate was refused"
    : "The server wants a client certificate";
  return el("section", { class: "cause-card trust-card", "aria-label": title },
    el("h3", {}, el("span", { class: "sign", "aria-hidden": "true" }, "!"), title),
    el("p", {}, detail.advice ?? item.detail ?? ""), !detail.advice && isErrorPage(detail, item) && remedyLine(item), el("p", { class: "line" }, ...buttons,
      more && el("button", { type: "button", onclick: more }, "Show both handshakes")));
}

/** The cause of a failure that trust in this host would end; a client certificate is the server's advice. @param {import("../../core/types.js").Detail} detail */
function neededTrust(detail) {
  return detail.advice ? "clientCertificateRequired" : handshakesOf(detail)?.server?.failure?.cause;
}

/** The part of a detail that has both handshakes; `null` without TLS. @param {import("../../core/types.js").Detail} detail */
export function handshakesOf(detail) {
  return detail.flow?.client ? detail.flow : detail.client ? detail : null;
}

/**
 * Whether the overview of an exchange has a remedy.
 *
 * @param {import("../../core/types.js").Detail} detail
 * @param {import("../../core/types.js").Traffic} item
 */
export function hasRemedy(detail, item) {
  return !item.handshakeFailure && (trustButtons(neededTrust(detail), item).length > 0 || isErrorPage(detail, item));
}

/** @param {string | undefined} cause @param {import("../../core/types.js").Traffic} item @returns {HTMLElement[]} */
export function trustButtons(cause, item) {
  const host = withPort(hostOf(item), portOf(item));
  if (!hostOf(item)) return [];
  if (cause === "serverCertificateRefused") return [el("button", { type: "button", class: "accept-certificate",
    onclick: () => accept(host) }, `Accept the certificate of ${host}…`)];
  if (cause === "clientCertificateRequired") return [el("button", { type: "button", class: "choose-certificate",
    onclick: () => chooseCertificate(host) }, `Choose a client certificate for ${host}…`)];
  return [];
}

/** Asks the user to confirm a bad certificate of a host, and accepts it. @param {string} host */
async function accept(host) {
  const isWanted = await showDialog("Accept a bad certificate", (close) => [el("div", {},
    el("p", {}, "Pinhole will connect to ", el("b", {}, host), " with any certificate. An attacker between Pinhole and this server can then read and change all traffic, without a warning."),
    el("p", { class: "soft" }, "The exception is for this server alone. It lasts until the proxy ends or you remove it in the settings."),
    el("p", { class: "buttons" }, el("button", { type: "button", autofocus: true, onclick: () => close(false) }, "Cancel"),
      el("button", { type: "button", class: "primary accept-now", onclick: () => close(true) }, "Accept it")))]);
  if (!isWanted) return;
  await change(`/api/trust/accepted/${encodeURIComponent(host)}`, { method: "PUT" },
    `The certificate of ${host} is accepted. Ask for the page again.`, `/api/trust/accepted/${encodeURIComponent(host)}`);
}

/** Asks for a file and its password, and presents its client certificate to a host. @param {string} host */
async function chooseCertificate(host) {
  const path = `/api/trust/client-certificates/${encodeURIComponent(host)}`;
  await showDialog("Choose a client certificate", (close) => {
    const problem = el("div", { role: "alert" });
    const file = el("input", { type: "file", id: "certificate-file", accept: ".p12,.pfx,.pem,.crt,.key" });
    const password = el("input", { type: "password", id: "certificate-password", autocomplete: "off" });
    const use = async () => {
      fill(problem);
      const chosen = file.files?.[0];
      if (!chosen) return fill(problem, el("p", { class: "notice failed" }, "No file was chosen."));
      if (chosen.size > longestFile) return fill(problem, el("p", { class: "notice failed" }, "The file is too long to be a certificate with its key."));
      try {
        const content = base64(new Uint8Array(await chosen.arrayBuffer()));
        trust.emit("change", await askJSON(path, { method: "PUT", body: { content, password: password.value } }));
        close(true);
        said(`The certificate is presented to ${host}. Ask for the page again.`, path);
      } catch (error) {
        fill(problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      }
    };
    return [el("div", {},
      el("p", {}, "For ", el("b", {}, host), ": PEM with certificate and key, or PKCS#12 (.p12, .pfx). It is kept in the memory of the proxy until that ends."),
      el("p", {}, el("label", { for: "certificate-file" }, "File "), file),
      el("p", {}, el("label", { for: "certificate-password" }, "Password "), password), problem,
      el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => close(false) }, "Cancel"),
        el("button", { type: "button", class: "primary certificate-use", onclick: use }, "Use it")))];
  });
}

/** Removes a setting for a single server. @param {string} path */
export async function takeBack(path) {
  await change(path, { method: "DELETE" }, "Taken back. New connections follow it.");
}

async function change(path, options, text, undo) {
  try {
    trust.emit("change", await askJSON(path, options));
    said(text, undo);
  } catch (error) {
    toast(`Not changed: ${Problem.of(error).sentence}`);
  }
}

function said(text, undo) {
  toast(text, [...(undo ? [{ label: "Undo", run: () => takeBack(undo) }] : []),
    { label: "Show in the settings", run: () => route.go("#/settings") }]);
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
