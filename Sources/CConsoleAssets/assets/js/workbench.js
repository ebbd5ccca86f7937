import { filterLike, holdAndTell } from "./breakpoints/breakpoint-rules.js";
import { held } from "./breakpoints/held.js";
import { toast, toastActions } from "./core/announce.js";
import { tellProblem } from "./core/banner.js";
import { withQuery } from "./core/api.js";
import { addActions, addKeys, listenForKeys } from "./core/keys.js";
import { showPalette } from "./core/palette.js";
import { flattened } from "./core/menu.js";
import { route } from "./core/route.js";
import { loadStyle } from "./core/style.js";
import { copyRequest } from "./detail/copy-request.js";
import { DetailPane } from "./detail/detail-pane.js";
import { filesOf, imports, recordings } from "./exchange/import-list.js";
import { showHelp, tellPage } from "./pages/help.js";
import { abort } from "./traffic/abort.js";
import { browsers } from "./traffic/browsers.js";
import { isRunning } from "./traffic/facts.js";
import { itemActions, openItemMenu } from "./traffic/item-menu.js";
import { notesOf } from "./traffic/notes.js";
import { passedOn } from "./traffic/pass-on.js";
import { moveDetail } from "./traffic/splitter.js";
import { list } from "./traffic/traffic-list.js";

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
  { key: "o", label: "Turn the order round", run: () => grid.turnOrder() },
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

/** @typedef {{show: () => void, hide?: () => void, escape?: () => boolean}} Page */
/** `help`: the place in the documentation. @type {Record<string, {title: string, help: string, load: () => Promise<Page>}>} */
const pages = {
  connect: { title: "Connect", help: "CONSOLE-PAGES.html#connect",
    load: async () => new (await import("./connect/connect-page.js")).ConnectPage(at("page-other")) },
  lab: { title: "Pinning lab", help: "CONSOLE-PAGES.html#the-lab", load: async () => new (await import("./lab/lab-page.js")).LabPage(at("page-other")) },
  classroom: { title: "Classroom", help: "CONSOLE-PAGES.html#the-classroom",
    load: async () => new (await import("./classroom/lessons-page.js")).LessonsPage(at("page-other")) },
  compose: { title: "Compose", help: "CONSOLE-PAGES.html#compose", load: async () => {
    const [{ ComposePage }] = await Promise.all([import("./compose/compose-page.js"), loadStyle("/css/compose-page.css")]);
    const composer = new ComposePage(at("page-other"), model.live);
    return { show: () => composer.show(Number(route.path[1]) || 0), hide: () => composer.hide() };
  } },
  breakpoints: { title: "Breakpoints", help: "CONSOLE-PAGES.html#breakpoints",
    load: async () => new (await import("./breakpoints/breakpoints-page.js")).BreakpointsPage(at("page-other")) },
  rules: { title: "Rules", help: "CONSOLE-PAGES.html#rules", load: async () => new (await import("./rules/rules-page.js")).RulesPage(at("page-other")) },
  exchange: { title: "Import and save", help: "CONSOLE-PAGES.html#import-and-save",
    load: async () => new (await import("./exchange/exchange-page.js")).ExchangePage(at("page-other")) },
  compare: { title: "Compare", help: "CONSOLE.html#statistics-timeline-comparison",
    load: async () => new (await import("./exchange/compare-page.js")).ComparePage(at("page-other")) },
  statistics: { title: "Statistics", help: "CONSOLE.html#statistics-timeline-comparison",
    load: async () => new (await import("./pages/statistics-page.js")).StatisticsPage(at("page-other")) },
  timeline: { title: "Timeline", help: "CONSOLE.html#the-timeline",
    load: async () => new (await import("./timeline/timeline-page.js")).TimelinePage(at("page-other")) },
  events: { title: "Events", help: "CONSOLE-PAGES.html#events-and-settings", load: async () => new (await import("./pages/log-page.js")).LogPage(at("page-other")) },
  settings: { title: "Settings", help: "CONSOLE-PAGES.html#events-and-settings", load: async () => {
    const { showSettings } = await import("./pages/settings.js");
    return { show: () => showSettings(at("page-other")) };
  } },
  diff: { title: "Comparison", help: "CONSOLE.html#statistics-timeline-comparison", load: async () => {
    const { showDiff } = await import("./pages/diff.js");
    return { show: () => showDiff(at("page-other"), Number(route.path[1]), Number(route.path[2])) };
  } },
};
/** The pages that were loaded, by their names. @type {Map<string, Promise<Page>>} */
const loaded = new Map();

let shown = "";
/** The page that is shown, once it is loaded. @type {Page | undefined} */
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
    loaded.set(name, pages[name].load());
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
