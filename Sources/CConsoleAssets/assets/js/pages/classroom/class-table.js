import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";
import { addStudent, studentDialog } from "./class-actions.js";
import { ClassPoll } from "./class-poll.js";
import { ClassroomPage } from "./classroom-page.js";

/** Milliseconds between two readings of the results. */
const interval = 2000;
/** The most news on the page. */
const most = 100;

/** @typedef {{number: number, passed: number, all: number}} Lesson */
/** @typedef {{student: string, name: string, group: string, lessons: Lesson[], passed: number, all: number, checks: number, hints: number, remarks: string[], notes: string[], points: number, mostPoints: number, whys: {lesson: number, text: string}[], predictions: import("./class-actions.js").Prediction[]}} Row */

const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** The last results on the page, by student. @type {Map<string, Row>} */
const shown = new Map();
let text = "";

/** @param {Lesson} lesson */
const isDone = (lesson) => lesson.passed === lesson.all;

/** @param {Row[]} rows */
function tell(rows) {
  for (const row of rows) {
    const before = shown.get(row.student);
    row.lessons.forEach((lesson, index) => {
      if (!before || !isDone(lesson) || isDone(before.lessons[index])) return;
      at("class-news").prepend(el("li", {}, `${new Date().toLocaleTimeString()} ${row.name} passed lesson ${lesson.number}.`));
    });
    shown.set(row.student, row);
  }
  while (at("class-news").children.length > most) at("class-news").lastElementChild?.remove();
}

/** @param {Row[]} rows */
function show(rows) {
  const numbers = rows[0]?.lessons.map((lesson) => lesson.number) ?? [];
  const groups = rows.some((row) => row.group);
  fill(at("class-names"), el("tr", {}, el("th", { scope: "col" }, "Student"), ...(groups ? [el("th", { scope: "col", class: "group" }, "Group")] : []),
    ...numbers.map((number) => el("th", { scope: "col", "aria-label": `Lesson ${number}` }, String(number))),
    ...["All", "Points", "Checks", "Hints", "Remarks"].map((name) => el("th", { scope: "col", class: name === "Remarks" && "remarks" }, name))));
  fill(at("class-rows"), ...rows.map((row) => el("tr", {}, el("th", { scope: "row" },
    el("button", { type: "button", class: "plain", "aria-haspopup": "dialog", onclick: () => studentDialog(row, numbers, follow) }, row.name)),
    ...(groups ? [el("td", { class: "group" }, row.group)] : []),
    ...row.lessons.map((lesson) => el("td", { class: isDone(lesson) ? "all" : lesson.passed === 0 && "none" },
      `${lesson.passed}/${lesson.all}${isDone(lesson) ? " ✓" : ""}`)),
    el("td", {}, `${row.passed}/${row.all}`), el("td", {}, `${row.points}/${row.mostPoints}`), el("td", {}, String(row.checks)), el("td", {}, String(row.hints)),
    el("td", { class: "remarks" }, row.remarks.join("; "), row.notes.length > 0 && el("small", {}, row.notes.join("; "))))));
  const lessons = rows.flatMap((row) => row.lessons);
  at("class-state").textContent = `${rows.length} ${rows.length === 1 ? "student" : "students"}; ${lessons.filter(isDone).length} of ${lessons.length} lessons passed`;
}

let timer = 0;
let run = 0;

/** Shows the results again and again; a new series ends the one before. */
async function follow() {
  const own = ++run;
  clearTimeout(timer);
  try {
    const { students } = await askJSON("/api/class");
    const found = JSON.stringify(students);
    if (found !== text) {
      tell(students);
      show(students);
      text = found;
    }
    at("class-fault").hidden = true;
  } catch (error) {
    const problem = Problem.of(error);
    // After a restart of the class, a reload shows the login page.
    if (problem.status === 401) return location.reload();
    at("class-fault").textContent = problem.sentence;
    at("class-fault").hidden = false;
  }
  if (own === run) timer = setTimeout(follow, interval);
}

/** The experiment in the whole window, for a projector; it reads its switches from the address. */
const stage = new ClassroomPage(at("class-stage-body"), "main");
const poll = new ClassPoll(stage);
at("class-poll").append(poll.node);

function showView() {
  const isStage = location.hash.startsWith("#/classroom");
  if (at("class-stage").hidden === !isStage) return;
  at("class-stage").hidden = !isStage;
  at("class-main").hidden = isStage;
  if (isStage) {
    stage.show();
    poll.start();
  } else {
    stage.hide();
    poll.stop();
  }
}

addEventListener("hashchange", showView);
at("class-add").addEventListener("click", () => addStudent(follow));
showView();
follow();
