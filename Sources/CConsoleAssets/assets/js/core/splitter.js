import { toast } from "./announce.js";
import { el, fill, setAttributes } from "./dom.js";
import { icon } from "./icons.js";
import { preferences } from "./preferences.js";

const least = 0.2;
const most = 0.8;
const step = 0.02;

/** The places of the detail: the preference of its share, the orientation of the splitter, and the keys that resize the detail. */
const places = {
  right: { share: "detailShare", orientation: "vertical", larger: "ArrowLeft", smaller: "ArrowRight",
    shareAt: (/** @type {DOMRect} */ box, /** @type {PointerEvent} */ at) => (box.right - at.clientX) / box.width },
  below: { share: "detailShareBelow", orientation: "horizontal", larger: "ArrowUp", smaller: "ArrowDown",
    shareAt: (/** @type {DOMRect} */ box, /** @type {PointerEvent} */ at) => (box.bottom - at.clientY) / box.height },
};

/** @returns {"right" | "below"} The place of the detail; an unknown value of another version counts as the right. */
function detailPlace() {
  return preferences.get("detailPlace") === "below" ? "below" : "right";
}

/** Moves the detail from the right of the list to the place below it, or back. */
export function moveDetail() {
  preferences.set("detailPlace", detailPlace() === "below" ? "right" : "below");
  toast(detailPlace() === "below" ? "The detail is below the list" : "The detail is at the right of the list");
}

/** The button that moves the detail to its other place. */
export function makePlaceButton() {
  const button = el("button", { type: "button", class: "plain place", onclick: moveDetail });
  const tell = () => {
    const [picture, title] = detailPlace() === "below" ? ["right", "Detail at the right of the list"] : ["below", "Detail below the list"];
    fill(button, icon(/** @type {"right" | "below"} */ (picture)));
    setAttributes(button, { title: `${title} (l)`, "aria-label": title });
  };
  preferences.on("change", (/** @type {string} */ name) => name === "detailPlace" && tell());
  tell();
  return button;
}

/**
 * The splitter between the list and the detail: dragged, or moved by the arrows, Home and End (WAI-ARIA window splitter).
 *
 * @param {HTMLElement} page The parent of the list and the detail.
 */
export function makeSplitter(page) {
  const splitter = el("div", { class: "splitter", role: "separator", "aria-label": "Share of the detail",
    "aria-valuemin": least * 100, "aria-valuemax": most * 100, tabindex: "0" });
  const shareNow = () => /** @type {number} */ (preferences.get(/** @type {"detailShare"} */ (places[detailPlace()].share)));
  const set = (/** @type {number} */ share, { keeps = true } = {}) => {
    const kept = Math.max(least, Math.min(most, share));
    page.style.setProperty("--detail", `${(kept * 100).toFixed(1)}%`);
    splitter.setAttribute("aria-valuenow", String(Math.round(kept * 100)));
    if (keeps) preferences.set(/** @type {"detailShare"} */ (places[detailPlace()].share), kept);
  };
  const settle = () => {
    page.classList.toggle("detail-below", detailPlace() === "below");
    splitter.setAttribute("aria-orientation", places[detailPlace()].orientation);
    set(shareNow(), { keeps: false });
  };
  splitter.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    event.preventDefault();
    splitter.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ moved) => set(places[detailPlace()].shareAt(page.getBoundingClientRect(), moved));
    splitter.addEventListener("pointermove", move);
    splitter.addEventListener("lostpointercapture", () => splitter.removeEventListener("pointermove", move),
      { once: true });
  });
  splitter.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const { larger, smaller } = places[detailPlace()];
    const share = { [larger]: shareNow() + step, [smaller]: shareNow() - step, Home: least, End: most }[event.key];
    if (share === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(share);
  });
  // A reset of the preferences changes the shares, too.
  preferences.on("change", (/** @type {string} */ name) => /^detail/.test(name) && settle());
  settle();
  return splitter;
}
