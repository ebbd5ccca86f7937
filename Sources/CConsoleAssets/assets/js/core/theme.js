import { preferences } from "./preferences.js";

/** Applies the chosen theme and density, now and whenever they change. */
export function followTheme() {
  const apply = () => {
    const root = document.documentElement;
    const theme = preferences.get("theme");
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    root.dataset.density = preferences.get("density");
  };
  preferences.on("change", (name) => (name === "theme" || name === "density") && apply());
  apply();
}

/** Switches between the light and the dark theme, starting from the one that is visible. */
export function switchTheme() {
  const seen = preferences.get("theme");
  const isDark = seen === "dark" || (seen === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  preferences.set("theme", isDark ? "light" : "dark");
}
