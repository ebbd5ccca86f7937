import { announce } from "../../core/announce.js";
import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { preferences } from "../../core/preferences.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { experimentWords, outcomeOf } from "./classroom-words.js";
import { diagram } from "./diagram.js";

/** The default positions of the switches. */
const beginning = { middle: "proxy", installsAuthority: false, pin: "none", allowsInvalid: false, checksName: true };
const choices = { middle: ["nobody", "proxy", "otherHost", "trustedAuthority"], pin: ["none", "leaf", "key", "authority"] };
const flags = ["installsAuthority", "allowsInvalid", "checksName"];

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
  /** Whether the outcome stays hidden until somebody predicts it. */
  #predicts = false;
  /** Whether the outcome stays hidden whatever is predicted here, as long as a class votes. */
  #isHeld = false;

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
    const words = experimentWords();
    this.result = el("section", { class: "lesson", "aria-label": words.happened, "aria-busy": "true" });
    this.more = el("div", { class: "lesson-more" });
    fill(this.page, el(this.tag, { class: "classroom", "aria-label": words.page, lang: preferences.get("language") || "en" },
      el("header", {}, el("h1", {}, words.title), el("p", { class: "lead" }, words.lead), this.tag === "main" && this.#languages()),
      el("div", { class: "board" }, this.#form(), this.result), this.more));
  }

  /** The choice of the language; a part of another page follows that page. */
  #languages() {
    const select = el("select", { "aria-label": experimentWords().language, onchange: (/** @type {any} */ event) => {
      preferences.set("language", event.target.value);
      this.#build();
      this.#make();
    } }, el("option", { value: "en" }, "English"), el("option", { value: "de" }, "Deutsch"));
    select.value = preferences.get("language") || "en";
    return select;
  }

  /** The switches as they are set. */
  get switches() { return { ...this.#switches }; }

  /** Hides the outcome, or shows it again. @param {boolean} isHeld */
  hold(isHeld) {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    if (this.#lesson) this.#show();
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
    this.#predicts = parameters.get("predict") === "yes";
    this.#step = Math.max(0, (Number(parameters.get("step")) || 1) - 1);
  }

  #writeAddress() {
    const said = Object.entries(this.#switches).filter(([name, value]) => value !== beginning[name])
      .map(([name, value]) => [name, typeof value === "boolean" ? (value ? "yes" : "no") : value]);
    const predict = this.#predicts ? [["predict", "yes"]] : [];
    route.note(Object.fromEntries([...said, ...predict, ["step", String(this.#step + 1)]]));
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
    const words = experimentWords();
    return el("form", { class: "switches", "aria-label": words.switches, onsubmit: (event) => event.preventDefault() },
      el("fieldset", {}, el("legend", {}, words.middle), ...choices.middle.map((value) =>
        el("label", {}, el("input", { type: "radio", name: "middle", value, checked: switches.middle === value,
          onchange: () => set({ middle: value }) }), el("span", {}, el("b", {}, words.middles[value][0]), " ",
          el("span", { class: "soft" }, words.middles[value][1]))))),
      el("fieldset", {}, el("legend", {}, words.pin), ...choices.pin.map((value) =>
        el("label", {}, el("input", { type: "radio", name: "pin", value, checked: switches.pin === value,
          onchange: () => set({ pin: value }) }), el("b", {}, words.pins[value])))),
      el("fieldset", {}, el("legend", {}, words.more), ...flags.map((name) =>
        el("label", {}, el("input", { type: "checkbox", name, checked: switches[name],
          onchange: (event) => set({ [name]: event.target.checked }) }), el("b", {}, words.flags[name]))),
      el("label", {}, el("input", { type: "checkbox", name: "predict", checked: this.#predicts, onchange: (event) => {
        this.#predicts = event.target.checked;
        this.#make();
      } }), el("b", {}, words.predictFirst))));
  }

  async #make() {
    const run = ++this.#run;
    this.result.setAttribute("aria-busy", "true");
    try {
      const lesson = await askJSON(`/api/classroom?language=${preferences.get("language") || "en"}`, { method: "POST", body: this.#switches });
      if (run !== this.#run) return;
      this.#lesson = lesson;
      this.#step = Math.min(this.#step, lesson.steps.length - 1);
      this.#show();
      if (!this.#predicts && !this.#isHeld) announce(lesson.headline);
    } catch (error) {
      if (run !== this.#run) return;
      fill(this.more);
      fill(this.result, el("p", { class: "notice failed", role: "alert" },
        Problem.of(error).sentence));
    }
    if (run === this.#run) this.result.setAttribute("aria-busy", "false");
  }

  /** Shows the outcome, or asks for a prediction first. */
  #show() {
    const lesson = this.#lesson;
    if (!this.#isHeld && !(this.#predicts && outcomeOf(lesson))) return this.#showLesson();
    const words = experimentWords();
    this.#writeAddress();
    fill(this.more);
    fill(this.result, el("div", { class: "prediction" }, el("h2", {}, words.question), ...Object.entries(words.outcomes).map(([value, label]) =>
      this.#isHeld ? el("p", {}, label) : el("button", { type: "button", onclick: () => {
        this.#showLesson(value);
        announce(lesson.headline);
      } }, label))));
  }

  /** @param {string} [predicted] The outcome that the user predicted. */
  #showLesson(predicted = "") {
    const words = experimentWords();
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
      predicted && judged(predicted, outcomeOf(lesson)),
      this.stage,
      el("div", { class: "pager" },
        el("button", { type: "button", onclick: () => this.#go(this.#step - 1) }, words.before),
        el("button", { type: "button", class: "primary", onclick: () => this.#go(this.#step + 1) }, words.next),
        el("span", { class: "soft place" })),
      this.now);
    fill(this.more, el("h2", {}, words.steps), this.steps, this.#evidence(lesson));
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
    this.result.querySelector(".place").textContent = experimentWords().place(this.#step + 1, this.#lesson.steps.length);
  }

  #evidence(lesson) {
    const words = experimentWords();
    return el("div", { class: "proofs" },
      chain(words.honest, lesson.honest),
      chain(words.presented, lesson.presented),
      el("section", { class: "proof", "aria-label": words.checkList }, el("h3", {}, words.checks),
        lesson.checks.length === 0 ? el("p", { class: "soft" }, words.nothing) : el("ul", { class: "findings" },
          ...lesson.checks.map((one) => el("li", { class: one.outcome },
            el("span", { class: "tick", "aria-hidden": "true" }, one.outcome === "passed" ? "✓" : one.outcome
              === "failed" ? "✗" : "–"), el("b", {}, one.name), ` ${words.outcome[one.outcome] ?? one.outcome}`,
            el("small", {}, one.detail)))),
        el("p", {}, el("b", {}, words.alert), lesson.alert ?? (lesson.decision === "rejected"
          && lesson.switches.middle === "nobody" ? words.sealed : words.none))),
      el("section", { class: "proof", "aria-label": words.plaintext },
        el("h3", {}, words.plaintext),
        lesson.plaintext ? el("pre", { class: "readable" }, lesson.plaintext)
          : el("p", {}, words.unread)));
  }
}

/** The judgement of a prediction, with the misconception behind a wrong one. @param {string} predicted @param {string} outcome */
export function judged(predicted, outcome) {
  const words = experimentWords();
  const isRight = predicted === outcome;
  return el("div", { class: `prediction ${isRight ? "right" : "wrong"}` }, el("p", {}, el("b", {}, isRight ? words.right : words.wrong)),
    el("p", {}, words.predicted, words.outcomes[predicted]), !isRight && el("p", {}, words.misconceptions[outcome]?.[predicted] ?? ""));
}

/** The bytes on the wire in a step, and who can read them. */
function wire(step) {
  return step.wire ? [el("pre", { class: step.readers === "ends" ? "" : "readable" }, step.wire),
    el("p", { class: "who soft" }, experimentWords().readers[step.readers])] : [];
}

function chain(title, cards) {
  return el("section", { class: "proof", "aria-label": title }, el("h3", {}, title),
    cards.length === 0 ? el("p", { class: "soft" }, experimentWords().noneShown) : el("ol", { class: "cards" }, ...cards.map((card) =>
      el("li", { class: card.isHonest ? "honest" : "forged" }, el("b", {}, card.names[0] ?? name(card.subject)),
        el("span", { class: "tag" }, card.isHonest ? experimentWords().own : experimentWords().notOwn),
        el("small", {}, `${experimentWords().issued}${name(card.issuer)}`), el("code", {}, card.pin)))));
}

/** The common name alone. @param {string} subject */
function name(subject) {
  return /(?:^|,)CN=((?:\\.|[^,])*)/.exec(subject)?.[1].replace(/\\(.)/g, "$1") ?? subject;
}
