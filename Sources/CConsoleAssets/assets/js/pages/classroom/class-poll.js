import { ask, askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";
import { judged } from "./classroom-page.js";
import { described, experimentWords } from "./classroom-words.js";

/** Milliseconds between two looks for a question or for votes. */
const interval = 2500;

/** A question of the teacher on a student's page; it appears and goes by itself. */
export class PollCard {
  #timer = 0;
  /** The number of the present series of looks; an answer for an earlier one is not shown, and begins no other. */
  #run = 0;
  #shown = "";

  constructor() {
    this.node = el("section", { class: "poll", hidden: true, "aria-live": "polite", "aria-label": experimentWords().fromTeacher });
  }

  start() {
    this.stop();
    this.#look();
  }

  stop() {
    this.#run += 1;
    clearTimeout(this.#timer);
  }

  async #look() {
    const run = this.#run;
    try {
      const { poll } = await askJSON("/api/lessons/poll");
      if (run !== this.#run) return;
      this.#show(poll);
    } catch (error) {
      if (run !== this.#run) return;
      // A class of one student has no teacher's page, and so no questions.
      if (Problem.of(error).status === 404) return;
    }
    this.#timer = window.setTimeout(() => this.#look(), interval);
  }

  /** @param {any} poll */
  #show(poll) {
    const words = experimentWords();
    const state = JSON.stringify([poll, words.title]);
    if (state === this.#shown) return;
    this.#shown = state;
    this.node.hidden = !poll;
    if (!poll) return;
    const own = poll.second ?? poll.first;
    const current = poll.stage === "first" ? poll.first : poll.second;
    const vote = async (/** @type {string} */ outcome) => {
      try {
        this.#show((await askJSON("/api/lessons/poll", { method: "POST", body: { outcome } })).poll);
      } catch (error) {
        fill(said, Problem.of(error).sentence);
      }
    };
    const said = el("p", { role: "status" }, current ? `${words.chosen}${words.outcomes[current]} ${words.wait}` : "");
    fill(this.node, el("h2", {}, words.fromTeacher), el("ul", {}, ...described(poll.switches).map((line) => el("li", {}, line))),
      ...(poll.stage === "revealed" ? [el("p", {}, el("b", {}, words.outcomeIs, words.outcomes[poll.outcome])), own && judged(own, poll.outcome), tally(poll, ["last"])]
        : [el("p", {}, words.question, " ", words.stages[poll.stage]), el("div", { class: "poll-choices" }, ...Object.entries(words.outcomes).map(([value, label]) =>
          el("button", { type: "button", "aria-pressed": String(current === value), onclick: () => vote(value) }, label))), said]));
  }
}

/** The teacher's side: asks the class, and shows votes as numbers. */
export class ClassPoll {
  #timer = 0;
  /** The number of the present series of looks; an answer for an earlier one is not shown, and begins no other. */
  #run = 0;
  #shown = "";

  /** @param {import("./classroom-page.js").ClassroomPage} stage */
  constructor(stage) {
    this.stage = stage;
    this.node = el("section", { class: "poll", "aria-live": "polite", "aria-label": experimentWords().question });
  }

  start() {
    this.stop();
    this.#shown = "";
    this.#look();
  }

  stop() {
    this.#run += 1;
    clearTimeout(this.#timer);
  }

  async #look() {
    const run = this.#run;
    try {
      const { poll } = await askJSON("/api/class/poll");
      if (run !== this.#run) return;
      this.#show(poll);
    } catch (error) {
      if (run !== this.#run) return;
      fill(this.node, el("p", {}, Problem.of(error).sentence));
      this.#shown = "";
    }
    this.#timer = window.setTimeout(() => this.#look(), interval);
  }

  /** @param {() => Promise<any>} action */
  async #act(action) {
    for (const button of this.node.querySelectorAll("button")) button.disabled = true;
    try {
      await action();
    } catch (error) {
      fill(this.node, el("p", { role: "alert" }, Problem.of(error).sentence));
    }
    this.start();
  }

  /** @param {any} poll */
  #show(poll) {
    const words = experimentWords();
    const state = JSON.stringify([poll, words.title]);
    if (state === this.#shown) return;
    this.#shown = state;
    this.stage.hold(Boolean(poll) && poll.stage !== "revealed");
    const button = (/** @type {string} */ label, /** @type {() => Promise<any>} */ action) => el("button", { type: "button", onclick: () => this.#act(action) }, label);
    const end = button(words.end, () => ask("/api/class/poll", { method: "DELETE" }));
    if (!poll) {
      return fill(this.node, button(words.ask, () => ask("/api/class/poll", { method: "POST", body: this.stage.switches })));
    }
    const next = () => ask("/api/class/poll/next", { method: "POST", body: { stage: poll.stage } });
    fill(this.node, el("p", {}, described(poll.switches).join("; ")), el("p", {}, el("b", {}, words.voters(poll.voters[0], poll.voters[1]))),
      ...(poll.stage === "revealed" ? [el("p", {}, el("b", {}, words.outcomeIs, words.outcomes[poll.outcome])), tally(poll, ["first", "last"]),
        el("ul", {}, ...(poll.changes.length > 0 ? poll.changes.map((/** @type {any} */ one) => el("li", {}, words.change(one.count, words.outcomes[one.from], words.outcomes[one.to])))
          : [el("li", {}, words.noChange)]), poll.late > 0 && el("li", {}, words.late(poll.late))), end]
        : [el("p", {}, poll.stage === "first" ? button(words.secondVote, next) : button(words.reveal, next), " ", end)]));
  }
}

/** The votes as a table of numbers and bars. @param {any} poll @param {("first" | "last")[]} columns */
function tally(poll, columns) {
  const words = experimentWords();
  const titles = { first: words.firstVotes, last: words.lastVotes };
  return el("table", { class: "poll-tally" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, words.votes),
    ...columns.map((name) => el("th", { scope: "col" }, titles[name])))),
  el("tbody", {}, ...Object.entries(words.outcomes).map(([value, label]) => el("tr", { class: value === poll.outcome && "right" },
    el("th", { scope: "row" }, label), ...columns.map((name) => {
      const all = Object.values(poll[name]).reduce((sum, count) => sum + count, 0);
      return el("td", {}, String(poll[name][value]), " ", el("meter", { min: "0", max: String(Math.max(1, all)), value: String(poll[name][value]), "aria-hidden": "true" }));
    })))));
}
