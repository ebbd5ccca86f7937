import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { kindOf } from "../../core/facts.js";
import { bytes, duration } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { fieldsTable, section } from "../../core/fields-table.js";
import { parseHead, valueOf } from "../../core/head.js";
import { MessagePanel } from "../../parts/detail/message-panel.js";
import { HeldSource } from "./held-source.js";

/**
 * @typedef {object} Answer The response of /api/send.
 * @property {number} [id]
 * @property {number} status
 * @property {string} head
 * @property {string} bodyBase64
 * @property {number} length
 * @property {number} milliseconds
 */

/** A response as the list's detail shows it: fields, cookies, and the body in its views. */
export class AnswerView {
  #shows = 0;
  /** Stops the panel's requests. */
  #end = () => {};

  constructor() {
    this.element = el("section", { class: "answer", "aria-label": "Result", tabindex: "-1" });
  }

  clear() {
    this.#shows += 1;
    this.#end();
    this.#end = () => {};
    fill(this.element);
  }

  /** @param {string} url @param {() => void} stop */
  wait(url, stop) {
    this.clear();
    fill(this.element, el("p", { class: "line" }, el("span", {}, `Waiting for the response of ${url}`),
      el("button", { type: "button", class: "wait-end", onclick: stop }, "Wait no longer")));
  }

  /**
   * @param {Answer} answer
   * @param {{origin: number, isProxied: boolean}} about `origin`: the exchange that the request was copied from; 0 for none.
   */
  async show(answer, { origin, isProxied }) {
    this.clear();
    const show = this.#shows;
    const kind = kindOf(answer.status);
    const stage = el("div", { class: "answer-stage" }, el("p", { class: "soft" }, "Loading…"));
    const reason = parseHead(answer.head).start.split(" ").slice(2).join(" ");
    fill(this.element, el("div", { class: "line" },
      el("h2", {}, el("span", { class: `answer-status ${kind}` }, `Status ${answer.status}`), reason && ` ${reason}`,
        el("span", { class: "soft" }, ` ${bytes(answer.length)} in ${duration(answer.milliseconds)}`)),
      el("span", { class: "end" },
        answer.id ? el("a", { class: "button", href: `#/?id=${answer.id}&tab=response` }, `Open ${answer.id} in the list`)
          : el("span", { class: "soft" }, isProxied ? "Not in the capture (yet): perhaps recording is paused." : "Sent directly: not in the capture."),
        answer.id && origin > 0 && el("a", { class: "button", href: `#/diff/${origin}/${answer.id}` }, `Compare with ${origin}`))), stage);
    try {
      const panel = await this.#panel(answer);
      if (show !== this.#shows) return panel.end();
      this.#end = () => panel.end();
      fill(stage, panel.element);
    } catch (error) {
      if (show === this.#shows) fill(stage, el("p", { class: "notice failed" }, Problem.of(error).sentence));
    }
    return undefined;
  }

  /** Prefers the capture's copy of the body, which may be longer than the copy in the response. */
  async #panel(answer) {
    const detail = answer.id ? await askJSON(`/api/traffic/${answer.id}`).catch(() => null) : null;
    if (detail?.response) {
      const panel = new MessagePanel("response", detail, detail.exchange);
      const sent = detail.request && parseHead(detail.request.head);
      // The request as the proxy sent it, with the added fields.
      if (sent) panel.element.append(section("Sent as", sent.start, false, fieldsTable(["Name", "Value"], sent.fields, "Headers of the request")));
      return panel;
    }
    const data = Uint8Array.from(atob(answer.bodyBase64), (character) => character.charCodeAt(0));
    const encoding = valueOf(parseHead(answer.head).fields, "content-encoding").toLowerCase();
    const sources = { raw: new HeldSource(data, answer.length), decoded: new HeldSource(data, answer.length, encoding) };
    return new MessagePanel("response", /** @type {any} */ ({ response: { head: answer.head,
      body: { length: answer.length, captured: answer.length, isComplete: true } } }), /** @type {any} */ ({}), sources);
  }
}
