import { tellProblem } from "./core/banner.js";
import { followTheme } from "./core/theme.js";
import { route } from "./core/route.js";
import { showPlaces } from "./pages.js";
import { list } from "./parts/traffic/traffic-list.js";

/** Resolves after the next frame. A hidden tab has none, so it waits for a moment. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 200);
  });
}

/** Does what the user asked for before the workbench was there. */
let catchUp = () => {};
const stops = ["open", "menu"].map((name) => list.grid.on(name, (value) => {
  catchUp = () => list.grid.emit(name, value);
}));

async function load() {
  if (route.path.length === 0) {
    list.showRoute();
    // The rows come first. Everything that acts on them is loaded while they are read.
    await list.firstRows();
    await painted();
  }
  document.head.append(/** @type {HTMLTemplateElement} */ (document.getElementById("later")).content);
  await import("./workbench.js");
  for (const stop of stops) stop();
  catchUp();
}

followTheme();
showPlaces(/** @type {HTMLElement} */ (document.getElementById("places")));
load().catch((error) => {
  console.error(error);
  tellProblem(`A part of the page could not be loaded: ${error.message}. Load the page again while Pinhole runs.`, "page");
}).then(() => document.body.removeAttribute("aria-busy"));
