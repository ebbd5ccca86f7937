import { held } from "./held.js";

/** @typedef {import("./types.js").Traffic} Traffic */

/** Names for the outcomes of exchanges and tunnels, as the command line shows them. */
const outcomes = {
  completed: "completed", closedByClient: "closed by the client", spare: "a spare connection", answeredByProxy: "answered by Pinhole", abortedByClient: "aborted by the client",
  abortedByServer: "aborted by the server", abortedByUser: "ended by the user", failed: "failed", handshakeFailed: "a TLS handshake failed",
  dialFailed: "no connection to the server could be made", refused: "refused by the proxy", aborted: "broken off",
  timedOut: "a deadline passed", stopped: "the proxy was stopped",
};

/** @param {Traffic} item */
export function outcomeName(item) {
  if (!item.outcome) return "still running";
  const name = outcomes[item.outcome] ?? item.outcome;
  return item.outcome === "answeredByProxy" && item.detail ? `${name}: ${item.detail}` : name;
}

/** Whether an item is still running, so that the user can end it. @param {Traffic} item */
export function isRunning(item) {
  return !item.outcome && !item.handshakeFailure;
}

/** Whether the end of an item is no sign of a wait: a stream, a tunnel, or a running item. @param {Traffic} item */
export function isEndless(item) {
  return item.type === "flow" || item.protocol === "ws" || (item.contentType ?? "").startsWith("text/event-stream") || isRunning(item);
}

const treatments = {
  intercepted: "intercepted: TLS ends at the proxy, and messages are read", passedThrough: "passed through: TLS is relayed without decryption",
  opaque: "relayed: no TLS", plain: "plain HTTP, without a tunnel", local: "answered by the proxy itself",
};

/** The name of the proxy's treatment of a tunnel. @param {string | undefined} treatment */
export function treatmentName(treatment) {
  return treatment === undefined ? undefined : treatments[treatment] ?? treatment;
}

const notes = {
  altSvcRemoved: "Alt-Svc was removed from the response",
  connectionReused: "the server connection had been used before", retried: "the request was sent again",
  upgraded: "the connection was upgraded", answeredEarly: "the server answered before the request was over",
  webSocket: "a WebSocket", webSocketBroken: "the WebSocket protocol was broken", ruled: "rules acted on it",
  clientCertificateMissing: "the server asked for a client certificate and got none",
  viaAdded: "Via was added to the request, to see whether it comes back",
  hostDiffers: "Host names another server than the target",
  answerStatusLine: "the response broke RFC 9112 §4: a malformed status line",
  answerLineEnds: "the response broke RFC 9112 §2.2: lines without CRLF, or a CR in a line",
  answerFieldNames: "the response broke RFC 9112 §5.1: a space before a colon, or a forbidden character in a name",
  answerFolding: "the response broke RFC 9112 §5.2: a folded header",
  answerControls: "the response broke RFC 9110 §5.5: a control character in a header",
  answerTransferEncoding: "the response broke RFC 9112 §6.1: its Transfer-Encoding",
  answerContentLength: "the response broke RFC 9112 §6.3: its Content-Length",
  answerChunks: "the response broke RFC 9112 §7.1: malformed chunk sizes",
  answerTrailers: "the response broke RFC 9110 §6.5.1: a forbidden trailer",
  answerExcess: "the response broke RFC 9112 §9.2: bytes behind its end",
};

/** @param {Traffic} item */
export function noteNames(item) {
  return (item.notes ?? []).map((note) => notes[note] ?? note).join("; ");
}

/** Signs for the results of flows. */
const signs = { relayed: "⇄", spare: "○", stopped: "□" };

/** The outcome of an item, as a word for styles and a sign that needs no colour. @param {Traffic} item */
export function standing(item) {
  if (isFailed(item)) return { kind: "failed", sign: "✕" };
  if (item.type === "flow") return { kind: item.standing ?? "running", sign: item.standing ? signs[item.standing] ?? "" : "…" };
  if (!item.outcome) return held.has(item.id) ? { kind: "held", sign: "‖" } : { kind: "running", sign: "…" };
  // The status tells whether Pinhole's own page or a rule's response is an error.
  if (item.outcome === "answeredByProxy") return { kind: kindOf(item.status), sign: "!" };
  if (item.standing === "broken" || (item.standing === "failed" && (item.status ?? 0) < 400)) return { kind: "failed", sign: "✕" };
  return { kind: kindOf(item.status), sign: "" };
}

/** The kind of a status, as a word for styles. */
export function kindOf(status = 0) {
  return status >= 500 ? "failed" : status >= 400 ? "warned" : "well";
}

/** Whether a tunnel failed. @param {Traffic} item */
export function isFailed(item) {
  return item.type === "flow" && item.standing === "broken";
}

/** Whether an item failed. A failure that an exchange and its flow share counts once, for the exchange. @param {Traffic} item */
export function countsAsFailed(item) {
  return (item.standing === "failed" || item.standing === "broken") && !item.isAnsweredFailure;
}

/** Why an exchange failed; empty for a flow, whose cause stands in the place of a path. @param {Traffic} item */
export function causeOf(item) {
  return (item.type === "exchange" && item.cause) || "";
}

/** The host that the client requested; empty if the connection ended before a request. @param {Traffic} item */
export function hostOf(item) {
  return item.host ?? (item.authority ?? "").replace(/:\d+$/, "");
}

/** A text as a string literal of the filter language. @param {string} text */
export function literal(text) {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

const ownPorts = { http: 80, https: 443 };

/** The port that the client requested; a tunnel without a port counts as HTTPS. @param {Traffic} item */
export function portOf(item) {
  return item.port ?? ownPorts[item.scheme ?? "https"] ?? 443;
}

/** Whether the port differs from the scheme's default, so that texts must name it. @param {Traffic} item */
export function hasOtherPort(item) {
  return portOf(item) !== ownPorts[item.scheme ?? "https"];
}

/** The host, and the port if it is not the scheme's default, as in a URL. @param {Traffic} item */
export function authorityOf(item) {
  if (!hostOf(item)) return "";
  return hasOtherPort(item) ? withPort(hostOf(item), portOf(item)) : hostOf(item);
}

/** The scheme, host and port; the host and port of a tunnel, which has no scheme. @param {Traffic} item */
export function originOf(item) {
  if (!hostOf(item)) return "";
  if (!item.scheme) return withPort(hostOf(item), portOf(item));
  const host = hostOf(item);
  return `${item.scheme}://${hasOtherPort(item) ? withPort(host, portOf(item)) : bracketed(host)}`;
}

/** @param {string} host @param {number} port */
export function withPort(host, port) {
  return `${bracketed(host)}:${port}`;
}

/** A host as it is written before a port: an IPv6 address in brackets. @param {string} host */
export function bracketed(host) {
  return host.includes(":") ? `[${host}]` : host;
}

/** @param {Traffic} item */
export function began(item) {
  return item.started ?? item.opened;
}

/** The path of an exchange; for a flow, its cause of failure or reason. @param {Traffic} item */
export function pathOrCause(item) {
  if (item.type !== "flow") return item.path ?? item.url ?? "";
  // A failure tells more than the reason for the interception, so the failure comes first.
  return item.cause || (item.outcome === "spare" && item.detail) || item.reason || item.detail || "";
}

/** One sentence that names an item. @param {Traffic} item */
export function title(item) {
  return item.type === "flow"
    ? `${item.handshakeFailure ? "TLS" : "Tunnel"} ${item.authority ?? `of ${item.client}`}`
    : `${item.method} ${item.url ?? hostOf(item) + (item.path ?? "")}`;
}

/** The words of types that belong to a kind, besides the types of images, fonts, audio and video. @type {[string, RegExp][]} */
const typeKinds = [
  ["image", /^image\//], ["font", /^font\/|font-(woff|ttf|otf|sfnt)/], ["media", /^(audio|video)\//], ["json", /^((nd)?json|.*\+json)\b/],
  ["html", /^(html|xhtml\+xml)/], ["xml", /^(xml|.*\+xml)/], ["js", /^(js|typescript)$/], ["css", /^css$/],
  ["stream", /^(event-stream|grpc)/], ["form", /^(www-form-urlencoded|multipart\/)/], ["text", /^(plain|csv|markdown|tab-separated-values)/],
];

/** The kind of the response's type, for styles: `json`, `image` …; empty without a response. @param {Traffic} item */
export function typeKind(item) {
  if (item.protocol === "ws") return "stream";
  const word = item.typeWord ?? "";
  return word && (typeKinds.find(([, words]) => words.test(word))?.[0] ?? "other");
}

/** @param {Traffic} item */
export function receivedBytes(item) {
  return item.type === "flow" ? item.bytesFromServer : item.responseBytes;
}

/** @param {Traffic} item */
export function sentBytes(item) {
  return item.type === "flow" ? item.bytesFromClient : item.requestBytes;
}

/** The duration of an exchange or a tunnel. @param {Traffic} item */
export function lasted(item) {
  return item.type === "flow" && item.closed ? Date.parse(item.closed) - Date.parse(item.opened ?? "")
    : item.milliseconds;
}
