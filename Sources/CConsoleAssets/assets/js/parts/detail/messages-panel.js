import { ask, askJSON, withQuery } from "../../core/api.js";
import { announce } from "../../core/announce.js";
import { el, fill } from "../../core/dom.js";
import { bytes, count, counted, duration } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { copyButton, facts, fieldsTable } from "../../core/fields-table.js";

const page = 200;

/** @type {Record<string, string>} */
const formats = { eventStream: "server-sent events", jsonLines: "JSON lines", jsonSequence: "JSON text sequence",
  grpc: "gRPC", grpcWeb: "gRPC-Web", grpcWebText: "gRPC-Web in Base64", connect: "Connect",
  replacedParts: "parts that replace each other" };

/** The messages of a WebSocket or a stream, in pages. While the stream is open, `refresh` adds new messages. */
export class MessagesPanel {
  #last = 0;
  #hasMore = false;
  #isBusy = false;
  #isOutdated = false;
  #shown = 0;

  /** @param {number} id @param {import("../../core/types.js").Detail} detail */
  constructor(id, detail) {
    this.id = id;
    this.detail = detail;
    this.list = el("ol", { class: "messages", "aria-label": "Messages" });
    this.foot = el("p", { class: "foot" });
    this.only = el("select", { "aria-label": "Which side",
      onchange: () => (this.list.dataset.only = this.only.value) },
      el("option", { value: "" }, "Both sides"), el("option", { value: "client" }, "From the client"),
        el("option", { value: "server" }, "From the server"));
    this.sender = this.#stands ? this.#sender() : null;
    this.element = el("div", { class: "panel" }, this.#stream(detail.stream), this.sender,
      el("div", { class: "body-tools" }, this.only), this.list, this.foot);
    this.#load();
  }

  /** Whether the item is an open WebSocket. */
  get #stands() {
    const { exchange } = this.detail;
    return Boolean(exchange?.notes?.includes("webSocket") && !exchange.outcome);
  }

  /** A form that sends a message of the user. */
  #sender() {
    const to = el("select", { "aria-label": "Send to" }, el("option", { value: "server" }, "to the server"),
      el("option", { value: "client" }, "to the client"));
    const text = el("textarea", { rows: "2", spellcheck: "false", "aria-label": "Message", placeholder: "A message of your own" });
    const send = el("button", { type: "submit" }, "Send");
    const problem = el("div", { role: "alert" });
    const submit = async () => {
      if (send.disabled) return;
      send.disabled = true;
      fill(problem);
      try {
        await ask(`/api/traffic/${this.id}/messages`, { method: "POST", body: { to: to.value, text: text.value } });
        announce(`Sent ${to.value === "server" ? "to the server" : "to the client"}`);
        text.value = "";
        this.#load();
      } catch (error) {
        fill(problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      } finally {
        send.disabled = false;
      }
    };
    return el("form", { class: "sender", "aria-label": "Send a message", onsubmit: (event) => {
      event.preventDefault();
      submit();
    }, onkeydown: (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      submit();
    } }, text, el("div", { class: "body-tools" }, to, send, el("span", { class: "soft" }, "Ctrl+Enter")), problem);
  }

  end() {}

  /** Loads new messages. @param {import("../../core/types.js").Detail} detail */
  refresh(detail) {
    this.detail = detail;
    // A closed WebSocket takes no messages, so the form goes away.
    if (!this.#stands) this.sender?.remove();
    if (!this.#hasMore) this.#load();
  }

  #stream(stream) {
    if (!stream) return null;
    const status = stream.grpcStatus;
    return el("div", {}, facts([
      ["Request", formats[stream.requestFormat] ?? stream.requestFormat],
      ["Response", formats[stream.responseFormat] ?? stream.responseFormat],
      ["gRPC status", status
        && `${status.code === 0 ? "" : "✕ "}${status.code ?? "?"} ${status.name ?? ""}${status.message ? `: ${status.message}` : ""}`],
      ["Deadline", stream.grpcTimeoutMilliseconds && duration(stream.grpcTimeoutMilliseconds)],
    ]), ...(stream.troubles ?? []).map((trouble) => el("p", { class: "notice" }, trouble)));
  }

  async #load() {
    if (this.#isBusy) {
      // The answer under way may be older than the messages that this call is about.
      this.#isOutdated = true;
      return;
    }
    this.#isBusy = true;
    try {
      const { messages, more } = await askJSON(withQuery(
        `/api/traffic/${this.id}/messages`, { after: this.#last, limit: page }));
      for (const message of messages) {
        this.#shown += 1;
        this.#last = message.number ?? this.#shown;
        this.list.append(row(message, this.#shown));
      }
      this.#hasMore = more;
      this.#tell();
    } catch (error) {
      fill(this.foot, Problem.of(error).sentence, " ",
        el("button", { type: "button", onclick: () => this.#load() }, "Try again"));
    } finally {
      this.#isBusy = false;
    }
    if (this.#isOutdated) {
      this.#isOutdated = false;
      this.#load();
    }
  }

  #tell() {
    const total = this.detail.messageCount;
    fill(this.foot, el("span", { class: "soft" }, this.#shown === 0 ? "No messages yet. "
      : `${counted(this.#shown, "message")}${total && total > this.#shown ? ` of ${count(total)}` : ""} `),
      this.#hasMore && el("button", { type: "button", onclick: () => this.#load() }, "Load more"));
  }
}

function row(message, number) {
  const isClient = message.sender === "client";
  const content = contentOf(message);
  const flags = [message.isCompressed && "compressed", message.compression,
    message.isComplete === false && "cut off", message.isCut && "only its beginning is shown; the body has all of it", ...(message.notes ?? [])].filter(Boolean).join(", ");
  return el("li", { "data-sender": message.sender },
    el("details", {},
      el("summary", {}, el("span", { class: "way", title: isClient ? "from the client" : "from the server" },
        el("span", { "aria-hidden": "true" }, isClient ? "→" : "←"),
        el("span", { class: "visually-hidden" }, isClient ? "from the client" : "from the server")),
        el("span", { class: "number" }, String(message.number ?? number)),
          el("span", { class: "number" }, duration(message.sinceStart ?? message.milliseconds)),
          el("span", { class: "kind" }, message.event?.type ?? message.kind),
        el("span", { class: "gist" }, content.gist), el("span", { class: "number" }, sizeOf(message))),
      el("div", { class: "message" },
        facts([["Id", message.event?.id], ["Retry", message.event?.retry && `${message.event.retry} ms`],
          ["Offset", message.offset], ["Took", message.sinceStart === undefined ? null : duration(message.milliseconds)],
          ["Flags", flags], ["Close code", message.closeCode],
          ["Reason", message.closeReason],
          ["Trouble", message.trouble ?? message.undecoded ?? message.detail]]),
        content.full && el("div", { class: "copied" }, content.full,
          content.text && copyButton(content.text, `message ${message.number ?? number}`)))));
}

/** The size of a message on the wire, marked if the message was compressed. */
function sizeOf(message) {
  return `${bytes(message.bytes)}${message.isCompressed || message.compression ? " compressed" : ""}`;
}

/** The content of a message: in a line, in full, and as a text. */
function contentOf(message) {
  if (message.trailers) return { gist: message.trailers.map(([name, value]) => `${name}: ${value}`)
    .join("  "), full: fieldsTable(["Name", "Value"], message.trailers, "Trailers"), text: "" };
  const value = message.protobuf ?? message.json;
  if (value !== undefined) {
    const text = JSON.stringify(value, null, 2);
    return { gist: JSON.stringify(value).slice(0, 400), full: el("pre", {}, text), text };
  }
  const close = message.closeCode && `${message.closeCode} ${message.closeReason ?? ""}`;
  if (message.base64) {
    const text = hexOf(message.base64);
    return { gist: close || text.slice(10, 58), full: el("pre", { tabindex: "0", class: "hex-text" }, text), text };
  }
  const text = message.event ? message.event.data ?? (message.event.comments ?? [])
    .map((comment) => `: ${comment}`).join("\n") : message.text ?? "";
  return { gist: close || text.slice(0, 400), full: text && el("pre", {}, pretty(text)), text };
}

/** Lays out JSON of moderate size; any other text stays unchanged. */
function pretty(text) {
  if (text.length > 200_000 || !/^\s*[[{]/.test(text)) return text;
  try {
    const value = JSON.parse(text);
    // Numbers of many digits would lose some, so such a text stays unchanged.
    return /\d{16}/.test(text) ? text : JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}

function hexOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const rows = [];
  for (let at = 0; at < Math.min(bytes.length, 8192); at += 16) {
    const part = [...bytes.subarray(at, at + 16)];
    rows.push(`${at.toString(16).padStart(8, "0")}  ${part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(47)}  ${part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("")}`);
  }
  return rows.join("\n") + (bytes.length > 8192 ? "\n…" : "");
}
