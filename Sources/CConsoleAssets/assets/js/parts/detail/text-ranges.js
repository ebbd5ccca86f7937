/** Elements that are no text of a message: controls, and rows that their document searches itself. */
const skipped = "summary, button, select, input, textarea, option, .visually-hidden, .code, .notice";
const most = 5000;

/**
 * The places of a text in the visible content of an element, in order, without regard to case.
 *
 * @param {Element} element
 * @param {string} query
 * @returns {Range[]}
 */
export function rangesOf(element, query) {
  if (!query) return [];
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "gi");
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(skipped) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const ranges = [];
  while (walker.nextNode() && ranges.length < most) {
    if (!(walker.currentNode instanceof Text)) continue;
    for (const match of walker.currentNode.data.matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, match.index);
      range.setEnd(walker.currentNode, match.index + match[0].length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Unfolds and scrolls to a place. @param {Range} range */
export function reveal(range) {
  const element = range.startContainer.parentElement;
  for (let part = element; part; part = part.parentElement) if (part instanceof HTMLDetailsElement) part.open = true;
  const long = element?.closest(".folded-text");
  if (long?.nextElementSibling instanceof HTMLButtonElement) long.nextElementSibling.click();
  element?.scrollIntoView({ block: "nearest" });
}

/**
 * Highlights the matches. Browsers without highlights (Firefox before 140) show only the current match, as a selection.
 *
 * @param {Range[]} ranges
 * @param {Range | null} current
 */
export function showRanges(ranges, current) {
  if (!("highlights" in CSS)) {
    const selection = getSelection();
    selection?.removeAllRanges();
    if (current) selection?.addRange(current);
    return;
  }
  CSS.highlights.set("found", new Highlight(...ranges));
  const now = new Highlight(...(current ? [current] : []));
  now.priority = 1;
  CSS.highlights.set("found-now", now);
}
