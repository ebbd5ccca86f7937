import { el } from "./dom.js";
import { icon } from "./icons.js";

/**
 * Shows a dialog and waits until the user closes it. The browser keeps the focus in the dialog and returns it afterwards.
 *
 * @param {string} title
 * @param {(close: (value?: any) => void) => (Node | string)[]} content
 * @returns {Promise<any>} The value that the dialog was closed with.
 */
export function showDialog(title, content) {
  return new Promise((resolve) => {
    let result;
    const dialog = el("dialog", { "aria-label": title });
    const close = (value) => {
      result = value;
      dialog.close();
    };
    dialog.append(
      el("header", {}, el("h2", {}, title), el("button",
        { type: "button", class: "plain", "aria-label": "Close", onclick: () => close() }, icon("close"))),
      ...content(close),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(result);
    });
    dialog.addEventListener("pointerdown", (event) => event.target === dialog && close());
    document.body.append(dialog);
    dialog.showModal();
  });
}
