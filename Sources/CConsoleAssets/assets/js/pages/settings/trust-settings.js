import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { fieldsTable } from "../../core/fields-table.js";
import { takeBack, trust } from "../../parts/detail/host-trust.js";

/** Servers with exceptions: accepted bad certificates, and client certificates. Empty without exceptions. */
export function hostTrust() {
  const place = el("div", { class: "host-trust" });
  const show = (listing) => fill(place, ...tables(listing));
  const end = trust.on("change", (listing) => (place.isConnected ? show(listing) : end()));
  askJSON("/api/trust").then(show, () => {});
  return place;
}

function tables({ exemptions, clientCertificates }) {
  const parts = [];
  if (exemptions.length > 0) parts.push(el("h3", {}, "Bad certificates that are accepted"),
    fieldsTable(["Server", "Why", "Change"], exemptions.map((one) => [one.host, one.reason,
      back(one, "accepted", `Check the certificate of ${one.host} again`)]), "Bad certificates that are accepted"));
  if (clientCertificates.length > 0) parts.push(el("h3", {}, "Client certificates"),
    fieldsTable(["Server", "Certificate", "Change"], clientCertificates.map((one) => [one.host,
      one.file ?? `${one.subject}, until ${one.notAfter.slice(0, 10)}; in memory until the proxy ends`,
      back(one, "client-certificates", `Present no certificate to ${one.host}`)]), "Client certificates"));
  return parts;
}

function back(one, kind, label) {
  if (!one.isForSession) return "by the configuration or a flag";
  return el("button", { type: "button", class: "take-back", "aria-label": label,
    onclick: () => takeBack(`/api/trust/${kind}/${encodeURIComponent(one.host)}`) }, "Take back");
}
