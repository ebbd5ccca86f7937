import { experimentWords } from "./classroom-words.js";

const space = "http://www.w3.org/2000/svg";
const halves = { client: 118, middle: 126, server: 118 };
const places = { client: 120, middle: 480, server: 840 };

/**
 * A drawing of client, man in the middle and server, with the current step as an arrow.
 *
 * @param {any} lesson
 * @param {number} at The index of the step.
 */
export function diagram(lesson, at) {
  const words = experimentWords().diagram;
  const step = lesson.steps[at];
  const isAttacked = lesson.switches.middle !== "nobody";
  const picture = svg("svg", { viewBox: "0 82 960 166", class: "diagram", role: "img",
    "aria-label": `${title(step.from, isAttacked)}${step.to === step.from ? "" : `${words.to}${title(step.to, isAttacked)}`}: ${step.title}. ${step.text}` });
  const hasTunnel = !isAttacked;
  picture.append(
    svg("defs", {}, svg("marker", { id: "arrow-head", viewBox: "0 0 10 10", refX: "9", refY: "5", markerWidth: "4",
      markerHeight: "4", orient: "auto-start-reverse" }, svg("path", { d: "M0 0L10 5L0 10z" }))),
    // TLS reaches from end to end, or in two pieces with the man in the middle between them.
    ...(hasTunnel ? [svg("rect", { class: "pipe", x: "238", y: "120", width: "484", height: "34", rx: "17" })]
      : [svg("rect", { class: `pipe ${lesson.isStolen ? "open" : "broken"}`, x: "238", y: "120", width: "116", height: "34", rx: "17" }),
        svg("rect", { class: `pipe ${lesson.isStolen ? "open" : "broken"}`, x: "606", y: "120", width: "116", height: "34", rx: "17" })]),
    node("client", words.client, lesson.switches.pin === "none" ? words.knowsCAs : words.knowsPin, step),
    node("middle", isAttacked ? words.middle : words.proxy, lesson.isStolen ? words.reads : isAttacked ? words.readsNothing : words.sees, step),
    node("server", words.server, words.hasKey, step));
  if (step.from !== step.to) {
    const [from, to] = [places[step.from], places[step.to]];
    const way = Math.sign(to - from);
    const passes = Math.abs(to - from) > 400;
    picture.append(svg("path", { class: `flow ${step.readers === "ends" ? "" : "readable"}`,
      d: `M${from + way * (halves[step.from] + 4)} ${passes ? 190 : 137} H${to - way * (halves[step.to] + 4)}`,
      "marker-end": "url(#arrow-head)" }));
  }
  picture.append(svg("text", { class: "caption", x: "480", y: "236" }, step.title));
  return picture;
}

function node(place, name, knows, step) {
  const isActive = step.from === place || step.to === place;
  const x = places[place];
  const half = halves[place];
  return svg("g", { class: `node ${place} ${isActive ? "active" : ""}` },
    svg("rect", { x: String(x - half), y: "96", width: String(2 * half), height: "82", rx: "10" }),
    svg("text", { class: "name", x: String(x), y: "131" }, name),
    svg("text", { class: "knows", x: String(x), y: "160" }, knows));
}

function title(place, isAttacked) {
  const words = experimentWords().diagram;
  return place === "client" ? words.client : place === "server" ? words.server : isAttacked ? words.middle : words.proxy;
}

function svg(name, attributes, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
