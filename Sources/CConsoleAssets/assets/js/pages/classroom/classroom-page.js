import { announce } from "../../core/announce.js";
import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { diagram } from "./diagram.js";

const middles = [
  ["nobody", "nobody", "a proxy that passes encrypted bytes on"],
  ["proxy", "a proxy that makes certificates", "with a CA of its own, as Pinhole does"],
  ["otherHost", "somebody with a certificate for another site", "genuine, by the server's own CA"],
  ["trustedAuthority", "somebody whom a CA believed", "a trusted CA signed the server's name for him"],
];

const pins = [["none", "nothing"], ["leaf", "the server's certificate"], ["key", "the server's key"],
  ["authority", "the CA's key"]];

const WHO_READS = {
  anybody: "Anybody on the way can read this.",
  middle: "The man in the middle can read this; for everybody else on the way it is encrypted.",
  ends: "On the way this is encrypted.",
};
const flags = [
  ["installsAuthority", "Install the proxy's CA on the device"],
  ["allowsInvalid", "Allow invalid certificates"],
  ["checksName", "Compare the name"],
];

/** The default positions of the switches. */
const beginning = { middle: "proxy", installsAuthority: false, pin: "none", allowsInvalid: false, checksName: true };
const choices = { middle: middles.map(([value]) => value), pin: pins.map(([value]) => value) };

/**
 * The classroom: one interception step by step, with switches that repeat the experiment. The address holds the
 * switches and the step, so that a teacher can prepare and share a lesson.
 */
export class ClassroomPage {
  #switches = { ...beginning };
  #run = 0;
  #step = 0;
  /** @type {any} */
  #lesson = null;

  /** @param {HTMLElement} page @param {"main" | "section"} [tag] The element; a part of another page is no `main`. */
  constructor(page, tag = "main") {
    this.page = page;
    this.tag = tag;
  }

  show() {
    this.#readAddress();
    this.#build();
    this.#make();
  }

  #build() {
    this.result = el("section", { class: "lesson", "aria-label": "What happened", "aria-busy": "true" });
    this.more = el("div", { class: "lesson-more" });
    fill(this.page, el(this.tag, { class: "classroom", "aria-label": "Classroom" },
      el("header", {}, el("h1", {}, "One interception, step by step"),
        el("p", { class: "lead" }, "A client signs in at its server and sends a password, through a proxy. Set the "
          + "switches: the experiment is made again, with a real client, real TLS and a real proxy on this machine.")),
      el("div", { class: "board" }, this.#form(), this.result), this.more));
  }

  /** Takes the switches from the address. Without parameters the switches stay as they are. */
  #readAddress() {
    const parameters = new URLSearchParams(location.hash.split("?").slice(1).join("?"));
    if (parameters.size === 0) return this.#writeAddress();
    const switches = { ...beginning };
    for (const [name, value] of Object.entries(beginning)) {
      const told = parameters.get(name);
      if (typeof value === "boolean" ? told === "yes" || told === "no" : choices[name].includes(told)) {
        switches[name] = typeof value === "boolean" ? told === "yes" : told;
      }
    }
    this.#switches = switches;
    this.#step = Math.max(0, (Number(parameters.get("step")) || 1) - 1);
  }

  #writeAddress() {
    const said = Object.entries(this.#switches).filter(([name, value]) => value !== beginning[name])
      .map(([name, value]) => [name, typeof value === "boolean" ? (value ? "yes" : "no") : value]);
    route.note(Object.fromEntries([...said, ["step", String(this.#step + 1)]]));
  }

  hide() {
    this.#run += 1;
  }

  #form() {
    const switches = this.#switches;
    const set = (/** @type {any} */ change) => {
      Object.assign(switches, change);
      this.#make();
    };
    return el("form", { class: "switches", "aria-label": "Switches", onsubmit: (event) => event.preventDefault() },
      el("fieldset", {}, el("legend", {}, "Who stands in the middle"), ...middles.map(([value, label, hint]) =>
        el("label", {}, el("input", { type: "radio", name: "middle", value, checked: switches.middle === value,
          onchange: () => set({ middle: value }) }), el("span", {}, el("b", {}, label), " ",
          el("span", { class: "soft" }, hint))))),
      el("fieldset", {}, el("legend", {}, "What the app pins"), ...pins.map(([value, label]) =>
        el("label", {}, el("input", { type: "radio", name: "pin", value, checked: switches.pin === value,
          onchange: () => set({ pin: value }) }), el("b", {}, label)))),
      el("fieldset", {}, el("legend", {}, "What else is set"), ...flags.map(([name, label]) =>
        el("label", {}, el("input", { type: "checkbox", name, checked: switches[name],
          onchange: (event) => set({ [name]: event.target.checked }) }), el("b", {}, label)))));
  }

  async #make() {
    const run = ++this.#run;
    this.result.setAttribute("aria-busy", "true");
    try {
      const lesson = await askJSON("/api/classroom", { method: "POST", body: this.#switches });
      if (run !== this.#run) return;
      this.#lesson = lesson;
      this.#step = Math.min(this.#step, lesson.steps.length - 1);
      this.#showLesson();
      announce(lesson.headline);
    } catch (error) {
      if (run !== this.#run) return;
      fill(this.more);
      fill(this.result, el("p", { class: "notice failed", role: "alert" },
        Problem.of(error).sentence));
    }
    if (run === this.#run) this.result.setAttribute("aria-busy", "false");
  }

  #showLesson() {
    const lesson = this.#lesson;
    const outcome = lesson.isStolen ? "bad" : lesson.decision === "accepted" || lesson.switches.middle !== "nobody"
      ? "good" : "bad";
    this.stage = el("div", { class: "stage" });
    this.steps = el("ol", { class: "steps" }, ...lesson.steps.map((step, at) => el("li", {},
      el("button", { type: "button", class: "step", onclick: () => this.#go(at) }, el("b", {}, step.title)),
      el("p", {}, step.text), ...wire(step))));
    this.now = el("div", { class: "now" });
    fill(this.result,
      el("div", { class: `headline ${outcome}` }, el("h2", {}, lesson.headline), el("p", {}, lesson.reason)),
      this.stage,
      el("div", { class: "pager" },
        el("button", { type: "button", onclick: () => this.#go(this.#step - 1) }, "← Before"),
        el("button", { type: "button", class: "primary", onclick: () => this.#go(this.#step + 1) }, "Next step →"),
        el("span", { class: "soft place" })),
      this.now);
    fill(this.more, el("h2", {}, "All steps, and what they rest on"), this.steps, this.#evidence(lesson));
    this.#go(this.#step);
  }

  #go(to) {
    this.#step = Math.max(0, Math.min(this.#lesson.steps.length - 1, to));
    const step = this.#lesson.steps[this.#step];
    fill(this.stage, diagram(this.#lesson, this.#step));
    fill(this.now, el("p", {}, step.text), ...wire(step));
    this.#writeAddress();
    [...this.steps.children].forEach((item, at) => {
      item.classList.toggle("current", at === this.#step);
      item.querySelector("button").setAttribute("aria-current", at === this.#step ? "step" : "false");
    });
    this.result.querySelector(".place").textContent = `Step ${this.#step + 1} of ${this.#lesson.steps.length}`;
  }

  #evidence(lesson) {
    return el("div", { class: "proofs" },
      chain("The honest server's certificates", lesson.honest),
      chain("What the client was shown", lesson.presented),
      el("section", { class: "proof", "aria-label": "Checks" }, el("h3", {}, "What the client checked"),
        lesson.checks.length === 0 ? el("p", { class: "soft" }, "nothing") : el("ul", { class: "findings" },
          ...lesson.checks.map((one) => el("li", { class: one.outcome },
            el("span", { class: "tick", "aria-hidden": "true" }, one.outcome === "passed" ? "✓" : one.outcome
              === "failed" ? "✗" : "–"), el("b", {}, one.name), ` ${one.outcome}`,
            el("small", {}, one.detail)))),
        el("p", {}, el("b", {}, "Alert: "), lesson.alert ?? (lesson.decision === "rejected"
          && lesson.switches.middle === "nobody" ? "sent encrypted, and not seen here" : "none"))),
      el("section", { class: "proof", "aria-label": "What the man in the middle reads" },
        el("h3", {}, "What the man in the middle reads"),
        lesson.plaintext ? el("pre", { class: "readable" }, lesson.plaintext)
          : el("p", {}, "No request: at most the name of the server, and encrypted bytes.")));
  }
}

/** The bytes on the wire in a step, and who can read them. */
function wire(step) {
  return step.wire ? [el("pre", { class: step.readers === "ends" ? "" : "readable" }, step.wire),
    el("p", { class: "who soft" }, WHO_READS[step.readers])] : [];
}

function chain(title, cards) {
  return el("section", { class: "proof", "aria-label": title }, el("h3", {}, title),
    cards.length === 0 ? el("p", { class: "soft" }, "none was shown") : el("ol", { class: "cards" }, ...cards.map((card) =>
      el("li", { class: card.isHonest ? "honest" : "forged" }, el("b", {}, card.names[0] ?? name(card.subject)),
        el("span", { class: "tag" }, card.isHonest ? "the server's own" : "not the server's"),
        el("small", {}, `issued by ${name(card.issuer)}`), el("code", {}, card.pin)))));
}

/** The common name alone. @param {string} subject */
function name(subject) {
  return /(?:^|,)CN=((?:\\.|[^,])*)/.exec(subject)?.[1].replace(/\\(.)/g, "$1") ?? subject;
}
