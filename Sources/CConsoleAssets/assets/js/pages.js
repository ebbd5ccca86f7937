import { el } from "./core/dom.js";
import { route } from "./core/route.js";

/** @typedef {{show: () => void, hide?: () => void, escape?: () => boolean}} Page */

/**
 * @typedef {object} Place
 * @property {string} title
 * @property {string} help The place in the documentation.
 * @property {string} [link] The text of its link in the navigation; without one, other pages lead to it.
 * @property {string} [count] The name of an element in the link that shows a number.
 * @property {string} [style] A style sheet that is loaded with the page.
 * @property {(element: HTMLElement, live: import("./core/live.js").Live) => Promise<Page>} load Loads the page's modules.
 */

/** The pages besides the list, by their addresses, in the order of the navigation. @type {Record<string, Place>} */
export const pages = {
  connect: { title: "Connect", help: "CONSOLE-PAGES.html#connect", link: "Connect", style: "/css/connect.css",
    load: async (element) => new (await import("./pages/connect/connect-page.js")).ConnectPage(element) },
  lab: { title: "Pinning lab", help: "CONSOLE-PAGES.html#the-lab", link: "Lab",
    load: async (element) => new (await import("./pages/lab/lab-page.js")).LabPage(element) },
  classroom: { title: "Classroom", help: "CONSOLE-PAGES.html#the-classroom", link: "Classroom",
    load: async (element) => new (await import("./pages/classroom/lessons-page.js")).LessonsPage(element) },
  compose: { title: "Compose", help: "CONSOLE-PAGES.html#compose", link: "Compose", style: "/css/compose-page.css",
    load: async (element, live) => {
      const composer = new (await import("./pages/compose/compose-page.js")).ComposePage(element, live);
      return { show: () => composer.show(Number(route.path[1]) || 0), hide: () => composer.hide() };
    } },
  breakpoints: { title: "Breakpoints", help: "CONSOLE-PAGES.html#breakpoints", link: "Breakpoints", count: "held-count",
    load: async (element) => new (await import("./pages/breakpoints/breakpoints-page.js")).BreakpointsPage(element) },
  rules: { title: "Rules", help: "CONSOLE-PAGES.html#rules", link: "Rules",
    load: async (element) => new (await import("./pages/rules/rules-page.js")).RulesPage(element) },
  exchange: { title: "Import and save", help: "CONSOLE-PAGES.html#import-and-save",
    load: async (element) => new (await import("./pages/exchange/exchange-page.js")).ExchangePage(element) },
  compare: { title: "Compare", help: "CONSOLE.html#statistics-timeline-comparison",
    load: async (element) => new (await import("./pages/exchange/compare-page.js")).ComparePage(element) },
  statistics: { title: "Statistics", help: "CONSOLE.html#statistics-timeline-comparison",
    load: async (element) => new (await import("./pages/statistics/statistics-page.js")).StatisticsPage(element) },
  timeline: { title: "Timeline", help: "CONSOLE.html#the-timeline", style: "/css/timeline.css",
    load: async (element) => new (await import("./pages/timeline/timeline-page.js")).TimelinePage(element) },
  events: { title: "Events", help: "CONSOLE-PAGES.html#events-and-settings", link: "Events",
    load: async (element) => new (await import("./pages/events/log-page.js")).LogPage(element) },
  settings: { title: "Settings", help: "CONSOLE-PAGES.html#events-and-settings", load: async (element) => {
    const { showSettings } = await import("./pages/settings/settings.js");
    return { show: () => showSettings(element) };
  } },
  diff: { title: "Comparison", help: "CONSOLE.html#statistics-timeline-comparison", load: async (element) => {
    const { showDiff } = await import("./pages/diff/diff.js");
    return { show: () => showDiff(element, Number(route.path[1]), Number(route.path[2])) };
  } },
};

/** Adds the links of the pages to the navigation. @param {HTMLElement} navigation */
export function showPlaces(navigation) {
  for (const [name, { link, count }] of Object.entries(pages)) {
    if (link) navigation.append("\n", el("a", { href: `#/${name}` }, link,
      count && el("span", { class: "count", id: count, role: "img", hidden: true })));
  }
}
