/** Style sheets that are loaded or loading. @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Loads the style sheet of a page that most visits do not open.
 *
 * @param {string} address
 * @returns {Promise<void>} Resolves when the style sheet applies.
 */
export function loadStyle(address) {
  const known = sheets.get(address);
  if (known) return known;
  const sheet = new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      sheets.delete(address);
      reject(new Error(`${address} was not loaded`));
    };
    document.head.append(link);
  });
  sheets.set(address, sheet);
  return sheet;
}
