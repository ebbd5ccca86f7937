import { BodyView } from "../body/body-view.js";
import { graphQLOf, queryView } from "../body/query-view.js";
import { el } from "../core/dom.js";
import { bytes } from "../core/format.js";
import { fieldsTable, folded, section } from "./fields-table.js";
import { tokensIn, tokensView } from "./jwt.js";
import { formPairs, parseHead, queryOf, readableFields, sentCookies, setCookies, valueOf } from "./head.js";
import { changesOfResponse, recordedOfResponse } from "./rule-hits.js";

/**
 * A request or a response: start line, query, fields, cookies, trailers, body.
 *
 * @param {"request" | "response"} owner
 * @param {import("../core/types.js").Detail} detail
 * @param {{decoded: any, raw: any}} [sources] Of a body that is in no capture.
 * @returns {{element: HTMLElement, end: () => void}}
 */
export function messagePanel(owner, detail, sources) {
  const message = detail[owner];
  if (!message) {
    return { element: el("div", { class: "panel" },
      el("p", { class: "soft" }, detail.exchange?.outcome ? "No response came." : "No response yet.")),
      end() {} };
  }
  const { start, fields } = parseHead(message.head);
  const query = owner === "request" ? formPairs(queryOf(start.split(" ")[1] ?? "")) : [];
  const cookies = owner === "request" ? sentCookies(fields) : setCookies(fields);
  const trailers = readableFields(message.trailers ?? "");
  const changes = owner === "response" ? changesOfResponse(detail.exchange?.rules ?? [], false) : "";
  const panel = el("div", { class: "panel" }, el("p", { class: "start-line" }, folded(start)),
    changes && el("p", { class: "notice ruled" }, `${changes}. ${recordedOfResponse(detail.exchange?.rules ?? [])}`));
  if (query.length > 0) panel.append(section("Query", String(query.length), true,
    fieldsTable(["Name", "Value"], query, "Query")));
  panel.append(section("Headers", String(fields.length), true,
    fieldsTable(["Name", "Value"], fields, `Headers of the ${owner}`)));
  const asked = graphQLOf(query);
  if (asked) panel.append(section("GraphQL", "", true, queryView(asked)));
  const tokens = tokensIn([...fields, ...query]);
  if (tokens.length > 0) panel.append(section("Tokens (JWT)", String(tokens.length), true, tokensView(tokens)));
  if (cookies.length > 0) panel.append(section("Cookies", String(cookies.length), false,
    fieldsTable(["Name", "Value", "Attributes"], cookies, "Cookies")));
  if (trailers.length > 0) panel.append(section("Trailers", String(trailers.length), true,
    fieldsTable(["Name", "Value"], trailers, "Trailers")));
  const reference = message.body;
  if (reference?.length === 0 && reference.isComplete) {
    panel.append(el("p", { class: "soft none" }, "No body."));
    return { element: panel, end() {} };
  }
  const body = new BodyView({ id: detail.exchange?.id ?? 0, owner,
    contentType: valueOf(fields, "content-type"), reference, head: message.head, sources });
  panel.append(section("Body", reference ? bytes(reference.length) : "", true, body.element));
  return { element: panel, end: () => body.end() };
}
