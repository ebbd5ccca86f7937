"""Breakpoints: against the mock, and with the real program."""
import json
import subprocess
import threading
from http.server import ThreadingHTTPServer

from audits import audit
import console_compose
from browser import PATIENCE
from console_stage import expect, test
from live_stage import live

HELD = "document.querySelectorAll('.held-one').length"
# The check for visibility: a page keeps its hidden editor until the user returns.
READY = "document.querySelector('.held-editor')?.ariaBusy === 'false' && document.querySelector('.held-editor').checkVisibility()"
NOTHING = "document.querySelector('#held-title')?.textContent === 'Nothing is held'"


def value(selector, text):
    """An expression that writes a text into a field, as typing does."""
    return (f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field.focus(); field.value = {json.dumps(text)};"
            " field.dispatchEvent(new Event('input', {bubbles: true})); })()")


def decisions(stage, count):
    """The decisions so far, once there are `count` of them."""
    stage.browser.wait(f"fetch('/mock/decisions').then((answer) => answer.json()).then((found) => found.length >= {count})")
    return stage.browser.evaluate("fetch('/mock/decisions').then((answer) => answer.json())")


@test
def decides_about_what_is_held(stage):
    browser = stage.fresh()
    stage.mock.board.decisions.clear()
    # The list and every page show the held message.
    running = stage.control("emit", status=None, outcome=None, milliseconds=None, host="api.example.test", path="/held?x=1")[0]
    first = stage.control("hold", seconds=600, exchange=running, body='{"price": 1}')
    browser.wait("document.querySelector('#held-count').textContent === '1' && document.querySelector('.held-link').textContent.includes('1 held') && document.title.startsWith('(1 held)')")
    browser.wait(f"document.querySelector('.row[data-id=\"{running}\"]')?.textContent.includes('‖')")
    second = stage.control("hold", seconds=600, at="response", status=200, fields=[["Content-Type", "text/plain"]], body="hello")
    browser.wait("document.querySelector('#held-count').textContent === '2'")
    stage.shoot("held-list")
    browser.evaluate(f"location.hash = '#/?id={running}&tab=overview'")
    browser.wait("document.querySelector('.held-note a')")
    browser.evaluate("document.querySelector('.held-note a').click()")
    browser.wait(f"{READY} && location.hash === '#/breakpoints?id={first}' && {HELD} === 2")
    expect("goes on in" in browser.evaluate("document.querySelector('.held-time').textContent"), "the time that is left is told")
    audit(stage, "breakpoints", widths=(390, 1440, 1600))
    # A refusal is shown at its field. The edits stay, on other pages too.
    for field, text, name in ((".held-path", "no path", "path"), (".held-target .method", "NO METHOD", "method")):
        browser.evaluate(value(field, text))
        browser.press("Enter", 2)
        browser.wait(f"document.querySelector('#held-problem-{name}:not([hidden])')?.textContent.includes('expected') && document.activeElement.ariaInvalid === 'true'")
        browser.evaluate(value(field, "/held?x=2" if name == "path" else "PUT"))
        browser.wait(f"document.querySelector('#held-problem-{name}').hidden")
    browser.evaluate(value("#held-fields", "Accept: */*\nHost: elsewhere\nX-New: 1"))
    browser.press("Enter", 2)
    browser.wait("document.querySelector('#held-problem-fields:not([hidden])')")
    expect(browser.evaluate("(() => { const area = document.activeElement; return area.value.slice(area.selectionStart, area.selectionEnd); })()") == "Host: elsewhere", "the line is selected")
    browser.evaluate(value("#held-fields", "Accept: */*\nno colon"))
    browser.press("Enter", 2)
    browser.wait("document.querySelector('#held-problem-fields').textContent.includes('Line 2')")
    audit(stage, "breakpoints-refused")
    browser.pardon(400)
    browser.press("Escape")
    browser.evaluate("location.hash = '#/settings'")
    browser.wait("document.querySelector('.settings')")
    browser.press("b")
    browser.wait(f"{READY} && document.querySelector('#held-fields').value === 'Accept: */*\\nno colon' && document.querySelector('.held-path').value === '/held?x=2'")
    browser.evaluate(value("#held-fields", "Accept: text/plain"))
    expect(browser.evaluate("document.querySelector('.held-continue').textContent") == "Continue with the changes", "the button says what it does")
    browser.click(".held-continue")
    browser.wait(f"{HELD} === 1 && {READY} && location.hash === '#/breakpoints?id={second}'")
    expect(decisions(stage, 1) == [["continue", first, {"method": "PUT", "path": "/held?x=2", "fields": [["Accept", "text/plain"]]}]], "only what was changed is sent")
    # The focus has moved to the next message; a response has a status.
    expect(browser.evaluate("document.activeElement.className") == "held-one", "the keyboard goes on")
    browser.evaluate(value("#held-status", "200x"))
    browser.press("Enter")
    browser.wait("document.querySelector('#held-problem-status:not([hidden])')")
    browser.pardon(400)
    browser.click(".held-undo")
    browser.wait("document.querySelector('#held-status').value === '200'")
    browser.evaluate(value("#held-status", "503"))
    browser.evaluate(value("#held-body", "sorry"))
    browser.press("Enter", 2)
    browser.wait(NOTHING)
    expect(decisions(stage, 2)[1] == ["continue", second, {"status": 503, "body": "sorry"}], "the response is changed")
    expect(browser.evaluate("document.activeElement.id") == "held-title", "the keyboard is where it can go on")


@test
def answers_drops_and_forgets(stage):
    browser = stage.fresh("#/")
    stage.mock.board.decisions.clear()
    held = [stage.control("hold", seconds=600, url=f"https://api.example.test/{name}", path=f"/{name}", body=name) for name in ("one", "two", "three")]
    browser.evaluate("location.hash = '#/breakpoints'")
    browser.wait(f"{READY} && {HELD} === 3")
    browser.evaluate("document.querySelector('.held-one').focus()")
    browser.press("ArrowDown")
    browser.press("Enter")
    browser.wait(f"{READY} && document.querySelector('.held-path')?.value === '/two' && document.activeElement.className === 'held-one'")
    browser.click(".held-answer")
    browser.wait("document.activeElement.id === 'held-status'")
    browser.evaluate(value("#held-status", "418"))
    browser.evaluate(value("#held-body", "teapot"))
    audit(stage, "breakpoints-answer", schemes=("light",))
    browser.click(".held-continue")
    browser.wait(f"{HELD} === 2")
    browser.wait(f"{READY} && document.querySelector('.held-path')?.value === '/one'")
    browser.click(".held-reset")
    browser.wait(f"{HELD} === 1 && {READY} && document.querySelector('.held-path')?.value === '/three'")
    browser.click(".held-drop")
    browser.wait(NOTHING)
    expect(decisions(stage, 3) == [["respond", held[1], {"status": 418, "fields": [["Content-Type", "text/plain; charset=utf-8"]], "body": "teapot"}],
                                   ["drop", held[0], {"reset": True}], ["drop", held[2], {}]], f"decided: {stage.mock.board.decisions}")
    # Continue all, except for an edited message.
    for name in ("four", "five", "six"):
        stage.control("hold", seconds=600, url=f"https://api.example.test/{name}", path=f"/{name}")
    browser.wait(f"{READY} && {HELD} === 3 && document.querySelector('.held-path')?.value === '/four'")
    browser.evaluate(value("#held-body", "changed"))
    browser.click(".held-all")
    browser.wait(f"{HELD} === 1 && document.querySelector('.breakpoints .notice')?.textContent.includes('still held')")
    # The page drops only messages without edits, and asks first.
    for name in ("seven", "eight"):
        stage.control("hold", seconds=600, url=f"https://api.example.test/{name}", path=f"/{name}")
    browser.wait(f"{HELD} === 3 && document.querySelector('.held-none').textContent === 'Drop all…'")
    browser.click(".held-none")
    browser.wait("document.querySelector('dialog[open]')?.textContent.includes('ends 2 exchanges')")
    audit(stage, "breakpoints-drop-all")
    browser.press("Enter")  # The focused button cancels.
    browser.wait(f"!document.querySelector('dialog') && {HELD} === 3 && document.activeElement.className === 'held-none'")
    browser.click(".held-none")
    browser.wait("document.querySelector('dialog[open] .danger')")
    browser.click("dialog .danger")
    browser.wait(f"{HELD} === 1 && document.querySelector('.breakpoints .notice')?.textContent.includes('still held') && document.querySelector('.toast')?.textContent === '2 messages were dropped'")
    expect([one[0] for one in decisions(stage, 7)[5:]] == ["drop", "drop"], "both are dropped")
    expect(browser.evaluate("document.querySelector('#held-body').value") == "changed", "what is being written stays")
    # The time ends during an edit: the page says so and keeps the edit.
    stage.control("release", id=held[2] + 1)
    browser.wait("document.querySelector('.held-editor .notice.failed')?.textContent.includes('not held any more')")
    expect(browser.evaluate("document.querySelector('#held-body').value") == "changed", "what was written is still there")
    browser.press("Enter", 2)
    expect(len(decisions(stage, 7)) == 7, "nothing is decided about what is gone")
    browser.evaluate("location.hash = '#/events'")
    browser.wait("document.querySelector('.log')")
    browser.evaluate("location.hash = '#/breakpoints'")
    browser.wait("document.querySelector('#held-body')?.value === 'changed'")
    audit(stage, "breakpoints-over", schemes=("light",))
    browser.click(".held-dismiss")
    browser.wait(f"{NOTHING} && !document.querySelector('.held-editor')")
    # An undecided message continues by itself.
    stage.control("hold", seconds=2)
    browser.wait(f"{HELD} === 1 && document.querySelector('.held-time.soon')")
    browser.wait(NOTHING)


@test
def holds_what_a_filter_means(stage):
    browser = stage.fresh()
    stage.mock.rules.__init__()
    # From the menu of an item, in one action.
    stage.open("json")
    browser.evaluate("document.querySelector('.row.cursor').dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))")
    browser.wait("document.querySelector('.menu')")
    browser.evaluate("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('New rule…')).click()")
    browser.evaluate("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('Hold requests like this')).click()")
    browser.wait("document.querySelector('.toast')?.textContent.startsWith('Held from now on')")
    expect(json.loads(stage.mock.rules.texts[0])["when"] == 'method == GET & host == "api.example.test" & path == "/v2/orders/9007199254740993"', f"like it: {stage.mock.rules.texts}")
    # From the filter of the list; a filter that needs a response holds responses.
    browser.evaluate("location.hash = '#/?q=status == 500'")
    browser.wait("document.querySelector('#filter-text').value === 'status == 500' && document.querySelector('.grid').ariaBusy === 'false'")
    browser.click("#tools [aria-label='More']")
    browser.wait("document.querySelector('.menu')")
    browser.evaluate("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('Hold what matches')).click()")
    browser.wait("fetch('/api/rules').then((answer) => answer.json()).then((found) => found.rules.length === 2 && found.remarks.length === 0)")
    expect([json.loads(text).get("at") for text in stage.mock.rules.texts] == ["request", "response"], f"responses: {stage.mock.rules.texts}")
    # From the page; a mistake is shown at its field.
    browser.evaluate("location.hash = '#/breakpoints'")
    browser.wait("document.querySelectorAll('.break-list .rule').length === 2")
    browser.click(".break-filter")
    browser.type("stauts == 1")
    browser.press("Enter")
    browser.wait("document.querySelector('#break-problem:not([hidden])')?.textContent.includes('write “') && document.activeElement.className === 'break-filter'")
    audit(stage, "breakpoints-rules", widths=(390, 1440, 1600))
    browser.pardon(422)
    browser.evaluate(value(".break-filter", "path == /pay"))
    browser.press("Enter")
    browser.wait("document.querySelectorAll('.break-list .rule').length === 3 && document.querySelector('.break-filter').value === ''")
    expect(json.loads(stage.mock.rules.texts[2]) == {"name": "break: path == /pay", "when": "path == /pay", "do": "breakpoint", "at": "request", "seconds": 120}, "the rule")
    # Off and on by the keyboard, and away.
    browser.evaluate("document.querySelector('.break-list .rule:nth-child(3) input').focus()")
    browser.press(" ")
    browser.wait("document.querySelector('.break-list .rule:nth-child(3).off') && document.activeElement.role === 'switch'")
    expect(json.loads(stage.mock.rules.texts[2])["enabled"] is False, "it is off")
    # The same filter switches the breakpoint on again.
    browser.evaluate(value(".break-filter", "path == /pay"))
    browser.press("Enter")
    browser.wait("document.querySelector('.break-list .rule:nth-child(3):not(.off)')")
    # Another client changes the rules meanwhile: its rules stay.
    stage.mock.rules.put({"rules": ['{"name": "theirs", "do": "mock"}', *stage.mock.rules.texts]})
    browser.evaluate("document.querySelector('.break-list .rule:nth-child(3) button').click()")
    browser.wait("document.querySelectorAll('.break-list .rule').length === 2")
    expect([json.loads(text)["name"] for text in stage.mock.rules.texts][0] == "theirs" and len(stage.mock.rules.texts) == 3, "theirs stay")
    stage.mock.rules.__init__()


class Echo(console_compose.Echo):
    """Keeps what it sees apart from the servers of other groups, which run at the same time."""
    seen, whole = [], []


def curl(console, url, *more):
    return subprocess.Popen(["curl", "-sS", "--max-time", str(PATIENCE), "-w", " %{http_code}", "-x", f"http://{console.proxy}", *more, url],
                            env={"NO_PROXY": "", "PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@test
def holds_real_traffic(stage):
    browser = stage.browser
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Echo.seen.clear()
    with live(stage) as console:
        if not console:
            return
        url = f"http://127.0.0.1:{server.server_port}"
        browser.evaluate("location.hash = '#/breakpoints'")
        browser.wait("document.querySelector('.break-list')?.textContent.includes('no breakpoint yet')")
        browser.evaluate("document.querySelector('.break-rules select').value = 'both'")
        browser.click(".break-filter")
        browser.type("path startswith /held")
        browser.press("Enter")
        browser.wait("document.querySelectorAll('.break-list .rule').length === 1")
        # The user edits a request, and its response, too.
        client = curl(console, f"{url}/held", "-d", "sent", "-H", "X-Twice: 2")
        browser.wait(f"{READY} && document.querySelector('.held-target .method')?.value === 'POST' && document.querySelector('#held-body').value === 'sent'")
        expect(client.poll() is None and not Echo.seen, "the server has heard of nothing")
        exchange = browser.evaluate("Number(/exchange (\\d+)/.exec(document.querySelector('.held-of').textContent)[1])")
        browser.evaluate("location.hash = '#/'")
        browser.wait(f"document.querySelector('.row[data-id=\"{exchange}\"]')?.textContent.includes('‖') && document.querySelector('#held-count').textContent === '1'")
        stage.shoot("held-live-list")
        browser.press("b")
        browser.wait(READY)
        browser.evaluate(value(".held-target .method", "HEAD"))
        browser.press("Enter", 2)
        browser.wait("document.querySelector('#held-problem-method:not([hidden])')?.textContent.includes('HEAD')")
        browser.pardon(400)
        browser.evaluate(value(".held-target .method", "POST"))
        browser.evaluate(value(".held-path", "/held/edited"))
        browser.evaluate(value("#held-fields", "X-Twice: 1\nX-Twice: 3"))
        browser.evaluate(value("#held-body", "edited"))
        browser.press("Enter", 2)
        browser.wait(f"document.querySelector('#held-status')?.value === '201' && {READY} && document.querySelector('#held-body').value === 'got edited'")
        expect(Echo.seen == [("POST", "/held/edited", ["1", "3"], b"edited")], f"the server got what was edited: {Echo.seen}")
        audit(stage, "breakpoints-live", schemes=("dark",))
        browser.evaluate(value("#held-status", "404"))
        browser.evaluate(value("#held-body", "none"))
        browser.click(".held-continue")
        browser.wait(NOTHING)
        expect(client.communicate(timeout=PATIENCE)[0] == "none 404", "the client got what was edited")
        # Answered in the server's place, dropped, and all continued.
        client = curl(console, f"{url}/held/answer")
        browser.wait(f"{HELD} === 1 && {READY}")
        browser.click(".held-answer")
        browser.evaluate(value("#held-status", "418"))
        browser.evaluate(value("#held-body", "teapot"))
        browser.click(".held-continue")
        expect(client.communicate(timeout=PATIENCE)[0] == "teapot 418" and len(Echo.seen) == 1, "the server was not asked")
        browser.wait(NOTHING)
        client = curl(console, f"{url}/held/drop")
        browser.wait(f"{HELD} === 1 && {READY}")
        browser.click(".held-drop")
        expect("000" in client.communicate(timeout=PATIENCE)[0], "the client gets nothing")
        browser.wait(NOTHING)
        clients = [curl(console, f"{url}/held/{number}") for number in range(3)]
        browser.wait(f"{HELD} === 3")
        browser.click(".held-all")
        browser.wait(f"{HELD} === 3 && document.querySelector('.held-one').textContent.includes('response')")
        browser.click(".held-all")
        browser.wait(NOTHING)
        expect([one.communicate(timeout=PATIENCE)[0] for one in clients] == ["got  201"] * 3, "all went on")
        # Without breakpoints no message is held.
        browser.evaluate("document.querySelector('.break-list input').focus()")
        browser.press(" ")
        browser.wait("document.querySelector('.break-list .rule.off')")
        expect(curl(console, f"{url}/held/off").communicate(timeout=PATIENCE)[0] == "got  201", "nothing is held")
        # A client that disconnects takes its message along.
        browser.press(" ")
        browser.wait("document.querySelector('.break-list .rule:not(.off)')")
        client = curl(console, f"{url}/held/leaves")
        browser.wait(f"{HELD} === 1 && {READY}")
        client.kill()
        client.wait()
        browser.wait(NOTHING)
    server.shutdown()
