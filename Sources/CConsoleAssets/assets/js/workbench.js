import { filterLike, holdAndTell } from "./parts/rules/breakpoint-rules.js";
import { held } from "./core/held.js";
import { toast, toastActions } from "./core/announce.js";
import { tellProblem } from "./core/banner.js";
import { withQuery } from "./core/api.js";
import { addActions, addKeys, listenForKeys } from "./core/keys.js";
import { showPalette } from "./core/palette.js";
import { flattened } from "./core/menu.js";
import { route } from "./core/route.js";
import { loadStyle } from "./core/style.js";
import { copyRequest } from "./parts/detail/copy-request.js";
import { DetailPane } from "./parts/detail/detail-pane.js";
import { pages } from "./pages.js";
import { filesOf, imports, recordings } from "./pages/exchange/import-list.js";
import { showHelp, tellPage } from "./core/help.js";
import { abort } from "./core/abort.js";
import { browsers } from "./core/browsers.js";
import { isRunning } from "./core/facts.js";
import { itemActions, openItemMenu } from "./parts/traffic/item-menu.js";
import { notesOf } from "./parts/traffic/notes.js";
import { passedOn } from "./core/pass-on.js";
import { moveDetail } from "./core/splitter.js";
import { list } from "./parts/traffic/traffic-list.js";

const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const { grid, model, toolbar } = list;
const detail = new DetailPane(at("detail"), at("page-traffic"), (id) => model.cache.get(id));
const notes = notesOf(model);

// The detail shows the item at the cursor.

function open(/** @type {number} */ id, { focuses = false, tab = "" } = {}) {
  detail.show(id, { tab, focuses });
  route.write({ id, tab: detail.tab });
}

function closeDetail() {
  detail.close();
  route.write({ id: undefined, tab: undefined });
  grid.element.focus();
}

toolbar.on("removed", () => {
  model.cache.clear();
  if (detail.id !== null) closeDetail();
  list.show();
});
model.on("replaced", () => detail.changed());
model.live.on("traffic", (items) => {
  if (items.some((item) => item.id === detail.id)) detail.changed();
});
grid.on("open", ({ id, isByKey }) => open(id, { focuses: isByKey }));
grid.on("cursor", (id) => id !== null && detail.id !== null && detail.id !== id && open(id));
/** The callbacks that the menu of an item needs. */
const meansOf = (/** @type {import("./core/types.js").Traffic} */ item) => ({ grid, notes,
  showHost: (expression) => list.show(model.text, expression), showFilter: (text) => list.filter.set(text),
  hold: () => holdAndTell(filterLike(item)),
  open: (id) => route.go(withQuery("#/", { q: model.text, host: list.host, id })),
  removed: (ids, neighbour) => {
    if (neighbour !== undefined) grid.setCursor(neighbour);
    else if (detail.id !== null && ids.includes(detail.id)) closeDetail();
  } });

grid.on("menu", ({ id, element, point }) => {
  const item = model.cache.get(id);
  if (item) openItemMenu(element, item, meansOf(item), point);
});
// Another window may have changed the patterns, so the menu reads them again.
const readPassedOn = () => passedOn.read().catch(() => {});
grid.on("menu", readPassedOn);
readPassedOn();
browsers.read().catch(() => {});
detail.on("close", closeDetail);
detail.on("tab", (tab) => route.write({ tab }));
detail.on("mark", (item) => notes.mark(item));
detail.on("comment", (item) => notes.comment(item));

// Keys, and actions without keys.

/** The item at the cursor, if the list is visible. */
function itemHere() {
  return grid.cursor === null || route.path.length > 0 ? undefined : model.cache.get(grid.cursor);
}

/** @typedef {import("./core/types.js").Traffic} Traffic */

/** @param {string} key @param {string} label @param {(item: Traffic) => void} run @param {(item: Traffic) => boolean} [fits] */
function itemKey(key, label, run, fits = () => true) {
  const isFor = () => {
    const item = itemHere();
    return item !== undefined && fits(item);
  };
  return { key, label, group: "In the list", fits: isFor, run: () => {
    const item = itemHere();
    if (item) run(item);
  } };
}

addKeys([
  { key: "Ctrl+K", label: "All commands, by name", run: showPalette },
  { key: "/", label: "Write a filter", run: () => (route.path.length > 0 ? route.go("#/") : list.filter.focus()) },
  { key: "?", label: "This help", run: showHelp },
  { key: "f", label: "Follow new traffic, or stay", run: () => toolbar.toggle("follow") },
  { key: "o", label: "Reverse the sort order", run: () => grid.turnOrder() },
  { key: "l", label: "Detail at the right, or below the list", run: moveDetail },
  { key: "t", label: "Show or hide the hosts", run: () => toolbar.toggle("showsHosts") },
  { key: "r", label: "Pause or go on recording", run: () => list.status.toggleRecording() },
  { key: "b", label: "Breakpoints: what is held", run: () => route.go("#/breakpoints") },
  { key: ",", label: "Settings", run: () => route.go("#/settings") },
  itemKey("m", "Mark", (item) => notes.mark(item)),
  itemKey("c", "Comment", (item) => notes.comment(item)),
  itemKey("y", "Copy as the last time (curl at first)", (item) => copyRequest(item.id)),
  itemKey("e", "Edit and send again", (item) => (item.type === "exchange" ? route.go(`#/compose/${item.id}`)
    : toast("Only a request can be edited; this is a tunnel"))),
  itemKey("x", "End what goes on, toward both sides", abort, isRunning),
  { key: "d", label: "Compare the two that are selected", group: "In the list", fits: () => grid.selection.size === 2,
    run: () => toolbar.compare() },
  { key: "Escape", label: "Close the detail, or go back", run: goBack },
]);
addActions(() => [
  ...[...at("places").querySelectorAll("a")].map((link) => ({ label: `Go to ${link.firstChild?.textContent}`, group: "Pages",
    run: () => route.go(link.hash) })),
  ...browsers.actions(),
  ...toastActions().map((action) => ({ ...action, group: "Said just now" })),
  ...actionsOfPage(),
]);
listenForKeys();
document.addEventListener("keydown", (event) => {
  // Keys without a focused element apply to the list.
  if (event.target === document.body && !event.defaultPrevented && route.path.length === 0) grid.key(event);
});

/** The actions of the list and of the item at its cursor, or the buttons of another page. */
function actionsOfPage() {
  const item = itemHere();
  const tabs = [...at("detail").querySelectorAll("[role=tab]")];
  if (route.path.length === 0) return [
    ...(item ? flattened(itemActions(item, meansOf(item))).map(({ hint, label, choose }) => ({ key: hint, label, group: "Item",
      run: () => choose?.() })) : []),
    ...tabs.map((/** @type {HTMLElement} */ tab) => ({ label: `Show ${tab.textContent}`, group: "Detail", run: () => tab.click() })),
    ...toolbar.actions(),
    ...list.places.actions(),
  ];
  // Buttons inside an entry or a cell belong to the entry, so the palette leaves them out.
  const buttons = [...at("page-other").querySelectorAll("button:not(:disabled, li *, td *, [role=tab])")];
  return buttons.filter((button) => button.checkVisibility()).map((/** @type {HTMLElement} */ button) => ({
    label: button.getAttribute("aria-label") ?? button.textContent.trim(), group: "This page", run: () => {
      button.focus();
      button.click();
    } }));
}

/** Closes the innermost part: something on a page, the page, the detail, the selection. */
function goBack() {
  if (page?.escape?.()) return;
  if (route.path.length > 0) route.go("#/");
  else if (detail.id !== null) closeDetail();
  else grid.clearSelection();
}

// The page imports files of other tools that the user drops anywhere.

for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, (event) => {
  const files = filesOf(/** @type {DragEvent} */ (event));
  if (!files) return;
  document.body.classList.toggle("dropping", kind === "dragover");
  if (kind === "dragleave") return;
  // A field for files handles its own drops.
  if (/** @type {HTMLElement} */ (event.target).closest?.("input[type=file]")) return document.body.classList.remove("dropping");
  event.preventDefault();
  if (kind !== "drop") return;
  if (route.path[0] === "compare") return recordings.take(files);
  imports.take(files);
  if (route.path[0] !== "exchange") route.go("#/exchange");
});

// Pages. The modules of a page are loaded when it is first shown.

/** The pages that were loaded, by their names. @type {Map<string, Promise<import("./pages.js").Page>>} */
const loaded = new Map();

let shown = "";
/** The page that is shown, once it is loaded. @type {import("./pages.js").Page | undefined} */
let page;
/** Counts the changes of the address. */
let visits = 0;

function tellTitle() {
  const name = shown ? `${pages[shown].title} – Pinhole` : "Pinhole";
  document.title = held.list.length > 0 ? `(${held.list.length} held) ${name}` : name;
}

/** Every page shows the number of held messages. */
function tellHeld() {
  const { length } = held.list;
  at("held-count").hidden = length === 0;
  at("held-count").textContent = length === 0 ? "" : String(length);
  at("held-count").setAttribute("aria-label", `${length} held`);
  tellTitle();
}

held.on("change", (exchanges) => {
  tellHeld();
  if (exchanges.includes(detail.id)) detail.tellHead();
});

function goThere() {
  page?.hide?.();
  page = undefined;
  visits += 1;
  shown = Object.hasOwn(pages, route.path[0] ?? "") ? route.path[0] : "";
  at("page-traffic").hidden = shown !== "";
  at("page-other").hidden = shown === "";
  at("filter").hidden = shown !== "";
  for (const link of at("places").querySelectorAll("a")) {
    if (link.hash.slice(2) === shown) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.classList.toggle("elsewhere", shown !== "");
  tellTitle();
  tellPage(pages[shown]?.title ?? "Traffic", pages[shown]?.help ?? "CONSOLE.html#the-list");
  if (shown) showPage();
  else goToTraffic();
}

async function showPage() {
  const [visit, name] = [visits, shown];
  if (!loaded.has(name)) {
    at("page-other").replaceChildren();
    const { style, load } = pages[name];
    // Without its style sheet a page is plain but complete.
    const parts = Promise.all([load(at("page-other"), model.live), style && loadStyle(style).catch(() => {})]);
    loaded.set(name, parts.then(([made]) => made));
  }
  try {
    const found = await loaded.get(name);
    // The user may have gone elsewhere meanwhile.
    if (visit !== visits) return;
    page = found;
    page.show();
  } catch (error) {
    loaded.delete(name);
    tellProblem(`The page ${pages[name].title} could not be loaded: ${error.message}. Open it again while the proxy runs.`);
  }
}

function goToTraffic() {
  const [id, tab] = [Number(route.parameter("id")), route.parameter("tab")];
  list.showRoute();
  if (id > 0) {
    open(id, { tab });
    grid.setCursor(id, { reveals: model.isWhole });
  } else if (detail.id !== null && route.path.length === 0) {
    closeDetail();
  }
  grid.element.focus();
}

route.on("change", goThere);
tellHeld();
goThere();
if (route.path.length > 0) list.show("", "");
