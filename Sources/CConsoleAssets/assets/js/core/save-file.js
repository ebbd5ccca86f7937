/**
 * Offers a file to the browser for download.
 *
 * @param {Blob} file
 * @param {string} name
 */
export function saveFile(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser needs the address until it has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
