import { preferences } from "../core/preferences.js";

const least = 0.2;
const most = 0.8;

/**
 * The line between the list and the detail: dragged, or moved by the arrows (WAI-ARIA window splitter).
 *
 * @param {HTMLElement} page What both share.
 */
export function makeSplitter(page) {
  const splitter = document.createElement("div");
  splitter.className = "splitter";
  splitter.setAttribute("role", "separator");
  splitter.setAttribute("aria-orientation", "vertical");
  splitter.setAttribute("aria-label", "Share of the detail");
  splitter.setAttribute("aria-valuemin", String(least * 100));
  splitter.setAttribute("aria-valuemax", String(most * 100));
  splitter.tabIndex = 0;
  const set = (/** @type {number} */ share, { keeps = true } = {}) => {
    const kept = Math.max(least, Math.min(most, share));
    page.style.setProperty("--detail", `${(kept * 100).toFixed(1)}%`);
    splitter.setAttribute("aria-valuenow", String(Math.round(kept * 100)));
    if (keeps) preferences.set("detailShare", kept);
  };
  splitter.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    splitter.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ moved) => {
      const box = page.getBoundingClientRect();
      set((box.right - moved.clientX) / box.width);
    };
    splitter.addEventListener("pointermove", move);
    splitter.addEventListener("lostpointercapture", () => splitter.removeEventListener("pointermove", move),
      { once: true });
  });
  splitter.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: 0.02, ArrowRight: -0.02 }[event.key];
    if (!by) return;
    event.preventDefault();
    set(preferences.get("detailShare") + by);
  });
  set(preferences.get("detailShare"), { keeps: false });
  return splitter;
}
