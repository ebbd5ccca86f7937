import { el } from "../../core/dom.js";
import { whatToDo } from "../../core/advice.js";
import { bytes, dateAndClock, duration } from "../../core/format.js";
import { began, noteNames, outcomeName, standing, treatmentName } from "../../core/facts.js";
import { causeCard } from "./cause-card.js";
import { errorCard, isErrorPage } from "./error-page.js";
import { facts, fieldsTable, section } from "../../core/fields-table.js";
import { parseFields, parseHead, valuesOf } from "../../core/head.js";
import { handshakesOf, trustCard } from "./host-trust.js";
import { changesOfResponse } from "./rule-hits.js";
import { serverTiming } from "./server-timing.js";
import { waterfall } from "./waterfall.js";

/**
 * The facts of an item on one page.
 *
 * @param {import("../../core/types.js").Detail} detail
 * @param {import("../../core/types.js").Traffic} item
 * @param {(tab: string) => void} go
 */
export function overview(detail, item, go) {
  const flow = detail.flow?.flow ?? detail.flow ?? {};
  const isExchange = item.type === "exchange";
  const tls = handshakesOf(detail);
  const panel = el("div", { class: "panel" });
  const rules = detail.exchange?.rules ?? [];
  const changes = changesOfResponse(rules, true);
  const isOwn = isErrorPage(detail, item);
  const card = item.handshakeFailure ? null : trustCard(detail, item, () => go("tls"));
  // The failed handshake of a request that Pinhole answered is not in the list, so it is shown here.
  const failure = item.handshakeFailure ?? (card || item.outcome !== "answeredByProxy" ? undefined : tls?.server?.failure);
  const why = item.standing === "failed" ? item.cause : item.detail;
  if (failure) panel.append(causeCard(failure, undefined, item, () => go("tls")));
  else if (isOwn && !card) panel.append(errorCard(item));
  else if (why && !card && standing(item).kind === "failed") panel.append(
    el("p", { class: "notice failed" }, el("b", {}, "✕ "), why, item.remedy && el("span", { class: "what-to-do" }, ...whatToDo(item.remedy))));
  if (card) panel.append(card);
  if (tls?.keyExchange?.explanation) panel.append(el("p", { class: "notice warning" }, tls.keyExchange.explanation));
  panel.append(
    facts([
      ["URL", item.url], ["Asked for", isExchange ? null : item.authority], ["Status", changes ? el("span", {}, `${item.status ?? "none"} `, el("span", { class: "ruled" }, changes)) : item.status],
        ["Protocol", protocolName(item)], ["Began", dateAndClock(began(item))],
      ["Took", item.outcome ? duration(item.milliseconds) : "still running"],
        ["Outcome", outcomeName(item)],
      ["Request", isExchange ? size(detail.request?.body, item.requestBytes) : null],
        ["Response", isExchange ? size(detail.response?.body, item.responseBytes) : null],
      ["From the client", isExchange ? null : bytes(item.bytesFromClient)],
        ["From the server", isExchange ? null : bytes(item.bytesFromServer)],
      ["Notes", noteNames(item)],
        ["Comment", item.comment],
    ]));
  if (rules.length > 0) panel.append(section("Rules that acted", String(rules.length), true, el("ul", { class: "acted" },
    ...rules.map((hit) => el("li", {}, el("a", { href: `#/rules/${encodeURIComponent(hit.rule)}` }, hit.rule),
      el("span", { class: "soft" }, ` ${hit.kind}: `), hit.effect)))));
  if (detail.timings) panel.append(section("Timing", "", true, waterfall(detail.timings, !item.outcome, saidBy(detail.response))));
  panel.append(section("Connection", "", true, facts([
    ["Client", flow.client ?? item.client],
      ["Proxy user", item.proxyUser ?? flow.proxyUser],
      ["Client process", processName(flow.clientProcess ?? item.clientProcess)], ["Server", flow.server ?? item.server],
      ["Flow", isExchange ? item.flow : item.id], ["Treatment", treatmentName(flow.treatment ?? item.treatment)],
      ["Why", flow.reason ?? item.reason],
    ["TLS with the client", tls?.client && handshake(tls.client)],
      ["TLS with the server", tls?.server && handshake(tls.server)],
  ])));
  const dials = detail.flow?.dials ?? detail.dials ?? [];
  if (dials.length > 0) panel.append(section("Attempts to connect", String(dials.length), dials.length > 1,
    fieldsTable(["Address", "Time", "Result"], dials.map(
      (dial) => [dial.address, duration(dial.milliseconds),
      dial.failure ? `✕ ${dial.failure}` : "connected"]), "Attempts to connect")));
  return panel;
}

/** The Server-Timing entries of a response, in the head and in the trailers. @param {import("../../core/types.js").Message | undefined} response */
function saidBy(response) {
  const fields = response ? [...parseHead(response.head).fields, ...parseFields(response.trailers ?? "")] : [];
  return serverTiming(valuesOf(fields, "server-timing").join(", "));
}

/** @param {import("../../core/types.js").Traffic} item */
export function protocolName(item) {
  const names = { h1: "HTTP/1.1", h2: "HTTP/2", ws: "WebSocket" };
  return item.protocol ? [names[item.protocol] ?? item.protocol,
    item.scheme === "https" ? "over TLS" : item.scheme === "http" ? "without TLS" : ""].filter(Boolean)
    .join(" ") : null;
}

/** @param {import("../../core/types.js").ClientProcess | undefined} process */
function processName(process) {
  return process && [`${process.name} (${process.pid})`, process.path].filter(Boolean).join(" · ");
}

function handshake(one) {
  if (one.failure) return `✕ ${one.failure.summary}`;
  return [one.version, one.cipher, one.group, one.applicationProtocol, one.isResumed ? "resumed" : ""].filter(Boolean)
    .join(" · ");
}

function size(body, length) {
  if (!body) return bytes(length);
  const lacks = [body.captured < body.length ? `${bytes(body.captured)} captured` : "",
    body.isComplete ? "" : "incomplete"].filter(Boolean).join(", ");
  return `${bytes(body.length)}${lacks ? ` (${lacks})` : ""}`;
}
