// Runs before the first paint, so that a chosen theme does not flash; everything else is a module.
(() => {
  try {
    const { theme, density } = JSON.parse(localStorage.getItem("pinhole") ?? "{}");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    if (density === "roomy") document.documentElement.dataset.density = density;
  } catch {
    // Without readable preferences the page uses the defaults.
  }
})();
