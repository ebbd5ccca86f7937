import { ask } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { showDialog } from "../../core/dialog.js";
import { el } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";
import { title } from "../../core/facts.js";

/** @typedef {import("../../core/types.js").Traffic} Traffic */

/**
 * Marks and comments of items.
 *
 * @param {import("./traffic-model.js").TrafficModel} model
 */
export function notesOf(model) {
  const save = async (/** @type {number} */ id, /** @type {{isMarked?: boolean, comment?: string}} */ notes,
    /** @type {object} */ before) => {
    model.amend(id, notes);
    try {
      await ask(`/api/traffic/${id}`, { method: "PATCH", body: notes });
    } catch (error) {
      model.amend(id, before);
      toast(`Not saved: ${Problem.of(error).sentence}`);
    }
  };
  return {
    /** @param {Traffic} item */
    async mark(item) {
      await save(item.id, { isMarked: !item.isMarked }, { isMarked: item.isMarked });
      toast(item.isMarked ? "Mark removed" : "Marked");
    },

    /** @param {Traffic} item */
    async comment(item) {
      const field = el("textarea", { rows: "4", autofocus: true, "aria-label": "Comment",
        value: item.comment ?? "" });
      const text = await showDialog("Comment", (close) => {
        const form = el("form", { method: "dialog" }, el("p", { class: "soft cut" }, title(item)), field,
          el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => close() }, "Cancel"),
            el("button", { type: "submit", class: "primary" }, "Save")));
        form.addEventListener("submit", (event) => {
          event.preventDefault();
          close(field.value.trim());
        });
        field.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey)
          && close(field.value.trim()));
        return [form];
      });
      if (text !== undefined && text !== (item.comment ?? "")) await save(
        item.id, { comment: text }, { comment: item.comment ?? "" });
    },
  };
}
