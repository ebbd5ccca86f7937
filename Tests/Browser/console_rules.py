"""The rules and the file that stores them, with the real program."""
import json
import pathlib
import urllib.error
import urllib.request

from audits import audit
from browser import PATIENCE
from console_stage import FIRST, ROWS, expect, test
from live_stage import Echo, curl, ended, live

TEA = '{"name": "tea", "when": "path == /tea", "do": "mock", "status": 418, "body": "teapot\\n"}'


def status_through(console, path, method="GET"):
    """The status of a plain request through the proxy, for a server that does not exist."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{console.proxy}"}))
    try:
        with opener.open(urllib.request.Request(f"http://127.0.0.1:1{path}", method=method), timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


AREA = ".rule-part > textarea"


def show_json(browser):
    """Switches to the JSON of the rule in the editor."""
    if not browser.evaluate(f"Boolean(document.querySelector('{AREA}'))"):
        browser.click("[data-way=JSON]")
    browser.wait(f"document.querySelector('{AREA}')")
    return browser.evaluate(f"document.querySelector('{AREA}').value")


def write_rule(browser, text):
    show_json(browser)
    browser.evaluate(f"(() => {{ const area = document.querySelector('{AREA}'); area.value = {json.dumps(text)}; area.dispatchEvent(new Event('input', {{bubbles: true}})); }})()")
    browser.click(".rule-use")


def fill_in(browser, key, value):
    """Writes into a control of the form, as a user does."""
    browser.evaluate(f"(() => {{ const control = document.querySelector('#rule-key-{key}'); control.value = {json.dumps(value)};"
                     " for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, {bubbles: true})); })()")


def add_rule(browser, kind):
    """Begins a rule of a kind in its form."""
    browser.evaluate(f"(() => {{ const kinds = document.querySelector('.rule-end select'); kinds.value = '{kind}'; kinds.dispatchEvent(new Event('change')); }})()")
    browser.click(".rule-add")
    browser.wait(f"document.querySelector('#rule-key-do')?.value === '{kind}'")


@test
def changes_rules_while_it_runs(stage):
    browser = stage.browser
    with live(stage) as console:
        browser.evaluate("location.hash = '#/rules'")
        browser.wait("document.querySelector('.rule-list')?.textContent.includes('There are no rules yet')")
        add_rule(browser, "mock")
        expect(json.loads(show_json(browser)) == {"name": "mock", "do": "mock"}, "a rule to begin with")
        # Mistakes are shown at their place. The text stays, on another page too.
        write_rule(browser, '{"do": "block",\n "when" "x"}')
        browser.wait("document.querySelector('#rule-problem')?.textContent.includes('line 2, column 9')")
        # The place is selected.
        browser.wait("document.activeElement.value?.slice(document.activeElement.selectionStart).startsWith('\"x\"')")
        write_rule(browser, '{"do": "block", "when": "path == /x & stauts == 404"}')
        browser.wait("document.querySelector('#rule-problem')?.textContent.includes('stauts')")
        # So is the word of the filter.
        browser.wait("document.activeElement.value?.slice(document.activeElement.selectionStart).startsWith('stauts')")
        write_rule(browser, '{"do": "blok"}')
        browser.wait("document.querySelector('#rule-problem')?.textContent.includes('blok')")
        audit(stage, "rules-mistake")
        browser.press("Escape")
        expect(browser.evaluate("location.hash") == "#/rules" and browser.evaluate(f"document.querySelector('{AREA}').value") == '{"do": "blok"}', "Escape in the text takes nothing away")
        browser.evaluate("location.hash = '#/events'")
        browser.wait("document.querySelector('.log')")
        browser.evaluate("location.hash = '#/rules'")
        browser.wait("document.querySelector('.rule-part > textarea')?.value === '{\"do\": \"blok\"}'")
        # A valid rule applies at once.
        expect(status_through(console, "/tea") == 502, "nothing answers yet")
        write_rule(browser, TEA)
        browser.wait("document.querySelector('[data-rule=tea]') && !document.querySelector('.rule-editor')")
        says = browser.evaluate("document.querySelector('[data-rule=tea] .rule-says').textContent")
        expect(says == "Answers requests for /tea with status 418 and 7 bytes of content.", f"the card says its effect: {says}")
        expect(browser.evaluate("document.querySelector('[data-rule=tea] .rule-edit').ariaLabel") == "Edit tea", "its button has a name of its own")
        expect(status_through(console, "/tea") == 418, "the rule answers")
        browser.wait("document.querySelector('[data-rule=tea] .hits').textContent === 'acted on 1 exchange'")
        browser.click("[data-rule=tea] input[type=checkbox]")
        browser.wait("document.querySelector('[data-rule=tea].off')")
        expect(status_through(console, "/tea") == 502, "it is off")
        browser.press(" ")
        browser.wait("document.querySelector('[data-rule=tea]:not(.off)')")
        expect(status_through(console, "/tea") == 418, "it is on again, by the key")
        # The page marks a rule that can never act; the user changes the order, and removes and restores a rule.
        browser.click(".rule-add")
        browser.wait("document.querySelector('.rule-editor')")
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
        # Another client changes the rules meanwhile: the page overwrites nothing.
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
        browser.wait("document.querySelector('#tab-overview')")
        browser.click("#tab-overview")
        browser.wait("document.querySelector('.acted a')?.textContent === 'tea'")
        browser.click(".acted a")
        browser.wait("document.querySelector('.rule.pointed')?.dataset.rule === 'tea'")


@test
def saves_settings_to_the_file(stage):
    browser = stage.browser
    with live(stage) as console:
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
        # Only differences are written. The page shows a file again that changed in the meantime.
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
        # The page reports a file that it cannot edit, and leaves the file unchanged.
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
        expect((choose_programs(browser) or "").startswith("No program is declared."), "where none is declared, it is said how one is")
        expect(browser.evaluate("document.querySelector('.rule-add').disabled"), "a rule could name none")
        audit(stage, "rules-no-program", widths=(390, 1440))
        browser.evaluate("(() => { const kinds = document.querySelector('.rule-end select'); kinds.value = 'mock'; kinds.dispatchEvent(new Event('change')); })()")
        expect(not browser.evaluate("document.querySelector('.rule-add').disabled"), "other kinds need none")
    with live(stage, "--interceptor", "cat") as console:
        said = choose_programs(browser)
        expect(said == "Declared: --interceptor.", f"what is declared is named: {said}")
        browser.click(".rule-add")
        browser.wait("document.querySelector('#rule-key-program')?.value === '\"--interceptor\"'")
        browser.wait("document.querySelector('.rule-sentence').textContent === 'Asks the program --interceptor about all requests.'")
        audit(stage, "rules-program", widths=(390, 1440))
        browser.click(".rule-use")
        browser.wait("document.querySelector('[data-rule=askProgram] code')?.textContent === 'askProgram'")
        # The file cannot store a rule without the declaration of its program.
        browser.pardon(422)


def written_rule(browser):
    browser.wait("location.hash.startsWith('#/rules') && document.activeElement.closest('.rule-editor')")
    return json.loads(show_json(browser))


@test
def begins_rules_from_an_exchange(stage):
    browser = stage.browser
    with live(stage) as console, Echo() as server:
        ended(curl(console, f"{server.url}/v2/orders/7?expand=lines"))
        browser.wait(FIRST)
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("ArrowDown")
        browser.wait("document.querySelector('.row.cursor:not(.waiting)')")
        # The menu of rules replaces the item's menu, and leads back to it.
        browser.click(".row.cursor .cell:nth-child(3)", button="right")
        browser.wait("document.querySelector('.menu')")
        browser.press("n")
        browser.wait("document.activeElement.textContent.startsWith('New rule…') && document.activeElement.ariaHasPopup === 'menu'")
        browser.press("ArrowRight")
        browser.wait("document.querySelector('.menu').ariaLabel === 'New rule' && document.activeElement.textContent.startsWith('Mock this…')")
        audit(stage, "menu-new-rule")
        browser.press("ArrowLeft")
        browser.wait("document.querySelector('.menu').ariaLabel === 'Item' && document.activeElement.textContent.startsWith('New rule…')")
        browser.press("Enter")
        browser.wait("document.querySelector('.menu').ariaLabel === 'New rule'")
        browser.press("Enter")
        # The request has a query, so the menu asks which queries are meant.
        browser.wait("document.querySelector('.menu').ariaLabel === 'Mock this' && document.activeElement.textContent === 'For every query'")
        browser.press("Enter")
        rule = written_rule(browser)
        host = 'host == "127.0.0.1"'
        expect(rule["do"] == "mock" and rule["status"] == 201 and rule["body"] == "got "
               and rule["fields"] == ["Content-Type: text/plain"], f"as it was answered: {rule}")
        expect(rule["when"] == f'method == GET & {host} & port == {server.server_port} & path == "/v2/orders/7"', f"what is like it: {rule['when']}")
        # A new rule does not overwrite an unsaved one.
        fill_in_json = f"(() => {{ const area = document.querySelector('{AREA}'); area.value += ' '; area.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
        browser.evaluate(fill_in_json)
        browser.evaluate("location.hash = '#/'")
        browser.wait("!document.querySelector('#page-traffic').hidden")
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("k", modifiers=2)
        browser.wait("document.activeElement.matches('.palette-field')")
        browser.type("New rule: Block this")
        browser.press("Enter")
        browser.wait("document.querySelector('.toast')?.textContent.includes('not saved yet')")
        expect(written_rule(browser)["do"] == "mock", "it is still there")
        browser.evaluate("[...document.querySelectorAll('.rule-editor button')].find((button) => button.textContent === 'Cancel').click()")
        for label, kind in (("Block this…", "block"), ("Block this host…", "block"), ("Map this to a file…", "mapLocal"),
                            ("Map this to another server…", "mapRemote"), ("Break on this…", "breakpoint"),
                            ("Rewrite the request…", "rewriteRequest"), ("Rewrite the response…", "rewriteResponse")):
            browser.evaluate("location.hash = '#/'")
            browser.wait("!document.querySelector('#page-traffic').hidden")
            browser.evaluate("document.querySelector('.grid').focus()")
            browser.press("k", modifiers=2)
            browser.wait("document.activeElement.matches('.palette-field')")
            browser.type(f"New rule: {label}")
            browser.press("Enter")
            rule = written_rule(browser)
            expect(rule["do"] == kind and rule["when"] == (host if "host" in label else rule["when"]), f"{label}: {rule}")
            browser.evaluate("[...document.querySelectorAll('.rule-editor button')].find((button) => button.textContent === 'Cancel').click()")
            browser.wait("!document.querySelector('.rule-editor')")


@test
def rules_begun_from_an_exchange_are_rules(stage):
    browser = stage.browser
    with live(stage) as console:
        expect(status_through(console, "/seen?x=1") == 502, "nothing answers yet")
        browser.wait("document.querySelectorAll('.viewport .row:not([hidden])').length > 0")
        kinds = ("Block this…", "Map this to another server…", "Break on this…", "Rewrite the request…", "Rewrite the response…", "Mock this: For every query")
        for label in kinds:
            browser.evaluate("location.hash = '#/'")
            browser.wait("!document.querySelector('#page-traffic').hidden")
            browser.evaluate("document.querySelector('.grid').focus()")
            browser.press("Home")
            browser.wait("document.querySelector('.row.cursor')?.textContent.includes('/seen')")
            browser.press("k", modifiers=2)
            browser.wait("document.activeElement.matches('.palette-field')")
            browser.type(f"New rule: {label}")
            browser.press("Enter")
            name = written_rule(browser)["name"]
            browser.press("Enter", modifiers=2)
            browser.wait(f"document.querySelector('[data-rule=\"{name}\"]') && !document.querySelector('.rule-editor')")
        expect(status_through(console, "/seen") == 403, "the first of them answers")
        expect(status_through(console, "/other") == 502, "and nothing else")


@test
def rules_begun_from_odd_requests_mean_no_others(stage):
    """A method may contain operators of filters; a path may exceed a filter's limit, or be invalid UTF-8."""
    browser = stage.browser
    with live(stage) as console:
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
            browser.type("New rule: Block this…")
            browser.press("Enter")
            written_rule(browser)
            browser.click(".rule-use")
            browser.wait(f"document.querySelectorAll('[data-rule]').length === {number + 1} && !document.querySelector('.rule-editor')")
            expect(status_through(console, path, method) == 403, f"it means its own: {method} {path[:20]}")
            other = status_through(console, "/other")
            expect(other == 502, f"and nothing else than {method} {path[:20]}: {other}")


@test
def writes_rules_by_form(stage):
    """The form has the keys that the program declares; mistakes are shown at the keys, and JSON is one click away."""
    browser = stage.browser
    with live(stage) as console:
        for path in ("/pay?x=1", "/pay", "/other"):
            status_through(console, path)
        browser.evaluate("location.hash = '#/rules'")
        browser.wait("document.querySelector('.rule-end select')?.options.length === 18")
        add_rule(browser, "mock")
        browser.wait("document.querySelector('.rule-sentence').textContent === 'Answers all requests with status 200 and no content.'")
        browser.wait("document.querySelector('.rule-preview h2')?.textContent === '3 recorded exchanges match'")
        # A name that the page made follows the kind, also the name of a second rule.
        fill_in(browser, "name", "mock (2)")
        for kind in ("block", "mock"):
            fill_in(browser, "do", kind)
            browser.wait(f"document.querySelector('#rule-key-name')?.value === '{kind} (2)'")
        fill_in(browser, "name", "paid")
        # The filter of a rule is completed as that of the list is.
        browser.evaluate("(() => { const input = document.querySelector('#rule-key-when'); input.value = ''; input.focus(); })()")
        browser.type("met")
        browser.wait("document.querySelector('.filter-words li code')?.textContent === 'method'")
        browser.press("ArrowDown")
        browser.press("Enter")
        browser.wait("document.querySelector('#rule-key-when').value === 'method ' && [...document.querySelectorAll('.filter-words li code')].some((one) => one.textContent === 'startswith')")
        browser.press("Escape")
        expect(browser.evaluate("(() => { const kind = document.querySelector('#rule-key-do'); return kind.scrollWidth <= kind.clientWidth && kind.selectedOptions[0].textContent === 'mock'; })()"), "the kind is not cut off")
        fill_in(browser, "when", "method == GET & path == /pay")
        browser.wait("document.querySelector('.rule-preview h2')?.textContent === '2 recorded exchanges match' && document.querySelectorAll('.rule-preview li').length === 2")
        # Mistakes in the filter and in a number are shown at their keys.
        fill_in(browser, "when", "stauts == 1")
        browser.wait("document.querySelector('#rule-mistake-when:not([hidden])')?.textContent.includes('stauts') && document.querySelector('#rule-key-when').ariaInvalid === 'true'")
        fill_in(browser, "when", "method == GET & path == /pay")
        fill_in(browser, "status", "999")
        browser.wait("document.querySelector('#rule-mistake-status:not([hidden])')?.textContent.includes('200 to 599')")
        expect(browser.evaluate("document.querySelector('#rule-mistake-when').hidden"), "the other is fixed")
        audit(stage, "rule-form-mistake", widths=(390, 1280))
        browser.click(".rule-use")
        browser.wait("document.activeElement.id === 'rule-key-status' && document.querySelector('.rule-editor')")
        fill_in(browser, "status", "402")
        fill_in(browser, "fields", "Retry-After: 30\nno colon")
        browser.wait("document.querySelector('#rule-mistake-fields').textContent.startsWith('2: expected “Name: value”')")
        fill_in(browser, "fields", "Retry-After: 30\nX-Two: 2")
        browser.evaluate("(() => { const choice = document.querySelector('.rule-choice'); choice.value = 'body'; choice.dispatchEvent(new Event('change')); })()")
        browser.wait("document.activeElement.matches('.rule-choice') && document.querySelector('#rule-key-body')")
        # JSON is coloured behind the text, line by line in the same place; another text is not.
        fill_in(browser, "body", json.dumps({"text": "a word " * 40, "items": list(range(40))}, indent=2))
        browser.wait("document.querySelector('.rule-coloured.on .code-key')?.textContent === '\"text\"'")
        browser.evaluate("document.querySelector('#rule-key-body').scrollTop = 200")
        browser.wait("document.querySelector('.rule-coloured > pre').scrollTop === 200")
        expect(browser.evaluate("(() => { const [pre, area] = document.querySelector('.rule-coloured').children;"
                                " return pre.scrollHeight - pre.clientHeight === area.scrollHeight - area.clientHeight && pre.textContent === `${area.value}\\n`; })()"), "both are cut into the same lines")
        audit(stage, "rule-form-colours", widths=(390, 1280))
        fill_in(browser, "body", "pay\nfirst")
        expect(browser.evaluate("!document.querySelector('.rule-coloured.on') && document.querySelector('.rule-coloured > pre').textContent === ''"), "no JSON, no colours")
        browser.wait("document.querySelector('.rule-sentence').textContent === 'Answers GET requests for /pay with status 402, Retry-After, X-Two and 9 bytes of content.'")
        audit(stage, "rule-form", widths=(390, 1280, 1920))
        # JSON and back: values outside of the form stay, byte for byte.
        expect(json.loads(show_json(browser)) == {"name": "paid", "do": "mock", "when": "method == GET & path == /pay", "status": 402,
                                                  "fields": ["Retry-After: 30", "X-Two: 2"], "body": "pay\nfirst"}, "the form's JSON")
        text = '{ "do":"mock",  "name": "paid", "enabled" : true, "seed": 9007199254740991,"chance":1.0, "when": "path == /pay", "status": 200 }'
        browser.evaluate(f"(() => {{ const area = document.querySelector('{AREA}'); area.value = {json.dumps(text)}; area.dispatchEvent(new Event('input', {{bubbles: true}})); }})()")
        browser.click("[data-way=Form]")
        browser.wait("document.querySelector('#rule-key-seed')?.value === '9007199254740991'")
        fill_in(browser, "status", "402")
        expect(show_json(browser) == text.replace('"status": 200', '"status": 402'), "only the status is another")
        # An invalid text stays JSON, and the page says why.
        browser.evaluate(f"(() => {{ const area = document.querySelector('{AREA}'); area.value = '{{'; area.dispatchEvent(new Event('input', {{bubbles: true}})); }})()")
        browser.click("[data-way=Form]")
        browser.wait(f"document.querySelector('{AREA}')?.value === '{{' && document.querySelector('.rule-editor > .notice:not([hidden])')?.textContent.includes('choose Form again')")
        write_rule(browser, text.replace('"status": 200', '"status": 402'))
        browser.wait("document.querySelector('[data-rule=paid]') && !document.querySelector('.rule-editor')")
        expect(status_through(console, "/pay") == 402, "it answers")
        # A change of the kind and back keeps all values.
        browser.click("[data-rule=paid] .rule-edit")
        browser.wait("document.querySelector('#rule-key-do')")
        fill_in(browser, "do", "block")
        browser.wait("document.querySelector('#rule-key-with') && !document.querySelector('#rule-key-status')")
        fill_in(browser, "do", "mock")
        browser.wait("document.querySelector('#rule-key-status')?.value === '402'")
        browser.evaluate("document.querySelector('.rule-cancel').click()")
        browser.wait("!document.querySelector('.rule-editor')")
        # The page reports the unsaved rule, and then the saved file.
        browser.wait("document.querySelector('.rules-kept.unsaved')?.textContent.startsWith('Not saved')")
        browser.click(".rules-save")
        browser.wait("document.querySelector('dialog .diff-line.added')")
        browser.click(".save-write")
        browser.wait("document.querySelector('.rules-kept:not(.unsaved)')?.textContent.startsWith('Saved in')")
        # An address opens the form, as the page of breakpoints does.
        browser.evaluate("location.hash = '#/events'")
        browser.wait("document.querySelector('.log')")
        browser.evaluate("location.hash = '#/rules/paid?edit=1'")
        browser.wait("document.querySelector('[data-rule=paid] #rule-key-status')?.value === '402'")


@test
def has_a_form_for_each_kind(stage):
    """Each kind opens with its keys, names the missing ones, and is valid once they are filled in."""
    browser = stage.browser
    needs = {"mapLocal": [("file", "a.txt")], "replay": [("file", "none.sqlite")], "mapRemote": [("to", "http://127.0.0.1:3000")],
             "redirect": [("to", "/new")], "setAuthentication": [("basic", "me:hunter2")], "rewriteMessage": [("find", "a"), ("with", "b")], "injectMessage": [("text", "hi")]}
    with live(stage, "--interceptor", "cat") as console:
        browser.evaluate("location.hash = '#/rules'")
        browser.wait("document.querySelector('.rule-end select')?.options.length === 18")
        kinds = browser.evaluate("[...document.querySelector('.rule-end select').options].map((option) => option.value)")
        for kind in kinds:
            add_rule(browser, kind)
            labels = browser.evaluate("[...document.querySelectorAll('.rule-field :is(input, select, textarea)')].filter((one) => !one.labels?.length && !one.ariaLabel).length")
            expect(labels == 0, f"{kind}: each control has a name")
            fill_in(browser, "when", "host == never.test")
            for key, value in needs.get(kind, []):
                fill_in(browser, key, value)
            if kind == "rewriteRequest":
                browser.click("[data-add=setJSON]")
                browser.wait("document.querySelector('#rule-key-setJSON-0-at')")
                fill_in(browser, "setJSON-0-at", "/price")
                fill_in(browser, "setJSON-0-value", "12345678901234567890")
            if kind == "injectMessage":
                browser.click("[data-add=after]")
                browser.wait("document.querySelector('#rule-key-after-find')")
                fill_in(browser, "after-find", "ping")
            browser.wait("document.querySelector('.rule-sentence:not(.soft)')?.textContent.length > 0 || document.querySelector('.rule-mistake:not([hidden])')", 10)
            if kind in ("rewriteRequest", "throttle", "injectMessage", "replay"):
                audit(stage, f"rule-form-{kind}", widths=(390, 1280))
            browser.click(".rule-use")
            browser.wait(f"document.querySelector('[data-rule={kind}]') && !document.querySelector('.rule-editor')" if kind != "replay"
                         else "document.querySelector('[data-rule=replay]') || document.querySelector('#rule-problem:not([hidden])')")
            if browser.evaluate("Boolean(document.querySelector('.rule-editor'))"):
                browser.evaluate("document.querySelector('.rule-cancel').click()")
        texts = [json.loads(rule["text"]) for rule in browser.evaluate("fetch('/api/rules').then((answer) => answer.json())")["rules"]]
        expect([text["do"] for text in texts if text["do"] != "replay"] == [kind for kind in kinds if kind != "replay"], f"all are rules: {texts}")
        raw = browser.evaluate("fetch('/api/rules').then((answer) => answer.text())")
        # The file cannot store the rule without the declaration of its program.
        browser.pardon(422)
        expect("12345678901234567890" in raw and "hunter2" not in browser.evaluate("document.querySelector('.rule-list').textContent"), "digits stay, secrets do not show")
        audit(stage, "rules-all", widths=(390, 1280, 1920))


@test
def orders_rules_by_drag_and_keys(stage):
    browser = stage.browser
    with live(stage) as console:
        names = ["one", "two", "three"]
        browser.evaluate("fetch('/api/rules', {method: 'PUT', body: JSON.stringify({rules: %s})})" % json.dumps(
            [json.dumps({"name": name, "do": "noCaching"}) for name in names]))
        browser.evaluate("location.hash = '#/rules'")
        order = "[...document.querySelectorAll('.rule-list > li')].map((row) => row.dataset.rule).join(' ')"
        browser.wait(f"{order} === 'one two three'")
        browser.evaluate("document.querySelector('[data-rule=one] .rule-handle').focus()")
        browser.press("ArrowDown")
        browser.wait(f"{order} === 'two one three' && document.activeElement.matches('[data-rule=one] .rule-handle')")
        browser.wait("document.querySelector('#announcer').textContent === 'one is rule 2 of 3 now'")
        browser.press("End")
        browser.wait(f"{order} === 'two three one' && document.activeElement.ariaLabel === 'Move one, rule 3 of 3: arrow keys'")
        browser.press("Home")
        browser.wait(f"{order} === 'one two three'")

        def drag(name, to, escapes=False):
            middle = "(() => { const box = document.querySelector('%s').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height * %s]; })()"
            start = browser.evaluate(middle % (f"[data-rule={name}] .rule-handle", 0.5))
            end = browser.evaluate(middle % (f"[data-rule={to}]", 0.9))
            browser.pointer("mousePressed", start)
            browser.pointer("mouseMoved", [start[0], (start[1] + end[1]) / 2])
            browser.pointer("mouseMoved", end)
            browser.wait(f"document.querySelector('[data-rule={name}].dragged') && document.querySelector('[data-rule={to}].behind')")
            stage.shoot("rules-dragged")
            if escapes:
                browser.press("Escape")
            browser.pointer("mouseReleased", end)

        drag("one", "three", escapes=True)
        browser.frames()
        expect(browser.evaluate(order) == "one two three" and not browser.evaluate("Boolean(document.querySelector('.dragged, .behind'))"), "Escape leaves it where it was")
        drag("one", "three")
        browser.wait(f"{order} === 'two three one'")
        # A copy follows its original, under a name of its own.
        browser.click("[data-rule=two] [aria-label='Duplicate two']")
        browser.wait(f"{order} === 'two two (2) three one' && document.activeElement.ariaLabel === 'Edit two (2)'")


@test
def mocks_a_recorded_exchange_within_six_clicks(stage):
    browser = stage.browser
    with live(stage) as console:
        expect(status_through(console, "/seen") == 502, "nothing answers yet")
        browser.wait("document.querySelectorAll('.viewport .row:not([hidden])').length > 0")
        clicks = 0
        browser.click(".viewport .row:not([hidden]) .cell:nth-child(3)", button="right")
        clicks += 1
        for label in ("New rule…", "Mock this…"):
            browser.wait(f"[...document.querySelectorAll('.menu button')].some((one) => one.textContent.startsWith('{label}'))")
            browser.evaluate(f"[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('{label}')).classList.add('wanted')")
            browser.click(".menu .wanted")
            clicks += 1
        browser.wait("document.querySelector('#rule-key-status')?.value === '502'")
        fill_in(browser, "status", "418")
        browser.wait("document.querySelector('.rule-sentence').textContent.startsWith('Answers GET requests to 127.0.0.1 at port 1 for /seen with status 418')")
        stage.shoot("rule-from-exchange")
        browser.click(".rule-use")
        clicks += 1
        browser.wait("document.querySelector('[data-rule=\"mock /seen\"]') && !document.querySelector('.rule-editor')")
        expect(status_through(console, "/seen") == 418 and clicks <= 6, f"it answers after {clicks} clicks")
