import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { duration } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { causeCard } from "./cause-card.js";
import { certificateCard, comparedCertificates } from "./certificates.js";
import { differsSign } from "./differs-sign.js";
import { facts, section } from "../../core/fields-table.js";
import { extensionName, suiteName, versionName } from "./tls-names.js";

/** Both handshakes of a flow, both certificate chains, and the cause of a failure. */
export class TLSPanel {
  #abort = new AbortController();

  /** @param {number} flow @param {import("../../core/types.js").Traffic} item */
  constructor(flow, item) {
    this.item = item;
    this.element = el("div", { class: "panel tls" }, el("p", { class: "soft" }, "Loading…"));
    this.#load(flow);
  }

  end() {
    this.#abort.abort();
  }

  async #load(flow) {
    try {
      this.#show(await askJSON(`/api/flows/${flow}/tls`, { signal: this.#abort.signal }));
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const problem = Problem.of(error);
      fill(this.element, el("p", { class: problem.status === 404 ? "soft" : "notice failed" },
        problem.status === 404 ? `No handshake was read. ${problem.detail ?? ""}` : problem.sentence));
    }
  }

  #show(tls) {
    const failure = tls.client?.failure ?? tls.server?.failure;
    const real = tls.chains?.real ?? [];
    const forged = tls.chains?.forged ?? [];
    fill(this.element,
      failure && causeCard(failure, tls, this.item),
      tls.keyExchange?.explanation && el("p", { class: "notice warning" }, tls.keyExchange.explanation),
      section("Handshakes", "", true, handshakes(tls.client, tls.server, tls.clientHello)),
      section("Server certificate, real and forged",
        tls.differences?.length ? `${tls.differences.length} fields differ` : "", true,
        comparedCertificates(real[0], forged[0], tls.differences ?? [])),
      section("Chains", "", true, el("div", { class: "chains" },
        chain("Real: the server sent it to Pinhole", real),
        chain("Forged: Pinhole sent it to the client", forged))),
      tls.clientHello && section("The client's offer", "", false, offer(tls)));
  }
}

const rows = [
  ["Version", "version"], ["Cipher suite", "cipher"], ["Key exchange", "group"], ["Application protocol", "applicationProtocol"],
    ["Server name", "serverName"], ["Resumed", "isResumed"], ["Took", "milliseconds"],
  ["Client certificate asked for", "requestedClientCertificate"], ["Verification", "verification"],
    ["Accepted nevertheless", "exemption"], ["Result", "failure"],
];

/** A table with a column for each side, which marks rows that differ. */
function handshakes(client, server, hello) {
  return el("table", { class: "compared", "aria-label": "Both handshakes" },
    el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, "Client ↔ Pinhole"),
      el("th", { scope: "col" }, "Pinhole ↔ server"))),
    el("tbody", {}, ...rows.filter(([, key]) => client?.[key] !== undefined || server?.[key] !== undefined
      || ["version", "failure"].includes(key)).map(([label, key]) => {
      const [left, right] = [said(key, client, hello), said(key, server)];
      const differs = client && server && left !== right
        && !["milliseconds", "verification", "exemption"].includes(key);
      return el("tr", { class: differs ? "differs" : "" },
        el("th", { scope: "row" }, label, differs && differsSign()), el("td", {}, left), el("td", {}, right));
    })));
}

function said(key, side, hello) {
  if (!side) return "none";
  const value = side[key];
  if (key === "failure") return value ? `✕ ${value.isHint ? "probably " : ""}${value.summary}`
    : "✓ finished";
  if (key === "version" && value === undefined && side.failure) return hello?.versions?.length
    ? `none agreed; offered ${hello.versions.map(versionName).join(", ")}` : "none agreed";
  if (value === undefined) return "—";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return key === "milliseconds" ? duration(value) : String(value);
}

function chain(title, certificates) {
  return el("section", { class: "chain", "aria-label": title }, el("h4", {}, title),
    certificates.length === 0 ? el("p", { class: "soft" }, "No certificate was seen.")
      : el("ol", {}, ...certificates.map((one, place) =>
      el("li", {}, certificateCard(one, place, certificates.length)))));
}

function offer({ clientHello: hello, keyExchange: exchange, signatureSchemes }) {
  const list = (values, name) => (values ?? []).map(name).join(", ");
  return facts([
    ["Server name", hello.serverName], ["ALPN", list(hello.applicationProtocols, String)],
      ["Versions", list(hello.versions, versionName)], ["Cipher suites", list(hello.cipherSuites, suiteName)],
    ["Groups", list(exchange?.offered, String)], ["Key shares", list(exchange?.shares, String)],
    ["Groups that Pinhole offered", list(exchange?.offeredToServer, String)],
      ["Key shares that Pinhole sent", list(exchange?.sharesToServer, String)],
    ["Signature schemes", list(signatureSchemes, String)], ["Extensions", list(hello.extensions, extensionName)],
  ]);
}
