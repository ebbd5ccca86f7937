/**
 * Whether patterns cover a host and port. The last matching pattern decides; `!` excludes.
 *
 * @param {string[]} patterns
 * @param {string} host
 * @param {number} port
 */
export function isCovered(patterns, host, port) {
  const last = patterns.findLast((one) => matches(one.replace(/^!/, ""), host, port));
  return last !== undefined && !last.startsWith("!");
}

function matches(pattern, host, port) {
  const [, name, only] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(pattern) ?? [null, pattern, undefined];
  if (only !== undefined && Number(only) !== port) return false;
  const glob = name.replace(/^\[(.*)\]$/, "$1").split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return new RegExp(`^${glob}$`, "i").test(host);
}
