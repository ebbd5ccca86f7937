"""Requests of the user, with the real program."""
import contextlib
import json
import os
import pathlib
import re
import stat
import subprocess
import urllib.request

from audits import audit
from browser import PATIENCE
from console_list import chosen
from console_stage import FIRST, expect, test
from live_stage import Echo, curl, ended, live


READY = "document.querySelector('.compose-form')?.ariaBusy === 'false'"
FIELDS = "[...document.querySelectorAll('[aria-label=Headers] tbody tr')].map((row) => [row.querySelector('input[type=checkbox]').checked, row.querySelector('.pair-name').value, row.querySelector('.pair-value').value])"
HELPERS = """
    window.paste = (selector, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        const target = [...document.querySelectorAll(selector)].at(-1);
        target.focus();
        return !target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    };
    window.write = (selector, text) => {
        const target = document.querySelector(selector);
        target.value = text;
        target.dispatchEvent(new Event('input', { bubbles: true }));
    };
    window.pressButton = (text, place = '.compose') => [...document.querySelectorAll(place + ' button')].find((one) => one.checkVisibility() && one.textContent.trim() === text).click();
    true
"""


def compose(browser, place="#/compose"):
    browser.evaluate(f"location.hash = '{place}'")
    browser.wait(READY)
    browser.evaluate(HELPERS)


def library(console):
    """The collections, sets of variables and history that the program keeps."""
    return json.loads(console.ask("/api/compose"))


def put(console, place, **content):
    """Another client of the console stores a part of the library."""
    console.ask(f"/api/compose/{place}", json.dumps(content).encode(), "PUT")


def fields_of(server):
    """The fields that the user wrote into the last request."""
    added = ("Host", "User-Agent", "Connection", "Content-Length")
    return [field for field in server.whole[-1][2] if field[0] not in added and field != ("Accept", "*/*")]


@contextlib.contextmanager
def composing(stage):
    """The empty form of a real console, and a server for its requests."""
    with live(stage) as console, Echo() as server:
        compose(stage.browser)
        yield stage.browser, console, server


def start_anew(browser):
    browser.click(".compose .start-anew")
    browser.wait(f"{READY} && document.querySelector('.compose .url').value === ''")


def said(browser):
    return browser.evaluate("document.querySelector('.compose-request [role=alert]').textContent")


@test
def keeps_what_was_written(stage):
    with composing(stage) as (browser, console, server):
        browser.click(".compose .url")
        browser.type("http://example.test/")
        browser.click("#compose-body")
        browser.type("half a thought")
        browser.press("Escape")
        expect(browser.evaluate("location.hash") == "#/compose", "Escape in a field stays")
        for place in ("#/settings", "#/"):
            browser.evaluate(f"location.hash = '{place}'")
            browser.wait("!document.querySelector('.compose')" if place == "#/settings" else "!document.querySelector('#page-traffic').hidden")
        compose(browser)
        browser.wait("document.querySelector('#compose-body').value === 'half a thought'")
        expect(browser.evaluate("document.querySelector('.compose .url').value") == "http://example.test/", "the URL as well")
        browser.evaluate("pressButton('As text'); write('#compose-fields', 'A: 1\\nno colon here')")
        browser.click(".compose .primary")
        browser.wait("document.querySelector('.compose .notice.failed')?.textContent.includes('Line 2')")
        start_anew(browser)
        # After a stop the page explains the state of the request, and hides the earlier answer.
        browser.evaluate("window.fetched = window.fetch; window.fetch = (path, options) => path !== '/api/send' ? window.fetched(path, options) : new Promise((_, refuse) => options.signal.addEventListener('abort', () => refuse(options.signal.reason)))")
        browser.click(".compose .url")
        browser.type("http://example.test/")
        browser.press("Enter")
        browser.wait("document.querySelector('.answer')?.textContent.includes('Waiting for the response of http://example.test/')")
        browser.click(".wait-end")
        browser.wait("document.querySelector('.compose .notice.failed')?.textContent.includes('may have been sent') && !document.querySelector('.compose .primary').disabled")
        browser.evaluate("window.fetch = window.fetched")
        # The history has the stopped request, too.
        browser.wait("document.querySelector('.compose-list .outcome')?.textContent === 'failed'")
        start_anew(browser)
        # A tunnel is no request, and the page says so.
        ended(curl(console, "https://127.0.0.1:1/"))
        browser.evaluate("location.hash = '#/'")
        browser.wait("document.querySelector('.viewport .row')?.textContent.includes('refused') && !document.querySelector('#page-traffic').hidden")
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("ArrowDown")
        browser.press("e")
        browser.wait("document.querySelector('.toast')?.textContent.includes('tunnel')")


@test
def edits_fields_in_a_table(stage):
    with composing(stage) as (browser, console, server):
        browser.click(".compose .url")
        browser.type(f"{server.url}/")
        # By keys alone: Enter moves on, and does not send.
        browser.evaluate("document.querySelector('[aria-label=Headers] .pair-name').focus()")
        for text in ("Accept", "text/plain", "X-Twice", "2"):
            browser.type(text)
            browser.press("Enter")
        expect(browser.evaluate("document.activeElement.closest('tr') === document.querySelector('[aria-label=Headers] tbody').lastElementChild"), "an empty row comes next")
        expect(browser.evaluate("paste('[aria-label=Headers] .pair-name', 'X-Twice: 1\\n# X-Off: no\\nX-Empty:\\n')"), "several lines fill rows")
        rows = [[True, "Accept", "text/plain"], [True, "X-Twice", "2"], [True, "X-Twice", "1"], [False, "X-Off", "no"], [True, "X-Empty", ""], [True, "", ""]]
        expect(browser.evaluate(FIELDS) == rows, f"rows: {browser.evaluate(FIELDS)}")
        # Alt and an arrow move a row; Space switches a row off; a value takes a pasted text within a line.
        browser.evaluate("document.querySelectorAll('[aria-label=Headers] .pair-name')[2].focus()")
        browser.press("ArrowUp", 1)
        expect(browser.evaluate("document.activeElement.closest('tr').rowIndex") == 2, "the focus moves with the row")
        browser.evaluate("document.querySelector('[aria-label=Headers] input[type=checkbox]').focus()")
        browser.press(" ")
        expect(not browser.evaluate("paste('[aria-label=Headers] tr:nth-child(5) .pair-value', 'a: b')"), "one line is pasted as it is")
        rows = [[False, "Accept", "text/plain"], [True, "X-Twice", "1"], [True, "X-Twice", "2"], [False, "X-Off", "no"], [True, "X-Empty", ""], [True, "", ""]]
        expect(browser.evaluate(FIELDS) == rows, f"moved and off: {browser.evaluate(FIELDS)}")
        expect("3 of 5 headers sent" in browser.evaluate("document.querySelector('.compose-part').textContent"), "the count is told")
        stage.shoot("compose-fields")
        # As text and back, nothing changes.
        browser.evaluate("pressButton('As text')")
        expect(browser.evaluate("document.querySelector('#compose-fields').value") == "# Accept: text/plain\nX-Twice: 1\nX-Twice: 2\n# X-Off: no\nX-Empty: ", "one a line")
        browser.evaluate("pressButton('As text')")
        expect(browser.evaluate(FIELDS) == rows, "and as a table again")
        browser.evaluate("document.querySelector('[aria-label=Headers] tr:nth-child(3) .remove').click()")
        browser.evaluate("document.querySelector('.compose .url').focus()")
        browser.press("Enter", 2)
        browser.wait("document.querySelector('.answer h2')?.textContent.startsWith('Status 201')")
        expect(fields_of(server) == [("X-Twice", "1"), ("X-Empty", "")], f"those that are on, in their order: {server.whole}")
        # A field without a name is reported at its place.
        browser.evaluate("document.querySelector('[aria-label=Headers] .is-empty .pair-value').focus()")
        browser.type("x")
        browser.press("Enter", 2)
        browser.wait("document.querySelector('.compose .notice.failed')?.textContent.includes('has no name')")
        expect(browser.evaluate("document.activeElement.matches('.pair-name[aria-invalid=true]')"), "the place has the focus")


@test
def helps_with_bodies(stage):
    with composing(stage) as (browser, console, server):
        expect(not browser.evaluate("[...document.querySelectorAll('.compose-part[aria-label=Body] .end button')].some((one) => one.checkVisibility())"), "no tool is offered for nothing")
        note = "document.querySelector('#compose-body-said').textContent"
        browser.click("#compose-body")
        browser.type('{"a":[1,2],"ü":"x: y"}')
        expect(browser.evaluate(note) == "23 B · JSON", f"bytes and kind: {browser.evaluate(note)}")
        browser.evaluate("pressButton('application/json')")
        expect(browser.evaluate(FIELDS)[0] == [True, "Content-Type", "application/json"], "its type is added")
        browser.evaluate("pressButton('Lay out')")
        laid_out = '{\n  "a": [\n    1,\n    2\n  ],\n  "ü": "x: y"\n}'
        expect(browser.evaluate("document.querySelector('#compose-body').value") == laid_out, browser.evaluate("document.querySelector('#compose-body').value"))
        browser.evaluate("pressButton('On one line')")
        expect(browser.evaluate("document.querySelector('#compose-body').value") == '{"a":[1,2],"ü":"x: y"}', browser.evaluate("document.querySelector('#compose-body').value"))
        # A mistake is reported at once, with its place.
        browser.evaluate("write('#compose-body', '{\"a\": 1,, }'); pressButton('Show the mistake')")
        expect("No JSON" in browser.evaluate(note), browser.evaluate(note))
        expect(browser.evaluate("[document.activeElement.id, document.activeElement.selectionStart]") == ["compose-body", 8], "the mistake is selected")
        stage.shoot("compose-mistake")
        # Enter keeps the indentation.
        browser.evaluate("write('#compose-body', '  a'); document.querySelector('#compose-body').setSelectionRange(3, 3)")
        browser.press("Enter")
        expect(browser.evaluate("document.querySelector('#compose-body').value") == "  a\n  ", "indented")
        # A form as a table writes the text only after an edit.
        browser.evaluate("write('[aria-label=Headers] .pair-value', 'application/x-www-form-urlencoded'); write('#compose-body', 'a=1%20+2&b=&a=3'); pressButton('As a table')")
        expect(browser.evaluate("document.querySelector('#compose-body').value") == "a=1%20+2&b=&a=3", "unchanged yet")
        pairs = "[...document.querySelectorAll('[aria-label=Form] tbody tr')].map((row) => [row.querySelector('.pair-name').value, row.querySelector('.pair-value').value])"
        expect(browser.evaluate(pairs) == [["a", "1  2"], ["b", ""], ["a", "3"], ["", ""]], browser.evaluate(pairs))
        browser.evaluate("document.querySelector('[aria-label=Form] tr:nth-child(2) .pair-value').focus()")
        browser.type("ü&{{x}}")
        expect(browser.evaluate("document.querySelector('#compose-body').value") == "a=1++2&b=%C3%BC%26{{x}}&a=3", browser.evaluate("document.querySelector('#compose-body').value"))
        stage.shoot("compose-form-table")
        # Invalid Base64 is reported before a request is sent.
        browser.evaluate("pressButton('As a table'); write('#compose-body', 'a!'); document.querySelector('.body-foot select').value = 'base64'; document.querySelector('.body-foot select').dispatchEvent(new Event('change', { bubbles: true }))")
        expect("not Base64" in browser.evaluate(note), browser.evaluate(note))
        browser.evaluate("write('.compose .url', '%s/'); pressButton('Send')" % server.url)
        expect("The body is not Base64" in said(browser), said(browser))
        # A body keeps its line endings of CR and LF.
        browser.evaluate("write('#compose-body', 'a\\nb'); document.querySelector('.body-foot select').value = 'crlf'; pressButton('Send')")
        browser.wait("document.querySelector('.answer h2')")
        expect(server.seen[-1][3] == b"a\r\nb", f"CR LF: {server.seen[-1]}")


@test
def fills_variables(stage):
    with composing(stage) as (browser, console, server):
        browser.evaluate("write('.compose .url', '{{base}}/users'); paste('[aria-label=Headers] .pair-name', 'Authorization: Bearer {{token}}\\n# X-Off: {{unused}}'); write('#compose-body', '{\"user\": {{user}}}')")
        browser.evaluate("pressButton('Send')")
        expect("{{base}} in the URL has no value: no set of variables is chosen. Nothing was sent." in said(browser), said(browser))
        expect(browser.evaluate("document.activeElement.matches('.url[aria-invalid=true]')"), "the place has the focus")
        browser.evaluate("pressButton('Give 3 variables values')")
        browser.wait("document.querySelector('dialog[open] .variables')")
        expect(browser.evaluate("[...document.querySelectorAll('.variable-name')].map((one) => one.value)") == ["base", "token", "user", ""], "those that are missing are named")
        browser.evaluate("write('dialog [aria-label=\"Name of the set\"]', 'test server'); [...document.querySelectorAll('.variable-value')].forEach((one, index) => (one.value = ['%s', 's3cret', '7'][index] ?? '')); document.querySelectorAll('dialog .tick input')[1].click()" % server.url)
        expect(browser.evaluate("[...document.querySelectorAll('.variable-value')].map((one) => one.type)") == ["text", "password", "text", "text"], "a secret is not shown")
        audit(stage, "compose-variables")
        browser.evaluate("pressButton('Save', 'dialog')")
        browser.wait("!document.querySelector('dialog[open]') && document.querySelector('.sets select').value === 'test server'")
        expect("JSON" in browser.evaluate("document.querySelector('#compose-body-said').textContent"), "the body is checked with its values")
        browser.evaluate("pressButton('Send')")
        browser.wait("document.querySelector('.answer h2')")
        expect(server.seen == [("GET", "/users", None, b'{"user": 7}')] and fields_of(server) == [("Authorization", "Bearer s3cret")], f"filled: {server.whole}")
        # The history has the names of variables, and no secret.
        browser.wait("document.querySelector('.compose-list .path')?.textContent === '/users'")
        kept = library(console)["history"][0]
        expect(kept["request"]["url"] == "{{base}}/users" and "s3cret" not in json.dumps(kept) and kept["environment"] == "test server", f"kept: {kept}")
        # A name that the set lacks is reported with the names in the set.
        browser.evaluate("write('[aria-label=Headers] .pair-value', 'Bearer {{tokn}}'); pressButton('Send')")
        expect("{{tokn}} in the header Authorization has no value: the set test server has base, token, user." in said(browser), said(browser))
        expect(browser.evaluate("document.activeElement.matches('.pair-value[aria-invalid=true]') && document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)") == "{{tokn}}", "the place has the focus, and the name is selected")
        # Without variables the text is sent unchanged.
        browser.evaluate("[...document.querySelectorAll('.choice label')].find((one) => one.textContent.includes('{{variables}}')).querySelector('input').click(); write('.compose .url', '%s/bare'); pressButton('Send')" % server.url)
        browser.wait("document.querySelector('.compose-list .path')?.textContent === '/bare' && document.querySelector('.compose-request [role=alert]').textContent === ''")
        expect(fields_of(server) == [("Authorization", "Bearer {{tokn}}")], f"as it stands: {server.whole[-1]}")


@test
def keeps_a_history_and_collections(stage):
    with composing(stage) as (browser, console, server):
        put(console, "environments/test", variables=[{"name": "base", "value": "http://a.test"}, {"name": "token", "value": "s3cret", "isSecret": True}, {"name": "unused", "value": "x"}])
        browser.wait("document.querySelector('.compose-list')?.textContent.includes('Nothing was sent yet')")
        for path in ("one", "two"):
            browser.evaluate(f"write('.compose .url', '{server.url}/{path}'); pressButton('Send')")
            browser.wait(f"document.querySelector('.compose-list .path')?.textContent === '/{path}'")
        # One press loads an earlier request, and another restores the current one.
        browser.evaluate("document.querySelectorAll('.compose-list .request')[1].click()")
        expect(browser.evaluate("document.querySelector('.compose .url').value") == f"{server.url}/one", "from the history")
        browser.evaluate("pressButton('Back to what was written', '.toast')")
        expect(browser.evaluate("document.querySelector('.compose .url').value") == f"{server.url}/two", "and back")
        # Saved by keys, with a proposed name.
        browser.evaluate("pressButton('Save…')")
        browser.wait("document.querySelector('dialog[open] form')")
        expect(browser.evaluate("document.activeElement.value") == "GET /two", "a name is proposed")
        audit(stage, "compose-save")
        browser.press("Enter")
        browser.wait("document.querySelector('.collection summary')?.textContent === 'My requests1' && document.querySelector('.compose .place').textContent === 'My requests / GET /two'")
        browser.evaluate("write('.compose .url', 'http://a.test/three')")
        expect(browser.evaluate("document.querySelector('.compose .place').textContent") == "My requests / GET /two · changed", "a change is told")
        browser.evaluate("pressButton('Save')")
        browser.wait("document.querySelector('.compose .place').textContent === 'My requests / GET /two'")
        expect(library(console)["collections"][0]["requests"][0]["url"] == "http://a.test/three", "saved at its place")
        # A name in use is reported before the request is replaced.
        browser.evaluate("pressButton('Save as…')")
        browser.wait("document.querySelector('dialog[open] form')")
        browser.evaluate("write('dialog form input', 'GET /two')")
        expect(browser.evaluate("document.querySelector('dialog .primary').textContent") == "Replace", "it says that it replaces")
        browser.evaluate("write('dialog form input', 'Other')")
        browser.press("Enter")
        browser.wait("document.querySelectorAll('.collection li').length === 2")
        # Changes of other clients appear without a reload.
        put(console, "collections/Team/Ping", method="POST", url="{{base}}/ping", fields=[{"name": "A", "value": "b", "isOn": False}], body="a\n{{token}}", encoding="text")
        browser.wait("document.querySelectorAll('.collection').length === 2")
        browser.evaluate("[...document.querySelectorAll('.collection .request')].at(-1).click()")
        expect(browser.evaluate(FIELDS)[0] == [False, "A", "b"] and browser.evaluate("document.querySelector('.compose .method').value") == "POST", "a saved request is in the form")
        browser.size(1280, 720)
        audit(stage, "compose-collections")
        # The menu of a request: moved, renamed, removed and taken back.
        menu = "[...document.querySelectorAll('.collection')][0].querySelectorAll('li .more')[%d].click()"
        browser.evaluate(menu % 1 + "; pressButton('Move up', '.menu')")
        browser.wait("document.querySelector('.collection li .path').textContent === 'Other'")
        browser.evaluate(menu % 0 + "; pressButton('Rename…', '.menu')")
        browser.wait("document.querySelector('dialog[open] input')")
        browser.evaluate("write('dialog input', 'First')")
        browser.press("Enter")
        browser.wait("document.querySelector('.collection li .path').textContent === 'First'")
        browser.evaluate(menu % 0 + "; pressButton('Remove', '.menu')")
        browser.wait("document.querySelector('.toast')?.textContent.includes('Removed First')")
        browser.evaluate("pressButton('Undo', '.toast')")
        browser.wait("document.querySelector('.collection li .path').textContent === 'First'")
        expect([one["name"] for one in library(console)["collections"][0]["requests"]] == ["First", "GET /two"], "at its place again")
        # An export has no secret, and its import gets another name.
        browser.evaluate("window.files = []; URL.createObjectURL = (file) => { window.files.push(file); return 'data:,' }; [...document.querySelectorAll('.collection > .more')][1].click(); pressButton('Export as a file', '.menu')")
        text = browser.evaluate("window.files[0].text()")
        expect("s3cret" not in text and '"value": ""' in text and '"a",' in text and "unused" not in text, f"exported: {text}")
        browser.evaluate("(async () => { const data = new DataTransfer(); data.items.add(new File([await window.files[0].text()], 'team.json')); const input = document.querySelector('.compose-side input[type=file]'); input.files = data.files; input.dispatchEvent(new Event('change')); })()")
        browser.wait("document.querySelectorAll('.collection').length === 3 && document.querySelector('.toast')?.textContent.includes('Imported 1 collection')")
        kept = library(console)
        expect(kept["collections"][2]["name"] == "Team 2" and kept["environments"][0]["variables"][1]["value"] == "s3cret", "nothing is overwritten")
        # The search, and the clearing of the history.
        browser.evaluate("write('.compose-side .search', 'ping')")
        expect(browser.evaluate("document.querySelectorAll('.collection li').length") == 2, "found by its name")
        browser.evaluate("write('.compose-side .search', ''); document.querySelector('#compose-tab-history').click(); document.querySelector('.compose-list .remove').click()")
        browser.wait("document.querySelectorAll('.compose-list li').length === 1")
        browser.evaluate("pressButton('Clear the history…')")
        browser.wait("document.querySelector('dialog[open] .danger')")
        browser.click("dialog .danger")
        browser.wait("document.querySelector('.compose-list').textContent.includes('Nothing was sent yet')")
        kept = library(console)
        expect(kept["history"] == [] and len(kept["collections"]) == 3, "the history alone is gone")


@test
def takes_braces_of_a_capture_as_they_stand(stage):
    with live(stage) as console, Echo() as server:
        browser = stage.browser
        ended(curl(console, f"{server.url}/plain"))
        compose(browser, f"#/compose/{browser.wait(FIRST)}")
        expect(browser.evaluate("[...document.querySelectorAll('.choice label')].find((one) => one.textContent.includes('{{variables}}')).querySelector('input').checked"), "without braces, variables are filled in")


@test
def saves_an_item_to_a_collection(stage):
    with live(stage) as console, Echo() as server:
        browser = stage.browser
        ended(curl(console, f"{server.url}/v2/orders/7?q=1"))
        browser.wait(f"document.querySelector('.viewport .row') && {FIRST}")
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("ArrowDown")
        chosen(browser, "Send again or save…", "Save to a collection…")
        browser.wait("document.querySelector('dialog [type=submit]')")
        expect(browser.evaluate("[...document.querySelectorAll('dialog input')].map((one) => one.value)")[0].startswith("GET /v2/orders/"), "the name is proposed")
        browser.press("Enter")
        browser.wait("document.querySelector('.toast')?.textContent.includes('Saved GET /v2/orders/')")
        browser.evaluate("[...document.querySelectorAll('.toast button')].find((one) => one.textContent === 'Open Compose').click()")
        browser.wait("document.querySelector('#compose-tab-collections')")
        browser.click("#compose-tab-collections")
        browser.wait("[...document.querySelectorAll('.collection .request')].some((one) => one.textContent.includes('GET /v2/orders/'))")


@test
def refuses_curl_that_needs_more_than_a_page(stage):
    with composing(stage) as (browser, console, server):
        expect(not browser.evaluate("paste('.compose .url', 'http://curl.example/')"), "a URL is pasted as it is")
        expect(browser.evaluate("paste('.compose .url', 'curl -d @secret.json http://a.test/')"), "it is taken for a command")
        expect("-d reads the file secret.json" in said(browser), said(browser))
        expect(browser.evaluate("document.querySelector('.compose .url').value") == "", "nothing is changed")
        # A value that a shell would fill in becomes a variable. The rest is left out, with a remark.
        browser.evaluate("paste('.compose .url', 'TOKEN=x curl -ksSL \"http://a.test/$ID\" -H \"Authorization: Bearer ${TOKEN}\" 2>/dev/null | jq .')")
        expect(browser.evaluate("document.querySelector('.compose .url').value") == "http://a.test/{{ID}}", "a variable")
        expect(browser.evaluate(FIELDS)[0] == [True, "Authorization", "Bearer {{TOKEN}}"], "in a field, too")
        for part in ("$ID of the shell became {{ID}}", "-k is left out", "-L is left out", "Left out, because only the first command is read: | jq ."):
            expect(part in said(browser), f"{part}: {said(browser)}")
        browser.evaluate("paste('.compose .url', 'curl \"http://a.test/?price=$5\"')")
        expect("$5 is kept as text" in said(browser), f"a value of the shell alone is told: {said(browser)}")
        # The same by a dialog, for users without a pointer.
        start_anew(browser)
        browser.evaluate("pressButton('Paste curl…')")
        browser.wait("document.querySelector('dialog[open] textarea')")
        browser.type("curl -d @f http://a.test/")
        browser.evaluate("pressButton('Read it', 'dialog')")
        browser.wait("document.querySelector('dialog .notice.failed')?.textContent.includes('reads the file f')")
        audit(stage, "compose-curl")
        browser.evaluate("document.querySelector('dialog textarea').value = \"curl -d 'a=1' http://a.test/\"; pressButton('Read it', 'dialog')")
        browser.wait("!document.querySelector('dialog[open]') && document.querySelector('#compose-body').value === 'a=1'")


# Compose must send the same request as curl. BASE stands for the address of a server.
CURLS = [
    "curl BASE/plain",
    "curl 'BASE/a?b=1&c=%20d#frag'",
    "curl -X DELETE BASE/item/7",
    "curl -I BASE/head",
    "curl -H 'X-One: 1' -H 'X-Twice: b' -H 'X-Twice: a' BASE/fields",
    "curl -H 'X-Empty;' -H 'Accept:' -H 'User-Agent:' BASE/none",
    "curl -H 'User-Agent: me/1' -H 'Accept: text/html' BASE/own",
    "curl -A '' BASE/agentless",
    "curl -A 'agent 007' -e 'http://from.test/;auto' BASE/agent",
    "curl -d a=1 -d 'b=2 3' BASE/form",
    "curl --data-raw '@literal' BASE/raw",
    "curl --data-binary $'line 1\\nline 2\\r\\n\\ttab' -H 'Content-Type: text/plain' BASE/lines",
    "curl -d '' BASE/empty",
    "curl -X PUT -d '{\"a\": \"it'\\''s\"}' -H 'content-type: application/json' BASE/json",
    "curl --json '{\"tool\": \"curl\"}' BASE/tool",
    "curl --json '{\"a\":' --json '1}' -H 'Accept: text/plain' BASE/pieces",
    "curl --data-urlencode 'q=a b&c=ü~' --data-urlencode '=x y' --data-urlencode 'plain text' BASE/encoded",
    "curl -G -d a=1 -d b=2 BASE/get?first=0",
    "curl -G --data-urlencode 'q=a b' BASE/search",
    "curl --get --head -d a=1 BASE/gethead",
    "curl -u 'user:pass:word' BASE/login",
    "curl BASE_LOGIN/urllogin",
    "curl --oauth2-bearer token123 BASE/bearer",
    "curl -b 'a=1; b=2' --cookie c=3 BASE/cookies",
    "curl -b 'a=1' -H 'Cookie: own=1' BASE/cookie",
    "curl --compressed BASE/packed",
    "curl -r 0-99 BASE/range",
    "curl -F name=value -F 'text=a;type=text/html' -F 'quoted=\"x;y\"' -F 'n\"q=1' BASE/multipart",
    "curl --form-string 'a=@no;file' BASE/formstring",
    "curl -F 'f=content;filename=\"a.txt\";type=text/plain' BASE/namedpart",
    "curl -sS -L -k -o /dev/null --max-time 20 -XPATCH -da=1 BASE/bundled",
    "curl \\\n  --url 'BASE/continued' \\\n  --request POST \\\n  --header \"X-Quote: say \\\"hi\\\" \\$5\" \\\n  --data-raw $'it\\'s \\u00fc \\x41\\101\\e'",
    "curl 'BASE/chrome' -H 'accept: application/json, text/plain, */*' -H 'accept-language: en-GB,en;q=0.9' -H 'content-type: application/json' -b 'sid=abc; theme=dark' -H 'origin: http://127.0.0.1' -H 'priority: u=1, i' -H 'sec-ch-ua: \"Chromium\";v=\"142\", \"Not_A Brand\";v=\"99\"' -H 'sec-ch-ua-mobile: ?0' -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64)' --data-raw $'{\"text\":\"don\\'t\\u0021\"}'",
    "curl 'BASE/chromeform' -H 'content-type: multipart/form-data; boundary=----WebKitFormBoundaryX' --data-raw $'------WebKitFormBoundaryX\\r\\nContent-Disposition: form-data; name=\"a\"\\r\\n\\r\\n1\\r\\n------WebKitFormBoundaryX--\\r\\n'",
    "curl 'BASE/firefox' --compressed -X POST -H 'User-Agent: Mozilla/5.0' -H 'Accept: */*' -H 'Accept-Encoding: gzip, deflate' -H 'Content-Type: application/x-www-form-urlencoded;charset=utf-8' -H 'Connection: keep-alive' --data-raw 'a=b&c=d'",
    "curl 'BASE/safari' -X 'POST' -H 'Content-Type: application/json' -H 'Content-Length: 7' --data-binary '{\"a\":1}'",
    "curl --globoff 'BASE/a[]?b[]={1,2}'",
    "curl BASE/a/./b/../c",
    "curl --path-as-is BASE/a/../c",
    "curl -H 'Host: other.test' BASE/host",
    "curl -X REPORT -d x -H 'Content-Type;' BASE/untyped",
    "curl --url-query 'a=b c' --url-query +raw%20 BASE/query",
]


def sent_by(request):
    """A request without its varying parts: the added agent, and the random boundary."""
    method, path, fields, body = request
    kept = sorted(((name.lower(), value) for name, value in fields if not (name.lower() == "user-agent" and re.match("curl/|pinhole$", value))
                   and name.lower() not in ("connection", "proxy-connection")), key=lambda field: field[0])
    boundary = next((found[1] for name, value in kept if name == "content-type" and (found := re.search(r"boundary=(-{20,}\w+)", value))), None)
    text = json.dumps([method, path, kept, body.decode("latin1")])
    return text.replace(boundary, "BOUNDARY").replace(f'["content-length", "{len(body)}"]', '["content-length", "N"]') if boundary else text


@test
def sends_what_curl_sends(stage):
    with composing(stage) as (browser, console, server):
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        wrong = []
        for line in CURLS:
            place = f"127.0.0.1:{server.server_port}"
            line = line.replace("BASE_LOGIN", f"http://us%20er:pa%3Ass@{place}").replace("BASE", f"http://{place}")
            server.whole.clear()
            done = subprocess.run(["bash", "-c", line.replace("curl ", "curl -s ", 1)], capture_output=True, env=environment, timeout=PATIENCE)
            expect(done.returncode == 0 and len(server.whole) == 1, f"curl itself: {line}: {done}")
            expect(browser.evaluate(f"paste('.compose .url', {json.dumps(line)})"), f"not read: {line}")
            expect("not read" not in said(browser), f"{line}: {said(browser)}")
            browser.evaluate("document.querySelector('.compose input[value=direct]').click(); pressButton('Send')")
            browser.wait("!document.querySelector('.compose .primary').disabled && (document.querySelector('.answer h2')?.textContent.startsWith('Status 201') || document.querySelector('.compose .notice.failed'))")
            expect(len(server.whole) == 2, f"sent once: {line}: {said(browser)}")
            theirs, ours = map(sent_by, server.whole)
            if theirs != ours:
                wrong.append(f"{line}\n  curl:    {theirs}\n  Compose: {ours}")
        print(f"      {len(CURLS) - len(wrong)} of {len(CURLS)} command lines send what curl sends")
        expect(not wrong, "\n".join(wrong))


@test
def composes_edits_and_sends_once(stage):
    with composing(stage) as (browser, console, server):
        browser.wait("document.querySelector('.compose input[name=through]:checked')?.value === 'proxy'")
        browser.click(".compose .url")
        browser.type(f"{server.url}/form")
        browser.evaluate("(() => { const method = document.querySelector('.compose .method'); method.value = ''; method.focus(); })()")
        browser.type("POST")
        browser.evaluate("paste('[aria-label=Headers] .pair-name', 'X-Twice: 2\\nX-Twice: 1\\nContent-Type: text/plain')")
        browser.click("#compose-body")
        browser.type("hello")
        # Two presses send one request.
        browser.evaluate("(() => { const send = document.querySelector('.compose .primary'); send.click(); send.click(); })()")
        browser.wait("document.querySelector('.answer h2')?.textContent.startsWith('Status 201')")
        expect(server.seen == [("POST", "/form", ["2", "1"], b"hello")], f"sent once, as it was written: {server.seen}")
        # The answer has the views of the list's detail.
        browser.wait("document.querySelector('.answer .code-row')?.textContent.includes('got hello')")
        expect(browser.evaluate("document.querySelector('.answer [aria-label=\"Headers of the response\"]').textContent.includes('text/plain')"), "its fields are a table")
        expect(browser.evaluate("[...document.querySelectorAll('.answer .body-tools option')].map((one) => one.textContent).includes('Raw, as sent')"), "its body has views")
        audit(stage, "compose", widths=(390, 1280, 1920))
        browser.evaluate(HELPERS)
        browser.click(".answer a.button")
        browser.wait("document.querySelector('.detail').ariaBusy === 'false' && document.querySelector('.detail-head').textContent.includes('/form')")
        # From the list by a key: edited, sent again, and compared with the original.
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("e")
        # The old form stays on its hidden page, with its answer, until the new form is ready.
        browser.wait("document.querySelector('#compose-body')?.value === 'hello' && document.querySelector('.compose .method').value === 'POST' && document.querySelector('#compose-body').checkVisibility() && !document.querySelector('.answer h2')")
        fields = [field[1:] for field in browser.evaluate(FIELDS)]
        expect(["X-Twice", "2"] in fields and fields.index(["X-Twice", "2"]) + 1 == fields.index(["X-Twice", "1"]), f"fields keep their order: {fields}")
        browser.evaluate("document.querySelector('#compose-body').value = 'hello again'; document.querySelector('#compose-body').focus()")
        browser.press("Enter", 2)
        browser.wait("document.querySelectorAll('.answer a.button').length === 2")
        expect(len(server.seen) == 2 and server.seen[1][3] == b"hello again", f"sent again: {server.seen}")
        # The user saves a recorded exchange to a collection from here.
        browser.evaluate("pressButton('Save…')")
        browser.wait("document.querySelector('dialog[open] form')")
        browser.press("Enter")
        browser.wait("document.querySelector('.collection li .path')?.textContent === 'POST /form'")
        kept = pathlib.Path(console.folder.name, "pinhole.sqlite.compose.json")
        expect(stat.S_IMODE(kept.stat().st_mode) == 0o600, f"the file is private: {kept.stat().st_mode:o}")
        expect(json.loads(kept.read_text())["collections"][0]["requests"][0]["body"] == ["hello again"], kept.read_text())
        sent = pathlib.Path(f"{console.folder.name}/pinhole.sqlite.compose-history.json")
        expect(stat.S_IMODE(sent.stat().st_mode) == 0o600, f"the history is private: {sent.stat().st_mode:o}")
        expect([one["status"] for one in json.loads(sent.read_text())["entries"]] == [201, 201], sent.read_text())
        # Another page of the same console shows the change at once.
        console.ask("/api/compose/collections/Team/Ping", b'{"url": "http://a.test/"}', "PUT")
        browser.wait("document.querySelectorAll('.collection').length === 2")
        browser.click(".answer a.button:nth-of-type(2)")
        browser.wait("document.querySelector('.diff-line.added')?.textContent.includes('hello again')")
        # Back again, the page still has the edit and its answer.
        browser.evaluate("history.back()")
        browser.wait("document.querySelector('#compose-body')?.value === 'hello again' && document.querySelectorAll('.answer a.button').length === 2")
        # A body that is too large for the editor is sent unchanged.
        large = bytes(range(256)) * 12_000
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{console.proxy}"}))
        opener.open(urllib.request.Request(f"{server.url}/large", large, method="POST"), timeout=PATIENCE).close()
        browser.evaluate("location.hash = '#/?q=path == /large'")
        browser.wait("document.querySelector('.grid').ariaRowCount === '2' && document.querySelector('.viewport .row:not(.waiting)')?.textContent.includes('/large')")
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("ArrowDown")
        browser.press("e")
        browser.wait("document.querySelector('.compose .kept:not([hidden])')?.textContent.includes('3.07 MB')")
        browser.click(".compose .primary")
        browser.wait("document.querySelector('.answer h2')?.textContent.startsWith('Status 201')")
        expect(server.seen[-1][3] == large and len(server.seen) == 4, "all of it was sent")
        audit(stage, "compose-kept")
        # The page reports a server that is gone, and keeps the request.
        compose(browser)
        start_anew(browser)
        browser.evaluate("document.querySelector('.compose input[value=direct]').click()")
        browser.click(".compose .url")
        browser.type("http://127.0.0.1:1/")
        browser.press("Enter")
        browser.wait("document.querySelector('.compose .notice.failed')?.textContent.includes('Nothing was sent')")
        expect(browser.evaluate("document.querySelector('.compose .url').value") == "http://127.0.0.1:1/", "what was written stays")
        # The proxy knows the reason, and the page shows it.
        browser.evaluate("(() => { document.querySelector('.compose input[value=proxy]').click(); document.querySelector('.compose .url').value = 'https://127.0.0.1:1/'; document.querySelector('.compose .url').focus(); })()")
        browser.press("Enter")
        browser.wait("document.querySelector('.compose-request .notice.failed')?.textContent.includes('refused the tunnel')")
        told = said(browser)
        expect("Connection refused" in told and told.endswith("Nothing was sent."), f"why: {told}")
        # Sent directly, an answer outside of the capture has its views as well.
        browser.evaluate(f"write('.compose .url', '{server.url}/direct'); document.querySelector('.compose input[value=direct]').click(); pressButton('Send')")
        browser.wait("document.querySelector('.answer .code-row')?.textContent.includes('got')")
        expect("not in the capture" in browser.evaluate("document.querySelector('.answer').textContent"), "it says so")
        browser.pardon(502)
