import { checkFilter, withQuery } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { el, fill } from "../../core/dom.js";
import { commandLine, firstStep } from "../../core/first-step.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { download } from "../../core/save-file.js";
import { imports } from "./import-list.js";

/** The formats for saving a file. */
const formats = [["har", "HAR: HTTP Archive 1.2"], ["capture", "capture: everything, to be opened by Pinhole"],
  ["mitm", "flows of mitmproxy 11 and later"], ["jsonl", "JSON lines"], ["csv", "CSV, without headers and bodies"],
  ["curl", "commands for curl"], ["raw", "raw: the bytes of requests and responses"]];
const endings = { capture: "sqlite", curl: "sh", raw: "http" };

/** The page that imports files of other tools into the capture, and saves the capture for them. */
export class ExchangePage {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
  }

  show() {
    const chooser = el("input", { type: "file", id: "import-file", multiple: true, accept: ".har,.json,.jsonl,.mitm,.flow,.flows,.chlsj,.sqlite,*/*",
      onchange: () => {
        imports.take(chooser.files ?? []);
        chooser.value = "";
      } });
    fill(this.page, el("main", { class: "exchange", "aria-label": "Import and save" }, el("h1", {}, "Import and save"),
      el("section", { "aria-label": "Import" }, el("h2", {}, "Import"),
        el("div", { class: "drop" }, el("p", {}, el("label", { for: "import-file" }, "Drop files anywhere in this window, or choose them: "), chooser),
          el("p", { class: "soft" }, "HAR of browsers and tools, flow files of mitmproxy, JSON sessions of Charles, JSON lines and captures of Pinhole. "
            + "Pinhole recognises a file by its first bytes. Its entries get new numbers and are added to the capture; the capture loses nothing.")),
        imports.element,
        firstStep("Where files come from",
          el("p", {}, "Chrome, Edge and Firefox: open the developer tools (F12) on the page, choose Network, load the page, then “Save all as HAR”. mitmproxy and curl, in a terminal:"),
          commandLine({ client: "mitmproxy", command: "mitmdump -w session.mitm" }),
          commandLine({ client: "a capture of its own", command: "pinhole run --capture session.sqlite -- curl https://example.com/" })),
        el("p", {}, el("a", { class: "button", href: "#/" }, "Show the traffic"))),
      this.#saving()));
    imports.load();
  }

  #saving() {
    const filter = el("input", { type: "text", id: "save-filter", class: "save-filter", spellcheck: "false", value: route.parameter("q"),
      placeholder: "everything", "aria-describedby": "save-problem" });
    const format = el("select", { id: "save-format" }, ...formats.map(([value, label]) => el("option", { value }, label)));
    const problem = el("p", { class: "notice failed", id: "save-problem", role: "alert", hidden: true });
    const save = async () => {
      problem.hidden = true;
      filter.setAttribute("aria-invalid", "false");
      const text = filter.value.trim();
      try {
        if (text) await checkFilter(text);
      } catch (error) {
        const found = Problem.of(error);
        problem.hidden = false;
        fill(problem, `${found.column ? `Column ${found.column}: ` : ""}${found.detail ?? found.sentence}`);
        filter.setAttribute("aria-invalid", "true");
        return filter.focus();
      }
      toast("Saving…");
      download(withQuery("/api/export", { format: format.value, filter: text }),
        `pinhole.${endings[format.value] ?? format.value}`);
    };
    return el("section", { "aria-label": "Save" }, el("h2", {}, "Save"),
      el("form", { class: "line", "aria-label": "Save", onsubmit: (event) => {
        event.preventDefault();
        save();
      } }, el("label", { for: "save-filter" }, "What matches"), filter, el("label", { for: "save-format" }, "as"), format,
      el("button", { type: "submit", class: "primary save-now" }, "Save")), problem,
      el("p", { class: "soft" }, "The menu of the list saves selected items. A file holds all captured data, including credentials: look "
        + "at it before you hand it on."));
  }
}
