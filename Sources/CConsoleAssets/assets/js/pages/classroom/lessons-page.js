import { announce } from "../../core/announce.js";
import { ask, askBytes, askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Draft } from "../../core/draft.js";
import { preferences } from "../../core/preferences.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { PollCard } from "./class-poll.js";
import { ClassroomPage } from "./classroom-page.js";
import { FileEditor, fileList } from "./lesson-files.js";
import { trialList } from "./lesson-trials.js";
import { words } from "./words.js";

/** The lesson in which the banking app logs in. */
const appLesson = 3;

/**
 * The lessons of `pinhole class`: the list at the left, the lesson or the interception in the middle, the tasks at the
 * right. A console outside of a class shows the interception alone.
 */
export class LessonsPage {
  /** @type {any} */
  #unit = null;
  #language = preferences.get("language");
  #number = 1;
  #run = 0;
  /** @type {ClassroomPage | null} */
  #stage = null;
  /** The file that the student edits in the open lesson. @type {FileEditor | null} */
  #editor = null;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    this.alone = new ClassroomPage(page);
    this.poll = new PollCard();
  }

  async show() {
    const run = ++this.#run;
    try {
      this.#unit = await askJSON(`/api/lessons${this.#query}`);
    } catch (error) {
      if (run !== this.#run) return;
      return fill(this.page, el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
    }
    if (run !== this.#run) return;
    if (this.#unit.lessons.length === 0) return this.alone.show();
    this.#language = this.#unit.language;
    // The experiment follows the language of the lessons.
    if (preferences.get("language") !== this.#language) preferences.set("language", this.#language);
    const asked = Number(route.parameter("lesson"));
    const numbers = this.#unit.lessons.map((/** @type {any} */ lesson) => lesson.number);
    if (numbers.includes(asked)) this.#number = asked;
    // A teacher may have chosen lessons without the first.
    if (!numbers.includes(this.#number)) this.#number = numbers[0];
    const showsStage = route.parameter("stage") === "yes" || route.parameter("middle") !== "" || route.parameter("step") !== "";
    this.#build();
    this.#open(this.#number, showsStage);
    if (this.#unit.hasPolls) this.poll.start();
  }

  hide() {
    this.#run += 1;
    this.alone.hide();
    this.poll.stop();
    this.#stage?.hide();
  }

  get #words() { return words[this.#language] ?? words.en; }

  get #query() { return this.#language ? `?language=${this.#language}` : ""; }

  /** The answers that are on the screen and were not checked yet. */
  get #answers() { return new Draft(`answers-${this.#unit.student}-${this.#number}`); }

  get #lesson() { return this.#unit.lessons.find((/** @type {any} */ lesson) => lesson.number === this.#number); }

  #build() {
    this.list = el("ol", { class: "unit-list" });
    this.middle = el("section", { class: "unit-middle" });
    this.tasks = el("section", { class: "unit-tasks" });
    const language = el("select", { "aria-label": this.#words.language, onchange: (/** @type {any} */ event) => {
      this.#language = event.target.value;
      preferences.set("language", this.#language);
      this.show();
    } }, el("option", { value: "en" }, "English"), el("option", { value: "de" }, "Deutsch"));
    language.value = this.#language;
    fill(this.page, el("main", { class: "unit", lang: this.#language, "aria-label": this.#words.unit },
      el("nav", { class: "unit-nav", "aria-label": this.#words.lessons },
        el("h1", {}, this.#words.unit), el("p", { class: "soft" }, this.#unit.student, " ", language), this.list, trafficWords(this.#words)),
      this.middle, this.tasks, this.poll.node));
  }

  #showList() {
    fill(this.list, ...this.#unit.lessons.map((/** @type {any} */ lesson) => {
      const done = lesson.tasks.filter((/** @type {any} */ task) => task.isPassed).length;
      const isCurrent = lesson.number === this.#number;
      return el("li", {}, el("button", { type: "button", class: `unit-lesson ${done === lesson.tasks.length ? "done" : ""}`,
        "aria-current": isCurrent ? "true" : "false", onclick: () => this.#choose(lesson.number) },
      el("b", {}, `${lesson.number}. ${lesson.title}`), el("span", { class: "soft" }, `${done}/${lesson.tasks.length} · ${lesson.minutes} min`)));
    }));
  }

  /** Opens a lesson, and brings it into sight: on a phone it is below the list. @param {number} number */
  #choose(number) {
    this.#open(number, false);
    this.middle.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} number @param {boolean} showsStage */
  #open(number, showsStage) {
    this.#number = number;
    this.#stage?.hide();
    this.#stage = null;
    this.#editor = null;
    this.page.querySelector(".unit")?.classList.toggle("stage", showsStage);
    this.#showList();
    this.#showTasks({});
    const tabs = el("div", { class: "unit-tabs" },
      tab(this.#words.lesson, !showsStage, () => this.#open(number, false)),
      tab(this.#words.stage, showsStage, () => this.#open(number, true)));
    const body = el("div", { class: "unit-body", tabindex: "0", role: "region", "aria-label": this.#lesson.title });
    fill(this.middle, tabs, body);
    if (showsStage) {
      this.#stage = new ClassroomPage(body, "section");
      this.#stage.show();
    } else {
      route.note({ lesson: String(number) });
      this.#showLesson(body);
    }
  }

  /** @param {HTMLElement} body */
  #showLesson(body) {
    const lesson = this.#lesson;
    fill(body, el("h2", {}, `${lesson.number}. ${lesson.title}`), el("p", { class: "soft" }, ...marked(lesson.summary)),
      el("p", {}, ...marked(lesson.story)),
      el("h3", {}, this.#words.steps),
      el("ol", { class: "unit-steps" }, ...lesson.steps.map((/** @type {any} */ step) => el("li", {}, ...marked(step.text),
        step.page && el("p", { class: "unit-page" }, ...marked(step.page)), this.#terminal(step)))),
      ...(lesson.number === appLesson ? this.#app() : []),
      ...this.#files(lesson),
      ...trialList(lesson, this.#query, this.#words, (trial, prediction) => this.#keepPrediction(lesson.number, trial, prediction)),
      this.explanation = el("div", { class: "unit-explanation" }));
    this.#showExplanation();
  }

  /** The explanation, which the class tells after the last task. The rest of the lesson stays as it is on the screen. */
  #showExplanation() {
    const text = this.#lesson.explanation;
    fill(this.explanation, ...(text ? [el("h3", {}, this.#words.explanation), el("p", {}, ...marked(text))] : []));
  }

  /** Writes a prediction into the current unit, which each check replaces. @param {number} number @param {string} id @param {string | undefined} prediction */
  #keepPrediction(number, id, prediction) {
    const lesson = this.#unit.lessons.find((/** @type {any} */ one) => one.number === number);
    const trial = lesson?.trials.find((/** @type {any} */ one) => one.id === id);
    if (trial) trial.prediction = prediction;
  }

  /** The commands of a step, folded if the step can be done in the page. @param {any} step */
  #terminal(step) {
    if (step.commands.length === 0) return null;
    const lines = step.commands.map((/** @type {string} */ line) => el("pre", { tabindex: "0" }, line));
    return step.page ? el("details", { class: "unit-terminal" }, el("summary", {}, this.#words.terminal), ...lines) : el("div", {}, ...lines);
  }

  /** The files of a lesson, and a field for the student's file. @param {any} lesson */
  #files(lesson) {
    if (lesson.files.length === 0) return [];
    if (!lesson.edited || !lesson.files.some((/** @type {any} */ file) => file.name === lesson.edited)) return [el("h3", {}, this.#words.files), fileList(lesson, this.#words)];
    this.#editor = new FileEditor(lesson, this.#unit.student, this.#words);
    return [el("h3", {}, this.#words.files), fileList(lesson, this.#words), this.#editor.node];
  }

  /** The buttons that let the banking app log in. */
  #app() {
    const said = el("p", { role: "status" });
    const button = (/** @type {string} */ label, /** @type {boolean} */ trustsProxy) => el("button", { type: "button", onclick: async () => {
      try {
        const { isLoggedIn, text } = await askJSON("/api/lessons/app", { method: "POST", body: { trustsProxy } });
        said.textContent = `${isLoggedIn ? this.#words.loggedIn : this.#words.refused}: ${text}`;
      } catch (error) {
        said.textContent = Problem.of(error).sentence;
      }
    } }, label);
    return [el("h3", {}, this.#words.app), el("p", { class: "unit-app" }, button(this.#words.logIn, false), " ", button(this.#words.logInTrusting, true)), said];
  }

  /** @param {Record<string, {state: string, message: string}>} results */
  #showTasks(results) {
    const lesson = this.#lesson;
    const answers = new Map();
    const drafts = this.#answers.read() ?? {};
    const rows = lesson.tasks.map((/** @type {any} */ task) => {
      const result = results[task.id] ?? { state: task.isPassed ? "passed" : "open", message: "" };
      const hint = el("p", { class: "unit-hint", "aria-live": "polite" });
      const [question, ...choices] = task.question.split("\n");
      const field = task.isFact ? null : el("input", { type: "text", id: `task-${task.id}`, value: drafts[task.id] ?? task.answer ?? "",
        spellcheck: "false", autocomplete: "off", oninput: () => this.#keep(answers) });
      if (field) answers.set(task.id, field);
      return el("div", { class: `unit-task ${result.state}` },
        el("p", {}, el("span", { class: "tick", "aria-hidden": "true" }, { passed: "✓", wrong: "✗" }[result.state] ?? "○"),
          field ? el("label", { for: `task-${task.id}` }, el("b", {}, task.id), " ", ...marked(question)) : el("span", {}, el("b", {}, task.id), " ", ...marked(question)),
          el("span", { class: "visually-hidden" }, ` (${this.#words[result.state]})`)),
        choices.length > 0 && el("pre", {}, choices.map((/** @type {string} */ line) => line.trim()).join("\n")), field,
        result.message && el("p", { class: "unit-message" }, result.message),
        result.state !== "passed" && el("button", { type: "button", class: "unit-more", onclick: () => this.#hint(task.id, hint) }, this.#words.hint),
        task.tries > 0 && el("p", { class: "soft" }, this.#words.tries(task.tries)),
        hint);
    });
    const why = el("textarea", { id: "task-why", rows: "3", maxlength: "900", oninput: () => this.#keep(answers) });
    why.value = drafts.why ?? lesson.why ?? "";
    answers.set("why", why);
    const question = el("div", { class: "unit-task" }, el("p", {}, el("label", { for: "task-why" }, el("b", {}, this.#words.why), " ", ...marked(lesson.whyQuestion))), why);
    this.result = el("p", { class: "soft", role: "status" });
    const form = el("form", { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#check(answers);
    } }, el("h2", {}, this.#words.tasks), ...rows, question,
    el("div", { class: "unit-check" }, el("button", { type: "submit", class: "primary" }, this.#words.check), this.result));
    fill(this.tasks, form);
  }

  /** Keeps what is on the screen, until a check has taken it. @param {Map<string, HTMLInputElement>} answers */
  #keep(answers) {
    this.#answers.write(Object.fromEntries([...answers].map(([task, field]) => [task, field.value])));
  }

  /** @param {Map<string, HTMLInputElement>} answers */
  async #check(answers) {
    const lesson = this.#lesson;
    const run = ++this.#run;
    this.tasks.setAttribute("aria-busy", "true");
    this.result.textContent = this.#words.checking;
    const sent = JSON.stringify(this.#answers.read());
    const given = Object.fromEntries([...answers].map(([task, field]) => [task, field.value.trim()]).filter(([task, text]) => text || task === "why"));
    try {
      // The check judges what is on the screen, so a changed file is saved first.
      await this.#editor?.saveChanges();
      const { results } = await askJSON(`/api/lessons/${lesson.number}/check${this.#query}`, { method: "POST", body: { answers: given } });
      if (run !== this.#run) return;
      // Text that was typed meanwhile is not in the answer, and stays.
      if (JSON.stringify(this.#answers.read()) === sent) this.#answers.clear();
      this.#unit = await askJSON(`/api/lessons${this.#query}`);
      if (run !== this.#run) return;
      this.#showList();
      this.#showTasks(Object.fromEntries(results.map((/** @type {any} */ result) => [result.task, result])));
      const done = results.filter((/** @type {any} */ result) => result.state === "passed").length;
      const text = this.#words.done(done, results.length);
      this.result.textContent = text;
      announce(text);
      if (!this.#stage && done === results.length) this.#showExplanation();
    } catch (error) {
      if (run === this.#run) this.result.textContent = Problem.of(error).sentence;
    }
    this.tasks.setAttribute("aria-busy", "false");
  }

  /** @param {string} task @param {HTMLElement} place */
  async #hint(task, place) {
    try {
      const { text } = await askJSON(`/api/lessons/${this.#lesson.number}/hint${this.#query}`, { method: "POST", body: { task } });
      fill(place, ...marked(text));
    } catch (error) {
      place.textContent = Problem.of(error).sentence;
    }
  }
}

/** The English words of Traffic in the language of the lessons; nothing for English lessons. @param {typeof words.en} words */
function trafficWords({ trafficTitle, trafficWhy, traffic }) {
  return traffic.length > 0 && el("details", { class: "unit-words" }, el("summary", {}, trafficTitle), el("p", { class: "soft" }, trafficWhy),
    el("dl", {}, ...traffic.flatMap(([word, meaning]) => [el("dt", { lang: "en" }, word), el("dd", {}, meaning)])));
}

/** Text whose parts between backticks are code, with links of Markdown to pages. @param {string} text @returns {(string | HTMLElement)[]} */
function marked(text) {
  return text.split("`").flatMap((part, at) => at % 2 === 1 ? [el("code", {}, part)] : part.split(/(\[[^\]]*\]\(#[^)]*\))/).map((piece) => {
    const link = /^\[(.*)\]\((#.*)\)$/.exec(piece);
    return link ? el("a", { href: link[2] }, link[1]) : piece;
  }));
}

/** @param {string} name @param {boolean} isCurrent @param {() => void} open */
function tab(name, isCurrent, open) {
  return el("button", { type: "button", class: "unit-tab", "aria-pressed": isCurrent ? "true" : "false", onclick: open }, name);
}
