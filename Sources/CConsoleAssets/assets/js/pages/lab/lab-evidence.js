import { askJSON, withQuery } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { Problem } from "../../core/problem.js";
import { copyButton, facts, section } from "../../core/fields-table.js";

/** The evidence for one cell: both chains, the checks, the alert, and the text that the man in the middle read. */
export class LabEvidence extends Emitter {
  #loads = 0;

  constructor() {
    super();
    this.element = el("section", { class: "lab-evidence", "aria-label": "Evidence", tabindex: "-1", hidden: true });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
      this.emit("close");
    });
  }

  close() {
    this.#loads += 1;
    this.element.hidden = true;
  }

  /** @param {string} policy @param {string} scenario @param {boolean} focuses */
  async show(policy, scenario, focuses) {
    const load = ++this.#loads;
    let content;
    try {
      content = this.#content(await askJSON(withQuery("/api/lab/evidence", { policy, scenario })));
    } catch (error) {
      content = [el("h2", {}, `${policy} in ${scenario}`), el("p", { class: "notice" }, Problem.of(error).sentence)];
    }
    if (load !== this.#loads) return;
    this.element.hidden = false;
    fill(this.element, el("button", { type: "button", class: "plain evidence-close", "aria-label": "Close the evidence",
      onclick: () => {
        this.close();
        this.emit("close");
      } }, "✕"), ...content);
    if (focuses) this.element.focus();
    this.element.scrollIntoView({ block: "nearest" });
  }

  #content(document) {
    const [cell, column, row] = [document.cells[0], document.scenarios[0], document.policies[0]];
    const isAttack = column.kind === "attack";
    return [
      el("h2", {}, el("code", {}, row.id), " in ", el("code", {}, column.id), ` ${column.title}`),
      el("p", { class: `verdict ${cell.outcome === cell.expected ? "good" : "bad"}` }, cell.reason),
      facts([["Expected", outcomeTitle(cell.expected)], ["Seen", outcomeTitle(cell.outcome)],
        [isAttack ? "The attacker presents" : "The server presents", column.presents], ["Needs", column.precondition],
        ["A correct client", column.correctClient],
        [isAttack ? "What catches it" : "What avoids alarms", column.remedy],
        ["Known from", column.references.join("; ")], ["The policy", row.title],
        ...(row.notes ?? []).map((note) => /** @type {[string, string]} */ (["Note", note]))]),
      ...distinct(cell.evidence).flatMap((evidence, at, all) => this.#run(evidence, document.certificates,
        all.length > 1 ? ` of run ${at + 1}` : "")),
    ];
  }

  #run(evidence, certificates, suffix) {
    const handshake = [evidence.handshake?.version, evidence.handshake?.cipher].filter(Boolean).join(", ");
    return [
      el("div", { class: "chains" },
        chain(`What the honest server presents${suffix}`, evidence.honest, certificates, []),
        chain("What the client was shown", evidence.presented, certificates, evidence.honest),
        chain("The path that it decided by", evidence.validated, certificates, evidence.honest)),
      facts([
        ["The client's error", evidence.error
          ? `${evidence.error.domain} ${evidence.error.code} ${evidence.error.name}: ${evidence.error.detail}` : "none"],
        ["Its alert", evidence.alert ? `${evidence.alert.name} (${evidence.alert.code})` : "none"],
        ["TLS with the man in the middle", handshake],
        ["What he read", evidence.requests.join("\n") || "nothing"]]),
      evidence.checks.length > 0 && section("Checks", `${evidence.checks.length}`, true,
        el("ol", { class: "checks" }, ...evidence.checks.map((check) => el("li", { class: check.outcome },
          el("b", {}, check.name), ` ${check.outcome} `, el("span", { class: "soft" }, check.detail))))),
    ];
  }
}

/** @param {string} outcome */
function outcomeTitle(outcome) {
  return outcome === "falseAlarm" ? "false alarm" : outcome;
}

/** The evidence without repetitions: the first item if all are equal. */
function distinct(evidence) {
  const first = JSON.stringify(evidence[0]);
  return evidence.every((one) => JSON.stringify(one) === first) ? evidence.slice(0, 1) : evidence;
}

function chain(title, digests, certificates, known) {
  return el("div", { class: "lab-chain" }, el("h3", {}, title), digests.length === 0 ? el("p", { class: "soft" }, "none")
    : el("ol", {}, ...digests.map((digest) => {
      const one = certificates[digest];
      return el("li", { class: known.includes(digest) ? "honest" : "" }, el("b", {}, one?.subject ?? digest),
        known.includes(digest) && el("span", { class: "tag" }, "the honest server's"),
        one && el("small", {}, `issued by ${one.issuer}`, el("br"),
          `${one.notBefore.slice(0, 10)} to ${one.notAfter.slice(0, 10)}, ${one.key}`, el("br"),
          el("code", {}, one.pin), " ", copyButton(one.pin, `pin of ${one.subject}`)));
    })));
}
