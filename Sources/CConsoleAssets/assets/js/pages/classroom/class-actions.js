import { ask, askJSON } from "../../core/api.js";
import { showDialog } from "../../core/dialog.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";

/**
 * Runs an action of the teacher, and says what came of it.
 *
 * @param {HTMLElement} said @param {() => Promise<any>} action @param {() => void} changed
 */
async function act(said, action, changed) {
  fill(said, "…");
  try {
    fill(said, await action());
    changed();
  } catch (error) {
    fill(said, Problem.of(error).sentence);
  }
}

/** The new password of a student, to hand out. @param {{student: string, password: string}} answer */
const password = ({ student, password }) => el("span", {}, `The password of ${student} is `, el("code", {}, password), ".");

/** Asks for a student, and adds the student to the class. @param {() => void} changed */
export function addStudent(changed) {
  showDialog("Add a student", () => {
    const field = (/** @type {string} */ name, /** @type {string} */ label, /** @type {any} */ more = {}) =>
      el("label", {}, label, " ", el("input", { name, autocomplete: "off", spellcheck: "false", ...more }));
    const said = el("p", { role: "status" });
    return [el("form", { class: "class-form", onsubmit: (/** @type {any} */ event) => {
      event.preventDefault();
      const form = event.target;
      const body = Object.fromEntries(["id", "name", "group"].map((name) => [name, form.elements[name].value.trim()])
        .filter(([, text]) => text));
      act(said, async () => {
        const answer = await askJSON("/api/class/students", { method: "POST", body });
        form.reset();
        return password(answer);
      }, changed);
    } }, field("name", "Name", { required: true, maxlength: 200 }), field("group", "Group", { maxlength: 200 }),
    field("id", "Name of the login", { maxlength: 64, placeholder: "made from the name" }),
    el("button", { class: "primary" }, "Add"), said)];
  });
}

/** @typedef {{lesson: number, trial: string, prediction: string, outcome: string}} Prediction The first prediction of an experiment. */

/** The predictions of a student beside the outcomes; those that came out otherwise are marked. @param {Prediction[]} predictions */
function predictionTable(predictions) {
  const right = predictions.filter((one) => one.prediction === one.outcome).length;
  return el("details", {}, el("summary", {}, `Predictions: ${right} of ${predictions.length} came out so`),
    el("div", { class: "class-scroll", tabindex: "0", role: "region", "aria-label": "Predictions" }, el("table", { class: "class-table" },
      el("thead", {}, el("tr", {}, ...["Lesson", "Experiment", "Predicted", "Outcome"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, ...predictions.map(({ lesson, trial, prediction, outcome }) => el("tr", {}, el("td", {}, String(lesson)),
        el("th", { scope: "row" }, trial), el("td", {}, prediction), el("td", { class: prediction === outcome && "all" },
          `${outcome}${prediction === outcome ? " ✓" : ""}`)))))));
}

/**
 * Shows what the teacher can do for a student.
 *
 * @param {{student: string, name: string, whys: {lesson: number, text: string}[], predictions: Prediction[]}} row @param {number[]} numbers The lessons of the class. @param {() => void} changed
 */
export function studentDialog(row, numbers, changed) {
  const path = `/api/class/students/${encodeURIComponent(row.student)}`;
  showDialog(row.name, () => {
    const said = el("p", { role: "status" });
    const lesson = el("select", { "aria-label": "Lesson" }, el("option", { value: "" }, "all lessons"),
      ...numbers.map((number) => el("option", { value: String(number) }, `lesson ${number}`)));
    const sure = el("input", { type: "checkbox", required: true });
    return [el("div", { class: "class-form" },
      el("p", {}, "Name of the login: ", el("code", {}, row.student)),
      row.whys.length > 0 && el("dl", {}, ...row.whys.flatMap(({ lesson, text }) => [el("dt", {}, el("b", {}, `Lesson ${lesson}`)), el("dd", {}, text)])),
      row.predictions.length > 0 && predictionTable(row.predictions),
      el("p", {}, el("button", { type: "button", onclick: () => act(said, async () =>
        password(await askJSON(`${path}/password`, { method: "POST" })), changed) }, "New password"),
      el("span", { class: "soft" }, " The student is logged out.")),
      el("form", { onsubmit: (/** @type {any} */ event) => {
        event.preventDefault();
        sure.checked = false;
        act(said, async () => {
          await ask(`${path}/reset`, { method: "POST", body: lesson.value ? { lesson: Number(lesson.value) } : {} });
          return `${row.name} begins ${lesson.value ? `lesson ${lesson.value}` : "all lessons"} again.`;
        }, changed);
      } }, el("p", {}, lesson, " ", el("label", {}, sure, " delete the answers and files in them"), " ",
      el("button", {}, "Begin again"))),
    el("form", { onsubmit: async (/** @type {any} */ event) => {
      event.preventDefault();
      act(said, async () => {
        await ask(path, { method: "DELETE" });
        return `${row.name} and all files of ${row.student} are deleted.`;
      }, changed);
    } }, el("p", {}, el("label", {}, el("input", { type: "checkbox", required: true }), " delete the student with all results and files"), " ",
    el("button", {}, "Delete"))), said)];
  });
}
