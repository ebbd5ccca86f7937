import { ask, connection, withQuery } from "./core/api.js";
import { announce, toast } from "./core/announce.js";
import { showDialog } from "./core/dialog.js";
import { el, fill, setText } from "./core/dom.js";
import { count, counted } from "./core/format.js";
import { icon } from "./core/icons.js";
import { addKeys, listenForKeys } from "./core/keys.js";
import { openMenu } from "./core/menu.js";
import { preferences } from "./core/preferences.js";
import { Problem } from "./core/problem.js";
import { route } from "./core/route.js";
import { followTheme, switchTheme } from "./core/theme.js";
import { copyItems, copyRequest } from "./detail/copy-request.js";
import { DetailPane } from "./detail/detail-pane.js";
import { showDiff } from "./pages/diff.js";
import { showHelp } from "./pages/help.js";
import { showSettings, toggleColumn } from "./pages/settings.js";
import { columns } from "./traffic/columns.js";
import { FilterBox } from "./traffic/filter-box.js";
import { HostTree, expressionFor } from "./traffic/host-tree.js";
import { hostOf } from "./traffic/facts.js";
import { notesOf } from "./traffic/notes.js";
import { setUpSplitter } from "./traffic/splitter.js";
import { StatusBar } from "./traffic/status-bar.js";
import { TrafficGrid } from "./traffic/traffic-grid.js";
import { TrafficModel } from "./traffic/traffic-model.js";

const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

followTheme();
const model = new TrafficModel();
const grid = new TrafficGrid(model);
const filter = new FilterBox(at("filter"));
const hosts = new HostTree(at("hosts"));
const detail = new DetailPane(at("detail"));
const status = new StatusBar(at("status"), model);
const notes = notesOf(model);
const unseen = el("button", { type: "button", class: "unseen", hidden: true, onclick: () => grid.goToNewest() });
const empty = el("div", { class: "empty", hidden: true });
fill(at("list"), grid.element, unseen, empty);
setUpSplitter(at("splitter"), at("page-traffic"));

// The list.

let host = route.parameter("host");
filter.show(route.parameter("q"));
hosts.show(host);

function show(text = model.text) {
  route.write({ q: text, host });
  model.show(text, host);
  hosts.load(text).catch(() => {});
}

filter.on("filter", show);
filter.on("leave", () => grid.element.focus());
hosts.on("choose", (expression) => {
  host = expression;
  show();
});
model.on("loading", (isLoading) => {
  grid.element.setAttribute("aria-busy", String(isLoading));
  tellEmpty(isLoading);
  if (!isLoading) announce(counted(model.length, "item"));
});
model.on("problem", (error) => tellProblem(Problem.of(error).sentence));
model.on("grown", () => tellEmpty(false));
model.live.on("traffic", (items) => {
  hosts.take(items);
  if (items.some((item) => item.id === detail.id)) detail.changed();
});
grid.on("unseen", (unseenCount) => {
  unseen.hidden = unseenCount === 0;
  setText(unseen, `${count(unseenCount)} new ${preferences.get("newestFirst") ? "↑" : "↓"}`);
});
grid.on("selection", () => {
  status.tellSelection(grid.selection.size);
  showTools();
});

function tellEmpty(isLoading) {
  empty.hidden = isLoading || model.length > 0;
  if (empty.hidden) return;
  if (model.filter) {
    fill(empty, el("h2", {}, "Nothing matches"), el("p", { class: "soft" }, el("code", {}, model.filter)), el("button", { type: "button", onclick: clearFilters }, "Show all"));
  } else {
    fill(empty, el("h2", {}, "No traffic yet"), el("p", { class: "soft" }, "Send something through the proxy; it appears here as it passes."), el("pre", {}, "pinhole run -- curl https://example.com/"));
  }
}

function clearFilters() {
  host = "";
  hosts.show("");
  filter.show("");
  show("");
}

// The detail.

function open(/** @type {number} */ id, { focuses = false, tab = "" } = {}) {
  at("splitter").hidden = false;
  at("page-traffic").classList.add("has-detail");
  detail.show(id, tab || undefined);
  route.write({ id, tab: detail.tab });
  if (focuses) setTimeout(() => detail.focus(), 120);
}

function closeDetail() {
  detail.close();
  at("splitter").hidden = true;
  at("page-traffic").classList.remove("has-detail");
  route.write({ id: undefined, tab: undefined });
  grid.element.focus();
}

grid.on("open", (id) => open(id));
grid.element.addEventListener("keydown", (event) => event.key === "Enter" && grid.cursor !== null && open(grid.cursor, { focuses: true }));
grid.on("cursor", (id) => {
  if (id !== null && detail.id !== null && detail.id !== id) open(id);
});
grid.on("menu", ({ id, element }) => itemMenu(id, element));
detail.on("close", closeDetail);
detail.on("tab", (tab) => route.write({ tab }));
detail.on("mark", (item) => notes.mark(item));
detail.on("comment", (item) => notes.comment(item));

function itemMenu(/** @type {number} */ id, /** @type {HTMLElement} */ element) {
  const item = model.cache.get(id);
  if (!item) return;
  openMenu(element, "Item", [
    ...(item.type === "exchange" ? copyItems(id) : []),
    { label: item.isMarked ? "Remove the mark" : "Mark", hint: "m", choose: () => notes.mark(item) },
    { label: "Comment…", hint: "c", choose: () => notes.comment(item) },
    { label: grid.selection.has(id) ? "Deselect" : "Select", hint: "Space", choose: () => grid.toggleSelection(id) },
    { label: `Only ${hostOf(item)}`, choose: () => only(expressionFor(hostOf(item))) },
    { label: `Flow ${item.type === "flow" ? id : item.flow}`, choose: () => filter.set(`flow == ${item.type === "flow" ? id : item.flow}`) },
  ]);
}

function only(/** @type {string} */ expression) {
  host = expression;
  hosts.show(expression);
  show();
}

// Tools.

function tool(/** @type {any} */ picture, /** @type {string} */ label, /** @type {() => void} */ run, more = {}) {
  return el("button", { type: "button", class: "plain", title: label, "aria-label": label.replace(/ \(.*\)$/, ""), onclick: run, ...more }, icon(picture));
}

function showTools() {
  const two = grid.selection.size === 2;
  const chooser = tool("columns", "Columns", () => openMenu(chooser, "Columns", columns.map((one) => ({ label: one.name ?? one.title, isChecked: preferences.get("columns").includes(one.id), choose: () => toggleColumn(one.id) }))), { "aria-haspopup": "menu", "aria-expanded": "false" });
  const more = tool("more", "More", () => openMenu(more, "More", moreItems()), { "aria-haspopup": "menu", "aria-expanded": "false" });
  fill(at("tools"),
    two && el("button", { type: "button", class: "primary", onclick: compare }, icon("diff"), "Compare"),
    tool("hosts", "Hosts (t)", toggleHosts, { "aria-pressed": String(preferences.get("showsHosts")) }),
    tool("follow", "Follow new traffic (f)", toggleFollow, { "aria-pressed": String(preferences.get("follow")) }),
    chooser, more, tool("theme", "Light or dark", switchTheme),
    el("a", { class: "button plain", href: "#/settings", title: "Settings (,)", "aria-label": "Settings" }, icon("settings")),
    tool("help", "Help (?)", showHelp));
}

function moreItems() {
  const ids = [...grid.selection];
  const what = ids.length > 0 ? { ids: ids.join(",") } : { filter: model.filter };
  const scope = ids.length > 0 ? counted(ids.length, "selected item") : model.filter ? "what is shown" : "everything";
  const save = (/** @type {string} */ format) => () => {
    const link = el("a", { href: withQuery("/api/export", { format, ...what }), download: `pinhole.${format}` });
    link.click();
  };
  return [
    { label: `Export ${scope} as HAR`, choose: save("har") }, { label: `Export ${scope} as CSV`, choose: save("csv") }, { label: `Export ${scope} as JSON lines`, choose: save("jsonl") },
    { label: "Deselect all", choose: () => grid.clearSelection() }, { label: `Remove ${model.filter ? "what is shown" : "everything"}…`, choose: removeShown },
  ];
}

async function removeShown() {
  const what = model.filter ? `${counted(model.length, "item")} that match ${model.filter}` : `all ${counted(model.length, "item")}`;
  const isSure = await showDialog("Remove from the capture", (close) => [el("p", {}, `This removes ${what}. It cannot be taken back.`),
    el("p", { class: "buttons" }, el("button", { type: "button", onclick: () => close(false) }, "Cancel"), el("button", { type: "button", class: "danger", onclick: () => close(true) }, "Remove"))]);
  if (!isSure) return;
  try {
    await ask(withQuery("/api/traffic", { filter: model.filter }), { method: "DELETE" });
    model.cache.clear();
    if (detail.id !== null) closeDetail();
    show();
    toast("Removed");
  } catch (error) {
    toast(`Not removed: ${Problem.of(error).sentence}`);
  }
}

function compare() {
  const [left, right] = [...grid.selection].sort((one, other) => one - other);
  route.go(`#/diff/${left}/${right}`);
}

function toggleHosts() {
  preferences.set("showsHosts", !preferences.get("showsHosts"));
}

function toggleFollow() {
  preferences.set("follow", !preferences.get("follow"));
  toast(preferences.get("follow") ? "Following new traffic" : "Staying where you are");
}

preferences.on("change", (name) => {
  if (name === "showsHosts") applyHosts();
  if (name === "showsHosts" || name === "follow") showTools();
});

function applyHosts() {
  at("page-traffic").classList.toggle("has-hosts", preferences.get("showsHosts"));
}

// Keys.

function withItem(/** @type {(item: import("./core/types.js").Traffic) => void} */ run) {
  const item = grid.cursor === null ? null : model.cache.get(grid.cursor);
  if (item) run(item);
}

addKeys([
  { key: "/", label: "Write a filter", run: () => filter.focus() },
  { key: "?", label: "This help", run: showHelp },
  { key: "f", label: "Follow new traffic, or stay", run: toggleFollow },
  { key: "o", label: "Turn the order round", run: () => grid.turnOrder() },
  { key: "t", label: "Show or hide the hosts", run: toggleHosts },
  { key: "r", label: "Pause or go on recording", run: () => status.toggleRecording() },
  { key: ",", label: "Settings", run: () => route.go("#/settings") },
  { key: "m", label: "Mark", group: "In the list", run: () => withItem((item) => notes.mark(item)) },
  { key: "c", label: "Comment", group: "In the list", run: () => withItem((item) => notes.comment(item)) },
  { key: "y", label: "Copy as the last time (curl at first)", group: "In the list", run: () => withItem((item) => copyRequest(item.id)) },
  { key: "d", label: "Compare the two that are selected", group: "In the list", run: () => (grid.selection.size === 2 ? compare() : toast("Select two items with Space first")) },
  { key: "Escape", label: "Close the detail, or go back", run: () => (route.path.length > 0 ? route.go("#/") : detail.id !== null ? closeDetail() : grid.clearSelection()) },
]);
listenForKeys();
document.addEventListener("keydown", (event) => {
  // Whoever has not chosen a place yet means the list.
  if (event.target === document.body && !event.defaultPrevented && route.path.length === 0) grid.key(event);
});

// Pages.

function goThere() {
  const [name, ...parts] = route.path;
  const isOther = name === "settings" || name === "diff";
  at("page-traffic").hidden = isOther;
  at("page-other").hidden = !isOther;
  at("filter").inert = isOther;
  if (name === "settings") showSettings(at("page-other"));
  else if (name === "diff") showDiff(at("page-other"), Number(parts[0]), Number(parts[1]));
  else goToTraffic();
  document.title = name === "settings" ? "Settings – Pinhole" : name === "diff" ? "Comparison – Pinhole" : "Pinhole";
}

function goToTraffic() {
  const id = Number(route.parameter("id"));
  if (route.parameter("q") !== model.text || route.parameter("host") !== host) {
    host = route.parameter("host");
    hosts.show(host);
    filter.show(route.parameter("q"));
    show(route.parameter("q"));
  }
  if (id > 0) {
    grid.setCursor(id, { reveals: model.isWhole });
    open(id, { tab: route.parameter("tab") });
  }
  grid.element.focus();
}

route.on("change", goThere);

// What goes wrong.

/** Kinds are `token` (until the page is loaded anew), `connection` (until an answer comes) and none. */
function tellProblem(/** @type {string} */ text, kind = "") {
  const banner = at("banner");
  if (!banner.hidden && banner.dataset.kind === "token") return;
  fill(banner, el("span", {}, text), kind !== "token" && el("button", { type: "button", class: "plain", "aria-label": "Close", onclick: () => (banner.hidden = true) }, icon("close")));
  banner.hidden = false;
  banner.dataset.kind = kind;
}

connection.on("unauthorised", () => tellProblem("Pinhole wants another token: open the URL that it printed when it started.", "token"));
connection.on("lost", () => tellProblem("Pinhole does not answer. See whether it still runs; this page tries again by itself.", "connection"));
connection.on("reached", () => at("banner").dataset.kind === "connection" && (at("banner").hidden = true));

applyHosts();
showTools();
show(route.parameter("q"));
goThere();
