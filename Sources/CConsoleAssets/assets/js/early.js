// Runs before the first paint, so that a chosen theme does not flash; everything else is a module.
(() => {
  if (location.hash.length <= 2) {
    // The modules ask for these rows, which are there by then.
    document.head.append(Object.assign(document.createElement("link"),
      { rel: "preload", as: "fetch", crossOrigin: "", href: "/api/traffic?limit=200&within=150" }));
  }
  try {
    const { theme, density } = JSON.parse(localStorage.getItem("pinhole") ?? "{}");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    if (density === "roomy") document.documentElement.dataset.density = density;
  } catch {
    // Without readable preferences the page uses the defaults.
  }
})();
