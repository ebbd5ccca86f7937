import { showDialog } from "./dialog.js";
import { el } from "./dom.js";
import { preferences } from "./preferences.js";

/** The title of the problem with which a class answers a request without a session. */
export const loginMissing = "login missing";

const texts = {
  en: { title: "Log in again", why: "The class started again, or you have a new password. Texts that you wrote are kept.",
    name: "Name", password: "Password", button: "Log in", wrong: "The name or the password is wrong.",
    none: "The class does not answer. Try again in a moment." },
  de: { title: "Neu anmelden", why: "Die Klasse wurde neu gestartet, oder du hast ein neues Passwort. Deine Texte bleiben erhalten.",
    name: "Name", password: "Passwort", button: "Anmelden", wrong: "Der Name oder das Passwort ist falsch.",
    none: "Die Klasse antwortet nicht. Versuche es gleich noch einmal." },
};

let isOpen = false;

/** Asks for name and password, and loads the page again after the login: drafts are kept by the browser. */
export async function askForLogin() {
  if (isOpen) return;
  isOpen = true;
  const words = preferences.get("language") === "de" ? texts.de : texts.en;
  await showDialog(words.title, () => {
    const said = el("p", { role: "alert" });
    return [el("form", { class: "log-in", onsubmit: async (/** @type {any} */ event) => {
      event.preventDefault();
      try {
        // The answer to a right login is a redirect, which `fetch` follows with the new cookie.
        const answer = await fetch("/login", { method: "POST", body: new URLSearchParams(new FormData(event.target)) });
        if (answer.ok) return location.reload();
        said.textContent = words.wrong;
      } catch {
        said.textContent = words.none;
      }
    } }, el("p", {}, words.why),
    el("label", {}, words.name, " ", el("input", { name: "name", autocomplete: "username", required: true })),
    el("label", {}, words.password, " ", el("input", { name: "password", type: "password", autocomplete: "current-password", required: true })),
    el("button", { class: "primary" }, words.button), said)];
  });
  isOpen = false;
}
