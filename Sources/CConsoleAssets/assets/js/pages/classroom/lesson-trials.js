import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";

/**
 * The experiments of a lesson. Each hides its outcome until the student predicts it; an experiment that was predicted
 * can be made again.
 * @param {any} lesson @param {string} query The language as a query. @param {any} words
 * @param {(trial: string, prediction: string | undefined) => void} keep Keeps a prediction, or forgets it, for the next
 *   time that the lesson opens.
 * @returns {(HTMLElement | null)[]}
 */
export function trialList(lesson, query, words, keep) {
  if (lesson.trials.length === 0) return [];
  return [el("h3", {}, words.trials), el("p", { class: "soft" }, words.predictFirst),
    el("ol", { class: "unit-trials" }, ...lesson.trials.map((/** @type {any} */ trial) => card(lesson, trial, query, words, keep)))];
}

/**
 * @param {any} lesson @param {any} trial @param {string} query @param {any} words
 * @param {(trial: string, prediction: string | undefined) => void} keep
 */
function card(lesson, trial, query, words, keep) {
  let predicted = trial.prediction;
  const outcome = el("div", { class: "unit-outcome", role: "status" });
  const choices = el("fieldset", {}, el("legend", {}, words.predict));
  const show = async (/** @type {string | null} */ prediction) => {
    choices.disabled = true;
    try {
      const body = prediction === null ? { trial: trial.id } : { trial: trial.id, prediction };
      const report = await askJSON(`/api/lessons/${lesson.number}/try${query}`, { method: "POST", body });
      predicted = report.prediction;
      keep(trial.id, predicted);
      fill(outcome, ...told(trial, report, words));
      draw();
    } catch (error) {
      const problem = Problem.of(error);
      outcome.textContent = problem.sentence;
      // The teacher's reset of the lesson has forgotten the prediction.
      if (problem.status === 409) {
        predicted = undefined;
        keep(trial.id, predicted);
        draw();
      }
    }
    choices.disabled = false;
  };
  const draw = () => {
    const buttons = predicted
      ? [el("button", { type: "button", onclick: () => show(null) }, words.again), " ", el("span", { class: "soft" }, words.predicted(title(trial, predicted)))]
      : trial.choices.flatMap((/** @type {any} */ choice) => [el("button", { type: "button", onclick: () => show(choice.id) }, choice.text), " "]);
    fill(choices, el("legend", {}, words.predict), ...buttons);
  };
  draw();
  return el("li", {}, el("p", {}, el("b", {}, trial.id), " ", ...lines(trial.question)), choices, outcome);
}

/** The outcome in words. @param {any} trial @param {any} report @param {any} words */
function told(trial, report, words) {
  return [el("p", { class: report.isRight ? "right" : "mistaken" }, `${report.isRight ? words.right : words.mistaken} ${title(trial, report.outcome)}`),
    report.misconception && el("p", { class: "unit-message" }, report.misconception),
    report.evidence.length > 0 && el("pre", { tabindex: "0" }, report.evidence.join("\n")),
    report.explanation && el("p", {}, report.explanation)];
}

/** The words of a choice. @param {any} trial @param {string} id */
function title(trial, id) {
  return trial.choices.find((/** @type {any} */ choice) => choice.id === id)?.text ?? id;
}

/** Lines of text, with breaks between. @param {string} text @returns {(string | HTMLElement)[]} */
function lines(text) {
  return text.split("\n").flatMap((line, at) => at === 0 ? [line] : [el("br"), line]);
}
