import { copy } from "../../core/clipboard.js";
import { el } from "../../core/dom.js";
import { differsSign } from "./differs-sign.js";
import { copyButton, facts } from "../../core/fields-table.js";

/** @typedef {import("../../core/types.js").Certificate} Certificate */

const pinNames = {
  "spki-sha256": "SPKI SHA-256", "spki-sha256-hex": "SPKI SHA-256, hexadecimal",
    "certificate-sha256": "Certificate SHA-256", "raw-key-sha256": "Raw key SHA-256", hpkp: "HPKP header",
    okhttp: "OkHttp",
  android: "Android network security config", "ios-ats": "iOS App Transport Security", trustkit: "TrustKit",
    curl: "curl --pinnedpubkey", "tlsa-3-1-1": "DANE TLSA 3 1 1", "tlsa-2-1-1": "DANE TLSA 2 1 1",
  afnetworking: "AFNetworking", alamofire: "Alamofire",
};

const fields = [
  ["Subject", "subject"], ["Issuer", "issuer"], ["Names", "names"], ["Serial number", "serial"],
    ["Not before", "notBefore"], ["Not after", "notAfter"], ["Key", "key"], ["Signature", "signature"],
    ["SHA-256", "sha256"],
];

/**
 * A table of the server's own certificate beside Pinhole's certificate for it.
 *
 * @param {Certificate | undefined} real
 * @param {Certificate | undefined} forged
 * @param {{field: string, real: any, forged: any}[]} differences
 */
export function comparedCertificates(real, forged, differences) {
  if (!real && !forged) return el("p", { class: "soft" }, "No certificate was seen on either side.");
  const rows = fields.map(([label, key]) => [label, said(real, key), said(forged, key), key]);
  const pin = (/** @type {Certificate | undefined} */ one) => one?.pins?.["spki-sha256"] ?? "—";
  rows.push(["SPKI pin", pin(real), pin(forged), "pin"]);
  // The server also reports differences that have no row in the table, mostly extensions.
  const named = new Set([...fields.map(([, key]) => key), "spki-sha256"]);
  for (const one of differences) if (!named.has(one.field)) rows.push(
    [one.field, text(one.real), text(one.forged), one.field]);
  const marked = new Set(differences.map((one) => one.field));
  return el("table", { class: "compared", "aria-label": "The real certificate and the forged one" },
    el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, "Real"),
      el("th", { scope: "col" }, "Forged"))),
    el("tbody", {}, ...rows.map(([label, left, right, key]) => {
      const differs = marked.has(key) || (real && forged && left !== right);
      return el("tr", { class: differs ? "differs" : "" },
        el("th", { scope: "row" }, label, differs && differsSign()), el("td", {}, left), el("td", {}, right));
    })));
}

/**
 * One certificate with its pins.
 *
 * @param {Certificate} certificate
 * @param {number} place
 * @param {number} count
 */
export function certificateCard(certificate, place, count) {
  const role = place === 0 ? "leaf" : certificate.subject === certificate.issuer ? "root" : "intermediate";
  const pins = Object.entries(certificate.pins ?? {});
  const label = commonName(certificate.subject);
  return el("details", { class: "certificate" },
    el("summary", {}, el("span", { class: "role" }, role), el("b", {}, label),
      el("span", { class: "soft" }, ` until ${certificate.notAfter?.slice(0, 10) ?? "?"}`)),
    certificate.trouble && el("p", { class: "notice" }, certificate.trouble),
    facts([
      ...fields.map(([name, key]) => /** @type {[string, string]} */ ([name, said(certificate, key)])),
      ...(certificate.extensions ?? []).map((one) =>
        /** @type {[string, string]} */ ([one.name || one.oid,
        `${one.text}${one.critical ? " (critical)" : ""}`])),
    ]),
    pins.length > 0 && el("h5", {}, "Pins"),
    el("ul", { class: "pins" }, ...pins.map(([notation, pin]) =>
      el("li", {}, el("span", { class: "notation" }, pinNames[notation] ?? notation),
      pin.includes("\n") ? el("pre", {}, pin) : el("code", {}, pin),
        copyButton(pin, `${pinNames[notation] ?? notation} pin of ${label}`)))),
    certificate.derBase64
      && el("button", { type: "button", onclick: () =>
      copy(pem(certificate.derBase64), "certificate (PEM)") }, "Copy as PEM"));
}

function said(certificate, key) {
  if (!certificate) return "—";
  const value = certificate[key];
  if (key === "names") return (value ?? []).join(", ") || "—";
  if (key === "key") return value ? value.description ?? `${value.type}, ${value.bits} bits` : "—";
  if (key === "sha256" || key === "serial") return value ? value.toLowerCase().match(/.{1,2}/g).join(":")
    : "—";
  return value ? String(value) : "—";
}

function text(value) {
  return Array.isArray(value) ? value.join(", ") : typeof value === "object" && value !== null
    ? JSON.stringify(value) : String(value ?? "—");
}

function commonName(subject) {
  const name = /(?:^|,)CN=((?:\\.|[^,])*)/.exec(subject ?? "")?.[1];
  return name?.replace(/\\(.)/g, "$1") ?? subject ?? "(no subject)";
}

function pem(base64) {
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join("\n") ?? ""}\n-----END CERTIFICATE-----\n`;
}
