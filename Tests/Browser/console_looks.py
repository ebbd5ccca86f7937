"""The looks of pages: settings, accessibility, widths."""
import json

from audits import OWN_CHECKS, axe
from console_stage import ROWS, expect, test


@test
def keeps_settings(stage):
    browser = stage.fresh("#/settings")
    stage.shoot("settings")
    browser.click("input[name=theme][value='light'], .settings fieldset:nth-of-type(1) label:nth-of-type(3) input")
    browser.wait("document.documentElement.dataset.theme === 'dark'")
    browser.click(".columns tbody tr:last-child input[type=checkbox]")
    browser.wait("JSON.parse(localStorage.pinhole).columns.length === 10")
    browser.evaluate("location.hash = '#/'")
    browser.wait("document.querySelectorAll('.row.header > *').length === 10")
    browser.reload()
    browser.wait("document.querySelectorAll('.row.header > *').length === 10 && document.documentElement.dataset.theme === 'dark'")
    browser.click("#tools [aria-label='Columns']")
    browser.wait("document.activeElement.textContent.startsWith('Request…')")
    browser.press("End")
    browser.press("ArrowRight")
    browser.wait("document.activeElement.getAttribute('role') === 'menuitemcheckbox'")
    browser.press("ArrowDown")
    browser.press("Enter")
    browser.wait("document.querySelectorAll('.row.header > *').length === 11 && document.querySelector('.menu')")
    stage.shoot("menu-columns")
    browser.press("Escape")
    browser.wait("document.activeElement.getAttribute('aria-label') === 'Columns'")
    browser.click("#tools [aria-label='Theme']")
    browser.wait("document.documentElement.dataset.theme === 'light'")
    width = browser.evaluate("document.querySelector('.row.header > :nth-child(3)').getBoundingClientRect().width")
    grip = browser.evaluate("(() => { const box = document.querySelector('.row.header > :nth-child(3) .grip').getBoundingClientRect(); return [box.x + 3, box.y + 5]; })()")
    browser.pointer("mousePressed", grip)
    browser.pointer("mouseMoved", [grip[0] + 40, grip[1]])
    browser.pointer("mouseReleased", [grip[0] + 40, grip[1]])
    browser.wait(f"Math.abs(document.querySelector('.row.header > :nth-child(3)').getBoundingClientRect().width - {width} - 40) < 3")


@test
def is_accessible(stage):
    """Names, roles and contrast, by axe-core's rules and by our own."""
    browser = stage.fresh()
    if not stage.axe:
        print("      axe.min.js is missing: its rules were left out")
    found = []
    pages = [("#/", None), (f"#/?id={stage.names['json']}&tab=response", "document.querySelector('.code-row')"), (f"#/?id={stage.names['unknown_ca']}&tab=tls", "document.querySelector('.compared')"),
             (f"#/?id={stage.names['json']}&tab=tls", "document.querySelector('.compared')"),
             (f"#/?id={stage.names['json']}&tab=overview", "document.querySelector('.waterfall')"), (f"#/?id={stage.names['websocket']}&tab=messages", "document.querySelector('.messages li')"),
             (f"#/?id={stage.names['multipart']}&tab=request", "document.querySelector('.parts')"), ("#/settings", "document.querySelector('.settings')"),
             (f"#/diff/{stage.names['json']}/{stage.names['changed']}", "document.querySelector('.diff-lines')")]
    for scheme in ("light", "dark"):
        browser.size(1440, scheme=scheme)
        for hash_, ready in pages:
            browser.evaluate(f"location.hash = {json.dumps(hash_)}")
            browser.wait(f"({ready or 'true'}) && document.querySelector('.detail').ariaBusy !== 'true'")
            browser.frames(3)
            if hash_.startswith("#/?id"):
                browser.evaluate("document.querySelectorAll('.detail details').forEach((part, at) => part.open = at < 30)")
                browser.frames(3)
            if stage.axe:
                found += [f"{scheme} {hash_}: {line}" for line in axe(browser, stage.axe, scheme)]
            found += [f"{scheme} {hash_}: {line}" for line in browser.evaluate(OWN_CHECKS)]
        browser.evaluate("location.hash = '#/'")
        browser.wait("document.querySelector('.row') && document.querySelector('.diff') === null || !document.querySelector('#page-traffic').hidden")
        for name, opening, selector in OPENED:
            browser.evaluate(opening)
            browser.wait(f"document.querySelector({json.dumps(selector)})?.getClientRects().length > 0")
            browser.frames(3)
            if stage.axe:
                found += [f"{scheme} {name}: {line}" for line in axe(browser, stage.axe, scheme)]
            found += [f"{scheme} {name}: {line}" for line in browser.evaluate(OWN_CHECKS)]
            browser.press("Escape")
            browser.wait(f"!(document.querySelector({json.dumps(selector)})?.getClientRects().length > 0)")
    browser.size(1440)
    expect(not found, "\n".join(found))


@test
def finds_one_pale_text_among_rows_that_are_alike(stage):
    """An audit looks at two texts of those that are alike, and finds a row with colours of its own, wherever it is."""
    if not stage.axe:
        return
    browser = stage.fresh()
    for scheme, style in (("light", "color: #bbb"), ("dark", "background: #999"), ("light", "opacity: 0.4")):
        browser.size(1440, scheme=scheme)
        browser.frames(3)
        expect(not axe(browser, stage.axe, scheme), "the list has no pale text")
        browser.evaluate(f"{ROWS}[13].children[7].style.cssText += '; {style} !important'")
        found = axe(browser, stage.axe, scheme)
        expect(any("color-contrast" in line for line in found), f"{style} is found: {found}")
        # What was found once is found again.
        expect(axe(browser, stage.axe, scheme) == found, f"{style} is found again")
        browser.evaluate(f"{ROWS}[13].children[7].removeAttribute('style')")
    # So are parts that are alike in their structure, apart from one.
    browser.size(1440)
    browser.evaluate(f"{ROWS}[13].children[7].setAttribute('role', 'nonsense')")
    found = axe(browser, stage.axe, "light")
    expect(any("aria-roles" in line for line in found), f"a role that does not exist is found: {found}")
    expect(axe(browser, stage.axe, "light") == found, "and found again")
    browser.evaluate(f"{ROWS}[13].children[7].setAttribute('role', 'gridcell')")
    browser.size(1440)


@test
def has_a_main_part_where_the_detail_takes_the_list_s_place(stage):
    browser = stage.fresh(going=("standing",))
    found = []
    for scheme in ("light", "dark"):
        browser.size(360, 740, scheme)
        for name, tab, ready in (("setup", "overview", ".waterfall"), ("standing", "messages", ".sender"), ("ancient", "tls", ".compared"), ("odd", "request", ".fields")):
            browser.evaluate(f"location.hash = '#/?id={stage.names[name]}&tab={tab}'")
            browser.wait(f"document.querySelector('.detail').ariaBusy === 'false' && document.querySelector('#tab-{tab}')?.ariaSelected === 'true' && document.querySelector('{ready}')")
            parts = browser.evaluate("['main', 'h1'].map((name) => [...document.querySelectorAll(name)].filter((part) => part.getClientRects().length > 0).length)")
            expect(parts == [1, 1], f"a main part and a heading: {parts}")
            over = browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            expect(over <= 0, f"{name}: {over} px wider than the window")
            if stage.axe:
                found += [f"{scheme} {name}: {line}" for line in axe(browser, stage.axe, scheme)]
            found += [f"{scheme} {name}: {line}" for line in browser.evaluate(OWN_CHECKS)]
            stage.shoot(f"{name}-360-{scheme}")
    browser.size(1440)
    expect(not found, "\n".join(found))


@test
def leads_to_the_URL_of_what_is_edited(stage):
    browser = stage.fresh()
    for inside in (False, True):
        stage.open("json", "request")
        if inside:
            browser.evaluate("document.querySelector('#tab-request').focus()")
        browser.press("e")
        browser.wait(f"location.hash === '#/compose/{stage.names['json']}' && document.querySelector('.compose-form')?.ariaBusy === 'false'")
        browser.wait("document.activeElement === document.querySelector('.compose .url')")
        browser.evaluate(f"location.hash = '#/?id={stage.names['json']}'")
        browser.wait("!document.querySelector('#page-traffic').hidden")


OPENED = [
    ("help", "document.querySelector('#tools [aria-label=Help]').click()", "dialog"),
    ("columns", "document.querySelector('#tools [aria-label=Columns]').click()", ".menu"),
    ("filter", "(() => { const input = document.querySelector('#filter-text'); input.focus(); input.value = 'statsu == 3'; input.dispatchEvent(new Event('input')); })()", ".filter-problem"),
]


@test
def fits_every_width(stage):
    browser = stage.fresh()
    browser.evaluate("document.querySelector('.detail .close')?.click()")
    browser.press("t")
    for width, scheme in ((390, "light"), (390, "dark"), (1024, "light"), (1340, "light"), (1440, "dark"), (2400, "light"), (2400, "dark")):
        browser.size(width, 844 if width == 390 else 1000 if width < 2000 else 1300, scheme)
        for name, hash_ in (("list", "#/"), ("overview", f"#/?id={stage.names['json']}&tab=overview"), ("response", f"#/?id={stage.names['json']}&tab=response"),
                            ("tls", f"#/?id={stage.names['unknown_ca']}&tab=tls"), ("settings", "#/settings")):
            if name == "list":
                browser.evaluate("document.querySelector('.detail .close')?.click()")
            browser.evaluate(f"location.hash = {json.dumps(hash_)}")
            browser.wait({"list": "document.querySelector('.detail').hidden && document.querySelector('.row')", "settings": "document.querySelector('.settings')"}.get(
                name, f"document.querySelector('.detail').ariaBusy === 'false' && document.querySelector('#tab-{name}')?.ariaSelected === 'true'"))
            browser.wait({"response": "document.querySelector('.code-row')", "tls": "document.querySelector('.compared')"}.get(name, "true"))
            browser.frames(3)
            over = browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            expect(over <= 0, f"{name} at {width}: {over} px wider than the window")
            cut = browser.evaluate("[...document.querySelectorAll('.bar, .detail-head, .tabs, .panel')].filter((part) => part.getClientRects().length > 0 && part.scrollWidth > part.clientWidth + 1).map((part) => part.className)")
            expect(not cut, f"{name} at {width}: cut off {cut}")
            stage.shoot(f"{name}-{width}-{scheme}")
        if width == 390 and scheme == "dark":
            browser.press("Escape")
            browser.press("t")
    browser.size(1440)
