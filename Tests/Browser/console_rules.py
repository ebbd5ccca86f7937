"""The rules and the file that keeps them, with the real program."""
import json
import pathlib
import urllib.error
import urllib.request

from console_lab import audit
from console_stage import ROWS, expect, test
from live_stage import live

TEA = '{"name": "tea", "when": "path == /tea", "do": "mock", "status": 418, "body": "teapot\\n"}'


def status_through(console, path, method="GET"):
    """The status of a plain request through the proxy, for a server that is not there."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{console.proxy}"}))
    try:
        with opener.open(urllib.request.Request(f"http://127.0.0.1:1{path}", method=method), timeout=300) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def write_rule(browser, text):
    browser.evaluate(f"(() => {{ const area = document.querySelector('.rule-editor textarea'); area.value = {json.dumps(text)}; area.dispatchEvent(new Event('input', {{bubbles: true}})); }})()")
    browser.click(".rule-use")


@test
def changes_rules_while_it_runs(stage):
    browser = stage.browser
    with live(stage) as console:
        if not console:
            return
        browser.evaluate("location.hash = '#/rules'")
        browser.wait("document.querySelector('.rule-list')?.textContent.includes('There are none')")
        browser.evaluate("document.querySelector('.rule-end select').value = 'mock'")
        browser.click(".rule-add")
        browser.wait("document.activeElement.matches('.rule-editor textarea') && document.activeElement.value.includes('\"do\": \"mock\"')")
        # Mistakes are told at their place, and what was written stays, on another page too.
        write_rule(browser, '{"do": "block",\n "when" "x"}')
        browser.wait("document.querySelector('#rule-problem')?.textContent.includes('line 2, column 9')")
        expect(browser.evaluate("document.activeElement.value.slice(document.activeElement.selectionStart)").startswith('"x"'), "the place is selected")
        write_rule(browser, '{"do": "block", "when": "path == /x & stauts == 404"}')
        browser.wait("document.querySelector('#rule-problem')?.textContent.includes('stauts')")
        expect(browser.evaluate("document.activeElement.value.slice(document.activeElement.selectionStart)").startswith("stauts"), "so is the word of the filter")
        write_rule(browser, '{"do": "blok"}')
        browser.wait("document.querySelector('#rule-problem')?.textContent.includes('blok')")
        audit(stage, "rules-mistake")
        browser.pardon(422)
        browser.press("Escape")
        expect(browser.evaluate("location.hash") == "#/rules" and browser.evaluate("document.querySelector('.rule-editor textarea').value") == '{"do": "blok"}', "Escape in the text takes nothing away")
        browser.evaluate("location.hash = '#/events'")
        browser.wait("document.querySelector('.log')")
        browser.evaluate("location.hash = '#/rules'")
        browser.wait("document.querySelector('.rule-editor textarea')?.value === '{\"do\": \"blok\"}'")
        # What is right counts at once.
        expect(status_through(console, "/tea") == 502, "nothing answers yet")
        write_rule(browser, TEA)
        browser.wait("document.querySelector('[data-rule=tea]') && !document.querySelector('.rule-editor')")
        says = browser.evaluate("document.querySelector('[data-rule=tea] .rule-says').textContent")
        expect(says == "says status 418 · body teapot", f"the card says its arguments: {says}")
        lines = browser.evaluate("""import('/js/rules/rule-text.js').then(({ argumentsOf }) => ['{"do": "block"}', '{"name": "x", "do": "block", "with": "reset"}',
          '{"do": "mapRemote", "to": "http://127.0.0.1:3000", "enabled": false}', '{"do": "setAuthentication", "bearer": "SECRET"}', '{"do": "noCaching"}', '{'].map(argumentsOf))""")
        expect(lines == ["", "with reset", "to http://127.0.0.1:3000", "bearer …", "", ""], f"each says its own: {lines}")
        expect(browser.evaluate("document.querySelector('[data-rule=tea] .rule-edit').ariaLabel") == "Edit tea", "its button has a name of its own")
        expect(status_through(console, "/tea") == 418, "the rule answers")
        browser.wait("document.querySelector('[data-rule=tea] .hits').textContent === 'acted on 1 exchange'")
        browser.click("[data-rule=tea] input[type=checkbox]")
        browser.wait("document.querySelector('[data-rule=tea].off')")
        expect(status_through(console, "/tea") == 502, "it is off")
        browser.press(" ")
        browser.wait("document.querySelector('[data-rule=tea]:not(.off)')")
        expect(status_through(console, "/tea") == 418, "it is on again, by the key")
        # One that can never act is said to be so; the order is changed, and a rule removed and put back.
        browser.click(".rule-add")
        browser.wait("document.querySelector('.rule-editor textarea')")
        write_rule(browser, '{"name": "later", "when": "path == /tea", "do": "block"}')
        browser.wait("document.querySelector('[data-rule=later] .notice')?.textContent.includes('can never act')")
        audit(stage, "rules", widths=(390, 1440, 1600))
        browser.click("[data-rule=later] [data-move='-1']")
        browser.wait("document.querySelector('.rule-list > li').dataset.rule === 'later'")
        expect(status_through(console, "/tea") == 403, "the first that answers is the last that is asked")
        browser.click("[data-rule=later] [aria-label='Remove later']")
        browser.wait("!document.querySelector('[data-rule=later]') && document.querySelector('.rule-undo')")
        browser.click(".rule-undo")
        browser.wait("document.querySelector('[data-rule=later]') && !document.querySelector('.rule-undo')")
        browser.click("[data-rule=later] [aria-label='Remove later']")
        browser.wait("!document.querySelector('[data-rule=later]')")
        # Somebody else changes them meanwhile: nothing is overwritten.
        browser.evaluate("(async () => { document.querySelector('.rule-edit').click(); await fetch('/api/rules', {method: 'PUT', body: JSON.stringify({rules: [%s, '{\"name\": \"other\", \"do\": \"noCaching\"}']})}); })()" % json.dumps(TEA))
        browser.wait("document.querySelector('[data-rule=other]') && document.querySelector('.rule-editor')")
        write_rule(browser, TEA.replace("418", "420"))
        browser.wait("document.querySelector('[data-rule=other]') && !document.querySelector('.rule-editor')")
        status = status_through(console, "/tea")
        said = browser.evaluate("fetch('/api/rules').then((answer) => answer.text())")
        expect(status == 420, f"both changes count: {status} {said}")
        # From an exchange to the rule that acted on it.
        browser.evaluate("location.hash = '#/?q=ruled'")
        browser.wait("document.querySelector('.grid').ariaRowCount > 1 && document.querySelector('.viewport .row')?.textContent.includes('420') && document.querySelector('.viewport .row').textContent.includes('⚙')")
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("ArrowDown")
        browser.press("Enter")
        browser.wait("document.querySelector('.acted a')?.textContent === 'tea'")
        browser.click(".acted a")
        browser.wait("document.querySelector('.rule.pointed')?.dataset.rule === 'tea'")


@test
def saves_settings_to_the_file(stage):
    browser = stage.browser
    with live(stage) as console:
        if not console:
            return
        file = pathlib.Path(console.folder.name, "config.json")
        browser.evaluate("fetch('/api/rules', {method: 'PUT', body: JSON.stringify({rules: [%s]})})" % json.dumps(TEA))
        browser.evaluate("location.hash = '#/rules'")
        browser.wait("document.querySelector('[data-rule=tea]')")
        browser.click(".rules-save")
        browser.wait("document.querySelector('dialog .diff-line.added')?.textContent && document.querySelector('dialog').textContent.includes('does not exist')")
        expect(not file.exists(), "nothing is written before somebody says so")
        audit(stage, "rules-save")
        browser.click(".save-write")
        browser.wait("!document.querySelector('dialog')")
        expect(json.loads(file.read_text())["rules"][0]["name"] == "tea" and file.stat().st_mode & 0o777 == 0o600, "it is written, for its owner")
        browser.click(".rules-save")
        browser.wait("document.querySelector('dialog')?.textContent.includes('nothing is to be saved')")
        browser.press("Enter")
        browser.wait("!document.querySelector('dialog')")
        # Only what differs is written, and a file that somebody changed meanwhile is shown again.
        browser.evaluate("fetch('/api/settings', {method: 'PUT', body: JSON.stringify({passthrough: ['*.bank.test']})})")
        file.write_text('{\n  "tls": {"upstreamCAs":[ ], "passthrough": []},\n  "rules": [\n    %s\n  ]\n}\n' % TEA)
        file.chmod(0o640)
        browser.evaluate("location.hash = '#/settings'")
        browser.wait("document.querySelector('.settings-save')")
        browser.click(".settings-save")
        browser.wait("document.querySelector('dialog .diff-line.removed')")
        file.write_text(file.read_text().replace('"upstreamCAs":[ ]', '"upstreamCAs":[  ]'))
        browser.click(".save-write")
        browser.wait("document.querySelector('dialog .notice.failed')?.textContent.includes('changed meanwhile')")
        browser.pardon(409)
        browser.click(".save-write")
        browser.wait("!document.querySelector('dialog')")
        expect(file.read_text() == '{\n  "tls": {"upstreamCAs":[  ], "passthrough": ["*.bank.test"]},\n  "rules": [\n    %s\n  ]\n}\n' % TEA, f"the rest stays: {file.read_text()}")
        expect(file.stat().st_mode & 0o777 == 0o640, "the mode stays")
        # What cannot be edited is said to be so, and left alone.
        file.write_text("{ // a comment\n}")
        browser.click(".settings-save")
        browser.wait("document.querySelector('dialog')?.textContent.includes('cannot be edited')")
        browser.pardon(422)
        browser.press("Enter")
        browser.wait("!document.querySelector('dialog')")
        expect(file.read_text() == "{ // a comment\n}", "it is left alone")


def choose_programs(browser):
    browser.evaluate("location.hash = '#/rules'")
    browser.wait("document.querySelector('.rule-end select')?.options.length > 0")
    browser.evaluate("(() => { const kinds = document.querySelector('.rule-end select'); kinds.value = 'askProgram'; kinds.dispatchEvent(new Event('change')); })()")
    return browser.evaluate("document.querySelector('#rule-programs:not([hidden])')?.textContent")


@test
def asks_programs_that_are_declared(stage):
    browser = stage.browser
    with live(stage) as console:
        if not console:
            return
        expect((choose_programs(browser) or "").startswith("No program is declared."), "where none is declared, it is said how one is")
        expect(browser.evaluate("document.querySelector('.rule-add').disabled"), "a rule could name none")
        audit(stage, "rules-no-program", widths=(390, 1440))
        browser.evaluate("(() => { const kinds = document.querySelector('.rule-end select'); kinds.value = 'mock'; kinds.dispatchEvent(new Event('change')); })()")
        expect(not browser.evaluate("document.querySelector('.rule-add').disabled"), "other kinds need none")
    with live(stage, "--interceptor", "cat") as console:
        said = choose_programs(browser)
        expect(said == "Declared: --interceptor.", f"what is declared is named: {said}")
        browser.click(".rule-add")
        browser.wait("document.querySelector('.rule-editor textarea')")
        written = json.loads(browser.evaluate("document.querySelector('.rule-editor textarea').value"))
        expect(written == {"name": "ask a program", "when": "host == api.example.com", "do": "askProgram", "program": "--interceptor"}, f"a rule to begin with: {written}")
        audit(stage, "rules-program", widths=(390, 1440))
        browser.click(".rule-use")
        browser.wait("document.querySelector('[data-rule=\"ask a program\"] code')?.textContent === 'askProgram'")


def written_rule(browser):
    browser.wait("location.hash.startsWith('#/rules') && document.activeElement.matches('.rule-editor textarea')")
    return json.loads(browser.evaluate("document.activeElement.value"))


@test
def begins_rules_from_an_exchange(stage):
    browser = stage.fresh()
    stage.open("json")
    # The menu of rules stands in the place of the item's, and gives it back.
    browser.click(".row.cursor .cell:nth-child(3)", button="right")
    browser.wait("document.querySelector('.menu')")
    browser.press("n")
    browser.wait("document.activeElement.textContent.startsWith('New rule…') && document.activeElement.ariaHasPopup === 'menu'")
    browser.press("ArrowRight")
    browser.wait("document.querySelector('.menu').ariaLabel === 'New rule' && document.activeElement.textContent === 'Mock this…'")
    audit(stage, "menu-new-rule")
    browser.press("ArrowLeft")
    browser.wait("document.querySelector('.menu').ariaLabel === 'Item' && document.activeElement.textContent.startsWith('New rule…')")
    browser.press("Enter")
    browser.wait("document.querySelector('.menu').ariaLabel === 'New rule'")
    browser.press("Enter")
    rule = written_rule(browser)
    item = stage.mock.capture.item(stage.mock.capture.place(stage.names["json"]))
    body = stage.mock.capture.special[stage.names["json"]]["response"][2].decode()
    expect(rule["do"] == "mock" and rule["status"] == item["status"] and rule["body"] == body
           and rule["fields"] == [f"Content-Type: {item['contentType']}"], f"as it was answered: {rule}")
    expect(rule["when"] == f"method == GET & host == \"{item['host']}\" & path == \"{item['path'].split('?')[0]}\"", f"what is like it: {rule['when']}")
    # What is being written is not overwritten by another.
    browser.type(" ")
    browser.evaluate("location.hash = '#/'")
    browser.wait("!document.querySelector('#page-traffic').hidden")
    browser.evaluate("document.querySelector('.grid').focus()")
    stage.open("json")
    browser.press("k", modifiers=2)
    browser.wait("document.activeElement.matches('.palette-field')")
    browser.type("New rule: Block")
    browser.press("Enter")
    browser.wait("document.querySelector('.toast')?.textContent.includes('not used yet')")
    expect(written_rule(browser)["do"] == "mock", "it is still there")
    browser.evaluate("[...document.querySelectorAll('.rule-editor button')].find((button) => button.textContent === 'Cancel').click()")
    for label, kind in (("Block…", "block"), ("Map to a file…", "mapLocal"), ("Map to another server…", "mapRemote"), ("Delay…", "delay"),
                        ("Throttle…", "throttle"), ("Rewrite the request…", "rewriteRequest"), ("Rewrite the response…", "rewriteResponse")):
        stage.open("json")
        browser.press("k", modifiers=2)
        browser.wait("document.activeElement.matches('.palette-field')")
        browser.type(f"New rule: {label}")
        browser.press("Enter")
        expect(written_rule(browser)["do"] == kind, label)
        browser.evaluate("[...document.querySelectorAll('.rule-editor button')].find((button) => button.textContent === 'Cancel').click()")
        browser.wait("!document.querySelector('.rule-editor')")


@test
def rules_begun_from_an_exchange_are_rules(stage):
    browser = stage.browser
    with live(stage) as console:
        if not console:
            return
        expect(status_through(console, "/seen?x=1") == 502, "nothing answers yet")
        browser.wait("document.querySelectorAll('.viewport .row:not([hidden])').length > 0")
        kinds = ("Block", "Map to another server", "Delay", "Throttle", "Rewrite the request", "Rewrite the response", "Mock this")
        for label in kinds:
            browser.evaluate("location.hash = '#/'")
            browser.wait("!document.querySelector('#page-traffic').hidden")
            browser.evaluate("document.querySelector('.grid').focus()")
            browser.press("Home")
            browser.wait("document.querySelector('.row.cursor')?.textContent.includes('/seen')")
            browser.press("k", modifiers=2)
            browser.wait("document.activeElement.matches('.palette-field')")
            browser.type(f"New rule: {label}…")
            browser.press("Enter")
            name = written_rule(browser)["name"]
            browser.click(".rule-use")
            browser.wait(f"document.querySelector('[data-rule=\"{name}\"]') && !document.querySelector('.rule-editor')")
        expect(status_through(console, "/seen") == 403, "the first of them answers")
        expect(status_through(console, "/other") == 502, "and nothing else")


@test
def rules_begun_from_odd_requests_mean_no_others(stage):
    """A method may have letters that mean something in a filter; a path may be longer than a filter, or no UTF-8."""
    browser = stage.browser
    with live(stage) as console:
        if not console:
            return
        for number, (method, path) in enumerate((("GET|all|x", "/odd"), ("A'B", "/quote"), ("GET", "/long" + "x" * 9000))):
            expect(status_through(console, path, method) == 502, "nothing answers yet")
            browser.evaluate("location.hash = '#/'")
            browser.wait("!document.querySelector('#page-traffic').hidden")
            browser.wait(f"{ROWS}[0]?.textContent.includes({json.dumps(path[:20])})")
            browser.evaluate("document.querySelector('.grid').focus()")
            browser.press("Home")
            browser.wait(f"document.querySelector('.row.cursor')?.textContent.includes({json.dumps(path[:20])})")
            browser.press("k", modifiers=2)
            browser.wait("document.activeElement.matches('.palette-field')")
            browser.type("New rule: Block…")
            browser.press("Enter")
            written_rule(browser)
            browser.click(".rule-use")
            browser.wait(f"document.querySelectorAll('[data-rule]').length === {number + 1} && !document.querySelector('.rule-editor')")
            expect(status_through(console, path, method) == 403, f"it means its own: {method} {path[:20]}")
            other = status_through(console, "/other")
            expect(other == 502, f"and nothing else than {method} {path[:20]}: {other}")


@test
def computes_rules_and_filters(stage):
    browser = stage.fresh()
    likes = browser.evaluate("""import('/js/breakpoints/breakpoint-rules.js').then(({ filterLike }) => [
      { method: 'GET', scheme: 'https', host: 'a.test', port: 8443, path: '/a?b' }, { method: 'X', scheme: 'http', host: 'a"b', path: '/r\\ufffd\\ufffd?c' }].map(filterLike))""")
    expect(likes == ['method == GET & host == "a.test" & port == 8443 & path == "/a"',
                     'method == "X" & host == "a\\"b" & path startswith "/r"'], f"filters: {likes}")
    texts = ['{"do": "setJSON", "set": [{"at": "/x", "value": {"enabled": true}}]}', '{"x": {"enabled": true}, "enabled" : true, "y": "enabled"}',
             '{"name": "\\"enabled\\": true", "enabled": false}', "{}"]
    off = browser.evaluate(f"import('/js/rules/rule-text.js').then(({{ switched }}) => {json.dumps(texts)}.map((text) => switched(text, false)))")
    expect(off == ['{"do": "setJSON", "set": [{"at": "/x", "value": {"enabled": true}}], "enabled": false}',
                   '{"x": {"enabled": true}, "enabled" : false, "y": "enabled"}', texts[2], '{, "enabled": false}'], f"switched off: {off}")
