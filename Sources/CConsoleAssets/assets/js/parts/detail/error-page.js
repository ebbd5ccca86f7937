import { BodySource } from "../body/body-source.js";
import { el } from "../../core/dom.js";
import { whatToDo } from "../../core/advice.js";
import { parseHead, valueOf } from "../../core/head.js";

/**
 * Whether the response is an error page of the proxy itself. Such a page has the field `Proxy-Status: pinhole`; the answer of a rule has not.
 *
 * @param {import("../../core/types.js").Detail} detail
 * @param {import("../../core/types.js").Traffic} item
 */
export function isErrorPage(detail, item) {
  return item.outcome === "answeredByProxy" && item.standing === "broken" && Boolean(detail.response)
    && valueOf(parseHead(detail.response?.head ?? "").fields, "proxy-status") === "pinhole";
}

/** A card with the cause and the remedy of an error page. @param {import("../../core/types.js").Traffic} item */
export function errorCard(item) {
  const [, title, cause] = /^(.*?): ([\s\S]*)$/.exec(item.detail ?? "") ?? [undefined, item.detail ?? "", ""];
  return el("section", { class: "cause-card", "aria-label": "Why the proxy answered with an error" },
    el("h3", {}, el("span", { class: "sign", "aria-hidden": "true" }, "!"), title, el("span", { class: "certainty" }, "answered by Pinhole")),
    cause && el("p", {}, cause), remedyLine(item));
}

/** The advice of an error page, which the body of the response has. The line appears when the body is loaded. @param {import("../../core/types.js").Traffic} item */
export function remedyLine(item) {
  const line = el("p", { class: "remedy", hidden: true });
  const source = new BodySource(item.id, "response", true);
  source.more(new AbortController().signal).then(() => {
    const text = remedyIn(new TextDecoder().decode(source.bytes));
    if (!text) return;
    line.append(...whatToDo(text));
    line.hidden = false;
  }, () => {});
  return line;
}

/** The advice of a page: its paragraph in HTML, or the last part of the text. @param {string} page */
function remedyIn(page) {
  // The whole page has a style sheet, which the parser would refuse with an error in the browser's console.
  const paragraph = /<p class="remedy">[^<]*<\/p>/.exec(page)?.[0];
  if (paragraph) return new DOMParser().parseFromString(paragraph, "text/html").body.textContent ?? "";
  return page.startsWith("Pinhole: ") ? page.split("\n\n").slice(2).join("\n\n").trim() : "";
}
