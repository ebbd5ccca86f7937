"""Breakpoints, with the real program."""
import contextlib
import json

from audits import audit
from console_stage import FIRST, expect, test
from live_stage import Echo, curl, ended, live

HELD = "document.querySelectorAll('.held-one').length"
# The check for visibility: a page keeps its hidden editor until the user returns.
READY = "document.querySelector('.held-editor')?.ariaBusy === 'false' && document.querySelector('.held-editor').checkVisibility()"
NOTHING = "document.querySelector('#held-title')?.textContent === 'Nothing is held'"


def value(selector, text):
    """An expression that writes a text into a field, as typing does."""
    return (f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field.focus(); field.value = {json.dumps(text)};"
            " field.dispatchEvent(new Event('input', {bubbles: true})); })()")


# Keeps what the page decides, once the console has accepted it.
RECORD = r"""window.decisions = [];
    const ask = window.fetch;
    window.fetch = async (path, request) => {
        const answer = await ask(path, request);
        const [, number, way] = /^\/api\/breakpoints\/(\d+)\/(\w+)$/.exec(path) ?? [];
        if (way && answer.ok) window.decisions.push([way, Number(number), JSON.parse(request.body ?? '{}')]);
        return answer;
    };
    true"""


def decisions(browser, count):
    """The decisions so far, once there are `count` of them."""
    return browser.wait(f"window.decisions.length >= {count} && window.decisions")


def texts_of(console):
    """The texts of the rules that the proxy has."""
    return [rule["text"] for rule in json.loads(console.ask("/api/rules"))["rules"]]


def rules_of(console):
    return [json.loads(text) for text in texts_of(console)]


def use_rules(console, *texts):
    """Another client of the console replaces the rules."""
    console.ask("/api/rules", json.dumps({"rules": texts}).encode(), "PUT")


@contextlib.contextmanager
def holding(stage, **rule):
    """A console that holds requests below /held and responses below /answer; its clients come one after the other."""
    with live(stage) as console, Echo() as server:
        use_rules(console, *(json.dumps({"when": f"path startswith {path}", "do": "breakpoint", "at": at, "seconds": 600, **rule})
                             for path, at in (("/held", "request"), ("/answer", "response"))))
        stage.browser.evaluate(RECORD)

        def hold(path, count, *more):
            """Sends a request, and returns its client, the number of the held message and that of its exchange."""
            client = curl(console, f"{server.url}{path}", "--max-time", "900", *more)
            number, exchange = stage.browser.wait("fetch('/api/breakpoints').then((answer) => answer.json())"
                                                  f".then(({{ held }}) => held.length === {count} && [held.at(-1).id, held.at(-1).exchange])")
            return client, number, exchange

        yield stage.browser, server, hold


@test
def decides_about_what_is_held(stage):
    with holding(stage) as (browser, server, hold):
        # The list and every page show the held message.
        one, first, running = hold("/held?x=1", 1, "-d", '{"price": 1}', "-H", "User-Agent:", "-H", "Content-Type:")
        browser.wait("document.querySelector('#held-count').textContent === '1' && document.querySelector('.held-link').textContent.includes('1 held') && document.title.startsWith('(1 held)')")
        browser.wait(f"document.querySelector('.row[data-id=\"{running}\"]')?.textContent.includes('‖')")
        other, second, _ = hold("/answer", 2, "-d", "hello")
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
        expect(decisions(browser, 1) == [["continue", first, {"method": "PUT", "path": "/held?x=2", "fields": [["Accept", "text/plain"]]}]], "only what was changed is sent")
        # The focus has moved to the next message; a response has a status.
        expect(browser.evaluate("document.activeElement.className") == "held-one", "the keyboard goes on")
        browser.evaluate(value("#held-status", "200x"))
        browser.press("Enter")
        browser.wait("document.querySelector('#held-problem-status:not([hidden])')")
        browser.pardon(400)
        browser.click(".held-undo")
        browser.wait("document.querySelector('#held-status').value === '201'")
        browser.evaluate(value("#held-status", "503"))
        browser.evaluate(value("#held-body", "sorry"))
        browser.press("Enter", 2)
        browser.wait(NOTHING)
        expect(ended(one) == 'got {"price": 1} 201' and server.whole[-1][:2] == ("PUT", "/held?x=2"), f"the server got the changes: {server.whole}")
        expect(decisions(browser, 2)[1] == ["continue", second, {"status": 503, "body": "sorry"}], "the response is changed")
        expect(browser.evaluate("document.activeElement.id") == "held-title", "the keyboard is where it can go on")
        expect(ended(other) == "sorry 503", "the client gets it")


@test
def answers_drops_and_forgets(stage):
    with holding(stage) as (browser, server, hold):
        clients, held, _ = zip(*(hold(f"/held/{name}", count, "-d", name) for count, name in enumerate(("one", "two", "three"), 1)))
        browser.evaluate("location.hash = '#/breakpoints'")
        browser.wait(f"{READY} && {HELD} === 3")
        browser.evaluate("document.querySelector('.held-one').focus()")
        browser.press("ArrowDown")
        browser.press("Enter")
        browser.wait(f"{READY} && document.querySelector('.held-path')?.value === '/held/two' && document.activeElement.className === 'held-one'")
        browser.click(".held-answer")
        browser.wait("document.activeElement.id === 'held-status'")
        browser.evaluate(value("#held-status", "418"))
        browser.evaluate(value("#held-body", "teapot"))
        audit(stage, "breakpoints-answer", schemes=("light",))
        browser.click(".held-continue")
        browser.wait(f"{HELD} === 2")
        browser.wait(f"{READY} && document.querySelector('.held-path')?.value === '/held/one'")
        browser.click(".held-reset")
        browser.wait(f"{HELD} === 1 && {READY} && document.querySelector('.held-path')?.value === '/held/three'")
        browser.click(".held-drop")
        browser.wait(NOTHING)
        expect(decisions(browser, 3) == [["respond", held[1], {"status": 418, "fields": [["Content-Type", "text/plain; charset=utf-8"]], "body": "teapot"}],
                                       ["drop", held[0], {"reset": True}], ["drop", held[2], {}]], f"decided: {decisions(browser, 3)}")
        expect([ended(client)[-3:] for client in clients] == ["000", "418", "000"], "the clients get that")
        # Continue all, except for an edited message.
        (edited, *_), *_ = [hold(f"/held/{name}", count, "-d", name) for count, name in enumerate(("four", "five", "six"), 1)]
        browser.wait(f"{READY} && {HELD} === 3 && document.querySelector('.held-path')?.value === '/held/four'")
        browser.evaluate(value("#held-body", "changed"))
        browser.click(".held-all")
        browser.wait(f"{HELD} === 1 && document.querySelector('.breakpoints .notice')?.textContent.includes('still held')")
        # The page drops only messages without edits, and asks first.
        for count, name in enumerate(("seven", "eight"), 2):
            hold(f"/held/{name}", count)
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
        expect([one[0] for one in decisions(browser, 7)[5:]] == ["drop", "drop"], "both are dropped")
        expect(browser.evaluate("document.querySelector('#held-body').value") == "changed", "what is being written stays")
        # The client leaves during an edit: the page says so and keeps the edit.
        edited.kill()
        browser.wait("document.querySelector('.held-editor .notice.failed')?.textContent.includes('not held any more')")
        expect(browser.evaluate("document.querySelector('#held-body').value") == "changed", "what was written is still there")
        browser.press("Enter", 2)
        expect(len(decisions(browser, 7)) == 7, "nothing is decided about what is gone")
        browser.evaluate("location.hash = '#/events'")
        browser.wait("document.querySelector('.log')")
        browser.evaluate("location.hash = '#/breakpoints'")
        browser.wait("document.querySelector('#held-body')?.value === 'changed'")
        audit(stage, "breakpoints-over", schemes=("light",))
        browser.click(".held-dismiss")
        browser.wait(f"{NOTHING} && !document.querySelector('.held-editor')")


@test
def goes_on_without_a_decision(stage):
    with holding(stage, seconds=2) as (browser, _, hold):
        browser.evaluate("location.hash = '#/breakpoints'")
        client, _, _ = hold("/held", 1)
        browser.wait(f"{HELD} === 1 && document.querySelector('.held-time.soon')")
        browser.wait(NOTHING)
        expect(ended(client) == "got  201", "the server answers")


@test
def holds_what_a_filter_means(stage):
    browser = stage.browser
    with live(stage) as console, Echo() as server:
        # From the menu of an item, in one action.
        ended(curl(console, f"{server.url}/v2/orders/7?expand=lines"))
        browser.wait(FIRST)
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("ArrowDown")
        browser.wait("document.querySelector('.row.cursor:not(.waiting)')")
        browser.evaluate("document.querySelector('.row.cursor').dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))")
        browser.wait("document.querySelector('.menu')")
        browser.evaluate("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('New rule…')).click()")
        browser.evaluate("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('Hold requests like this')).click()")
        browser.wait("document.querySelector('.toast')?.textContent.startsWith('Held from now on')")
        expect(rules_of(console)[0]["when"] == f'method == GET & host == "127.0.0.1" & port == {server.server_port} & path == "/v2/orders/7"', f"like it: {rules_of(console)}")
        # From the filter of the list; a filter that needs a response holds responses.
        browser.evaluate("location.hash = '#/?q=status == 500'")
        browser.wait("document.querySelector('#filter-text').value === 'status == 500' && document.querySelector('.grid').ariaBusy === 'false'")
        browser.click("#tools [aria-label='More']")
        browser.wait("document.querySelector('.menu')")
        browser.evaluate("[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('Hold what matches')).click()")
        browser.wait("fetch('/api/rules').then((answer) => answer.json()).then((found) => found.rules.length === 2 && found.remarks.length === 0)")
        expect([rule.get("at") for rule in rules_of(console)] == ["request", "response"], f"responses: {rules_of(console)}")
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
        expect(rules_of(console)[2] == {"name": "break: path == /pay", "when": "path == /pay", "do": "breakpoint", "at": "request", "seconds": 120}, "the rule")
        # Off and on by the keyboard, and away.
        browser.evaluate("document.querySelector('.break-list .rule:nth-child(3) input').focus()")
        browser.press(" ")
        browser.wait("document.querySelector('.break-list .rule:nth-child(3).off') && document.activeElement.role === 'switch'")
        expect(rules_of(console)[2]["enabled"] is False, "it is off")
        # The same filter switches the breakpoint on again.
        browser.evaluate(value(".break-filter", "path == /pay"))
        browser.press("Enter")
        browser.wait("document.querySelector('.break-list .rule:nth-child(3):not(.off)')")
        # Another client changes the rules meanwhile: its rules stay.
        use_rules(console, '{"name": "theirs", "do": "noCaching"}', *texts_of(console))
        browser.evaluate("document.querySelector('.break-list .rule:nth-child(3) button').click()")
        browser.wait("document.querySelectorAll('.break-list .rule').length === 2")
        expect(rules_of(console)[0]["name"] == "theirs" and len(rules_of(console)) == 3, "theirs stay")


@test
def holds_real_traffic(stage):
    browser = stage.browser
    with live(stage) as console, Echo() as server:
        url = server.url
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
        expect(client.poll() is None and not server.seen, "the server has heard of nothing")
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
        expect(server.seen == [("POST", "/held/edited", ["1", "3"], b"edited")], f"the server got what was edited: {server.seen}")
        audit(stage, "breakpoints-live", schemes=("dark",))
        browser.evaluate(value("#held-status", "404"))
        browser.evaluate(value("#held-body", "none"))
        browser.click(".held-continue")
        browser.wait(NOTHING)
        expect(ended(client) == "none 404", "the client got what was edited")
        # Answered in the server's place, dropped, and all continued.
        client = curl(console, f"{url}/held/answer")
        browser.wait(f"{HELD} === 1 && {READY}")
        browser.click(".held-answer")
        browser.evaluate(value("#held-status", "418"))
        browser.evaluate(value("#held-body", "teapot"))
        browser.click(".held-continue")
        expect(ended(client) == "teapot 418" and len(server.seen) == 1, "the server was not asked")
        browser.wait(NOTHING)
        client = curl(console, f"{url}/held/drop")
        browser.wait(f"{HELD} === 1 && {READY}")
        browser.click(".held-drop")
        expect("000" in ended(client), "the client gets nothing")
        browser.wait(NOTHING)
        clients = [curl(console, f"{url}/held/{number}") for number in range(3)]
        browser.wait(f"{HELD} === 3")
        browser.click(".held-all")
        browser.wait(f"{HELD} === 3 && document.querySelector('.held-one').textContent.includes('response')")
        browser.click(".held-all")
        browser.wait(NOTHING)
        expect([ended(one) for one in clients] == ["got  201"] * 3, "all went on")
        # Without breakpoints no message is held.
        browser.evaluate("document.querySelector('.break-list input').focus()")
        browser.press(" ")
        browser.wait("document.querySelector('.break-list .rule.off')")
        expect(ended(curl(console, f"{url}/held/off")) == "got  201", "nothing is held")
        # A client that disconnects takes its message along.
        browser.press(" ")
        browser.wait("document.querySelector('.break-list .rule:not(.off)')")
        client = curl(console, f"{url}/held/leaves")
        browser.wait(f"{HELD} === 1 && {READY}")
        client.kill()
        client.wait()
        browser.wait(NOTHING)
