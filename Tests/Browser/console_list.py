"""The list: rows, keys, filter, hosts, live updates, notes, recording, exports."""
import json
import threading

import mock_console
from audits import audit
from console_stage import CURSOR, FIRST, ROWS, expect, test


ENTRIES = "[...document.querySelectorAll('.menu [role^=menuitem]:not(.menu-back)')].map((line) => line.querySelector('span:not(.tick)').textContent)"


def entry(browser, label):
    """Presses an entry of the open menu."""
    line = f"[...document.querySelectorAll('.menu [role^=menuitem]')].find((line) => line.querySelector('span:not(.tick)')?.textContent === {json.dumps(label)})"
    browser.wait(line)
    browser.evaluate(f"{line}.click()")


@test
def lists_traffic(stage):
    browser = stage.fresh()
    # The count includes the header and all items.
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{len(stage.mock.capture.ids) + 1}'")
    expect(browser.evaluate(FIRST) == stage.mock.capture.ids[-1], "the newest is first")
    expect(browser.evaluate(f"{ROWS}[0].ariaRowIndex") == "2", "rows are counted from the header")
    expect(browser.evaluate("document.querySelectorAll('.row').length") < 120, "only rows that are seen are elements")
    failed = browser.evaluate(f"document.querySelector('.row[data-id=\"{stage.names['unknown_ca']}\"]').textContent")
    expect("TLS" in failed and "unknown_ca (48)" in failed and "✕" in failed, f"a failed handshake is a row: {failed}")
    state = browser.evaluate("document.querySelector('.status').textContent")
    expect(all(text in state for text in ("Recording", "127.0.0.1:8080", "734 MB", "live")), f"the status bar: {state}")


@test
def walks_by_keyboard(stage):
    browser = stage.fresh()
    ids = stage.mock.capture.ids
    browser.press("ArrowDown")
    browser.wait(f"{CURSOR} === {ids[-1]}")
    browser.press("ArrowDown")
    browser.wait(f"{CURSOR} === {ids[-2]}")
    browser.press("End")
    browser.wait(f"{CURSOR} === {ids[0]}")
    expect(browser.evaluate("document.querySelector('.grid').getAttribute('aria-activedescendant') === document.querySelector('.row.cursor').id"), "the cursor is told")
    browser.press("PageUp")
    browser.wait(f"{CURSOR} > {ids[15]}")
    browser.press("Home")
    browser.wait(f"{CURSOR} === {ids[-1]}")
    browser.press("Enter")
    browser.wait("!document.querySelector('.detail').hidden && document.activeElement.id === 'tab-both'")
    browser.press("ArrowRight")
    browser.wait("document.activeElement.id === 'tab-request'")
    browser.press("Escape")
    browser.wait("document.querySelector('.detail').hidden && document.activeElement.id === 'traffic-grid'")
    browser.press("/")
    browser.wait("document.activeElement.id === 'filter-text'")
    browser.press("Escape")
    browser.wait("document.activeElement.id === 'traffic-grid'")
    browser.press("?", 8)
    browser.wait("document.querySelector('dialog[open]')?.textContent.includes('mitmproxy')")
    stage.shoot("help")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog')")
    browser.press("o")
    browser.wait(f"{FIRST} < {ids[-1]} && {CURSOR} === {ids[-1]}")
    browser.press("o")
    browser.wait(f"{FIRST} === {ids[-1]} && {CURSOR} === {ids[-1]}")
    browser.press("t")
    browser.wait("getComputedStyle(document.querySelector('.hosts')).display === 'none'")
    browser.press(",")
    browser.wait("location.hash === '#/settings' && document.querySelector('.settings')")
    browser.press("Escape")
    browser.wait("!document.querySelector('#page-traffic').hidden")


@test
def dates_what_is_of_another_day(stage):
    """Times of today have no date, and their column stays narrow."""
    cell = f"{ROWS}[0].children[1]"
    browser = stage.fresh()
    browser.wait(f"/^\\d{{4}}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{{3}}$/.test({cell}.textContent)")
    expect(browser.evaluate(f"{cell}.scrollWidth <= {cell}.clientWidth"), "the date is seen whole")
    newest = browser.evaluate(f"{cell}.textContent").split()[0]
    for scheme in ("light", "dark"):
        browser.size(1440, scheme=scheme)
        stage.shoot(f"dates-{scheme}")
    browser.size(700)
    browser.frames(3)
    stage.shoot("dates-narrow")
    browser.size(1440)
    script = browser.send("Page.addScriptToEvaluateOnNewDocument", source="{ const Real = Date; Date = class extends Real {"
                          f" constructor(...parts) {{ super(...(parts.length ? parts : ['{newest}T12:00:00'])); }} }}; }}")
    try:
        stage.fresh()
        browser.wait(f"/^\\d\\d:\\d\\d:\\d\\d\\.\\d{{3}}$/.test({cell}.textContent)")
        expect(browser.evaluate(f"{cell}.getBoundingClientRect().width") == 106, "today's list is as wide as ever")
        stage.shoot("dates-today")
    finally:
        browser.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


@test
def remarks_on_filters(stage):
    browser = stage.fresh()
    browser.click("#filter-text")
    browser.type("status == 700")
    browser.wait("!document.querySelector('.filter-problem').hidden && document.querySelector('.filter-problem.remark').innerText.includes('may find nothing')")
    expect(browser.evaluate("document.querySelector('#filter-text').getAttribute('aria-invalid')") == "false", "it is not a fault")
    expect("q=status" in browser.evaluate("location.hash"), "and the filter counts")
    stage.shoot("filter-remark")
    browser.press("Enter")
    browser.wait("document.querySelector('.filter-problem').getClientRects().length === 0")


@test
def filters(stage):
    browser = stage.fresh()
    browser.click("#filter-text")
    browser.type("status >= 500 & host == api.example.test")
    browser.wait("location.hash.includes('q=') && document.querySelector('.grid').getAttribute('aria-busy') === 'false'")
    expected = len(stage.mock.capture.matching("status >= 500 & host == api.example.test"))
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{expected + 1}'")
    browser.press("Enter")
    browser.wait("document.activeElement.id === 'traffic-grid'")
    browser.evaluate("document.querySelector('#filter-text').value = ''")
    browser.click("#filter-text")
    browser.type("host == a & statsu >= 3")
    browser.wait("!document.querySelector('.filter-problem').hidden")
    said = browser.evaluate("document.querySelector('.filter-problem').innerText")
    expect("Column 13" in said and "statsu" in said, f"the column is told: {said}")
    expect(browser.evaluate("document.querySelector('.filter-problem mark').textContent") == "statsu", "and marked")
    expect(browser.evaluate("document.querySelector('#filter-text').getAttribute('aria-invalid')") == "true", "and told to readers")
    stage.shoot("filter-error")
    browser.click(".filter-problem button")
    browser.wait("document.querySelector('#filter-text').value === 'host == a & status >= 3' && document.querySelector('.filter-problem').hidden")
    browser.wait("!document.querySelector('.empty').hidden && document.querySelector('.empty').textContent.includes('Nothing matches')")
    # The answer with another filter makes the buttons anew.
    browser.wait("performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/filter/suggestion'))")
    stage.shoot("empty")
    browser.click(".empty button")
    browser.wait("document.querySelector('.empty').hidden && document.querySelector('#filter-text').value === ''")
    browser.click("#filter [aria-haspopup]")
    browser.wait("document.activeElement.getAttribute('role') === 'menuitem'")
    stage.shoot("menu-filters")
    browser.press("Enter")
    browser.wait("document.querySelector('.menu')?.ariaLabel === 'What failed' && document.activeElement.textContent.startsWith('Errors')")
    browser.press("Enter")
    browser.wait("document.querySelector('#filter-text').value === 'failed' && !document.querySelector('.menu')")
    browser.wait("location.hash.includes('q=failed')")
    browser.click("#filter [aria-haspopup]")
    browser.wait("document.activeElement.textContent.startsWith('Save this filter…')")
    browser.press("Enter")
    browser.wait("document.activeElement.id === 'saved-name'")
    stage.shoot("save-filter")
    browser.press("Enter")
    browser.wait("document.querySelector('#saved-problem').textContent.includes('The filter needs a name')")
    browser.type("errors")
    browser.press("Enter")
    browser.wait("!document.querySelector('dialog') && document.querySelector('.toast')?.textContent.includes('@errors')")
    browser.click("#filter [aria-haspopup]")
    browser.wait("document.activeElement.textContent.startsWith('@errors')")
    stage.shoot("menu-saved-filters")
    browser.press("Enter")
    browser.wait("document.querySelector('#filter-text').value === '@errors' && location.hash.includes('q=%40errors')")
    expected = len(stage.mock.capture.matching("failed"))
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{expected + 1}'")


@test
def tells_how_far_a_search_is(stage):
    browser = stage.browser
    server, mock = mock_console.start(400_000)
    browser.size(1280)
    browser.go(f"http://127.0.0.1:{server.server_address[1]}/?token={mock.token}")
    browser.wait("document.querySelector('.grid')?.ariaBusy === 'false'")
    mock.ranges = threading.Semaphore(0)
    text = "status >= 500"
    matches = mock.capture.matching(text)
    browser.evaluate(f"location.hash = '#/?q=' + encodeURIComponent('{text}')")
    shown = "document.querySelector('.status .shown').textContent"
    browser.wait(f"{shown} === 'counting…' && document.querySelector('.grid').ariaRowCount === '201'")
    mock.ranges.release()
    browser.wait(f"/^searching, \\d+ %, [\\d\\s]+ found$/.test({shown})")
    stage.shoot("searching")
    browser.click(".status .search")
    mock.ranges.release()
    browser.wait(f"/^stopped at \\d+ %: [\\d\\s]+ found$/.test({shown})")
    found = browser.wait("((count) => count > 201 && count - 1)(Number(document.querySelector('.grid').ariaRowCount))")
    expect(200 < found < len(matches), f"what was found stays, the newest with it: {found} of {len(matches)}")
    newest = browser.evaluate("Number(document.querySelector('.viewport .row:not(.waiting)').dataset.id)")
    expect(newest == matches[-1], f"and in its order: {newest}")
    mock.ranges = None
    browser.click(".status .search")
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{len(matches) + 1}'")
    browser.wait("document.querySelector('.status .search').hidden")
    browser.go("about:blank#")
    server.end(mock)
    browser.complaints.clear()


@test
def keeps_to_a_host(stage):
    browser = stage.fresh()
    browser.wait("document.querySelectorAll('[role=treeitem]').length > 10")
    browser.click("[data-key='cdn.example.test'] .name")
    expected = len(stage.mock.capture.matching('host == "cdn.example.test"'))
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{expected + 1}'")
    expect(browser.evaluate("document.querySelector('[data-key=\"cdn.example.test\"]').ariaSelected") == "true", "it is selected")
    browser.click("[data-key='cdn.example.test'] .name")
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{len(stage.mock.capture.ids) + 1}'")
    browser.evaluate("document.querySelector('[data-key=\"domain example.test\"]').focus()")
    browser.press("ArrowLeft")
    browser.wait("document.activeElement.ariaExpanded === 'false' && !document.querySelector('[data-key=\"cdn.example.test\"]')")
    browser.press("ArrowRight")
    browser.wait("document.activeElement.ariaExpanded === 'true'")
    browser.press("ArrowRight")
    browser.wait("document.activeElement.getAttribute('aria-level') === '2'")
    browser.press("ArrowLeft")
    browser.wait("document.activeElement.dataset.key === 'domain example.test'")


@test
def follows_without_jumping(stage):
    browser = stage.fresh()
    (newest,) = stage.control("emit", count=1)
    browser.wait(f"{FIRST} === {newest}")
    browser.evaluate("document.querySelector('.grid').scrollTop = 600")
    browser.frames(4)
    seen = browser.evaluate(f"({ROWS}).map((row) => row.dataset.id + ':' + Math.round(row.getBoundingClientRect().top)).join()")
    stage.control("emit", count=25)
    browser.wait("document.querySelector('.unseen')?.textContent.startsWith('25 new')")
    browser.frames(4)
    after = browser.evaluate(f"({ROWS}).map((row) => row.dataset.id + ':' + Math.round(row.getBoundingClientRect().top)).join()")
    expect(seen == after, "what is seen stays where it is")
    stage.shoot("unseen")
    browser.click(".unseen")
    browser.wait(f"{FIRST} === {stage.mock.capture.ids[-1]} && document.querySelector('.unseen').hidden")
    browser.press("f")
    browser.frames(2)
    top = browser.evaluate(FIRST)
    stage.control("emit", count=3)
    browser.wait("document.querySelector('.unseen').textContent.startsWith('3 new')")
    expect(browser.evaluate(FIRST) == top, "without following, the first row stays, too")
    browser.press("f")
    browser.wait(f"{FIRST} === {stage.mock.capture.ids[-1]}")
    stage.control("cut")
    browser.wait("document.querySelector('.live').dataset.status === 'waiting'")
    (missed,) = stage.control("emit", count=1)
    browser.wait(f"document.querySelector('.live').dataset.status === 'live' && {FIRST} === {missed}")
    running = stage.names["running"]
    stage.open("running")
    stage.control("change", id=running, outcome="completed", status=200, milliseconds=9000.0)
    browser.wait("document.querySelector('.row.cursor')?.textContent.includes('200') && document.querySelector('.detail .panel').textContent.includes('9.00 s')")
    stage.control("change", id=running, outcome=None, status=None, milliseconds=None)


HEAD = "document.querySelector('.header [data-column={}]')"
SEEN = f"({ROWS}).map((row) => row.dataset.id + ':' + Math.round(row.getBoundingClientRect().top)).join()"
# The sorted columns, with their directions.
SORTED = "[...document.querySelectorAll('[aria-sort]')].map((head) => head.querySelector('button').dataset.column + ' ' + head.ariaSort).join()"


def press_head(browser, column, order):
    """Clicks on the head of a column, and waits until the list has that order."""
    browser.click(f".header [data-column={column}]")
    try:
        browser.wait(f"{SORTED} === '{order}' && document.querySelector('.grid').ariaBusy === 'false'")
    except Exception as failure:
        raise Exception(f"{failure}; found {browser.evaluate(SORTED)}, busy {browser.evaluate('document.querySelector(`.grid`).ariaBusy')}, "
                        f"focus {browser.evaluate('document.activeElement.outerHTML')[:300]}") from failure


def expect_order(stage, sort, is_descending, text=""):
    browser, ids = stage.browser, stage.mock.sorted(text, sort, is_descending)
    # The number of visible rows settles after a few frames.
    browser.wait(f"((shown) => shown.length > 0 && shown.every((id, at) => id === {json.dumps(list(ids[:200]))}[at]))"
                 f"(({ROWS}).map((row) => Number(row.dataset.id)))")
    return ids


@test
def sorts_by_every_column(stage):
    """Ascending, descending, and back: the list has the server's order, also with a filter."""
    browser = stage.fresh(columns=["mark", "id", "time", "method", "status", "protocol", "host", "path", "type", "size", "sent",
                                   "duration", "client", "process", "user", "flow", "notes", "comment"])
    browser.size(2200)
    text = "host == api.example.test"
    ids = stage.mock.capture.matching(text)
    browser.evaluate(f"location.hash = '#/?q=' + encodeURIComponent('{text}')")
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{len(ids) + 1}'")
    expect(browser.evaluate(SORTED) == "id descending", "the order of arrival is told at the number")
    sorts = {"mark": "marked", "size": "response.size", "sent": "request.size", "user": "proxy.user"}
    for column in ("mark", "time", "method", "status", "protocol", "host", "path", "type", "size", "sent", "duration", "client", "process", "user", "flow", "comment"):
        press_head(browser, column, f"{column} ascending")
        expect_order(stage, sorts.get(column, column), False, text)
        press_head(browser, column, f"{column} descending")
        expect_order(stage, sorts.get(column, column), True, text)
        press_head(browser, column, "id descending")
        browser.wait(f"{FIRST} === {ids[-1]}")
    expect(not browser.evaluate("document.querySelector('.header .cell:nth-child(17) button')"), "notes have no order")
    press_head(browser, "id", "id ascending")
    browser.wait(f"Number({ROWS}.at(-1)?.dataset.id) === {ids[-1]}")
    press_head(browser, "duration", "duration ascending")
    press_head(browser, "id", "id ascending")
    press_head(browser, "id", "id descending")
    browser.size(1440)
    press_head(browser, "duration", "duration ascending")
    press_head(browser, "duration", "duration descending")
    for scheme in ("light", "dark"):
        browser.size(1440, scheme=scheme)
        stage.shoot(f"sorted-{scheme}")
    text = "status >= 400 & host == api.example.test"
    ids = stage.mock.capture.ids
    browser.evaluate(f"location.hash = '#/?q=' + encodeURIComponent('{text}')")
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{len(stage.mock.capture.matching(text)) + 1}'")
    expect_order(stage, "duration", True, text)
    expect(browser.evaluate("document.querySelector('.status .shown').textContent.endsWith('match by Duration ↓')"), "the foot says so, too")
    # The order is remembered; hiding its column ends the order.
    browser.go(f"{stage.base}/#/")
    browser.go(f"{stage.base}/icon.svg")
    browser.go(f"{stage.base}/#/")
    browser.wait("document.querySelector('.grid')?.ariaBusy === 'false'")
    expect_order(stage, "duration", True)
    browser.click("#tools [aria-label='More']")
    browser.wait("document.querySelector('.menu')")
    browser.evaluate("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.includes('Sort by arrival')).click()")
    browser.wait(f"{SORTED} === 'id descending' && {FIRST} === {ids[-1]}")
    press_head(browser, "host", "host ascending")
    browser.click("#tools [aria-label='Columns']")
    browser.wait("document.querySelector('.menu')")
    entry(browser, "Request…")
    entry(browser, "Host")
    browser.wait(f"{SORTED} === 'id descending' && {FIRST} === {ids[-1]}")


def go_to_head(browser, column):
    """Moves right from head to head. The page may still have fewer heads while it finds its widths."""
    for _ in range(20):
        if browser.evaluate("document.activeElement.dataset.column") == column:
            return
        browser.press("ArrowRight")
    expect(False, f"arrows lead to {column}: {browser.evaluate('document.activeElement.outerHTML')}")


@test
def sorts_by_keys_alone(stage):
    browser = stage.fresh()
    browser.wait("document.activeElement.id === 'traffic-grid'")
    browser.press("Tab")
    browser.wait("document.activeElement.dataset.column === 'mark'")
    go_to_head(browser, "duration")
    browser.press("Enter")
    browser.wait(f"{SORTED} === 'duration ascending' && document.activeElement.dataset.column === 'duration'")
    browser.press(" ")
    browser.wait(f"{SORTED} === 'duration descending' && document.querySelector('.grid').ariaBusy === 'false'")
    stage.shoot("sorted-focus")
    ids = expect_order(stage, "duration", True)
    expect(browser.evaluate("!document.querySelector('.row.selected') && document.querySelector('.detail').hidden"), "the keys meant the head alone")
    # Any other key applies to the rows: the cursor moves in their order.
    browser.press("j")
    browser.wait(f"document.activeElement.id === 'traffic-grid' && {CURSOR} === {ids[0]}")
    browser.press("j")
    browser.press(" ")
    browser.press("ArrowDown")
    browser.press(" ")
    browser.wait(f"{CURSOR} === {ids[2]} && document.querySelectorAll('.row.selected').length === 2")
    browser.press("End")
    browser.wait(f"{CURSOR} === {ids[-1]}")
    browser.press("k")
    browser.wait(f"{CURSOR} === {ids[-2]}")
    browser.press("o")
    browser.wait(f"{SORTED} === 'duration ascending' && {CURSOR} !== {ids[-2]}")
    turned = expect_order(stage, "duration", False)
    browser.press("Home")
    browser.wait(f"{CURSOR} === {turned[0]}")
    browser.press("Enter")
    browser.wait(f"!document.querySelector('.detail').hidden && location.hash.includes('id={turned[0]}')")
    browser.press("Escape")
    browser.press("d")
    browser.wait(f"location.hash === '#/diff/{min(ids[1:3])}/{max(ids[1:3])}' && !document.querySelector('#page-other').hidden")
    browser.press("Escape")
    browser.wait("!document.querySelector('#page-traffic').hidden && document.activeElement.id === 'traffic-grid'")
    browser.press("Tab")
    browser.wait("document.activeElement.dataset.column")
    go_to_head(browser, "duration")
    browser.press("Enter")
    browser.press("Enter")
    browser.wait(f"{SORTED} === '' && {FIRST} === {stage.mock.capture.ids[-1]}")
    # No head shows the order of arrival, so the announcer names it.
    browser.press("o")
    browser.wait("document.querySelector('#announcer').textContent === 'In the order of arrival, oldest first'")


@test
def keeps_its_place_while_sorted(stage):
    """A new item has no place until the list is sorted again, and no row moves under the pointer."""
    browser = stage.fresh(columns=["mark", "id", "time", "method", "status", "host", "path", "size", "duration"], sort="-duration")
    expect_order(stage, "duration", True)
    rows = browser.evaluate("document.querySelector('.grid').ariaRowCount")
    seen = browser.evaluate(SEEN)
    made = stage.control("emit", count=3, milliseconds=99_000.5)
    browser.wait("document.querySelector('.unseen').textContent === '3 new: sort again' && !document.querySelector('.unseen').hidden")
    changed = stage.names["running"]
    stage.control("change", id=changed, outcome="completed", status=200, milliseconds=98_000.0)
    browser.wait("document.querySelector('.unseen').textContent === '4 new or changed: sort again'")
    browser.frames(4)
    expect(browser.evaluate(SEEN) == seen and browser.evaluate("document.querySelector('.grid').ariaRowCount") == rows, "what is seen stays where it is")
    for scheme in ("light", "dark"):
        browser.size(1440, scheme=scheme)
        stage.shoot(f"sorted-new-{scheme}")
    browser.click(".unseen")
    browser.wait(f"document.querySelector('.unseen').hidden && {FIRST} === {made[-1]}")
    expect(expect_order(stage, "duration", True)[:4] == [*reversed(made), changed], "the slowest are first")
    # A mark does not move a row that is sorted by duration; below the top the first visible row stays.
    browser.press("j")
    browser.press("m")
    browser.wait("document.querySelector('.row.cursor').textContent.includes('★')")
    expect(browser.evaluate("document.querySelector('.unseen').hidden"), "a mark changes no duration")
    browser.press("m")
    browser.evaluate("document.querySelector('.grid').scrollTop = 2400")
    browser.frames(4)
    seen = browser.evaluate(SEEN)
    (more,) = stage.control("emit", count=1, milliseconds=100_000.0)
    browser.wait("document.querySelector('.unseen').textContent === '1 new: sort again'")
    browser.click(".unseen")
    browser.wait("document.querySelector('.unseen').hidden")
    browser.frames(4)
    expect(browser.evaluate(SEEN) == seen, "the first row that is seen stays")
    # Removed items leave the list, both by retention and by hand.
    ids = stage.mock.sorted("", "duration", True)
    rows = len(ids)
    at = browser.evaluate(FIRST)
    stage.control("gone", upTo=stage.mock.capture.ids[99])
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{rows - 100 + 1}'")
    still = [number for number in ids[ids.index(at):] if number >= stage.mock.capture.ids[0]][0]
    browser.wait(f"{FIRST} === {still}")
    stage.control("remove", ids=[more, *made])
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{rows - 104 + 1}'")
    browser.wait(f"{FIRST} === {still}")
    # Marks: by this page, and by another page.
    browser.evaluate("document.querySelector('.grid').scrollTop = 0")
    press_head(browser, "mark", "mark ascending")
    has_mark = [number for number in stage.mock.capture.ids if stage.mock.capture.item(stage.mock.capture.place(number))["isMarked"]]
    for _ in range(len(has_mark) + 3):
        browser.press("j")
    browser.frames(4)
    browser.wait("document.querySelector('.row.cursor:not(.waiting)')")
    browser.press("m")
    browser.wait("document.querySelector('.unseen').textContent === '1 changed: sort again'")
    marked = browser.evaluate(CURSOR)
    browser.click(".unseen")
    browser.wait("document.querySelector('.unseen').hidden")
    expect(sorted([*has_mark, marked]) == expect_order(stage, "marked", False)[:len(has_mark) + 1], "what was marked has found its place")
    stage.control("change", id=changed, outcome=None, status=None, milliseconds=None)


@test
def sorts_what_comes_meanwhile(stage):
    """Items that arrive during a request for the order are counted; the last press of a head counts."""
    browser = stage.fresh()
    stage.mock.sorting = 1.0
    try:
        browser.click(".header [data-column=host]")
        browser.click(".header [data-column=duration]")
        browser.wait("document.querySelector('.grid').ariaBusy === 'true'")
        (made,) = stage.control("emit", count=1, milliseconds=0.01)
        browser.wait(f"{SORTED} === 'duration ascending' && document.querySelector('.grid').ariaBusy === 'false'")
        # The new item is in the answer, or the button reports it: one of the two.
        browser.wait(f"{FIRST} === {made} || document.querySelector('.unseen').textContent === '1 new: sort again'")
    finally:
        stage.mock.sorting = 0
    stage.control("cut")
    browser.wait("document.querySelector('.live').dataset.status === 'waiting'")
    (missed,) = stage.control("emit", count=1, milliseconds=0.005)
    browser.wait(f"document.querySelector('.live').dataset.status === 'live' && {FIRST} === {missed}")


@test
def marks_and_comments(stage):
    browser = stage.fresh()
    stage.open("plain")
    browser.press("m")
    browser.wait("document.querySelector('.row.cursor').textContent.includes('★') && document.querySelector('.detail .mark').ariaPressed === 'true'")
    browser.press("m")
    browser.wait("!document.querySelector('.row.cursor').textContent.includes('★')")
    browser.press("c")
    browser.wait("document.activeElement.tagName === 'TEXTAREA'")
    browser.type("look at <b>this</b>")
    stage.shoot("comment")
    browser.press("Enter", 2)
    browser.wait("document.querySelector('.detail .comment')?.textContent === 'look at <b>this</b>'")
    expect(stage.mock.capture.notes[stage.names["plain"]]["comment"] == "look at <b>this</b>", "the server has it")


@test
def records_and_removes(stage):
    browser = stage.fresh()
    browser.press("r")
    browser.wait("document.querySelector('.recording').textContent === 'Paused'")
    expect(not stage.mock.is_recording, "the server knows")
    browser.press("r")
    browser.wait("document.querySelector('.recording').textContent === 'Recording'")
    stage.control("emit", host="gone.example.test", path="/1")
    browser.evaluate("location.hash = '#/?q=' + encodeURIComponent('host == gone.example.test')")
    browser.wait("document.querySelector('.grid').ariaRowCount === '2'")
    browser.click("#tools [aria-label='Clear: remove what is shown']")
    browser.wait("document.querySelector('dialog')?.textContent.includes('1 item')")
    stage.shoot("remove")
    browser.click("dialog .danger")
    browser.wait("document.querySelector('.grid').ariaRowCount === '1' && document.querySelector('.empty').textContent.includes('Nothing matches')")
    browser.evaluate("location.hash = '#/'")
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{len(stage.mock.capture.ids) + 1}'")
    before = browser.evaluate("document.querySelector('.grid').ariaRowCount")
    stage.control("gone", upTo=stage.mock.capture.ids[99])
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{int(before) - 100}'")


@test
def says_on_every_page_that_the_capture_has_stopped(stage):
    browser = stage.fresh()
    said = "document.querySelector('.standstill').checkVisibility() ? document.querySelector('.standstill').textContent : ''"
    expect(browser.evaluate(said) == "", "all is well")
    stage.control("stop", standstill={"since": "2026-11-21T16:43:00Z", "isFinal": True, "reason": "database or disk is full",
                                      "remedy": "Make room and start again."})
    for page in ("#/", "#/settings", "#/rules", "#/breakpoints", "#/compose"):
        browser.evaluate(f"location.hash = '{page}'")
        browser.wait(f"({said}).includes('database or disk is full. Make room and start again.')")
        text = browser.evaluate(said)
        expect(text.startswith("The capture has stopped since 2026-11-2"), f"what, and since when: {text}")
        expect(browser.evaluate("document.querySelector('.recording').textContent") == "Not recording", "no page says that it records")
    expect(browser.evaluate("document.querySelector('.recording').disabled"), "there is nothing to switch on")
    stage.shoot("stopped")
    stage.control("stop", standstill=None)
    browser.wait(f"({said}) === '' && document.querySelector('.recording').textContent === 'Recording'")


@test
def reads_again_what_it_missed(stage):
    browser = stage.fresh()
    first, made = stage.control("emit", count=2, host="missed.example.test", status=200)
    shown = f"document.querySelector('.row[data-id=\"{made}\"]')?.textContent"
    browser.wait(f"({shown})?.includes('200')")
    stage.control("change", id=made, silently=True, status=503)
    # Known items survive a removal; a stream that is behind drops them.
    stage.control("remove", ids=[first])
    browser.wait(f"!document.querySelector('.row[data-id=\"{first}\"]')")
    expect("200" in browser.evaluate(shown), "a removal changes no other item")
    stage.control("miss")
    browser.wait(f"({shown})?.includes('503')")


@test
def hears_what_was_removed(stage):
    browser = stage.fresh()
    made = stage.control("emit", count=40, host="removed.example.test", contentType="text/html")
    browser.evaluate(f"location.hash = '#/?id={made[-3]}'")
    browser.wait("document.querySelector('.detail').ariaBusy === 'false'")
    rows = int(browser.evaluate("document.querySelector('.grid').ariaRowCount"))
    stage.control("remove", ids=made[10:-2])
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{rows - 28}'")
    browser.wait("document.querySelector('.detail').textContent.includes('It is gone')")
    browser.wait(f"document.querySelector('[data-key=\"removed.example.test\"] .count').textContent === '12'")
    browser.press("Escape")
    # The visible rows stay in place, if they still exist.
    browser.evaluate("document.querySelector('.grid').scrollTop = 2400")
    browser.frames(4)
    seen = browser.evaluate(f"({ROWS}).map((row) => row.dataset.id + ':' + Math.round(row.getBoundingClientRect().top)).join()")
    stage.control("remove", ids=made)
    browser.wait(f"document.querySelector('.grid').ariaRowCount === '{rows - 40}'")
    browser.frames(4)
    after = browser.evaluate(f"({ROWS}).map((row) => row.dataset.id + ':' + Math.round(row.getBoundingClientRect().top)).join()")
    expect(seen == after, "what is seen stays where it is")
    browser.pardon(404)


@test
def says_why_a_tunnel_failed(stage):
    browser = stage.fresh()
    stage.control("emit", type="flow", host="nowhere.invalid", path="", authority="nowhere.invalid:443", outcome="dialFailed", method=None,
                  status=None, detail="nowhere.invalid cannot be resolved", reason="intercepted: no rule in tls.passthrough matches")
    browser.wait("document.querySelector('.viewport .row .cause')?.textContent === 'nowhere.invalid cannot be resolved'")


@test
def exports(stage):
    browser = stage.fresh()
    browser.evaluate("HTMLAnchorElement.prototype.click = function () { window.__saved = this.download; };"
                     "const ask = window.fetch; window.fetch = (path, ...rest) => { if (!String(path).startsWith('/api/export')) return ask(path, ...rest);"
                     "window.__export = String(path); return Promise.resolve(window.__answer?.() ?? new Response('a file')); }")
    browser.click("#tools [aria-label='More']")
    browser.wait("document.querySelector('.menu')")
    browser.press("Enter")
    browser.wait("document.activeElement.textContent === 'Export everything as HAR'")
    stage.shoot("menu-export")
    browser.press("Enter")
    browser.wait("window.__export?.endsWith('/api/export?format=har')")
    browser.click("#tools [aria-label='More']")
    browser.wait("document.querySelector('.menu')")
    entry(browser, "Export everything…")
    entry(browser, "Export everything as mitmproxy flows")
    browser.wait("window.__export?.endsWith('/api/export?format=mitm')")
    stage.open("json")
    browser.click(".detail-tools a[download]")
    browser.wait(f"window.__export.endsWith('/api/export?format=har&ids={stage.names['json']}')")
    browser.wait(f"window.__saved === 'pinhole-{stage.names['json']}.har'")
    # A download that fails, before its first byte or after it, leaves no file, and the page says so.
    for answer, said in (("Response.json({title: 'nothing is selected'}, {status: 404})", "nothing is selected"),
                         ("new Response(new ReadableStream({start: (body) => body.error(new TypeError('cut'))}))", "ended before its end")):
        browser.evaluate(f"window.__saved = null; window.__answer = () => {answer}")
        browser.click(".detail-tools a[download]")
        browser.wait(f"document.querySelector('.toast')?.textContent.startsWith('Not downloaded') && document.querySelector('.toast').textContent.includes('{said}')")
        expect(browser.evaluate("window.__saved === null"), "no file is offered")


@test
def misses_nothing_while_the_stream_begins(stage):
    """The stream of events does not report items that arrive between the request for the list and its own start."""
    browser = stage.fresh()
    stage.mock.slowness = 1.5
    try:
        browser.evaluate("location.hash = '#/?q=' + encodeURIComponent('host == api.example.test')")
        browser.wait("document.querySelector('.status .shown').textContent === 'counting…' && document.querySelector('.row[data-id]')")
        made = stage.control("emit", host="api.example.test", path="/between")[0]
        browser.wait(f"document.querySelector('.grid').ariaBusy === 'false' && {FIRST} === {made}")
        browser.wait("document.querySelector('.live').dataset.status === 'live'")
    finally:
        stage.mock.slowness = 0


@test
def offers_a_menu(stage):
    browser = stage.fresh()
    stage.open("unknown_ca")
    browser.click(".row.cursor .cell:nth-child(3)", button="right")
    browser.wait("document.querySelector('.menu')?.textContent.includes('Only api.pinned.test')")
    said = browser.evaluate("document.querySelector('.menu').textContent")
    expect(not any(word in said for word in ("Copy", "Repeat", "New rule")), f"a tunnel is no request: {said}")
    expect("Only api.pinned.test:443" in said and "Only api.pinned.test, all ports" in said, f"a port, or all of them: {said}")
    browser.press("O")
    browser.press("Enter")
    browser.wait("document.querySelector('.grid').ariaRowCount === '2' && document.querySelector('[data-key=\"api.pinned.test\"]').ariaSelected === 'true'")
    browser.evaluate("location.hash = '#/'")
    browser.wait("document.querySelector('.grid').ariaRowCount !== '2'")
    stage.open("json")
    browser.click(".row.cursor .cell:nth-child(3)", button="right")
    browser.wait("document.querySelector('.menu')")
    expect(browser.evaluate(ENTRIES) == ["Send again or save…", "Copy…", "Copy as a program…", "New rule…", "This host, this flow…", "Mark", "Comment…", "Select", "Remove this item"], "in groups")
    expect(browser.evaluate("document.querySelectorAll('.menu [role=separator]').length") == 3, "with lines between them")
    stage.shoot("menu-item")
    # No level has more than nine entries; the first entry of each leads back, by pointer and by key.
    for label, others in (("Send again or save…", ["Edit and send again…", "Repeat", "Repeat several times…", "Save to a collection…"]), ("Copy…", None), ("Copy as a program…", None), ("New rule…", None),
                          ("This host, this flow…", None)):
        browser.evaluate(f"[...document.querySelectorAll('.menu [role=menuitem]')].find((line) => line.firstElementChild?.textContent === {json.dumps(label)}).focus()")
        browser.press("ArrowRight")
        browser.wait("document.querySelector('.menu .menu-back')")
        inside = browser.evaluate(ENTRIES)
        expect(2 < len(inside) <= 9 and (others is None or inside == others), f"{label} has {inside}")
        expect(browser.evaluate("document.activeElement.textContent").startswith(inside[0]), "the first entry has the focus")
        stage.shoot(f"menu-{label[:4].lower().strip()}")
        if label == "Copy…":
            browser.click(".menu-back")
        else:
            browser.press("ArrowLeft")
        browser.wait(f"!document.querySelector('.menu .menu-back') && document.activeElement.textContent.startsWith({json.dumps(label)})")
    audit(stage, "menu-of-an-item")
    browser.press("Enter")
    browser.wait("document.querySelector('.menu .menu-back')")
    browser.evaluate("[...document.querySelectorAll('.menu [role=menuitem]')].find((line) => line.textContent.startsWith('Only flow')).click()")
    browser.wait(f"document.querySelector('#filter-text').value === 'flow == {stage.names['json'] - 1}'")
    browser.wait("!document.querySelector('.filter-problem').hidden")
    # The menus of the list.
    for label in ("More", "Columns", "Saved filters and examples"):
        browser.click(f"[aria-label='{label}']")
        browser.wait("document.querySelector('.menu')")
        expect(browser.evaluate(f"{ENTRIES}.length") <= 9, f"{label}: {browser.evaluate(ENTRIES)}")
        expect(not any("Remove" in one for one in browser.evaluate(ENTRIES)), "Clear is a button")
        for below in browser.evaluate("[...document.querySelectorAll('.menu [aria-haspopup]')].map((line) => line.firstElementChild.textContent)"):
            entry(browser, below)
            browser.wait("document.querySelector('.menu .menu-back')")
            expect(browser.evaluate(f"{ENTRIES}.length") <= 9, f"{below}: {browser.evaluate(ENTRIES)}")
            browser.press("ArrowLeft")
            browser.wait("!document.querySelector('.menu .menu-back')")
        browser.press("Escape")
        browser.wait("!document.querySelector('.menu')")


@test
def keeps_the_tree_while_traffic_comes(stage):
    """A press before an item arrives and a release after it make a click; no item is lost to an older answer."""
    browser = stage.fresh()
    stage.control("emit", host="*.example.test")
    browser.wait("document.querySelector('[data-key=\"*.example.test\"]')?.parentElement.closest('[data-key=\"domain example.test\"]')")
    place = browser.evaluate("(() => { const box = document.querySelector('[data-key=\"cdn.example.test\"] .name').getBoundingClientRect(); return [box.x + 5, box.y + 5]; })()")
    tally = "Number(document.querySelector('[data-key=\"cdn.example.test\"] .count').textContent.replace(/\\D/g, ''))"
    before = browser.evaluate(tally)
    browser.pointer("mousePressed", place)
    stage.control("emit", host="cdn.example.test")
    browser.wait(f"{tally} === {before + 1}")
    browser.pointer("mouseReleased", place)
    browser.wait("document.querySelector('[data-key=\"cdn.example.test\"]').ariaSelected === 'true'")
    browser.evaluate("document.querySelector('[data-key=\"cdn.example.test\"]').focus()")
    stage.control("emit", host="cdn.example.test")
    browser.wait(f"{tally} === {before + 2}")
    expect(browser.evaluate("document.activeElement.dataset.key") == "cdn.example.test", "the focus stays")
    # Hosts with the names of lines, and an answer that is older than the events.
    said = browser.evaluate("""Promise.all([import('/js/parts/traffic/host-tree.js')]).then(async ([{ HostTree }]) => {
      const tree = new HostTree(document.createElement('div'));
      document.body.append(tree.tree);
      const item = (id, host) => ({ id, type: 'exchange', host, port: 443, scheme: 'https', url: `https://${host}/` });
      const asked = window.fetch;
      let answer;
      window.fetch = () => new Promise((done) => { answer = (hosts, upTo) => done(new Response(JSON.stringify({ hosts, upTo }))); });
      const loaded = tree.load('');
      tree.take([item(7, 'counted.test'), item(8, 'early.test')]);
      answer([{ host: 'counted.test', exchanges: 1, failed: 0, ports: [{ port: 443, exchanges: 1, failed: 0 }] }], 7);
      await loaded;
      window.fetch = asked;
      tree.take([item(9, '*.early.test'), item(10, 'all'), item(11, 'early.test')]);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const lines = [...tree.tree.querySelectorAll('[role=treeitem]')].map((line) => line.ariaLabel);
      tree.tree.remove();
      return lines;
    })""")
    expect(said == ["All hosts, 5 exchanges", "all, 1 exchange", "counted.test, 1 exchange", "early.test, 3 exchanges", "*, 1 exchange",
                    "early.test, 2 exchanges"], f"each once: {said}")


@test
def tells_ports_apart(stage):
    browser = stage.fresh(columns=["id", "scheme", "host", "port", "path", "url"])
    emitted = [stage.control("emit", host="dev.ports.test", port=port, scheme=scheme, path=f"/on-{port}")[0]
               for scheme, port in (("https", 443), ("http", 80), ("http", 3000), ("http", 3000), ("https", 8443))]
    stage.control("emit", host="one.other.test", port=9443, path="/alone")
    browser.wait("document.querySelector('[data-key=\"one.other.test\"]')")
    browser.wait(f"{json.dumps(emitted)}.every((id) => document.querySelector(`.row[data-id='${{id}}']:not(.waiting)`))")
    row = f"[...document.querySelector('.row[data-id=\"{emitted[2]}\"]').children]"
    shown = browser.evaluate(f"{row}.slice(1).map((cell) => cell.textContent)")
    expect(shown == ["http", "dev.ports.test:3000", "3000", "/on-3000", "http://dev.ports.test:3000/on-3000"], f"the port is said: {shown}")
    expect(browser.evaluate(f"{row}[2].title") == "http://dev.ports.test:3000", "all of it in the tool tip")
    quiet = browser.evaluate(f"[...document.querySelectorAll('.row[data-id=\"{emitted[0]}\"] .cell, .row[data-id=\"{emitted[1]}\"] .cell')].map((cell) => cell.textContent)")
    expect(quiet.count("dev.ports.test") == 2, f"a scheme's own port is not: {quiet}")
    # The tree: a host with ports below it, and a host with a single port other than the scheme's.
    node = lambda key: f"document.querySelector('[data-key=\"{key}\"]')"
    expect(browser.evaluate(f"{node('one.other.test')}.firstElementChild.textContent") == "one.other.test:94431", "a single port stands with its host, before the number")
    stage.control("emit", host="a-rather-long-name-of-a-host.other.test", port=8443)
    browser.wait(f"{node('a-rather-long-name-of-a-host.other.test')}")
    places = browser.evaluate(f"(({{ firstElementChild: row }}) => ['.name', '.port', '.count'].map((one) => row.querySelector(one).getBoundingClientRect()).map((box) => [box.left, box.right]))({node('a-rather-long-name-of-a-host.other.test')})")
    expect(places[0][1] <= places[1][0] + 1 and places[1][1] <= places[2][0] and places[1][1] > places[1][0] + 20, f"the port of a long name is seen: {places}")
    below = browser.evaluate(f"[...{node('dev.ports.test')}.querySelectorAll('[role=treeitem]')].map((item) => item.ariaLabel)")
    expect(below == ["dev.ports.test:80, 1 exchange", "dev.ports.test:443, 1 exchange", "dev.ports.test:3000, 2 exchanges",
                     "dev.ports.test:8443, 1 exchange"], f"its ports: {below}")
    audit(stage, "ports", widths=(390, 1440, 1600))
    browser.click("[data-key='dev.ports.test:3000'] .name")
    browser.wait("document.querySelector('.grid').ariaRowCount === '3'")
    browser.wait(f"{node('dev.ports.test:3000')}?.ariaSelected === 'true' && {node('dev.ports.test')}.ariaSelected === 'false'")
    browser.click("[data-key='dev.ports.test'] .name")
    browser.wait("document.querySelector('.grid').ariaRowCount === '6'")
    browser.evaluate(f"{node('dev.ports.test')}.focus()")
    browser.press("ArrowLeft")
    browser.wait(f"document.activeElement.dataset.key === 'dev.ports.test' && document.activeElement.ariaExpanded === 'false' && !{node('dev.ports.test:80')}")
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    browser.wait("document.activeElement.dataset.key === 'dev.ports.test:80'")
    browser.press("ArrowLeft")
    browser.wait("document.activeElement.dataset.key === 'dev.ports.test'")
    # From a row: its origin alone.
    browser.click(f".row[data-id='{emitted[4]}'] .cell", button="right")
    entry(browser, "This host, this flow…")
    entry(browser, "Only https://dev.ports.test:8443")
    browser.wait("document.querySelector('.grid').ariaRowCount === '2'")
    browser.evaluate("location.hash = '#/'")
    # Sorting by the port.
    browser.wait("document.querySelector('.grid').ariaRowCount > 1000")
    for order, first in (("port ascending", 80), ("port descending", 9443), ("id descending", 8443)):
        press_head(browser, "port", order)
        browser.wait(f"{ROWS}[0]?.querySelector('.cell:nth-child(4)')?.textContent === '{first}'")


def chosen(browser, *labels):
    """Chooses an entry of the menu of the item at the cursor, or of a menu in it, by keys."""
    browser.click(".row.cursor .cell:nth-child(3)", button="right")
    for label in labels:
        line = f"[...document.querySelectorAll('.menu [role=menuitem]')].find((line) => line.firstElementChild?.textContent === {json.dumps(label)})"
        browser.wait(line)
        browser.evaluate(f"{line}.focus()")
        browser.press("Enter")


@test
def passes_a_host_on_and_takes_it_back(stage):
    stage.mock.passthrough = ["*.bank.example"]
    browser = stage.fresh()
    stage.open("unknown_ca")
    # The button stands beside the remedy, in both parts of the detail.
    browser.wait("document.querySelector('.cause-card .pass-on:not([hidden])')?.textContent === 'Pass api.pinned.test through from now on'")
    stage.shoot("pass-on-card")
    browser.evaluate("document.querySelector('.cause-card .pass-on').focus()")
    browser.press("Enter")
    browser.wait("document.querySelector('.toast')?.textContent.includes('api.pinned.test is passed through from now on')")
    expect(stage.mock.passthrough == ["*.bank.example", "api.pinned.test"], f"beside the others: {stage.mock.passthrough}")
    browser.wait("document.querySelector('.cause-card .pass-on').textContent === 'Intercept api.pinned.test again'")
    stage.shoot("pass-on-toast")
    # The palette has the actions of the sentence, too.
    browser.press("k", modifiers=2)
    browser.wait("document.activeElement.matches('.palette-field')")
    browser.type("Undo")
    browser.wait("document.querySelector('.palette-list [aria-selected=true]')?.textContent.startsWith('Undo')")
    browser.press("Enter")
    browser.wait("document.querySelector('.toast')?.textContent.includes('is intercepted again from now on')")
    expect(stage.mock.passthrough == ["*.bank.example"], f"as before: {stage.mock.passthrough}")
    # By the menu; a host that a wider pattern covers is excluded from it.
    stage.mock.passthrough = ["*.pinned.test"]
    browser.evaluate("document.querySelector('.grid').focus()")
    chosen(browser, "Pass api.pinned.test through from now on")
    browser.wait("document.querySelector('.toast')?.textContent.includes('is passed through')")
    chosen(browser, "Intercept api.pinned.test again")
    browser.wait("document.querySelector('.toast')?.textContent.includes('is intercepted again')")
    expect(stage.mock.passthrough == ["*.pinned.test", "!api.pinned.test"], f"an exception: {stage.mock.passthrough}")
    # The sentence stays while a button of it has the focus.
    browser.evaluate("document.querySelector('.toast button').focus()")
    audit(stage, "pass-on-again")
    browser.click(".toast button:last-child")
    browser.wait("location.hash === '#/settings' && document.querySelector('#passthrough-hosts')?.value === '*.pinned.test\\n!api.pinned.test'")


@test
def repeats_copies_and_removes(stage):
    browser = stage.fresh()
    browser.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    stage.open("json")
    number = stage.names["json"]
    item = stage.mock.capture.item(stage.mock.capture.place(number))
    chosen(browser, "Copy…", "Copy URL")
    browser.wait(f"window.copied === {json.dumps(item['url'])}")
    stage.mock.sent.clear()
    chosen(browser, "Send again or save…", "Repeat")
    browser.wait("document.querySelector('.toast')?.textContent.includes('Sent again: status 200.')")
    expect(len(stage.mock.sent) == 1 and stage.mock.sent[0]["url"] == item["url"] and stage.mock.sent[0]["through"] == "proxy", f"once, as it was: {stage.mock.sent}")
    browser.click(".toast button")
    browser.wait(f"location.hash.includes('id={stage.mock.capture.ids[-1]}')")
    stage.open("json")
    chosen(browser, "Send again or save…", "Repeat several times…")
    browser.wait("document.activeElement.name === 'times'")
    browser.evaluate("document.activeElement.value = '7'; document.querySelector('[name=atOnce]').value = '3'")
    audit(stage, "repeat")
    browser.press("Enter")
    browser.wait("document.querySelector('dialog [role=status]')?.textContent === 'Done: 7 requests sent: 7 × status 200.'")
    expect(len(stage.mock.sent) == 8, f"so often: {len(stage.mock.sent)}")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog')")
    # A single item is removed at once; the page asks before removing a marked item or several.
    made = stage.control("emit", count=4, host="gone.example.test")
    browser.evaluate("location.hash = '#/?q=host == gone.example.test'")
    browser.wait("document.querySelector('.grid').ariaRowCount === '5'")
    browser.evaluate("document.querySelector('.grid').focus()")
    browser.press("Home")
    browser.wait(f"{CURSOR} === {made[3]} && document.querySelector('.row.cursor:not(.waiting)')")
    chosen(browser, "Remove this item")
    browser.wait("document.querySelector('.grid').ariaRowCount === '4'")
    browser.wait(f"{CURSOR} === {made[2]} && document.querySelector('.row.cursor:not(.waiting)')")
    browser.press("m")
    browser.wait("document.querySelector('.row.cursor.marked')")
    chosen(browser, "Remove this item")
    browser.wait("document.querySelector('dialog')?.textContent.includes('The item is marked, or has a comment')")
    browser.press("Enter")
    browser.wait("!document.querySelector('dialog')")
    expect(made[2] in stage.mock.capture.ids, "Cancel has the focus")
    browser.press(" ")
    browser.press("ArrowDown")
    browser.press(" ")
    chosen(browser, "Remove 2 selected items…")
    browser.wait("document.querySelector('dialog')?.textContent.includes('2 selected items')")
    stage.shoot("remove-selected")
    browser.click("dialog .danger")
    browser.wait("document.querySelector('.grid').ariaRowCount === '2'")
    expect([one for one in made if one in stage.mock.capture.ids] == made[:1], "these and no others")


@test
def ends_what_goes_on(stage):
    browser = stage.fresh()
    going = {"status": None, "outcome": None, "milliseconds": None, "responseBytes": None, "host": "slow.example.test"}
    waiting = stage.control("emit", path="/waiting", **going)[0]
    row = f"document.querySelector('.row[data-id=\"{waiting}\"]')"
    browser.wait(f"{row}?.textContent.includes('…')")
    browser.press("ArrowDown")
    browser.wait(f"{CURSOR} === {waiting}")
    browser.press("x")
    browser.wait(f"{row}.textContent.includes('✕') && document.querySelector('.toast')?.textContent === 'The exchange was ended'")
    expect(f"POST /api/traffic/{waiting}/abort" in stage.mock.log, "the proxy was asked")
    browser.press("x")
    browser.wait("document.querySelector('.toast')?.textContent === 'The exchange has already ended'")
    # In the detail, which shows the result; a finished exchange has no such button.
    stage.control("emit", path="/download", **{**going, "status": 200, "responseBytes": 4004})
    second = stage.mock.capture.ids[-1]
    browser.evaluate(f"location.hash = '#/?id={second}&tab=overview'")
    browser.wait("document.querySelector('.detail-tools .end')")
    audit(stage, "abort-running")
    browser.click(".detail-tools .end")
    browser.wait("document.querySelector('.detail .notice.failed')?.textContent.includes('the user ended it') && !document.querySelector('.detail-tools .end')")
    expect("ended by the user" in browser.evaluate("document.querySelector('.detail .facts').textContent"), "the outcome is told in words")
    audit(stage, "abort-ended", schemes=("light",))
    browser.press("Escape")
    # A tunnel has the entry in its menu; the page reports a failure.
    tunnel = stage.control("emit", type="flow", treatment="passedThrough", authority="push.example.test:443", **going)[0]
    for failing in (True, False):
        if failing:
            stage.control("change", id=tunnel, outcome="completed", silently=True)
        browser.wait(f"document.querySelector('.row[data-id=\"{tunnel}\"]')")
        browser.click(f".row[data-id=\"{tunnel}\"] .cell:nth-child(3)", button="right")
        browser.wait("document.querySelector('.menu')?.textContent.includes('End it now')")
        if not failing:
            stage.shoot("abort-menu")
        browser.evaluate("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('End it now')).click()")
        if failing:
            browser.wait("document.querySelector('.toast')?.textContent.startsWith('Not ended: ') && document.querySelector('.toast').textContent.includes('is over: completed')")
            browser.pardon(409)
            stage.control("change", id=tunnel, outcome=None, silently=True)
    browser.wait(f"document.querySelector('.row[data-id=\"{tunnel}\"]').textContent.includes('the user ended it')")


@test
def does_everything_by_name(stage):
    """The palette of commands: its list, its search, its actions, and the focus afterwards."""
    browser = stage.fresh()
    made = stage.control("emit", path="/newest")[0]
    browser.wait(f"document.querySelector('.row[data-id=\"{made}\"]')?.textContent.includes('/newest')")
    chosen = "document.getElementById(document.querySelector('.palette-field').getAttribute('aria-activedescendant'))?.querySelector('.palette-label').textContent"
    labels = "[...document.querySelectorAll('.palette-list .palette-label')].map((one) => one.textContent)"
    browser.press("ArrowDown")
    browser.press("k", 2)
    browser.wait("document.activeElement?.matches('.palette-field[role=combobox][aria-expanded=true]')")
    listed = browser.evaluate(labels)
    for label in ("Write a filter", "Mark", "Go to Rules", "Go to Classroom", "Export everything as HAR", "Copy as HTTPie", "Light or dark", "Remove everything…"):
        expect(label in listed, f"{label} is listed: {listed}")
    expect(len(listed) == len(set(listed)), f"nothing is listed twice: {sorted(listed)}")
    expect("Compare the two that are selected" not in listed, "what cannot be done now is left out")
    expect("All commands, by name" not in listed, "and so is the palette")
    audit(stage, "palette")
    # Letters in their order; words that begin with them come first.
    browser.type("gtru")
    browser.wait(f"{chosen} === 'Go to Rules'")
    expect(browser.evaluate("[...document.querySelectorAll('.palette-list li')].every((one) => one.ariaSelected === String(one.id === document.activeElement.getAttribute('aria-activedescendant')))"), "one is selected")
    expect(browser.evaluate("document.querySelector('.palette-list [aria-selected=true]').textContent").endswith("Pages"), "its group is told")
    stage.shoot("palette-found")
    browser.press("Enter")
    browser.wait("location.hash === '#/rules' && !document.querySelector('dialog')")
    # Another page offers the actions of its buttons, and none of the list.
    browser.wait("document.querySelector('#page-other button')")
    browser.press("k", 2)
    browser.wait("document.querySelector('.palette-field')")
    listed = browser.evaluate(labels)
    expect("Mark" not in listed and any("rule" in label for label in listed), f"the page's own: {listed}")
    browser.type("qqq")
    browser.wait("document.querySelector('.palette [role=status]').textContent.startsWith('No command')")
    audit(stage, "palette-nothing", schemes=("light",))
    browser.press("Enter")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog')")
    # The focus returns to its place, also to a field, and arrows wrap around.
    browser.evaluate("location.hash = '#/'")
    browser.wait("document.activeElement.id === 'traffic-grid'")
    browser.press("/")
    browser.wait("document.activeElement.id === 'filter-text'")
    browser.press("k", 2)
    browser.wait("document.querySelector('.palette-field')")
    first = browser.evaluate(chosen)
    browser.press("ArrowUp")
    browser.wait(f"{chosen} === {labels}.at(-1) && {chosen} !== {first!r}")
    browser.press("ArrowDown")
    browser.wait(f"{chosen} === {first!r}")
    browser.press("PageDown")
    browser.wait(f"{chosen} === {labels}[8]")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog') && document.activeElement.id === 'filter-text'")
    browser.press("Escape")
    browser.wait("document.activeElement.id === 'traffic-grid'")
    # A pointer works as well; a dialog that the palette opens keeps its focus.
    browser.press("k", 2)
    browser.type("comment")
    browser.wait(f"{chosen} === 'Comment'")
    browser.click(".palette-list li")
    browser.wait("document.querySelector('dialog[open]')?.ariaLabel === 'Comment' && document.activeElement.tagName === 'TEXTAREA'")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog') && document.activeElement.id === 'traffic-grid'")
    browser.press("?", 8)
    browser.wait("document.querySelector('dialog[open] .help')?.textContent.includes('Ctrl+KAll commands, by name')")
    browser.press("Escape")


@test
def opens_a_browser_for_the_first_traffic(stage):
    """The button in the empty list, the palette, and the hint without a browser."""
    mock = stage.mock
    ids, mock.capture.ids = mock.capture.ids, type(mock.capture.ids)("q")
    button = "document.querySelector('.empty:not([hidden]) .open-browser')"
    labels = "[...document.querySelectorAll('.palette-list .palette-label')].map((one) => one.textContent)"
    try:
        browser = stage.fresh()
        browser.wait(f"{button}?.textContent === 'Open a browser…'")
        audit(stage, "open-browser")
        # By the keyboard alone: a menu, since there are two.
        browser.evaluate(f"{button}.focus()")
        browser.press("Enter")
        browser.wait("document.activeElement.getAttribute('role') === 'menuitem' && document.activeElement.textContent === 'Chromium'")
        expect(browser.evaluate(f"{button}.ariaExpanded") == "true", "the menu is told")
        audit(stage, "open-browser-menu", schemes=("light",))
        browser.press("ArrowDown")
        browser.press("Enter")
        browser.wait("document.querySelector('.toast')?.textContent.includes('Firefox runs with a fresh profile')")
        expect(mock.opened == ["firefox"], f"what was chosen: {mock.opened}")
        expect(browser.evaluate(f"document.activeElement === {button}"), "the keyboard is where it was")
        stage.shoot("open-browser-toast")
        # By its name in the palette, from another page.
        browser.evaluate("location.hash = '#/rules'")
        browser.press("k", 2)
        browser.wait("document.activeElement?.matches('.palette-field')")
        expect({"Open a browser: Chromium", "Open a browser: Firefox"} < set(browser.evaluate(labels)), "each is a command")
        browser.type("open a browser: chr")
        browser.press("Enter")
        browser.wait("document.querySelector('.toast')?.textContent.includes('Chromium runs')")
        expect(mock.opened == ["firefox", "chromium"], f"by name: {mock.opened}")
        # A single browser needs no choice; the page names the obstacle.
        mock.browsers = ["chromium"]
        stage.fresh()
        browser.wait(f"{button}?.textContent === 'Open a browser'")
        expect(browser.evaluate(f"{button}.hasAttribute('aria-haspopup')") is False, "no menu")
        browser.click(".open-browser")
        browser.wait("document.querySelector('.toast')?.textContent.includes('Chromium runs')")
        mock.browsers = []
        mock.obstacle = {"title": "no browser can be opened", "status": 409, "detail": "there is no display for a window",
                         "remedy": "run pinhole in a desktop session"}
        browser.click(".open-browser")
        browser.wait("document.querySelector('.toast')?.textContent.startsWith('Not opened: ')")
        browser.pardon(422)
        # The page has read the obstacle: a hint replaces the button.
        browser.wait(f"!{button} && document.querySelector('.obstacle')?.textContent.includes('From here none can be opened: there is no display for a window; run pinhole in a desktop session.')")
        expect("pinhole browser" in browser.evaluate("document.querySelector('.obstacle').textContent"), "the command line has a way")
        audit(stage, "open-browser-not")
        browser.press("k", 2)
        browser.wait("document.activeElement?.matches('.palette-field')")
        expect(not [label for label in browser.evaluate(labels) if "browser" in label], "and no command")
        browser.press("Escape")
        browser.wait("!document.querySelector('dialog')")
    finally:
        mock.capture.ids, mock.browsers, mock.obstacle, mock.opened = ids, ["chromium", "firefox"], None, []
    stage.fresh()
    browser.wait("document.querySelector('.row') && document.querySelector('.empty').hidden")


@test
def keeps_its_columns_beside_the_detail(stage):
    browser = stage.fresh()
    for width, height in ((1280, 720), (1920, 1080)):
        browser.size(width, height)
        stage.open("json", "response")
        browser.frames(3)
        stage.shoot(f"beside-{width}")
        heads = browser.evaluate("[...document.querySelectorAll('.row.header .cell')].map((cell) => cell.textContent.replace(/[↑↓]/, ''))")
        for head in ("Time", "Method", "Status", "Host", "Path", "Size", "Duration"):
            expect(head in heads, f"{head} is missing at {width}: {heads}")
        path = browser.evaluate(f"document.querySelectorAll('.row.header .cell')[{heads.index('Path')}].getBoundingClientRect().width")
        expect(path >= 244, f"the path has no room for 30 characters at {width}: {path} px")
        over = browser.evaluate("document.querySelector('.grid').scrollWidth - document.querySelector('.grid').clientWidth")
        expect(over <= 0, f"the list is {over} px wider than its room at {width}")
    browser.size(1280, 720)
    expect(browser.evaluate("getComputedStyle(document.querySelector('#hosts')).display") == "none", "the hosts make room")
    browser.press("Escape")
    browser.wait("document.querySelector('#detail').hidden && getComputedStyle(document.querySelector('#hosts')).display !== 'none'")
    # The menu opens at the pointer.
    place = browser.evaluate("(() => { const box = document.querySelector('.grid').getBoundingClientRect(); return [box.x + 300, box.y + 36]; })()")
    browser.pointer("mousePressed", place, button="right")
    browser.pointer("mouseReleased", place, button="right")
    browser.wait("document.querySelector('.menu')")
    menu = browser.evaluate("(() => { const box = document.querySelector('.menu').getBoundingClientRect(); return [box.x, box.y]; })()")
    expect(abs(menu[0] - place[0]) < 3 and abs(menu[1] - place[1]) < 6, f"the menu at {menu}, the pointer at {place}")
    browser.press("Escape")
    browser.size(1440)


def press_splitter(browser, key):
    browser.evaluate("document.querySelector('.splitter').focus()")
    browser.press(key)


@test
def puts_the_detail_below_the_list(stage):
    """By the button, the key and the palette; the page remembers a size for each place."""
    browser = stage.fresh()
    browser.size(1280, 720)
    try:
        stage.open("json")
        boxes = "['.list', '.detail'].map((one) => document.querySelector(one).getBoundingClientRect()).map((box) => [box.x, box.y, box.width, box.height])"
        beside = browser.evaluate(boxes)
        expect(beside[1][0] > beside[0][0] and beside[0][3] == beside[1][3], f"at the right first: {beside}")
        expect(browser.evaluate("document.querySelector('.splitter').ariaOrientation") == "vertical", "the line stands")
        press_splitter(browser, "ArrowLeft")
        browser.wait("document.querySelector('.splitter').ariaValueNow === '41'")
        expect(browser.evaluate("document.querySelector('.place').ariaLabel") == "Detail below the list", "the button says where it leads")
        browser.click(".place")
        browser.wait("document.querySelector('#page-traffic').matches('.detail-below')")
        browser.frames(3)
        below = browser.evaluate(boxes)
        expect(below[1][1] > below[0][1] and below[0][2] == below[1][2] and below[0][3] > 200, f"below: {below}")
        expect(browser.evaluate("document.querySelector('.hosts').getClientRects().length") == 1, "the hosts have room again")
        expect(browser.evaluate("document.querySelector('.splitter').ariaOrientation") == "horizontal", "the line lies")
        press_splitter(browser, "ArrowUp")
        browser.wait("document.querySelector('.splitter').ariaValueNow === '52'")
        press_splitter(browser, "End")
        browser.wait("document.querySelector('.splitter').ariaValueNow === '80'")
        press_splitter(browser, "ArrowDown")
        browser.wait("document.querySelector('.splitter').ariaValueNow === '78'")
        edge = browser.evaluate("(() => { const box = document.querySelector('.splitter').getBoundingClientRect(); return [box.x + 200, box.y]; })()")
        browser.pointer("mousePressed", edge)
        browser.pointer("mouseMoved", [edge[0], edge[1] + 60])
        browser.pointer("mouseReleased", [edge[0], edge[1] + 60])
        browser.frames(3)
        expect(abs(browser.evaluate("document.querySelector('.splitter').getBoundingClientRect().y") - edge[1] - 60) < 3, "the pointer drags it")
        share = browser.evaluate("document.querySelector('.splitter').ariaValueNow")
        expect(round(browser.evaluate("JSON.parse(localStorage.pinhole).detailShare"), 2) == 0.41, "the other size stays")
        browser.reload()
        browser.wait(f"document.querySelector('#page-traffic.detail-below') && document.querySelector('.splitter').ariaValueNow === '{share}'")
        browser.wait("document.querySelector('.detail').ariaBusy === 'false'")
        # The row of the detail stays visible when the list becomes lower.
        browser.press("l")
        browser.wait("!document.querySelector('#page-traffic').matches('.detail-below') && document.querySelector('.splitter').ariaValueNow === '41'")
        browser.press("Escape")
        browser.wait("document.querySelector('.detail').hidden")
        browser.press("k", 2)
        browser.wait("document.activeElement.matches('.palette-field')")
        browser.type("below the list")
        browser.press("Enter")
        browser.wait("document.querySelector('#page-traffic').matches('.detail-below')")
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("Home")
        for _ in range(8):
            browser.press("ArrowDown")
        browser.wait("document.querySelector('.row.cursor')?.ariaRowIndex === '10'")
        # On a busy machine, several keys come between two frames.
        browser.evaluate("""[...Array(7).fill("ArrowDown"), "Enter"].forEach((key) => document.querySelector(".grid").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))""")
        browser.wait("document.querySelector('.detail').ariaBusy === 'false'")
        # The list is told of its new height after a frame or more.
        browser.wait("(() => { const [row, list] = ['.row.cursor', '.grid'].map((one) => document.querySelector(one).getBoundingClientRect()); return row.bottom <= list.bottom + 1 && row.top >= list.top; })()")
        for width, height in ((1280, 720), (1920, 1080)):
            for scheme in ("light", "dark"):
                browser.size(width, height, scheme=scheme)
                stage.shoot(f"detail-below-{width}-{scheme}")
        audit(stage, "detail-below")
    finally:
        browser.size(1440)


REFUSED = {"type": "flow", "host": "self.example.test", "authority": "self.example.test:443", "path": "", "status": None, "method": None, "exchanges": 1,
           "treatment": "intercepted", "outcome": "completed", "detail": "done",
           "handshakeFailure": {"peer": "server", "cause": "serverCertificateRefused", "isHint": False, "milliseconds": 3.1, "bytesAfterHandshake": 0,
                                "detail": "The server's certificate was refused: it leads to no trusted CA."}}


@test
def folds_a_failed_handshake_into_its_request(stage):
    """The request that Pinhole answered with the failure is the only row; the count at the foot shows both."""
    browser = stage.fresh()
    before = len(stage.mock.capture.ids)
    made = []
    rows = lambda count: browser.wait(f"document.querySelector('.grid')?.ariaRowCount === '{count + 1}' && document.querySelector('.grid').ariaBusy === 'false'")
    row = lambda number: f"document.querySelector('.row[data-id=\"{number}\"]:not([hidden])')"
    try:
        # Live: the flow arrives first, and never becomes a row.
        flow = stage.control("emit", **REFUSED)[0]
        answer = {"host": "self.example.test", "path": "/account", "status": 502, "outcome": "answeredByProxy", "flow": flow, "typeWord": "plain",
                  "detail": "The server's certificate was refused: self.example.test:443: it leads to no trusted CA.",
                  "cause": "certificate refused: it leads to no trusted CA."}
        exchange = stage.control("emit", **answer)[0]
        made += [flow, exchange]
        rows(before + 1)
        browser.wait(row(exchange))
        text = browser.evaluate(f"{row(exchange)}.textContent")
        expect("/account – certificate refused: it leads to no trusted CA." in text and "502" in text, f"the row tells the cause: {text}")
        expect(browser.evaluate(f"{row(flow)} === null"), "the flow is no row")
        folded = "document.querySelector('.folded')"
        browser.wait(f"!{folded}.hidden && {folded}.textContent === '1 handshake folded'")
        stage.shoot("folded")
        # The same after reading the list, sorted and with a filter.
        browser.reload()
        rows(before + 1)
        browser.wait(f"{folded}.textContent === '1 handshake folded'")
        browser.evaluate("location.hash = '#/?q=host == self.example.test'")
        rows(1)
        press_head(browser, "path", "path ascending")
        rows(1)
        # A filter for the flow shows its row.
        browser.evaluate("location.hash = '#/?q=tls.answered'")
        rows(1)
        browser.wait(row(flow))
        expect(browser.evaluate(f"{folded}.hidden"), "nothing is folded then")
        browser.evaluate("location.hash = '#/?q=host == self.example.test'")
        rows(1)
        # By the foot of the list, and back by the menu.
        browser.click(".folded")
        rows(2)
        browser.wait(f"{folded}.textContent === 'Fold handshakes'")
        browser.click("#tools [aria-label='More']")
        entry(browser, "Fold failed handshakes with servers into requests")
        rows(1)
        browser.wait(f"{folded}.textContent === '1 handshake folded'")
        # The detail of the row has the handshake.
        browser.click(f".row[data-id='{exchange}'] .cell:nth-child(5)")
        browser.wait("document.querySelector('#tab-tls')")
        browser.click("#tab-tls")
        browser.wait("document.querySelector('.panel.tls .section')")
        audit(stage, "folded-row")
    finally:
        browser.evaluate(f"fetch('/api/traffic?ids={','.join(map(str, made))}', {{ method: 'DELETE' }})")
        browser.evaluate("location.hash = '#/'")


@test
def searches_words_in_more_places(stage):
    """URLs are searched for a plain word; chips search heads and bodies, too, by a filter that other programs accept."""
    browser = stage.fresh()
    browser.click("#filter-text")
    browser.type("favicon")
    chips = "[...document.querySelectorAll('.search-places:not([hidden]) button')].map((one) => [one.textContent, one.ariaPressed])"
    browser.wait(f"{chips}.length === 2")
    browser.wait("document.querySelector('.grid').ariaRowCount === '2'")
    expect(browser.evaluate(chips) == [["also in heads", "false"], ["also in bodies", "false"]], "offered")
    stage.shoot("words")
    audit(stage, "words")
    browser.evaluate("document.querySelector('[data-place=heads]').focus()")
    browser.press("Enter")
    browser.wait("document.querySelector('#filter-text').value === 'favicon | ~h favicon'")
    browser.wait("document.activeElement?.dataset.place === 'heads' && document.activeElement.ariaPressed === 'true'")
    browser.press("k", 2)
    browser.wait("document.activeElement.matches('.palette-field')")
    browser.type("Search also in bodies")
    browser.press("Enter")
    browser.wait("document.querySelector('#filter-text').value === 'favicon | ~h favicon | ~b favicon'")
    browser.click("[data-place=heads]")
    browser.wait("document.querySelector('#filter-text').value === 'favicon | ~b favicon'")
    browser.click("[data-place=bodies]")
    browser.wait("document.querySelector('#filter-text').value === 'favicon'")
    # A list without matches offers the other places.
    browser.evaluate("document.querySelector('#filter-text').value = ''")
    browser.click("#filter-text")
    browser.type("nowhere-to-be-found")
    browser.wait("!document.querySelector('.empty').hidden && document.querySelectorAll('.empty .search-more').length === 2")
    stage.shoot("words-nothing")
    browser.click(".empty .search-more")
    browser.wait("document.querySelector('#filter-text').value === 'nowhere-to-be-found | ~h nowhere-to-be-found'")
    # A pause after the first of two words keeps the space.
    browser.evaluate("document.querySelector('#filter-text').value = ''")
    browser.click("#filter-text")
    browser.type("favicon ")
    browser.wait("location.hash.includes('q=favicon') && document.querySelector('.grid').ariaRowCount === '2'")
    browser.type("ico")
    browser.wait("document.querySelector('#filter-text').value === 'favicon ico' && location.hash.includes('favicon+ico')")
    # The name of a field is written as a word in quotation marks.
    browser.evaluate("document.querySelector('#filter-text').value = ''")
    browser.click("#filter-text")
    browser.type("status")
    button = "document.querySelector('.filter-problem:not([hidden]) button')"
    browser.wait(f"{button}?.textContent === 'Search URLs for status'")
    stage.shoot("words-field")
    browser.press("Tab")
    browser.press("Tab")
    browser.press("Tab")
    browser.wait(f"document.activeElement === {button}")
    browser.press("Enter")
    browser.wait("document.querySelector('#filter-text').value === '\"status\"' && location.hash.includes('%22status%22')")
    # A flag or a comparison is no word.
    for text in ("marked", "status >= 400", "favicon marked"):
        browser.evaluate(f"location.hash = '#/?q={text}'")
        browser.wait(f"document.querySelector('#filter-text').value === '{text}' && document.querySelector('.grid').ariaBusy === 'false' && document.querySelector('.search-places').hidden")


@test
def marks_types(stage):
    """Each kind of type has a sign beside its word, so that no kind depends on colour alone."""
    browser = stage.fresh()
    for name, kind, sign in (("json", "json", "{}"), ("html", "html", "<>"), ("image", "image", "▣"), ("script", "js", "()"), ("xml", "xml", "</"),
                             ("binary", "other", "··"), ("error", "json", "{}"), ("font", "font", "Aa"), ("plain", "text", "¶"), ("events", "stream", "⇅")):
        browser.evaluate(f"location.hash = '#/?id={stage.names[name]}'")
        cell = f"document.querySelector('.row[data-id=\"{stage.names[name]}\"]:not([hidden]) .type')"
        browser.evaluate("location.hash = '#/?id=%d'" % stage.names[name])
        browser.wait("!document.querySelector('.detail').hidden && document.querySelector('.detail').ariaBusy === 'false'")
        browser.press("Escape")
        shown = browser.wait(f"{cell} && [{cell}.className.includes('type-{kind}'), getComputedStyle({cell}, '::before').content]")
        expect(shown[0] and shown[1].startswith(f'"{sign}"'), f"{name}: {shown}")
    for width, height in ((1280, 720), (1920, 1080)):
        for scheme in ("light", "dark"):
            browser.size(width, height, scheme=scheme)
            browser.evaluate("document.querySelector('.grid').scrollTop = 0")
            stage.shoot(f"types-{width}-{scheme}")
    browser.size(1440)


@test
def completes_filters(stage):
    """Fields, flags, operators and saved filters are proposed; the Enter key means the written text until one is chosen."""
    browser = stage.fresh()
    proposed = "[...document.querySelectorAll('.filter-words li code')].map((one) => one.textContent)"
    browser.evaluate("document.querySelector('#filter-text').focus()")
    browser.type("resp")
    browser.wait("document.querySelector('.filter-words')")
    expect(browser.evaluate(proposed) == ["response.size", "response.server"], f"names that begin so: {browser.evaluate(proposed)}")
    expect(not browser.evaluate("document.querySelector('#filter-text').hasAttribute('aria-activedescendant')"), "none is chosen")
    for width, height in ((1280, 720), (1920, 1080)):
        for scheme in ("light", "dark"):
            browser.size(width, height, scheme)
            stage.shoot(f"completion-{width}-{scheme}")
    browser.size(1440)
    audit(stage, "completion", widths=(1440,))
    browser.evaluate("(() => { const input = document.querySelector('#filter-text'); input.focus(); input.dispatchEvent(new Event('input', { bubbles: true })); })()")
    browser.wait("document.querySelector('.filter-words')")
    browser.press("ArrowDown")
    browser.press("Enter")
    expect(browser.evaluate("document.querySelector('#filter-text').value") == "response.size ", "the chosen word is written")
    browser.wait(f"{proposed}.includes('>=')")
    browser.press("ArrowUp")
    browser.press("ArrowUp")
    browser.press("Tab")
    expect(browser.evaluate("document.querySelector('#filter-text').value") == "response.size > ", "operators follow a field")
    expect(browser.evaluate("document.activeElement.id") == "filter-text" and not browser.evaluate("!!document.querySelector('.filter-words')"), "a value is the user's")
    browser.evaluate("document.querySelector('#filter-text').select()")
    browser.type("fail")
    browser.wait("document.querySelector('.filter-words')")
    browser.press("Escape")
    expect(browser.evaluate("document.querySelector('#filter-text').value") == "fail", "Escape closes the proposals alone")
    browser.press("Escape")
    expect(browser.evaluate("document.querySelector('#filter-text').value") == "", "then it clears the filter")


@test
def explains_the_filter_of_an_address(stage):
    """An address with a mistake in its filter shows the mistake at the filter box, until the filter is another one."""
    browser = stage.fresh()
    browser.pardon(422)
    browser.evaluate("location.hash = '#/?q=' + encodeURIComponent('stauts == 1')")
    browser.wait("!document.querySelector('.filter-problem').hidden && document.querySelector('#filter-text').ariaInvalid === 'true'")
    expect(browser.evaluate("document.querySelector('#banner').hidden && document.querySelector('#filter-text').value === 'stauts == 1'"), "at the box alone")
    browser.wait("document.querySelector('.live')?.dataset.status === 'live'")
    browser.wait("document.querySelector('.status .shown').textContent === ''")
    browser.evaluate("location.hash = '#/'")
    browser.wait("document.querySelector('.filter-problem').hidden && document.querySelector('.grid').getAttribute('aria-busy') === 'false'")
    browser.wait("document.querySelector('.live')?.dataset.status === 'live'")


@test
def keeps_operations_in_sight(stage):
    browser = stage.fresh()
    stage.control("emit", host="operation.example.test", path="/graphql", graphql="query Order")
    stage.control("emit", host="operation.example.test", path="/a.package.of.a.long.name.v1.Orders/GetOrder", grpcStatus=5)
    browser.evaluate("location.hash = '#/?q=' + encodeURIComponent('host == operation.example.test')")
    browser.size(390)
    browser.wait("[...document.querySelectorAll('.viewport .tail')].map((one) => one.textContent).join() === '/GetOrder, query Order'")
    cut = browser.evaluate("[...document.querySelectorAll('.viewport .tail')].filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > 390).length")
    expect(cut == 0, "no operation is cut off")
    browser.size(1440)
