import { held } from "../breakpoints/held.js";
import { openMenu } from "../core/menu.js";
import { route } from "../core/route.js";
import { copyItems } from "../detail/copy-request.js";
import { abort } from "./abort.js";
import { hostOf, isRunning } from "./facts.js";
import { expressionFor } from "./host-tree.js";

/** @typedef {{grid: import("./traffic-grid.js").TrafficGrid, notes: ReturnType<typeof import("./notes.js").notesOf>, showHost: (expression: string) => void, showFilter: (text: string) => void, hold: () => void}} Means */

/** Opens what can be done with an item. @param {HTMLElement} element @param {import("../core/types.js").Traffic} item @param {Means} means */
export function openItemMenu(element, item, means) {
  openMenu(element, "Item", itemActions(item, means));
}

/**
 * What can be done with an item.
 *
 * @param {import("../core/types.js").Traffic} item
 * @param {Means} means
 * @returns {import("../core/menu.js").MenuItem[]}
 */
export function itemActions(item, { grid, notes, showHost, showFilter, hold }) {
  const flow = item.type === "flow" ? item.id : item.flow;
  const waiting = held.of(item.id);
  return [
    ...(waiting ? [{ label: `Decide about the held ${waiting.at}…`, choose: () => route.go(`#/breakpoints?id=${waiting.id}`) }] : []),
    ...(isRunning(item) ? [{ label: "End it now", hint: "x", choose: () => abort(item) }] : []),
    ...(item.type === "exchange" ? [{ label: "Edit and send again…", hint: "e",
      choose: () => route.go(`#/compose/${item.id}`) }, ...copyItems(item.id)] : []),
    ...(item.type === "exchange" ? [{ label: "Hold requests like this from now on", choose: hold }] : []),
    { label: item.isMarked ? "Remove the mark" : "Mark", hint: "m", choose: () => notes.mark(item) },
    { label: "Comment…", hint: "c", choose: () => notes.comment(item) },
    { label: grid.selection.has(item.id) ? "Deselect" : "Select", hint: "Space",
      choose: () => grid.toggleSelection(item.id) },
    { label: `Only ${hostOf(item)}`, choose: () => showHost(expressionFor(hostOf(item))) },
    ...(flow === undefined ? []
      : [{ label: `Only flow ${flow}`, choose: () => showFilter(`flow == ${flow}`) }]),
  ];
}
