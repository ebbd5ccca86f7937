import { askJSON } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { showDialog } from "../../core/dialog.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";
import { diffLines, linesAround } from "./line-diff.js";

/** Shows the changes to the configuration file, and writes the file after the user confirms. */
export async function saveSettings() {
  let file;
  try {
    file = await askJSON("/api/settings/file");
  } catch (error) {
    return tell(Problem.of(error).sentence);
  }
  if (file.before === file.after) return tell(`${file.path} says already what counts now: nothing is to be saved.`);
  await showDialog("Save to the configuration", (close) => {
    const problem = el("div", { role: "alert" });
    const changes = el("div", { class: "diff-lines save-lines", role: "region", tabindex: "0", "aria-label": "What changes" });
    const note = el("p", {});
    const show = () => {
      const lines = diffLines(linesOf(file.before), linesOf(file.after));
      fill(changes, ...(lines ? linesAround(lines) : [el("pre", {}, file.after)]));
      fill(note, el("code", {}, file.path), file.exists ? " changes so; the rest of it stays as it is, byte for byte:"
        : " does not exist, and is made:");
    };
    const write = async () => {
      fill(problem);
      try {
        await askJSON("/api/settings/file", { method: "PUT", body: { fingerprint: file.fingerprint } });
        close(true);
        toast(`${file.path} was written`);
      } catch (error) {
        const found = Problem.of(error);
        if (found.status === 409) {
          // Another "Write" means the file as it is shown then.
          file = await askJSON("/api/settings/file").catch(() => file);
          show();
        }
        fill(problem, el("p", { class: "notice failed" }, found.sentence));
      }
    };
    show();
    return [el("div", {}, note, changes, el("p", { class: "soft" },
      "The file gets the filter for recording, the saved filters, the hosts that are passed through, and the rules. Flags of the command line are not saved."), problem,
    el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => close(false) }, "Cancel"),
      el("button", { type: "button", class: "primary save-write", onclick: write }, "Write")))];
  });
}

function tell(text) {
  return showDialog("Save to the configuration", (close) => [el("div", {}, el("p", {}, text),
    el("p", { class: "buttons" }, el("button", { type: "button", autofocus: true, onclick: () => close() }, "Close")))]);
}

function linesOf(text) {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
