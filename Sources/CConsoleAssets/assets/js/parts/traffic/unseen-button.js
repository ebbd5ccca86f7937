import { el, setText } from "../../core/dom.js";
import { count } from "../../core/format.js";
import { preferences } from "../../core/preferences.js";

/**
 * A button with the number of new items out of sight, which goes there. In a sorted list: the number of new or moved items.
 *
 * @param {import("./traffic-grid.js").TrafficGrid} grid
 */
export function unseenButton(grid) {
  const { model } = grid;
  const button = el("button", { type: "button", class: "unseen", hidden: true,
    onclick: () => (model.order ? model.sortAgain() : grid.goToNewest()) });
  const tell = (/** @type {number} */ number, /** @type {string} */ text) => {
    button.hidden = number === 0;
    setText(button, `${count(number)} ${text}`);
  };
  grid.on("unseen", (unseen) => model.order || tell(unseen, `new ${preferences.get("newestFirst") ? "↑" : "↓"}`));
  model.on("displaced", ({ fresh, changed }) => tell(fresh + changed,
    `${[fresh > 0 && "new", changed > 0 && "changed"].filter(Boolean).join(" or ")}: sort again`));
  return button;
}
