import { held } from "../../core/held.js";
import { askAndRepeat, isRepeatable, repeat } from "../compose/repeat.js";
import { toast } from "../../core/announce.js";
import { copy } from "../../core/clipboard.js";
import { counted } from "../../core/format.js";
import { grouped, openMenu } from "../../core/menu.js";
import { route } from "../../core/route.js";
import { commandItems, programItems } from "../detail/copy-request.js";
import { ruleItems } from "../rules/rule-from.js";
import { abort } from "../../core/abort.js";
import { hostOf, isRunning, originOf, portOf } from "../../core/facts.js";
import { expressionFor } from "./host-tree.js";
import { passedOn, passOnEntry } from "../../core/pass-on.js";
import { removeItems } from "./remove-items.js";

/** @typedef {{grid: import("./traffic-grid.js").TrafficGrid, notes: ReturnType<typeof import("./notes.js").notesOf>, showHost: (expression: string) => void, showFilter: (text: string) => void, hold: () => void, open: (id: number) => void, removed: (ids: number[], neighbour: number | undefined) => void}} Means */

/** Opens the menu of an item. @param {HTMLElement} element @param {import("../../core/types.js").Traffic} item @param {Means} means @param {{x: number, y: number}} [point] The place of the pointer. */
export function openItemMenu(element, item, means, point) {
  openMenu(element, "Item", itemActions(item, means), { point });
}

/**
 * The actions for an item.
 *
 * @param {import("../../core/types.js").Traffic} item
 * @param {Means} means
 * @returns {import("../../core/menu.js").MenuItem[]}
 */
export function itemActions(item, means) {
  const { grid, notes } = means;
  const waiting = held.of(item.id);
  return grouped([
    [waiting ? { label: `Decide about the held ${waiting.at}…`, choose: () => route.go(`#/breakpoints?id=${waiting.id}`) }
      : isRunning(item) && { label: "End it now", hint: "x", choose: () => abort(item) }],
    item.type === "exchange" ? requestActions(item, means) : [],
    // A flow has fewer entries, so its scope entries need no submenu.
    item.type === "exchange" ? [{ label: "This host, this flow…", items: scopeActions(item, means) }] : scopeActions(item, means),
    [{ label: item.isMarked ? "Remove the mark" : "Mark", hint: "m", choose: () => notes.mark(item) },
      { label: "Comment…", hint: "c", choose: () => notes.comment(item) },
      { label: grid.selection.has(item.id) ? "Deselect" : "Select", hint: "Space", choose: () => grid.toggleSelection(item.id) }],
    [removal(item, means)],
  ]);
}

/** The actions for an exchange alone. @param {import("../../core/types.js").Traffic} item @param {Means} means @returns {import("../../core/menu.js").MenuItem[]} */
function requestActions(item, { open, hold }) {
  const url = item.url ?? "";
  return [
    { label: "Send again or save…", items: [
      { label: "Edit and send again…", hint: "e", choose: () => route.go(`#/compose/${item.id}`) },
      ...(isRepeatable(item) ? [{ label: "Repeat", choose: () => repeat(item, open) },
        { label: "Repeat several times…", choose: () => askAndRepeat(item) }] : []),
      { label: "Save to a collection…", choose: () => save(item.id) }] },
    { label: "Copy…", items: [{ label: "Copy URL", choose: () => copy(url, "URL") }, ...commandItems(item.id)] },
    { label: "Copy as a program…", items: programItems(item.id) },
    { label: "New rule…", prefix: "New rule", items: grouped([ruleItems(item),
      [{ label: "Hold requests like this from now on", choose: hold }]]) },
  ];
}

/** The actions that filter the list, and the actions for a host. @param {import("../../core/types.js").Traffic} item @param {Means} means @returns {import("../../core/menu.js").MenuItem[]} */
function scopeActions(item, { showHost, showFilter }) {
  const [host, flow] = [hostOf(item), item.type === "flow" ? item.id : item.flow];
  return [
    ...(host ? [{ label: `Only ${originOf(item)}`, choose: () => showHost(expressionFor(host, portOf(item))) },
      { label: `Only ${host}, all ports`, choose: () => showHost(expressionFor(host)) }] : []),
    ...(flow === undefined ? []
      : [{ label: `Only flow ${flow}`, choose: () => showFilter(`flow == ${flow}`) }]),
    // Pinhole reads HTTP without a tunnel in any case.
    ...(passedOn.isKnown && item.scheme !== "http" && host ? [passOnEntry(item)] : []),
  ];
}

/** The action that removes the item, or the whole selection that contains it. @param {import("../../core/types.js").Traffic} item @param {Means} means */
function removal(item, { grid, removed }) {
  const isOne = grid.selection.size < 2 || !grid.selection.has(item.id);
  const ids = isOne ? [item.id] : [...grid.selection];
  return { label: isOne ? "Remove this item" : `Remove ${counted(ids.length, "selected item")}…`, choose: async () => {
    const neighbour = grid.neighbour(ids);
    if (await removeItems(ids, !isOne || Boolean(item.isMarked || item.comment))) removed(ids, neighbour);
  } };
}

/** Saves a request to a collection of Compose, whose modules are loaded now. @param {number} id */
async function save(id) {
  try {
    const { saveItem } = await import("../compose/save-item.js");
    await saveItem(id);
  } catch {
    toast("Not saved: the console does not answer. See whether the proxy runs.");
  }
}
