import { holdAndTell } from "../rules/breakpoint-rules.js";
import { ask, withQuery } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { showDialog } from "../../core/dialog.js";
import { el, fill } from "../../core/dom.js";
import { Emitter } from "../../core/emitter.js";
import { counted } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { flattened, grouped, openMenu } from "../../core/menu.js";
import { preferences } from "../../core/preferences.js";
import { Problem } from "../../core/problem.js";
import { route } from "../../core/route.js";
import { download } from "../../core/save-file.js";
import { switchTheme } from "../../core/theme.js";
import { showHelp } from "../../core/help.js";
import { columns } from "./columns.js";
import { toggleColumn } from "./grid-header.js";
import { setSorting } from "./sorting.js";
import { toggleFolding } from "./status-bar.js";

/** The columns of each submenu; a submenu of items has the others. */
const columnGroups = {
  "Request…": ["method", "scheme", "host", "port", "path", "url", "sent", "graphql"],
  "Response…": ["status", "type", "size", "duration", "response.server"],
  "Connection…": ["protocol", "client", "process", "user", "flow", "tls.group", "tls.ja4"],
};

/** The tools at the top. The toolbar emits `removed` after items left the capture. */
export class Toolbar extends Emitter {
  /**
   * @param {HTMLElement} element
   * @param {import("./traffic-model.js").TrafficModel} model
   * @param {import("./traffic-grid.js").TrafficGrid} grid
   */
  constructor(element, model, grid) {
    super();
    this.model = model;
    this.grid = grid;
    this.comparer = el("button", { type: "button", class: "primary", hidden: true,
      onclick: () => this.compare() }, icon("diff"), "Compare");
    this.hosts = tool("hosts", "Hosts (t)", () => this.toggle("showsHosts"));
    this.follow = tool("follow", "Follow new traffic (f)", () => this.toggle("follow"));
    this.columns = menuTool("columns", "Columns", () => this.#columnItems());
    this.more = menuTool("more", "More", () => this.#moreItems());
    this.clear = tool("trash", "Clear: remove what is shown", () => this.#remove());
    fill(element, el("span", { class: "list-tools" }, this.comparer, this.hosts, this.follow, this.clear, this.columns,
      this.more), tool("theme", "Theme (light or dark)", switchTheme),
      el("a", { class: "button plain", href: "#/settings", title: "Settings (,)", "aria-label": "Settings" },
        icon("settings"), word("Settings")), tool("keys", "Help (?)", showHelp),
      // Each page sets the link to its part of the documentation.
      el("a", { class: "button plain", id: "page-help", target: "_blank" }, icon("help"), word("Manual")));
    grid.on("selection", () => (this.comparer.hidden = grid.selection.size !== 2));
    preferences.on("change", () => this.#tellPreferences());
    this.#tellPreferences();
  }

  compare() {
    if (this.grid.selection.size !== 2) return toast("Select two items with Space first");
    const [left, right] = [...this.grid.selection].sort((one, other) => one - other);
    route.go(`#/diff/${left}/${right}`);
  }

  /** The entries of the menus, for the palette. @returns {import("../../core/keys.js").Action[]} */
  actions() {
    return [...flattened(this.#moreItems()).map((item) => ({ label: item.label, group: "List", run: () => item.choose?.() })),
      { label: `Remove ${this.model.filter ? "what is shown" : "everything"}…`, group: "List", run: () => this.#remove() },
      ...flattened(this.#columnItems()).map((item) => ({ label: `${item.isChecked ? "Hide" : "Show"} the column “${item.label}”`, group: "List",
        run: () => item.choose?.() })),
      { label: "Light or dark", group: "Anywhere", run: switchTheme }];
  }

  /** The columns, in submenus by subject. */
  #columnItems() {
    const items = (/** @type {import("./columns.js").Column[]} */ some) => some.map((one) => ({ label: one.name ?? one.title,
      isChecked: preferences.get("columns").includes(one.id), choose: () => toggleColumn(one.id) }));
    const named = new Set(Object.values(columnGroups).flat());
    return [...Object.entries(columnGroups).map(([label, ids]) => ({ label, items: items(columns.filter((one) => ids.includes(one.id))) })),
      { label: "Others…", items: items(columns.filter((one) => !named.has(one.id))) }];
  }

  /** @param {"showsHosts" | "follow"} name */
  toggle(name) {
    preferences.set(name, !preferences.get(name));
    if (name === "follow") toast(preferences.get(name) ? "Following new traffic" : "Staying where you are");
  }

  #tellPreferences() {
    this.hosts.setAttribute("aria-pressed", String(preferences.get("showsHosts")));
    this.follow.setAttribute("aria-pressed", String(preferences.get("follow")));
  }

  #moreItems() {
    const ids = [...this.grid.selection];
    const { filter } = this.model;
    const what = ids.length > 0 ? { ids: ids.join(",") } : { filter };
    const scope = ids.length > 0 ? counted(ids.length, "selected item") : filter ? "what is shown"
      : "everything";
    const save = (/** @type {string} */ format, /** @type {{redact?: string}} */ options = {}) => () =>
      download(withQuery("/api/export", { format, ...options, ...what }), `pinhole.${format}`);
    return grouped([
      [{ label: `Export ${scope}…`, items: [
        { label: `Export ${scope} as HAR`, choose: save("har") },
        { label: `Export ${scope} as HAR without secrets`, choose: save("har", { redact: "1" }) },
        { label: `Export ${scope} as CSV`, choose: save("csv") },
        { label: `Export ${scope} as JSON lines`, choose: save("jsonl") },
        { label: `Export ${scope} as mitmproxy flows`, choose: save("mitm") },
        { label: `Export ${scope} as packets for Wireshark`, choose: save("pcapng") }] },
      { label: "Import a file, or save…", choose: () => route.go(withQuery("#/exchange", { q: filter })) }],
      [{ label: `Statistics of ${filter ? "what is shown" : "everything"}`, choose: () => route.go(withQuery("#/statistics", { q: filter })) },
        { label: `Timeline of ${filter ? "what is shown" : "the newest"}`, choose: () => route.go(withQuery("#/timeline", { q: filter })) },
        { label: "Compare with another capture…", choose: () => route.go(withQuery("#/compare", { q: filter })) }],
      [filter !== "" && { label: "Hold what matches from now on", choose: () => holdAndTell(filter) },
        this.model.order !== null && { label: "Sort by arrival", choose: () => setSorting(null) },
        { label: preferences.get("foldsHandshakes") ? "Show failed handshakes with servers as rows" : "Fold failed handshakes with servers into requests",
          choose: toggleFolding },
        ids.length > 0 && { label: "Deselect all", choose: () => this.grid.clearSelection() }],
    ]);
  }

  async #remove() {
    const { filter, length } = this.model;
    const isSure = await showDialog("Remove from the capture", (close) => [
      el("p", {}, filter ? `This removes ${counted(length, "item")} that ${length === 1 ? "matches" : "match"} ${filter}. This cannot be undone.` : `This removes all ${counted(length, "item")}. This cannot be undone.`),
      el("p", { class: "buttons" },
        el("button", { type: "button", autofocus: true, onclick: () => close(false) }, "Cancel"),
        el("button", { type: "button", class: "danger", onclick: () => close(true) }, "Remove"))]);
    if (!isSure) return;
    try {
      await ask(withQuery("/api/traffic", { filter: filter || "all" }), { method: "DELETE" });
      this.emit("removed");
      toast("Removed");
    } catch (error) {
      toast(`Not removed: ${Problem.of(error).sentence}`);
    }
  }
}

function tool(picture, label, run) {
  return el("button", { type: "button", class: "plain", title: label,
    "aria-label": label.replace(/ \(.*\)$/, ""), onclick: run }, icon(picture), word(label));
}

/** The word beside an icon, or below it in a window that is less wide. @param {string} label */
function word(label) {
  return el("span", { class: "word" }, label.replace(/ new traffic|:.*$| \(.*$/g, ""));
}

function menuTool(picture, label, items) {
  const button = tool(picture, label, () => openMenu(button, label, items()));
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  return button;
}
