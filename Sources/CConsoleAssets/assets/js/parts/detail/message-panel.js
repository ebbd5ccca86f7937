import { BodyView } from "../body/body-view.js";
import { graphQLOf, queryView } from "../body/query-view.js";
import { el } from "../../core/dom.js";
import { bytes, counted } from "../../core/format.js";
import { preferences } from "../../core/preferences.js";
import { standing } from "../../core/facts.js";
import { fieldsTable, folded, section } from "../../core/fields-table.js";
import { tokensIn, tokensView } from "../body/jwt.js";
import { formPairs, parseHead, queryOf, readableFields, sentCookies, setCookies, valueOf } from "../../core/head.js";
import { changesOfResponse, recordedOfResponse } from "./rule-hits.js";
import { rangesOf, reveal } from "./text-ranges.js";

const titles = { request: "Request", response: "Response" };

/** A request or a response: its head, folded into a line, and its body. */
export class MessagePanel {
  /** Called when the body changes its view. */
  changed = () => {};
  /** The places of the search outside of the rows of the body. @type {Range[]} */
  ranges = [];
  /** The number of matches before the rows of the body. */
  #before = 0;
  #rows = 0;
  /** @type {BodyView | null} */
  body = null;

  /**
   * @param {"request" | "response"} owner
   * @param {import("../../core/types.js").Detail} detail
   * @param {import("../../core/types.js").Traffic} item
   * @param {{decoded: any, raw: any}} [sources] The sources of a body that is in no capture.
   */
  constructor(owner, detail, item, sources) {
    this.owner = owner;
    this.element = el("section", { class: "message-pane", tabindex: "0", "aria-label": titles[owner] });
    const message = detail[owner];
    if (!message) {
      this.element.append(el("h3", {}, titles[owner]), ...missing(detail, item));
      return;
    }
    const { start, fields } = parseHead(message.head);
    const { body: reference } = message;
    const hasBody = !(reference?.length === 0 && reference.isComplete);
    const rules = detail.exchange?.rules ?? [];
    const changes = owner === "response" ? changesOfResponse(rules, false) : "";
    this.element.append(this.#head(start, fields, hasBody, reference));
    if (changes) this.element.append(el("p", { class: "notice ruled" }, `${changes}. ${recordedOfResponse(rules)}`));
    if (hasBody) {
      this.body = new BodyView({ id: detail.exchange?.id ?? 0, owner,
        contentType: valueOf(fields, "content-type"), reference, head: message.head, sources, isRunning: Boolean(detail.exchange && !detail.exchange.outcome) });
      this.body.changed = () => this.changed();
      this.element.append(this.body.element);
    } else {
      this.element.append(el("p", { class: "soft none" }, "No body."));
    }
    const trailers = readableFields(message.trailers ?? "");
    if (trailers.length > 0) this.element.append(section("Trailers", String(trailers.length), true,
      fieldsTable(["Name", "Value"], trailers, "Trailers")));
  }

  end() {
    this.body?.end();
  }

  /** Finds a text in the head and the body. @param {string} query @returns {number} The number of matches. */
  find(query) {
    this.ranges = rangesOf(this.element, query);
    this.#rows = this.body?.find(query) ?? 0;
    const code = this.body?.code.element;
    this.#before = code && this.#rows > 0 ? this.ranges.filter((range) =>
      range.startContainer.compareDocumentPosition(code) & Node.DOCUMENT_POSITION_FOLLOWING).length : this.ranges.length;
    return this.ranges.length + this.#rows;
  }

  /** Shows a match. @param {number} place @returns {Range | null} The range of a match outside of the body's rows; `null` for a match in them. */
  visit(place) {
    const row = place - this.#before;
    if (row >= 0 && row < this.#rows) {
      this.body?.visit(row);
      this.body?.code.element.scrollIntoView({ block: "nearest" });
      return null;
    }
    this.leave();
    const range = this.ranges[row < 0 ? place : place - this.#rows];
    reveal(range);
    return range;
  }

  /** Clears the current match, which is now in another panel. */
  leave() {
    this.body?.leave();
  }

  get isWhole() {
    return this.body?.isWhole ?? true;
  }

  get hasMoreMatches() {
    return this.body?.hasMoreMatches ?? false;
  }

  /** The head, folded to a line if a body follows and the user has not unfolded heads. */
  #head(start, fields, hasBody, reference) {
    const { owner } = this;
    const isOpen = !hasBody || preferences.get("openHeads").includes(owner);
    const facts = [counted(fields.length, "header"), hasBody && reference ? bytes(reference.length) : ""].filter(Boolean).join(", ");
    const summary = el("summary", {}, el("h3", {}, titles[owner]), el("span", { class: "start-line" }, start),
      el("span", { class: "extra" }, facts));
    const head = el("details", { class: "section message-head", open: isOpen }, summary);
    summary.addEventListener("click", () => {
      // A head without a body is open by default, so its state is not the user's preference.
      if (!hasBody) return;
      const others = preferences.get("openHeads").filter((other) => other !== owner);
      preferences.set("openHeads", head.open ? others : [...others, owner]);
    });
    const query = owner === "request" ? formPairs(queryOf(start.split(" ")[1] ?? "")) : [];
    const cookies = owner === "request" ? sentCookies(fields) : setCookies(fields);
    head.append(el("p", { class: "start-line" }, folded(start)));
    if (query.length > 0) head.append(section("Query", String(query.length), true,
      fieldsTable(["Name", "Value"], query, "Query")));
    head.append(section("Headers", String(fields.length), true,
      fieldsTable(["Name", "Value"], fields, `Headers of the ${owner}`)));
    const asked = graphQLOf(query);
    if (asked) head.append(section("GraphQL", "", true, queryView(asked)));
    const tokens = tokensIn([...fields, ...query]);
    if (tokens.length > 0) head.append(section("Tokens (JWT)", String(tokens.length), true, tokensView(tokens)));
    if (cookies.length > 0) head.append(section("Cookies", String(cookies.length), false,
      fieldsTable(owner === "request" ? ["Name", "Value"] : ["Name", "Value", "Attributes"], cookies, "Cookies")));
    return head;
  }
}

/** The reason why a message is missing. */
function missing(detail, item) {
  if (!detail.exchange?.outcome) return [el("p", { class: "soft" }, "No response yet.")];
  const why = standing(item).kind === "failed" ? item.detail : "";
  return [el("p", { class: "soft" }, "No response came."), why && el("p", { class: "notice failed" }, el("b", {}, "✕ "), why)].filter(Boolean);
}
