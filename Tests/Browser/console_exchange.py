"""Import and export of files, with the real program."""
import json
import pathlib
import tempfile
import time

from audits import audit
from browser import PATIENCE
from console_stage import expect, test
from live_stage import live

FIRST = "document.querySelector('.imports > li')"


def entry(number):
    return {"startedDateTime": "2026-01-02T03:04:05.678Z", "time": 12, "request": {
        "method": "GET", "url": f"https://old.example.test/item/{number}", "httpVersion": "HTTP/1.1", "headers": [{"name": "Accept", "value": "*/*"}]},
        "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": [{"name": "Content-Type", "value": "text/plain"}],
                     "content": {"mimeType": "text/plain", "text": f"number {number}"}}}


def har(count, extra=()):
    return json.dumps({"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [*map(entry, range(count)), *extra]}})


def choose(browser, *files):
    """Chooses files, as a user does in the browser's own dialog."""
    root = browser.send("DOM.getDocument")["root"]["nodeId"]
    node = browser.send("DOM.querySelector", nodeId=root, selector="#import-file")["nodeId"]
    browser.send("DOM.setFileInputFiles", nodeId=node, files=[str(file) for file in files])


def drop(browser, *files, at=(700, 400)):
    data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", type=kind, x=at[0], y=at[1], data=data)


@test
def imports_what_other_tools_recorded(stage):
    browser = stage.browser
    with live(stage) as console, tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = {"good.har": har(3), "cut.har": har(5)[:-300], "not.har": "<html>this is no HAR</html>", "odd.har": har(2, [
            {"startedDateTime": "yesterday", "request": {"method": "GET SOME", "url": "https://old.example.test/"}, "response": {}},
            {"startedDateTime": "2026-01-02T03:04:05Z", "request": {"method": "GET", "url": "data:image/png;base64,AAA", "headers": []}, "response": {"status": 200}}]),
            "empty.har": ""}
        for file, text in files.items():
            (folder / file).write_text(text)
        # From the empty list to the page; the list shows the exchanges of a valid file.
        browser.wait("document.querySelector('.empty a[href=\"#/exchange\"]')?.textContent === 'import a file'")
        browser.click(".empty a[href='#/exchange']")
        browser.wait("document.querySelector('.exchange')")
        choose(browser, folder / "good.har")
        browser.wait(f"{FIRST}?.className === 'import is-done' && {FIRST}.textContent.includes('3 entries imported')")
        # A truncated file, a file of no known format and a file of a broken exporter: the page names the fault of each.
        choose(browser, folder / "cut.har", folder / "not.har", folder / "odd.har", folder / "empty.har")
        browser.wait("document.querySelectorAll('.import').length === 5 && !document.querySelector('.import progress')")
        said = {one["name"]: one for one in browser.evaluate("fetch('/api/imports').then((answer) => answer.json())")["imports"]}
        expect(said["cut.har"]["state"] == "failed" and said["cut.har"]["exchanges"] == 4 and "cut.har, line 1, column" in said["cut.har"]["failure"], f"cut off: {said['cut.har']}")
        expect(said["not.har"]["state"] == "failed" and "page of HTML" in said["not.har"]["failure"], f"none: {said['not.har']}")
        expect(said["odd.har"]["state"] == "done" and said["odd.har"]["exchanges"] == 2 and said["odd.har"]["leftOut"] == 2, f"odd: {said['odd.har']}")
        text = browser.evaluate("document.querySelector('.imports').textContent")
        for words in ("could not be read to its end; 4 entries imported", "What was whole before that place", "2 left out", "data:image/png", "The file is empty"):
            expect(words in text, f"{words}: {text}")
        audit(stage, "exchange", widths=(390, 1440, 1600))
        browser.click(".import [aria-label='Forget empty.har']")
        browser.wait("document.querySelectorAll('.import').length === 4")
        browser.evaluate("document.querySelector('.exchange .button').click()")
        browser.wait("document.querySelector('.grid').ariaRowCount === '10'")
        # Files of other kinds, dropped on the list: mitmproxy's flows, and a capture, both as this console saves them.
        for kind, ending in (("mitm", "mitm"), ("capture", "sqlite")):
            data = browser.evaluate(f"fetch('/api/export?format={kind}').then((answer) => answer.arrayBuffer()).then((bytes) => Array.from(new Uint8Array(bytes)))")
            (folder / f"again.{ending}").write_bytes(bytes(data))
        drop(browser, folder / "again.mitm")
        browser.wait(f"location.hash === '#/exchange' && {FIRST}?.textContent.includes('again.mitm') && {FIRST}.textContent.includes('9 entries imported')")
        expect(not browser.evaluate("document.body.classList.contains('dropping')"), "nothing is dragged any more")
        drop(browser, folder / "again.sqlite")
        browser.wait(f"{FIRST}?.textContent.includes('again.sqlite') && {FIRST}.className === 'import is-done' && {FIRST}.textContent.includes('entries imported')")
        # Saving checks the filter first.
        browser.evaluate("document.querySelector('#save-filter').focus()")
        browser.type("stauts == 1")
        browser.press("Enter")
        browser.wait("document.querySelector('#save-problem:not([hidden])')?.textContent.includes('Column 1') && document.activeElement.id === 'save-filter'")
        audit(stage, "exchange-problem", schemes=("dark",))
        browser.send("Browser.setDownloadBehavior", behavior="allow", browserContextId=browser.context, downloadPath=str(folder))
        browser.evaluate("(() => { const filter = document.querySelector('#save-filter'); filter.value = 'path == /item/1'; document.querySelector('#save-format').value = 'capture'; document.querySelector('.save-now').click(); })()")
        browser.wait("document.querySelector('.toast')?.textContent.startsWith('Saving')")
        saved = folder / "pinhole.sqlite"
        deadline = time.monotonic() + PATIENCE
        while not (saved.exists() and saved.stat().st_size > 0) and time.monotonic() < deadline:
            browser.frames(2)
        expect(saved.read_bytes().startswith(b"SQLite format 3"), "a capture was saved")


@test
def follows_and_cancels_a_long_import(stage):
    browser = stage.browser
    with live(stage) as console, tempfile.TemporaryDirectory() as name:
        long = pathlib.Path(name, "long.har")
        long.write_text(har(12_000))
        browser.evaluate("location.hash = '#/exchange'")
        browser.wait("document.querySelector('#import-file')")
        choose(browser, long)
        browser.wait(f"{FIRST}?.querySelector('progress') && {FIRST}.textContent.includes('so far')")
        stage.shoot("exchange-running")
        # Other pages work during the import, and the list grows.
        browser.evaluate("location.hash = '#/'")
        browser.wait("document.querySelector('.grid').ariaRowCount > 100")
        browser.evaluate("location.hash = '#/exchange'")
        browser.wait(f"{FIRST}?.querySelector('button')")
        browser.evaluate(f"{FIRST}.querySelector('button').focus()")
        browser.press("Enter")
        browser.wait(f"{FIRST}?.className === 'import is-cancelled' || {FIRST}?.className === 'import is-done'")
        state = browser.evaluate(f"{FIRST}.className")
        expect(state == "import is-cancelled", f"it is cancelled: {state}")
        left = [one.name for one in pathlib.Path(console.folder.name).iterdir() if ".import-" in one.name]
        expect(not left, f"nothing is left of it: {left}")


def item(number, text, **fields):
    one = entry(number)
    one["response"]["headers"] += [{"name": name, "value": value} for name, value in fields.items()]
    one["response"]["content"]["text"] = text
    return one


def log(*entries):
    return json.dumps({"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": entries}})


@test
def compares_with_another_capture(stage):
    browser = stage.browser
    with live(stage) as console, tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "now.har").write_text(log(item(1, "tea <b>", Run="9"), item(2, "same", Run="9"), item(30, "new")))
        (folder / "monday.har").write_text(log(item(1, "coffee", Run="1"), item(2, "same", Run="1"), item(4000, "old")))
        (folder / "monday again.har").write_text(log(item(1, "coffee", Run="2"), item(2, "same", Run="2"), item(4000, "old")))
        (folder / "none.har").write_text("<html>")
        browser.evaluate("location.hash = '#/exchange'")
        browser.wait("document.querySelector('#import-file')")
        choose(browser, folder / "now.har")
        browser.wait(f"{FIRST}?.className === 'import is-done'")
        browser.evaluate("location.hash = '#/compare'")
        browser.wait("document.querySelector('#compare-file')")
        expect(browser.evaluate("document.querySelector('.compare form').hidden"), "there is nothing to compare with")
        # The page compares a dropped file at once, and does not import it.
        drop(browser, folder / "monday.har")
        result = "document.querySelector('.compared').textContent"
        browser.wait(f"document.querySelectorAll('.pair').length === 3 && {FIRST}.textContent.includes('3 entries read')")
        said = browser.evaluate("[...document.querySelectorAll('.pair')].map((one) => one.innerText)")
        expect(browser.evaluate(result).startswith("3 differ"), f"the sums: {browser.evaluate(result)[:80]}")
        expect("coffee" in said[0] and "tea <b>" in said[0] and "Run" in said[0] or "run" in said[0], f"the parts: {said[0]}")
        audit(stage, "compare")
        for scheme in ("light", "dark"):
            browser.size(1280, scheme=scheme)
            stage.shoot(f"compare-{scheme}")
        # Values that change in every run are left out.
        drop(browser, folder / "monday again.har", folder / "none.har")
        browser.wait("document.querySelectorAll('#compare-again option').length === 3 && document.querySelectorAll('.import').length === 3")
        browser.evaluate("(() => { const again = document.querySelector('#compare-again'); again.value = [...again.options].find((one) => one.text === 'monday again.har').value; })()")
        browser.click(".compare form button")
        browser.wait(f"{result}.includes('Left out, because they change in every run: ')")
        expect(browser.evaluate(result).startswith("1 the same, 2 differ"), f"the sums: {browser.evaluate(result)[:80]}")
        browser.wait("document.querySelector('.import.is-failed')?.textContent.includes('none.har')")
        # The pair leads to the exchange in the capture, which got no exchange of these files.
        browser.click(".pair h3 a")
        browser.wait("location.hash.startsWith('#/?id=') && document.querySelector('.grid').ariaRowCount === '4'")
        browser.evaluate("location.hash = '#/compare?q=path+endswith+%2F2'")
        browser.wait("document.querySelector('#compare-filter')?.value === 'path endswith /2' && document.querySelectorAll('.import').length === 3")
        browser.click(".compare form button")
        browser.wait(f"{result}.startsWith('Nothing differs')")
        browser.evaluate("document.querySelector('#compare-filter').value = 'stauts == 1'")
        browser.click(".compare form button")
        browser.wait("document.querySelector('.compared .failed')")
        while browser.evaluate("document.querySelectorAll('.import').length"):
            left = browser.evaluate("document.querySelectorAll('.import').length")
            browser.click(".import button")
            browser.wait(f"document.querySelectorAll('.import').length === {left - 1}")
        browser.wait("document.querySelector('.compare form').hidden")
        left = [one.name for one in pathlib.Path(console.folder.name).iterdir() if ".import-" in one.name]
        expect(not left, f"nothing is left beside the capture: {left}")
