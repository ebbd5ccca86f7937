import { toast } from "../../core/announce.js";
import { ask, askJSON } from "../../core/api.js";
import { el, fill, setText } from "../../core/dom.js";
import { count, counted, duration } from "../../core/format.js";
import { Problem } from "../../core/problem.js";
import { commandLine, firstStep } from "../../core/first-step.js";
import { EventFeed } from "../../core/event-feed.js";
import { LabEvidence } from "./lab-evidence.js";
import { LabForm } from "./lab-form.js";
import { LabMatrix } from "./lab-matrix.js";

/** The lab: the setup, the progress, the matrix, and the evidence of the cell at the cursor. */
export class LabPage {
  /** @type {any} */
  #run = null;
  /** @type {EventFeed | null} */
  #feed = null;
  #known = 0;
  #misses = 0;
  #alarms = 0;

  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  async show() {
    const main = el("main", { class: "lab", "aria-label": "Pinning lab" }, el("h1", {}, "Pinning lab"),
      el("p", { class: "soft" }, "Loading…"));
    fill(this.page, main);
    try {
      this.#build(main, await askJSON("/api/lab"));
    } catch (error) {
      fill(main, el("h1", {}, "Pinning lab"),
        el("p", { class: "notice failed", role: "alert" }, Problem.of(error).sentence));
    }
  }

  hide() {
    this.#feed?.close();
    this.#feed = null;
  }

  /** @returns {boolean} Whether evidence was open. */
  escape() {
    if (!this.evidence || this.evidence.element.hidden) return false;
    this.evidence.close();
    this.matrix.focus();
    return true;
  }

  #build(main, catalogue) {
    this.catalogue = catalogue;
    this.#run = null;
    this.form = new LabForm(catalogue);
    this.matrix = new LabMatrix(catalogue);
    this.evidence = new LabEvidence();
    this.progress = el("progress", { max: "1", value: "0", "aria-label": "Progress of the run", hidden: true });
    this.status = el("p", { class: "lab-status", role: "status" });
    this.problem = el("div", { role: "alert" });
    this.start = el("button", { type: "button", class: "primary", onclick: () => this.#begin() }, "Run");
    this.stop = el("button", { type: "button", hidden: true, onclick: () => this.#cancel() }, "Cancel");
    this.form.on("change", () => this.#tellCount());
    this.matrix.on("cell", ({ policy, scenario, focuses }) => this.evidence.show(policy, scenario, focuses));
    this.evidence.on("close", () => this.matrix.focus());
    this.first = firstStep("Nothing was run yet", "Press Run: the chosen policies meet the chosen attacks, and each cell says what the client did. Enter on a cell shows why. "
      + "Your own program is tried in a terminal:", commandLine({ client: "your own program", command: "pinhole audit -- curl -s {url}" }));
    fill(main, el("header", { class: "lab-head" }, el("h1", {}, "Pinning lab"),
      el("p", { class: "soft" },
        "Each cell is a real client that decides by a policy and speaks TLS through a real proxy, on loopback, "
        + "with new certificates for each run. A row is a policy, a column an attack or a legitimate change.")),
    this.form.element,
    el("div", { class: "lab-run" }, this.start, this.stop, this.progress, this.status), this.problem,
    this.first, this.matrix.element, this.evidence.element);
    this.#tellCount();
    if (catalogue.run) this.#take(catalogue.run);
    this.#feed?.close();
    this.#feed = new EventFeed("/api/lab/events");
    this.#feed.on("run", (run) => this.#take(run));
    this.#feed.on("cells", (cells) => this.#fillIn(cells));
  }

  #tellCount() {
    const { policies, scenarios, documents } = this.form.order;
    const rows = policies.length + documents.length;
    if (this.#run?.status === "running") return;
    this.start.textContent = `Run ${counted(rows * scenarios.length, "cell")}`;
    this.start.disabled = rows * scenarios.length === 0;
  }

  async #begin() {
    fill(this.problem);
    this.start.disabled = true;
    try {
      this.#take(await askJSON("/api/lab/run", { method: "POST", body: this.form.order }));
    } catch (error) {
      fill(this.problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
      this.#tellCount();
    }
  }

  async #cancel() {
    try {
      await ask("/api/lab/run", { method: "DELETE" });
    } catch (error) {
      toast(Problem.of(error).sentence);
    }
  }

  #take(run) {
    if (run.number !== this.#run?.number) {
      this.#known = 0;
      this.#misses = 0;
      this.#alarms = 0;
      this.first.hidden = true;
      this.matrix.begin(run);
      this.evidence.close();
    }
    this.#run = run;
    const isRunning = run.status === "running";
    this.stop.hidden = !isRunning;
    this.progress.hidden = !isRunning;
    this.start.disabled = isRunning;
    if (!isRunning) this.#tellCount();
    if (run.status === "failed") fill(this.problem, el("p", { class: "notice failed" },
      `The run failed: ${run.failure}`));
    this.#tellStatus();
  }

  #fillIn(cells) {
    for (const cell of cells) {
      this.matrix.put(cell);
      if (cell.isFault && cell.mark === "falseAlarm") this.#alarms += 1;
      else if (cell.isFault) this.#misses += 1;
    }
    this.#known += cells.length;
    this.#tellStatus();
  }

  #tellStatus() {
    const { status, total, milliseconds, host } = this.#run;
    this.progress.max = total;
    this.progress.value = this.#known;
    const found = `${counted(this.#misses, "miss", "misses")}, ${counted(this.#alarms, "false alarm")}`;
    setText(this.status, status === "running" ? `${count(this.#known)} of ${counted(total, "cell")}: ${found}`
      : status === "cancelled" ? `Cancelled after ${count(this.#known)} of ${counted(total, "cell")}: ${found}`
      : status === "done" ? `${counted(total, "cell")} for ${host} in ${duration(milliseconds)}: ${found}` : "");
  }
}
