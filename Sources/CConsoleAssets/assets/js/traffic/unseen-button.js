import { el, setText } from "../core/dom.js";
import { count } from "../core/format.js";
import { preferences } from "../core/preferences.js";

/**
 * Says how many items came out of sight, and goes there.
 *
 * @param {import("./traffic-grid.js").TrafficGrid} grid
 */
export function unseenButton(grid) {
  const button = el("button", { type: "button", class: "unseen", hidden: true,
    onclick: () => grid.goToNewest() });
  grid.on("unseen", (unseen) => {
    button.hidden = unseen === 0;
    setText(button, `${count(unseen)} new ${preferences.get("newestFirst") ? "↑" : "↓"}`);
  });
  return button;
}
