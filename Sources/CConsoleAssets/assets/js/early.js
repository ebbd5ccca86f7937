// Runs before the first paint, so that a chosen theme does not flash; everything else is a module.
(() => {
  // Only the page of the list asks for rows.
  const wantsRows = document.currentScript?.dataset.rows !== undefined;
  try {
    const { theme, density, sort } = JSON.parse(localStorage.getItem("pinhole") ?? "{}");
    if (wantsRows && location.hash.length <= 2 && !sort) {
      // The list asks for these rows, which are there by then.
      document.head.append(Object.assign(document.createElement("link"),
        { rel: "preload", as: "fetch", crossOrigin: "", href: "/api/traffic?limit=200&within=150" }));
    }
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    if (density === "roomy") document.documentElement.dataset.density = density;
  } catch {
    // Without readable preferences the page uses the defaults.
  }
})();
