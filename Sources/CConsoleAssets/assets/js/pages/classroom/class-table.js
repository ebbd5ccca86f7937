import { askJSON } from "../../core/api.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";

/** Milliseconds between two readings of the results. */
const interval = 2000;
/** The most news on the page. */
const most = 100;

/** @typedef {{passed: number, all: number}} Lesson */
/** @typedef {{student: string, lessons: Lesson[], passed: number, all: number, checks: number, hints: number, remarks: string[]}} Row */

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
      at("class-news").prepend(el("li", {}, `${new Date().toLocaleTimeString()} ${row.student} passed lesson ${index + 1}.`));
    });
    shown.set(row.student, row);
  }
  while (at("class-news").children.length > most) at("class-news").lastElementChild?.remove();
}

/** @param {Row[]} rows */
function show(rows) {
  const count = rows[0]?.lessons.length ?? 0;
  fill(at("class-names"), el("tr", {}, el("th", { scope: "col" }, "Student"),
    ...Array.from({ length: count }, (_, index) => el("th", { scope: "col", "aria-label": `Lesson ${index + 1}` }, String(index + 1))),
    ...["All", "Checks", "Hints", "Remarks"].map((name) => el("th", { scope: "col", class: name === "Remarks" && "remarks" }, name))));
  fill(at("class-rows"), ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.student),
    ...row.lessons.map((lesson) => el("td", { class: isDone(lesson) ? "all" : lesson.passed === 0 && "none" },
      `${lesson.passed}/${lesson.all}${isDone(lesson) ? " ✓" : ""}`)),
    el("td", {}, `${row.passed}/${row.all}`), el("td", {}, String(row.checks)), el("td", {}, String(row.hints)),
    el("td", { class: "remarks" }, row.remarks.join("; ")))));
  const lessons = rows.flatMap((row) => row.lessons);
  at("class-state").textContent = `${rows.length} students; ${lessons.filter(isDone).length} of ${lessons.length} lessons passed`;
}

/** Shows the results again and again. */
async function follow() {
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
  setTimeout(follow, interval);
}

follow();
