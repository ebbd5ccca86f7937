import { ask, withQuery } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { showDialog } from "../../core/dialog.js";
import { el } from "../../core/dom.js";
import { counted } from "../../core/format.js";
import { Problem } from "../../core/problem.js";

/** The highest number of ids in one address. */
const atOnce = 1000;

/**
 * Removes items from the capture, if `asks` says so only after the user confirms.
 *
 * @param {number[]} ids
 * @param {boolean} asks
 * @returns {Promise<boolean>} Whether the items were removed.
 */
export async function removeItems(ids, asks) {
  if (asks && !await isSure(ids.length)) return false;
  try {
    for (let place = 0; place < ids.length; place += atOnce) {
      await ask(withQuery("/api/traffic", { ids: ids.slice(place, place + atOnce).join(",") }), { method: "DELETE" });
    }
    toast(ids.length === 1 ? `${ids[0]} was removed` : `${counted(ids.length, "item")} were removed`);
    return true;
  } catch (error) {
    toast(`Not removed: ${Problem.of(error).sentence}`);
    return false;
  }
}

function isSure(number) {
  return showDialog("Remove from the capture", (close) => [
    el("p", {}, number === 1 ? "The item is marked, or has a comment. Its removal cannot be undone."
      : `This removes ${counted(number, "selected item")}. This cannot be undone.`),
    el("p", { class: "buttons" },
      el("button", { type: "button", autofocus: true, onclick: () => close(false) }, "Cancel"),
      el("button", { type: "button", class: "danger", onclick: () => close(true) }, "Remove"))]);
}
