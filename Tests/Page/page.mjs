// The modules of the page, for tests in Node.js.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const assets = fileURLToPath(new URL("../../Sources/CConsoleAssets/assets", import.meta.url));

// Node.js 18 reads a file `.js` as a module only in a package that says so, so the tests import a copy in such a package.
const folder = mkdtempSync(join(tmpdir(), "pinhole-page-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
cpSync(join(assets, "js"), join(folder, "js"), { recursive: true });
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');

/** A module of the page by its path in `assets/js`. */
export const page = (path) => import(pathToFileURL(join(folder, "js", path)));

/** The text of a file of the page. */
export const textOf = (path) => readFileSync(join(assets, path), "utf8");

/** Numbers below a bound, the same in every run. */
export function chance(seed) {
  let state = seed;
  const next = (bound) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor(state / 65536) % bound;
  };
  return { next, of: (choices) => choices[next(choices.length)] };
}
