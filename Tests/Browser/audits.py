"""Audits of pages: names, roles, widths and contrast, by axe-core's rules and by our own."""
import json

from console_stage import expect

# Contrasts and structures that an audit has passed, of all groups.
PASSED, PASSED_PARTS = set(), set()

# The elements of a page by their structure: what axe-core's rules other than that on colours follow from. That is an element with its
# descendants, their attributes, whether they are seen and have a text, and the roles around them. Two of each structure are audited, and
# none that an audit has passed. Returns the new structures, and keeps the elements that are left out.
PARTS = """((passed) => {
  const known = new Set(passed), found = new Map();
  const free = /^(?:id|title|href|src|alt|value|placeholder|download|style|d|points|x\\d?|y\\d?|width|height|datetime|data-.*|aria-(?:label|valuetext|description|rowindex|colindex|posinset|activedescendant|controls|labelledby|describedby|owns))$/;
  const hash = (text) => {
    let one = 2166136261, other = 5381;
    for (let at = 0; at < text.length; at += 1) {
      one = Math.imul(one ^ text.charCodeAt(at), 16777619);
      other = Math.imul(other, 33) + text.charCodeAt(at) | 0;
    }
    return `${one}.${other}`;
  };
  const label = (element) => element.localName + (element.getAttribute('role') ?? '');
  const keys = new Map();
  const visit = (element, around) => {
    const inside = hash(around + label(element));
    let text = around + label(element) + (element.getClientRects().length > 0 ? '+' : '-') + (element.disabled ? 'd' : '') + (element.open ? 'o' : '') + (element.checked ? 'c' : '');
    for (const { name, value } of element.attributes) text += ` ${name}=${free.test(name) ? value.trim() !== '' : value}`;
    for (const node of element.childNodes) text += node.nodeType === Node.ELEMENT_NODE ? `<${visit(node, inside)}>` : node.nodeType === Node.TEXT_NODE && node.data.trim() ? 't' : '';
    const key = hash(text);
    keys.set(element, key);
    found.set(key, (found.get(key) ?? 0) + 1);
    return key;
  };
  visit(document.body, '');
  const counts = new Map(), left = [];
  const leave = (element) => {
    const key = keys.get(element), count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (known.has(key) || count > 2) left.push(element);
    else for (const child of element.children) leave(child);
  };
  for (const child of document.body.children) leave(child);
  window.auditedParts = left;
  return [...found.keys()].filter((key) => !known.has(key));
})"""

# The texts of a page by what their contrast follows from: their own look, the backgrounds of the elements around them, and other
# painted elements where their lines are. Texts that are alike in all of that have one key, so an audit of two of them is enough.
TEXTS = """(() => {
  const hash = (text) => {
    let sum = 2166136261;
    for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 16777619);
    return sum;
  };
  const once = (made) => { const known = new Map(); return (one) => known.get(one) ?? known.set(one, made(one)).get(one); };
  const own = once((element) => {
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, backdropFilter } = getComputedStyle(element);
    const parts = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, backdropFilter].join();
    return parts === 'rgba(0, 0, 0, 0),none,1,none,normal,none' ? '' : `${hash(parts)};`;
  });
  const ground = once((element) => element === null ? '' : own(element) ? `${hash(own(element) + ground(element.parentElement))};` : ground(element.parentElement));
  const state = once((element) => element === null ? '' : state(element.parentElement)
    + (element.matches(':disabled, [aria-disabled=true], [inert]') ? 'd' : '') + (element.ariaHidden === 'true' ? 'h' : '') + (element.localName === 'label' ? 'l' : ''));
  const layer = once((element) => { const { position, zIndex } = getComputedStyle(element); return own(element) + position + zIndex; });
  // Painted elements, by bands of the page's height.
  const bands = new Map(), band = (y) => Math.floor(y / 50);
  for (const element of document.querySelectorAll('body *')) {
    if (element.getClientRects().length === 0 || !own(element)) continue;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    for (let at = band(top); right > left && at <= band(bottom); at += 1) (bands.get(at) ?? bands.set(at, []).get(at)).push([element, left, top, right, bottom]);
  }
  // Painted elements at the middle of a line, other than those around its text.
  const beside = (element, { x, y, width, height }) => {
    const across = x + width / 2, down = y + height / 2;
    return (bands.get(band(down)) ?? []).filter(([one, left, top, right, bottom]) => left <= across && across <= right && top <= down && down <= bottom && !one.contains(element))
      .map(([one]) => layer(one)).join(' ');
  };
  const texts = new Map();
  for (const element of document.querySelectorAll('body, body *')) {
    if (element.getClientRects().length === 0) continue;
    const parts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (parts.length === 0 && !element.matches('input, select, textarea, button')) continue;
    const text = parts.map((part) => part.data.trim()).join('');
    const range = document.createRange();
    const lines = parts.flatMap((part) => (range.selectNodeContents(part), [...range.getClientRects()])).slice(0, 6);
    const { color, fontSize, fontWeight, textShadow, visibility, textIndent, clip, clipPath, webkitTextStroke } = getComputedStyle(element);
    const key = hash([color, fontSize, fontWeight, textShadow, visibility, textIndent, clip, clipPath, webkitTextStroke, Math.min(text.length, 2),
      /[\\p{L}\\p{N}]/u.test(text), element.matches('input, select, textarea, button') && element.localName,
      state(element), ground(element), ...lines.map((line) => beside(element, line))].join('|'));
    (texts.get(key) ?? texts.set(key, []).get(key)).push(element);
  }
  window.auditedTexts = texts;
  return [...texts.keys()];
})()"""

OWN_CHECKS = """(() => {
  const wrong = [];
  const named = (element) => element.ariaLabel || element.textContent.trim() || element.title || element.labels?.length;
  for (const element of document.querySelectorAll('button, a[href], input, select, textarea, [role=grid], [role=tree], [role=tablist], [role=dialog], dialog'))
    if (element.getClientRects().length > 0 && !named(element)) wrong.push('no name: ' + element.outerHTML.slice(0, 120));
  for (const element of document.querySelectorAll('[aria-controls], [aria-labelledby], [aria-describedby], [aria-activedescendant]'))
    for (const attribute of ['aria-controls', 'aria-labelledby', 'aria-describedby', 'aria-activedescendant'])
      for (const id of (element.getAttribute(attribute) ?? '').split(' ').filter(Boolean))
        if (!document.getElementById(id)) wrong.push(attribute + ' leads nowhere: ' + id);
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  if (new Set(ids).size !== ids.length) wrong.push('ids come twice: ' + ids.filter((id, at) => ids.indexOf(id) !== at));
  // Words that are squeezed into lines of a letter or two.
  const range = document.createRange();
  for (const element of document.querySelectorAll('body *')) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 5);
    if (texts.length === 0 || !(element.clientWidth < 60) || element.checkVisibility?.({visibilityProperty: true, opacityProperty: true}) === false) continue;
    for (const text of texts) {
      range.selectNodeContents(text);
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size;
      if (lines > 2 && text.data.trim().length / lines < 3) wrong.push(`squeezed into ${lines} lines: ${text.data.trim().slice(0, 60)}`);
    }
  }
  // The detail takes the list's place in a narrow window, so it is as wide as the window.
  const detail = document.querySelector('.detail');
  if (innerWidth <= 760 && detail?.getClientRects().length > 0 && detail.getBoundingClientRect().width < document.querySelector('#page-traffic').clientWidth - 1)
    wrong.push(`the detail is ${Math.round(detail.getBoundingClientRect().width)} px wide in a window of ${innerWidth}`);
  if (document.querySelectorAll('[style]').length > 0 && [...document.querySelectorAll('script:not([src])')].length > 0) wrong.push('an inline script');
  return wrong;
})()"""


def violations(browser, what, options):
    return browser.evaluate(f"axe.run({what}, {{resultTypes: ['violations'], {options}}}).then((result) => result.violations.map((violation) => "
                            "`${violation.id} (${violation.impact}): ${violation.nodes.slice(0, 3).map((node) => node.target + ' ' + node.failureSummary.split('\\n').slice(1, 2)).join(' | ')}`))")


def axe(browser, file, scheme):
    """The findings of axe-core's rules; in the dark only of its rule on colours.

    That rule takes most of an audit. It looks at two texts of each key, the others at two parts of each structure, unless an audit
    has passed that key or structure.
    """
    if not browser.evaluate("typeof axe !== 'undefined'"):
        browser.evaluate(file.read_text(encoding="utf-8") + "; true")
    found = []
    # A page of a structure that has passed as a whole needs no other look.
    if scheme != "dark" and (parts := browser.evaluate(f"{PARTS}({json.dumps(sorted(PASSED_PARTS))})")):
        found = violations(browser, "{include: [document], exclude: auditedParts.filter((one) => one.isConnected)}", "rules: {'color-contrast': {enabled: false}}")
        if not found:
            PASSED_PARTS.update(parts)
    new = sorted({*browser.evaluate(TEXTS)} - PASSED)
    # The page may have drawn a part again meanwhile; an audit of it comes later.
    new = browser.evaluate(f"{new}.filter((key) => auditedTexts.get(key).some((one) => one.isConnected))")
    if new:
        # An element stands for its own text: those inside it have keys of their own. Of two that name an element, axe-core follows the include.
        pale = violations(browser, f"((include) => ({{include, exclude: include.flatMap((one) => [...one.children])}}))({new}.flatMap((key) => "
                          "auditedTexts.get(key).filter((one) => one.isConnected).slice(0, 2)))", "runOnly: ['color-contrast']")
        found += pale
        if not pale:
            PASSED.update(new)
    browser.evaluate("delete window.auditedTexts, delete window.auditedParts")
    return found


def audit(stage, name, schemes=("light", "dark"), widths=(390, 1440)):
    """Checks accessibility in light and dark, and that no page is wider than the window."""
    browser, found = stage.browser, []
    for width in widths:
        for scheme in schemes:
            browser.size(width, 1100, scheme)
            browser.frames(3)
            over = browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            expect(over <= 0, f"{name} at {width}: {over} px wider than the window")
            if stage.axe:
                found += [f"{scheme} {name} {width}: {line}" for line in axe(browser, stage.axe, scheme)]
            found += [f"{scheme} {name} {width}: {line}" for line in browser.evaluate(OWN_CHECKS)]
            stage.shoot(f"{name}-{width}-{scheme}")
    browser.size(1440)
    expect(not found, "\n".join(found))
