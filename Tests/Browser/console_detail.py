"""The detail: messages, bodies, streams, handshakes, copies, comparisons."""
import json
import re
import urllib.parse

from audits import audit
from console_stage import CODE, CURSOR, expect, test


@test
def shows_what_is_hostile_as_text(stage):
    browser = stage.fresh()
    for tab in ("overview", "request", "response"):
        stage.open("evil", tab)
        browser.wait("document.querySelector('.detail').textContent.includes('window.__evil')")
    browser.wait("document.querySelector('.code-row')")
    browser.wait("document.querySelector('.remarks')?.textContent.includes('U+202E')")
    stage.open("events", "messages")
    browser.wait("document.querySelectorAll('.messages li').length === 6")
    stage.open("html", "response")
    browser.wait("document.querySelector('.code-row')?.textContent.includes('<!doctype')")
    expect(browser.evaluate("window.__evil === undefined && !document.querySelector('main img, .detail img')"), "nothing of it became an element")


@test
def names_the_program_that_connected_and_the_user(stage):
    """Columns show the program and the user, as does the detail. A name is text, whatever characters it has."""
    browser = stage.fresh("#/?q=host == programs.example.test", columns=["id", "host", "user", "process"])
    browser.wait("document.querySelector('.grid').ariaRowCount === '9'")
    seen = set()
    for item in json.loads(stage.console.ask("/api/traffic?filter=host%20%3D%3D%20programs.example.test"))["items"]:
        number, process, user = item["id"], item.get("clientProcess"), item.get("proxyUser")
        row = f"document.querySelector('.row[data-id=\"{number}\"]')"
        names = json.dumps([user or "", process["name"] if process else ""])
        browser.wait(f"JSON.stringify([...({row}?.children ?? [])].slice(-2).map((cell) => cell.textContent)) === JSON.stringify({names})")
        seen.add(process["name"] if process else "")
        browser.click(f".row[data-id='{number}']")
        browser.wait("document.querySelector('#tab-overview')")
        browser.click("#tab-overview")
        said = " · ".join(filter(None, [f"{process['name']} ({process['pid']})", process.get("path")])) if process else None
        told = "((wanted) => [...document.querySelectorAll('.detail .panel dt')].find((name) => name.textContent === wanted)?.nextElementSibling.textContent ?? null)"
        facts = {"Client": item["client"], "Client process": said, "Proxy user": user}
        browser.wait(" && ".join(f"{told}('{name}') === {json.dumps(fact)}" for name, fact in facts.items()))
    expect(len(seen) == 4, f"three programs, and none: {seen}")
    expect(not browser.evaluate("document.querySelector('.row b, .detail dd b')"), "a name became no element")
    stage.shoot("client-process")


@test
def shows_messages_of_every_kind(stage):
    browser = stage.fresh(going=("huge", "running"))
    stage.open("json", "response")
    browser.wait("document.querySelector('.code-row')")
    text = browser.evaluate(CODE)
    expect('"id": 9007199254740993' in text, f"numbers keep their digits: {text[:300]}")
    expect(browser.evaluate("document.querySelector('.body-view select').value") == "json", "JSON is chosen")
    stage.shoot("json")
    browser.click(".code-row:nth-child(4) .twist")
    browser.wait(f"({CODE}).includes('… 2 lines')")
    browser.click(".folds button")
    browser.wait(f"!({CODE}).includes('SKU-0002') && ({CODE}).includes('\"empty\": {{}}')")
    browser.click(".message-search input")
    browser.type("sku-0007")
    browser.wait("document.querySelector('.told').textContent.startsWith('1 of 1') && document.querySelector('.code mark.current')?.textContent === 'SKU-0007'")
    stage.shoot("json-search")
    stage.open("json", "request")
    panel = browser.evaluate("document.querySelector('.message-pane').textContent")
    expect("a b&c" in panel and "customer" in panel, "the query is decoded")
    browser.evaluate("document.querySelector('[aria-label=Cookies]').closest('details').open = true")
    browser.wait("document.querySelector('[aria-label=Cookies]').innerText.includes('theme')")
    for name, part, owner in [("xml", "    <sku>SKU-1</sku>", "response"), ("binary", "00 01 02 03 04 05 06 07  08", "response"), ("plain", "all is well: ✓", "response"),
                              ("script", "function a(b)", "response"), ("error", "it's $HOME", "request")]:
        stage.open(name, owner)
        browser.wait(f"({CODE}).includes({json.dumps(part)})")
    stage.open("form", "request")
    browser.wait("document.querySelector('[aria-label=Form]')?.innerText.includes('Zoë & co')")
    stage.open("multipart", "request")
    browser.wait("document.querySelector('.parts')?.innerText.includes('A picture & more') && document.querySelector('.parts').innerText.includes('89 50 4e 47')")
    stage.shoot("multipart")
    stage.open("image", "response")
    browser.wait("document.querySelector('.image img')?.naturalWidth === 64 && document.querySelector('figcaption').textContent.includes('64 × 40')")
    stage.shoot("image")
    for view, part in [("hex", "89 50 4e 47"), ("raw", "HTTP/1.1 200 OK")]:
        browser.evaluate(f"(() => {{ const select = document.querySelector('.body-view select'); select.value = '{view}'; select.dispatchEvent(new Event('change')); }})()")
        browser.wait(f"({CODE}).includes('{part}')")
    saved = ("URL.createObjectURL = (file) => { window.__file = file; return '#'; };"
             "HTMLAnchorElement.prototype.click = function () { window.__name = this.download; }")
    browser.evaluate(saved)
    for name, size in (("binary", 16384), ("huge", 104857600)):
        stage.open(name, "response")
        browser.wait("document.querySelector('.code-row')")
        browser.evaluate("window.__file = undefined")
        browser.click("[aria-label='Download the body']")
        browser.wait(f"window.__file?.size === {size} && window.__name === 'pinhole-{stage.names[name]}-response'")
    stage.open("broken", "response")
    browser.wait(f"document.querySelector('.remarks').textContent.includes('This is not JSON') && ({CODE}).includes('unfinished')")
    stage.open("partial", "response")
    browser.wait("document.querySelector('.remarks').textContent.includes('were captured')")
    stage.open("aborted", "response")
    browser.wait("document.querySelector('.remarks').textContent.includes('ended before it was complete')")
    stage.open("undecodable", "response")
    browser.wait("document.querySelector('.remarks').textContent.includes('could not be decoded to the end: ')")
    stage.open("running", "response")
    browser.wait("document.querySelector('.message-pane').textContent.includes('No response yet')")


@test
def shows_both_messages(stage):
    """Side by side if there is room, otherwise below each other, or by the user's choice; heads fold into a line with their count."""
    browser = stage.fresh(going=("running",))
    browser.evaluate(f"location.hash = '#/?id={stage.names['graphql']}'")
    both = "[...document.querySelectorAll('.message-pane')]"
    browser.wait(f"document.querySelector('#tab-both')?.ariaSelected === 'true' && {both}.length === 2 && {both}.every((pane) => pane.querySelector('.code-row'))")
    heads = browser.evaluate(f"{both}.map((pane) => [pane.querySelector('h3').textContent, pane.querySelector('.message-head').open, pane.querySelector('.extra').textContent])")
    expect([head[:2] for head in heads] == [["Request", False], ["Response", False]] and all(re.match(r"\d+ headers, \d+ B$", head[2]) for head in heads), f"heads are folded to a line with their count: {heads}")
    boxes = f"{both}.map((pane) => {{ const box = pane.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom].map(Math.round); }})"
    one, other = browser.evaluate(boxes)
    expect(one[0] == other[0] and one[3] <= other[1], f"in a narrow pane, they are below each other: {one} {other}")
    for width, height in ((1280, 720), (1920, 1080)):
        for scheme in ("light", "dark"):
            browser.size(width, height, scheme)
            browser.frames(6)
            one, other = browser.evaluate(boxes)
            expect(other[3] <= height and other[3] - other[1] >= 90, f"both are in view at {width} x {height}: {one} {other}")
            stage.shoot(f"both-{width}-{scheme}")
    browser.size(1440)
    expect(browser.evaluate("new Set([...document.querySelectorAll('.message-search, .message-ways button')].map((one) => Math.round(one.getBoundingClientRect().y + one.getBoundingClientRect().height / 2))).size <= 1"), "the tools are one line")
    browser.click("[data-way=beside]")
    browser.wait("document.querySelector('.both.beside') && document.querySelector('[data-way=beside]').ariaPressed === 'true'")
    one, other = browser.evaluate(boxes)
    expect(one[1] == other[1] and one[2] <= other[0], f"side by side: {one} {other}")
    # A wide pane shows both messages side by side; an unfolded head stays unfolded.
    browser.evaluate("localStorage.setItem('pinhole', JSON.stringify({detailShare: 0.8}))")
    browser.go("about:blank#")
    browser.size(1920, 1080)
    browser.go(f"{stage.base}/#/?id={stage.names['graphql']}")
    browser.wait("document.querySelector('.both.beside')")
    browser.click(".message-pane:nth-child(2) .message-head > summary")
    browser.wait("document.querySelectorAll('.message-head')[1].open && !document.querySelectorAll('.message-head')[0].open")
    browser.wait(f"{both}.every((pane) => pane.querySelector('.code-row'))")
    stage.shoot("both-wide-unfolded")
    stage.open("form", "both")
    browser.wait("document.querySelectorAll('.message-head')[1]?.open && !document.querySelectorAll('.message-head')[0].open && document.querySelector('[aria-label=Form]')")
    stage.shoot("both-form")
    browser.size(1440)
    for name in ("request", "response"):
        stage.open("json", name)
        browser.wait(f"document.querySelectorAll('.message-pane').length === 1 && document.querySelector('.message-pane').ariaLabel.toLowerCase() === '{name}'")
    stage.open("json", "both")
    browser.wait("document.querySelectorAll('.message-head')[0]?.open && document.querySelector('[aria-label=Query]').innerText.includes('a b&c')")
    stage.shoot("both-get")
    stage.open("running", "both")
    browser.wait("document.querySelector('.both').textContent.includes('No response yet')")
    audit(stage, "both", widths=(1280,))


@test
def searches_both_messages(stage):
    """One search over heads and bodies, with a count for each message, by keyboard alone."""
    browser = stage.fresh()
    stage.open("json", "both")
    browser.wait("document.querySelector('.code-row')")
    told = "document.querySelector('.told').textContent"
    browser.evaluate("document.querySelector('.grid').focus()")
    browser.press("f", modifiers=2)
    browser.wait("document.activeElement === document.querySelector('.message-search input')")
    browser.type("customer")
    browser.wait(f"/^1 of \\d+ \\(request [1-9]\\d*, response [1-9]\\d*\\)$/.test({told})")
    total, asked, answered = map(int, re.match(r"1 of (\d+) \(request (\d+), response (\d+)\)", browser.evaluate(told)).groups())
    expect(total == asked + answered, f"each has its count: {browser.evaluate(told)}")
    expect(browser.evaluate("CSS.highlights.get('found').size + document.querySelectorAll('.code mark').length") >= total - 1, "all are painted")
    expect(browser.evaluate("CSS.highlights.get('found-now').size") == 1, "the first is in the head of the request")
    stage.shoot("both-search")
    for _ in range(asked):
        browser.press("Enter")
    browser.wait(f"{told}.startsWith('{asked + 1} of ')")
    browser.press("Enter", modifiers=8)
    browser.wait(f"{told}.startsWith('{asked} of ') && CSS.highlights.get('found-now').size === 1 && !document.querySelector('.code mark.current')")
    browser.press("Enter", modifiers=8)
    for _ in range(total):
        browser.press("Enter")
    browser.evaluate("(() => { const field = document.querySelector('.message-search input'); field.value = ''; field.dispatchEvent(new Event('input')); })()")
    browser.type("SKU-0007")
    browser.wait(f"{told} === '1 of 1 (request 0, response 1)' && document.querySelector('.code mark.current')?.textContent === 'SKU-0007'")
    # A match in a folded head unfolds the head.
    browser.evaluate("(() => { const field = document.querySelector('.message-search input'); field.value = 'application/json'; field.dispatchEvent(new Event('input')); })()")
    browser.wait(f"{told}.startsWith('1 of') && {told}.endsWith('response 1)')")
    browser.press("Enter", modifiers=8)
    browser.wait("document.querySelectorAll('.message-head')[1].open")
    # The search goes on with the next item, and Escape ends it.
    stage.open("plain", "both")
    browser.wait(f"document.querySelector('.message-search input').value === 'application/json' && {told} !== ''")
    browser.evaluate("document.querySelector('.message-search input').focus()")
    browser.press("Escape")
    browser.wait(f"{told} === '' && !document.querySelector('.detail').hidden && CSS.highlights.get('found').size === 0")


@test
def copies_values_and_paths(stage):
    browser = stage.fresh()
    stage.open("json", "both")
    browser.evaluate("navigator.clipboard.writeText = async (text) => { window.__copied = text; }")
    browser.wait("document.querySelectorAll('.message-head')[0]?.open && document.querySelector('.code-row')")
    # By the menu of a row of a table: with the pointer, and with the keyboard at the button of the row.
    middle = browser.evaluate("(() => { const box = document.querySelector('[aria-label=Query] td').getBoundingClientRect(); return [box.x + 9, box.y + 6]; })()")
    browser.pointer("mousePressed", middle, "right")
    browser.pointer("mouseReleased", middle, "right")
    browser.wait("document.querySelector('.menu')")
    expect(browser.evaluate("[...document.querySelectorAll('.menu button')].map((line) => line.textContent)") == ["Copy value", "Copy name", "Copy name and value"], "a parameter's parts")
    stage.shoot("copy-menu")
    browser.press("Enter")
    browser.wait("window.__copied === 'lines'")
    browser.evaluate("document.querySelectorAll('[aria-label=\"Headers of the request\"] .copy')[0].focus()")
    browser.press("Enter")
    browser.wait("window.__copied && window.__copied !== 'lines'")
    # By the rows of a body: arrows go to a value, Ctrl+C copies it, the menu has its pointer.
    browser.evaluate("document.querySelector('.message-pane:nth-child(2) .code').focus()")
    for _ in range(6):
        browser.press("ArrowDown")
    browser.wait("document.querySelector('.code-row.current:not([hidden])')?.textContent.includes('zoe@example.test')")
    browser.press("c", modifiers=2)
    browser.wait("window.__copied === 'zoe@example.test'")
    # Headless Chromium sends no event for the keyboard's menu key.
    browser.evaluate("document.activeElement.dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))")
    browser.wait("document.querySelector('.menu')")
    names = browser.evaluate("[...document.querySelectorAll('.menu button')].map((line) => line.firstElementChild.textContent)")
    expect(names == ["Copy value", "Copy JSON Pointer", "Copy key", "Copy line", "Copy all"], f"what a row offers: {names}")
    browser.press("ArrowDown")
    browser.press("Enter")
    browser.wait("window.__copied === '/customer/email'")
    browser.evaluate("document.querySelector('.message-pane:nth-child(2) .code').focus()")
    browser.press("ArrowUp")
    browser.press("ArrowUp")
    browser.press("ArrowLeft")
    browser.wait("document.querySelector('.code-row.current').textContent.includes('… ')")
    browser.press("c", modifiers=2)
    browser.wait("window.__copied?.startsWith('{')")
    copied = browser.evaluate("window.__copied")
    expect(json.loads(copied) == {"name": "Zoë Ångström", "email": "zoe@example.test"}, f"a whole object: {copied}")
    href = browser.evaluate("[...document.querySelectorAll('.detail-tools a')].find((one) => one.textContent === 'Edit and send')?.hash")
    expect(href == f"#/compose/{stage.names['json']}", "editing is one press away")


@test
def plays_audio(stage):
    browser = stage.fresh()
    stage.open("sound", "response")
    browser.wait("document.querySelector('.image audio')?.readyState >= 1 && document.querySelector('figcaption').textContent.includes('1.0 s')")
    expect(browser.evaluate("document.querySelector('.body-view select').value") == "audio", "a sound is offered as one")
    stage.shoot("audio")
    stage.open("film", "response")
    browser.wait("document.querySelector('.image video') && document.querySelector('figcaption').textContent.includes('cannot play this video')")


@test
def pages_a_hundred_megabytes(stage):
    browser = stage.fresh(going=("huge",))
    browser.evaluate("window.__longest = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.__longest = Math.max(window.__longest, entry.duration))).observe({type: 'longtask'})")
    stage.open("huge", "response")
    browser.wait("document.querySelector('.loaded')?.textContent.includes('1.05 MB of 105 MB')")
    browser.click(".loaded button")
    browser.wait("document.querySelector('.loaded')?.textContent.includes('5.24 MB of 105 MB')", 60)
    stage.shoot("huge")
    browser.evaluate("(() => { const code = document.querySelector('.code'); code.scrollTop = code.scrollHeight; })()")
    browser.wait(f"({CODE}).includes('\"values\"')")
    browser.click(".message-search input")
    browser.type("0012345")
    browser.wait("document.querySelector('.told').textContent.startsWith('1 of 1 in what is loaded')")
    longest = browser.evaluate("window.__longest")
    print(f"      5 MB of JSON: longest task of the page {longest:.0f} ms")


@test
def shows_a_long_body_whole(stage):
    """The body is longer than the layout's limit, and within the memory of a small machine."""
    browser = stage.fresh(going=("larger",))
    browser.evaluate("window.__longest = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.__longest = Math.max(window.__longest, entry.duration))).observe({type: 'longtask'})")
    stage.open("larger", "response")
    browser.wait("document.querySelector('.loaded')?.textContent.includes('1.05 MB of 25.2 MB')")
    browser.click(".load-all")
    browser.wait("!document.querySelector('.loaded') && document.querySelector('.remarks').textContent.includes('More than 16.8 MB are not laid out')", 120)
    stage.shoot("long-whole")
    # The end of the body is visible, and the search finds it.
    browser.evaluate("(() => { const code = document.querySelector('.code'); code.scrollTop = code.scrollHeight; })()")
    browser.wait(f"({CODE}).includes('\"id\":02')")
    browser.click(".message-search input")
    browser.type("0220000")
    browser.wait("document.querySelector('.told').textContent.trim() === '1 of 1' && document.querySelector('.code mark.current')")
    print(f"      25 MB of JSON: longest task of the page {browser.evaluate('window.__longest'):.0f} ms")


@test
def shows_streams(stage):
    browser = stage.fresh()
    stage.open("websocket", "messages")
    browser.wait("document.querySelectorAll('.messages li').length === 200")
    browser.click(".foot button")
    browser.wait("document.querySelectorAll('.messages li').length === 400")
    browser.click(".foot button")
    browser.wait("document.querySelectorAll('.messages li').length === 426 && !document.querySelector('.foot button')")
    expect(browser.evaluate("document.querySelector('.messages li:last-child .gist').textContent") == "1000 bye", "the code and the reason of a close frame")
    browser.click(".messages li:first-child summary")
    browser.wait("document.querySelector('.messages pre').textContent.includes('\"subscribe\"')")
    times = browser.evaluate("[...document.querySelectorAll('.messages summary')].slice(0, 3).map((line) => line.querySelectorAll('.number')[1].textContent)")
    expect(times == ["1.5 ms", "3.0 ms", "4.5 ms"], f"when a message passed: {times}")
    said = browser.evaluate("document.querySelector('.messages details[open]').textContent")
    expect(re.search(r"Took[\d.]+ (µs|ms)", said), f"and how long it took: {said}")
    expect(browser.evaluate("!document.querySelector('.sender')"), "nothing is sent where it has ended")
    stage.shoot("websocket")
    browser.evaluate("(() => { const side = document.querySelector('.panel select'); side.value = 'client'; side.dispatchEvent(new Event('change')); })()")
    browser.wait("[...document.querySelectorAll('.messages li')].filter((line) => line.getClientRects().length > 0).length === 4")
    # The next item has no messages, so it shows its request and response.
    browser.evaluate(f"location.hash = '#/?id={stage.names['json']}&tab=messages'")
    browser.wait("document.querySelector('#tab-both')?.ariaSelected === 'true'")
    stage.open("grpc", "messages")
    browser.wait("document.querySelector('.panel').textContent.includes('5 NOT_FOUND: no such note') && document.querySelectorAll('.messages li').length === 2")
    browser.click(".messages li:first-child summary")
    browser.wait("document.querySelector('.messages pre').textContent.includes('1099511627776')")
    stage.shoot("grpc")
    stage.open("grpc", "response")
    browser.wait("document.querySelector('[aria-label=Trailers]').innerText.includes('grpc-status')")
    stage.open("events", "messages")
    browser.wait("document.querySelector('.messages').textContent.includes('tick') && document.querySelector('.facts').textContent.includes('server-sent events')")
    stage.open("jsonlines", "messages")
    browser.wait("document.querySelector('.panel .facts').textContent.includes('JSON lines')")
    stage.open("proto", "response")
    browser.wait(f"{CODE}.includes('\"2\": \"testing\"')")
    expect(browser.evaluate("document.querySelector('.body-view select').value") == "protobuf", "what says to be a message is shown as one")
    stage.shoot("protobuf")
    stage.open("image", "response")
    browser.wait("document.querySelector('.body-view img')?.naturalWidth")
    browser.evaluate("(() => { const views = document.querySelector('.body-view select'); views.value = 'protobuf'; views.dispatchEvent(new Event('change')); })()")
    browser.wait("document.querySelector('.stage .notice')?.textContent.includes('not a message of Protocol Buffers')")
    browser.pardon(422)


@test
def sends_messages_of_ones_own(stage):
    browser = stage.fresh(going=("standing",))
    # The program records a message after it has answered, and reports no event of it: what is recorded is told at once here.
    path = f"/api/traffic/{stage.names['standing']}/messages"
    told = json.loads(stage.console.ask(path))["messages"]

    def answer(request):
        if request["method"] != "POST":
            after = int(urllib.parse.parse_qs(urllib.parse.urlsplit(request["url"]).query)["after"][0])
            return 200, {"messages": told[after:], "more": False}
        order = json.loads(request["postData"])
        if order["text"] == "refuse this":
            return 409, {"title": "not sent", "status": 409, "detail": "the server has closed its side"}
        stage.console.ask(path, request["postData"].encode(), "POST")
        told.append({**told[0], "number": len(told) + 1, "sender": {"server": "client", "client": "server"}[order["to"]], "text": order["text"]})
        return 200, {}

    with browser.answering("/messages*", answer):
        stage.open("standing", "messages")
        browser.wait("document.querySelectorAll('.messages li').length === 2")
        for to, way in (("server", "client"), ("client", "server")):
            browser.evaluate(f"document.querySelector('.sender select').value = '{to}'")
            browser.click(".sender textarea")
            browser.type(f"to the {to}")
            if to == "server":
                stage.shoot("websocket-send")
                browser.click(".sender button")
            else:
                browser.press("Enter", modifiers=2)
            browser.wait(f"document.querySelector('.messages li:last-child')?.textContent.includes('to the {to}') && document.querySelector('.messages li:last-child').dataset.sender === '{way}'")
        browser.click(".sender textarea")
        browser.type("refuse this")
        browser.click(".sender button")
        browser.wait("document.querySelector('.sender [role=alert]').textContent.includes('closed its side') && document.querySelector('.sender textarea').value === 'refuse this'")
        stage.numbers.end("standing")
        browser.wait("!document.querySelector('.sender') && document.querySelectorAll('.messages li').length === 4")
    texts = [message["text"] for message in json.loads(stage.console.ask(path))["messages"]]
    expect(texts[2:4] == ["to the server", "to the client"], f"both were sent: {texts}")
    browser.pardon(409)


@test
def shows_a_set_up_before_the_request(stage):
    browser = stage.fresh()
    stage.open("setup")
    rows = "Object.fromEntries([...document.querySelectorAll('.waterfall tr')].map((row) => [row.querySelector('th').textContent, [row.querySelector('.number')?.textContent, parseFloat(row.querySelector('.stage-bar')?.style.left)]]))"
    found = browser.evaluate(rows)
    expect(found["Set-up, before the request"][0] == "499 ms" and found["Total from the request on"][0] == "302 ms", f"both are told: {found}")
    expect(found["Waiting for the response"][0] == "301 ms" and 62 < found["Waiting for the response"][1] < 63, f"the wait begins with the request: {found}")
    expect(found["TLS with the server"] == ["499 ms", found["TLS with the server"][1]] and found["TLS with the server"][1] < 1, f"the set-up lies before: {found}")
    stage.shoot("waterfall-before")
    stage.open("json")
    found = browser.evaluate(rows)
    expect("Total" in found and "Set-up, before the request" not in found, f"one that was waited for is a part: {found}")


@test
def knows_what_is_no_text_and_no_XML(stage):
    browser = stage.fresh()
    chosen = "document.querySelector('.body-view select')?.value"
    stage.open("high", "response")
    browser.wait(f"({CODE}).includes('ff fe fd') && {chosen} === 'hex'")
    stage.open("shifted", "response")
    browser.wait(f"({CODE}).includes('こんにちは') && {chosen} === 'text'")
    stage.open("undeclared", "response")
    browser.wait(f"({CODE}).includes('café au lait') && {chosen} === 'text' && document.querySelector('.remarks').textContent.includes('read as windows-1252')")
    stage.open("meta", "response")
    browser.wait(f"({CODE}).includes('日本')")
    stage.open("crossed", "response")
    browser.wait("document.querySelector('.remarks').textContent.includes('This is not XML: line 2: expected </a>, found </r>')")
    stage.open("xml", "response")
    browser.wait(f"({CODE}).includes('<sku>')")
    expect("This is not" not in browser.evaluate("document.querySelector('.remarks').textContent"), "what is XML is")


@test
def lays_out_pages_scripts_and_style_sheets(stage):
    """Elements, statements and declarations have a line each."""
    browser = stage.fresh()
    stage.open("script", "response")
    browser.wait(f"({CODE}).includes('function a(b) {{ return b ? b.map(c => c * 2) : null }};')")
    stage.open("html", "response")
    browser.wait(f"({CODE}).includes('<title>Shop</title>')")
    expect("p { color: red }" not in browser.evaluate(CODE), "the style sheet in it has its lines")
    stage.shoot("body-html")


@test
def compares_what_is_no_text(stage):
    browser = stage.fresh()
    for pair, said in ((("high", "higher"), "Left: binary, 300 B. Right: binary, 301 B. Compared byte by byte, they differ from byte 300 on."),
                       (("high", "high"), "they are equal"), (("high", "plain"), "Right: text, ")):
        browser.evaluate(f"location.hash = '#/diff/{stage.names[pair[0]]}/{stage.names[pair[1]]}'")
        browser.wait(f"document.querySelector('.diff')?.textContent.includes({json.dumps(said)})")
    expect("\ufffd" not in browser.evaluate("document.querySelector('.diff').textContent"), "no bytes as text")
    stage.shoot("diff-binary")


@test
def explains_handshakes(stage):
    browser = stage.fresh()
    stage.open("json", "tls")
    browser.wait("document.querySelector('.compared')")
    differing = browser.evaluate("[...document.querySelectorAll('[aria-label=\"The real certificate and the forged one\"] .differs th')].map((cell) => cell.textContent)")
    expect(any("Issuer" in cell and "differs" in cell for cell in differing), f"what differs is marked and said: {differing}")
    expect(not any(cell.startswith("Subject") for cell in differing), "what is the same is not")
    browser.click(".certificate summary")
    pins = json.loads(stage.console.ask(f"/api/flows/{stage.names['json']}/tls"))["chains"]["real"][0]["pins"]
    browser.wait(f"document.querySelectorAll('.certificate[open] .pins li').length === {len(pins)}")
    expect(len(pins) >= 9, f"a pin in every notation: {pins}")
    browser.evaluate("navigator.clipboard.writeText = async (text) => { window.__copied = text; }")
    place = list(pins).index("spki-sha256") + 1
    browser.click(f".certificate[open] .pins li:nth-child({place}) .copy")
    browser.wait("window.__copied?.startsWith('sha256/')")
    stage.shoot("tls-pins")
    weakened = "document.querySelector('.notice.warning')?.textContent.includes('weakened the key exchange')"
    # A client that offers such a group needs another OpenSSL than Debian 12 has.
    def weaken(request):
        answer = json.loads(stage.console.ask(urllib.parse.urlsplit(request["url"]).path))
        told = answer["flow"] if "exchange" in answer else answer
        told["client"]["group"], told["server"]["group"] = "x25519", "X25519MLKEM768"
        told["keyExchange"] = {"explanation": "The interception weakened the key exchange: the client offered X25519MLKEM768."}
        return 200, answer

    with browser.answering(f"/{stage.names['timed']}", weaken):
        stage.open("timed")
        browser.wait(f"document.querySelector('#tab-overview').ariaSelected === 'true' && {weakened}")
        expect("· X25519MLKEM768" in browser.evaluate("document.querySelector('.panel').textContent"), "the overview names the groups")
    with browser.answering("/tls", weaken):
        stage.open("timed", "tls")
        browser.wait(weakened)
    stage.open("unknown_ca", "tls")
    said = browser.wait("document.querySelector('.compared') && document.querySelector('.cause-card')?.textContent")
    expect("What to do: " in said and "Trust Pinhole's CA in the client" in said, f"the cause, and what to do: {said}")
    expect(browser.evaluate("document.querySelector('.cause-card .pass-on').checkVisibility()"), "and it can be done at once")
    expect("certain" in browser.evaluate("document.querySelector('.certainty').textContent"), "how sure it is")
    stage.shoot("tls-failed")
    version = "[...document.querySelectorAll('.compared tr')].find((row) => row.textContent.startsWith('Version'))?.textContent"
    # Clients and servers of such old versions need another OpenSSL, too.
    def disagree(peer):
        def changed(request):
            answer = json.loads(stage.console.ask(urllib.parse.urlsplit(request["url"]).path))
            failure = {**answer["client"].pop("failure"), "cause": "noCommonVersion", "peer": peer}
            answer[peer] = {"serverName": "old.example.test", "isResumed": False, "milliseconds": 4.2, "requestedClientCertificate": False, "failure": failure}
            if peer == "server":
                answer["client"]["version"] = "TLSv1.3"
            else:
                answer.pop("server", None)
            return 200, answer
        return changed

    with browser.answering("/tls", disagree("server")):
        stage.open("old", "tls")
        browser.wait(f"{version}?.endsWith('TLSv1.3none agreed')")
    with browser.answering("/tls", disagree("client")):
        stage.open("ancient", "tls")
        browser.wait(f"{version}?.includes('none agreed; offered TLS 1.3, TLS 1.2')")
    stage.shoot("tls-no-version")
    stage.open("pinned")
    browser.wait("document.querySelector('.certainty').textContent === 'probably'")
    browser.click(".cause-card button:not(.pass-on)")
    browser.wait("document.querySelector('#tab-tls').ariaSelected === 'true' && document.querySelector('.compared')")
    # The program answers for a tunnel that it relays; a flow may have been removed meanwhile.
    with browser.answering("/tls", lambda _: (404, {"title": "not found", "status": 404, "detail": "nothing has the number"})):
        stage.open("relayed", "tls")
        browser.wait("document.querySelector('.panel').textContent.includes('No handshake was read')")
    browser.pardon(404)


@test
def copies_requests(stage):
    browser = stage.fresh()
    stage.open("error")
    languages = ["curl", "httpie", "wget", "powershell", "fetch", "axios", "requests", "httpx", "go", "java", "swift", "csharp"]
    for place, language in enumerate(languages):
        browser.evaluate("window.__copied = undefined; navigator.clipboard.writeText = async (text) => { window.__copied = text; }")
        browser.click(".detail-tools [aria-haspopup=menu]")
        browser.wait(f"document.querySelectorAll('.menu [role=menuitem]').length === {len(languages)}")
        for _ in range(place):
            browser.press("ArrowDown")
        if language == "requests":
            stage.shoot("menu-copy")
        browser.press("Enter")
        text = browser.wait("window.__copied")
        code = stage.console.ask(f"/api/traffic/{stage.names['error']}/code?language={language}")
        expect(text == code and "touch /tmp/pwned" in code, f"the text of the server is copied as it is: {text}")
    browser.evaluate("window.__copied = undefined")
    browser.evaluate("document.querySelector('.grid').focus()")
    browser.press("y")
    browser.wait(f"window.__copied === {json.dumps(code)}")


@test
def shows_fields_as_text(stage):
    browser = stage.fresh()
    stage.open("odd", "request")
    browser.wait("document.querySelector('[aria-label=\"Headers of the request\"]')?.innerText.includes('é à')")
    expect("Ã" not in browser.evaluate("document.querySelector('.message-pane').textContent"), "no byte is a character of its own")
    stage.open("odd", "response")
    browser.wait("document.querySelector('.message-pane').textContent.includes('été')")
    browser.evaluate(f"location.hash = '#/compose/{stage.names['odd']}'")
    browser.wait("document.querySelector('#compose-fields')?.value.includes('X-Utf: é à')")
    browser.wait("document.querySelector('[role=alert] .notice')?.textContent.includes('X-Latin is not UTF-8; what is sent here is')")


@test
def compares_two(stage):
    browser = stage.fresh()
    for name in ("json", "changed"):
        browser.evaluate(f"location.hash = '#/?id={stage.names[name]}'")
        browser.wait(f"{CURSOR} === {stage.names[name]}")
        browser.wait("document.activeElement.id === 'traffic-grid'")
        browser.press(" ")
    # Only rows in sight are there, so the foot of the list has the count.
    browser.wait("document.querySelector('.status').textContent.includes('2 selected')")
    browser.press("d")
    browser.wait("document.querySelectorAll('.diff .section').length >= 3 && document.querySelector('.diff-lines')")
    lines = browser.evaluate("[...document.querySelectorAll('.diff-line:not(.same)')].map((line) => line.textContent)")
    expect([line.strip() for line in lines] == ['−  "state": "paid",', '+  "state": "open",', '−      "sku": "SKU-0007",', '+      "sku": "SKU-7777",'], f"lines that differ: {lines}")
    stage.shoot("diff")
    browser.press("Escape")
    browser.wait("!document.querySelector('#page-traffic').hidden")
    browser.evaluate(f"location.hash = '#/diff/{stage.names['json']}/{stage.names['relayed']}'")
    browser.wait("document.querySelector('.diff')?.textContent.includes('Only exchanges')")


@test
def lays_out_graphql(stage):
    browser = stage.fresh()
    stage.open("graphql", "request")
    browser.wait(f"document.querySelector('.body-view select')?.value === 'graphql' && ({CODE}).includes('sku')")
    code = browser.evaluate(CODE)
    for part in ("# operation Order", "# The order, and who gets it.", "query Order($id: ID!, $first: Int = 10) {", "  order(id: $id) {", "    ...Lines",
                 "    customer: buyer @include(if: true) {", '      address(kind: SHIPPING, in: {country: "SE"}) {', "    ... on Gift {",
                 'note(format: """as it is""")', "fragment Lines on Order {", "    quantity", "# variables", '"id": 9007199254740993'):
        expect(part in code, f"{part}: {code}")
    audit(stage, "graphql")
    # The layout folds, the search finds its text, and the JSON view still exists.
    browser.click(".folds button")
    browser.wait(f"!({CODE}).includes('quantity')")
    browser.evaluate("(() => { const select = document.querySelector('.body-view select'); select.value = 'json'; select.dispatchEvent(new Event('change')); })()")
    browser.wait(f"({CODE}).includes('\"operationName\": \"Order\"')")
    stage.open("graphql_batch", "request")
    browser.wait(f"({CODE}).includes('# request 2 of 2') && ({CODE}).includes('put(n: 1) {{') && ({CODE}).includes('\"sha256Hash\": \"ab\"')")
    # The same text in a response is an answer, and no request.
    stage.open("graphql_batch", "response")
    browser.wait("document.querySelector('.body-view select')?.value === 'json'")
    expect("graphql" not in browser.evaluate("[...document.querySelectorAll('.body-view option')].map((one) => one.value)"), "only requests ask")
    # A GraphQL request in a URL has no body.
    stage.open("graphql_get", "request")
    browser.wait(f"({CODE}).includes('query Who($id: ID!) {{') && ({CODE}).includes('\"id\": 9007199254740993')")
    audit(stage, "graphql-url", schemes=("light",))


@test
def lays_out_messagepack(stage):
    browser = stage.fresh()
    stage.open("msgpack", "response")
    browser.wait(f"document.querySelector('.body-view select')?.value === 'msgpack' && ({CODE}).includes('price')")
    code = browser.evaluate(CODE)
    for part in ('"id": 18446744073709551615,', "7: [", "null,", "1.5,", "<bin 3 bytes: 01 02 03>", "<ext 5, 1 byte: 07>",
                 "<timestamp 2018-01-02T03:04:05.678901234Z>", '[1, 2]: "Zoë"', '"price": 0.1', '"rest": {}'):
        expect(part in code, f"{part}: {code}")
    expect(browser.evaluate("document.querySelector('.remarks').textContent") == "", "there is nothing to complain about")
    audit(stage, "msgpack")
    # A mistake is reported with its place, and the hex view shows the place.
    stage.open("msgpack_broken", "response")
    browser.wait("document.querySelector('.remarks')?.textContent.includes('This is not MessagePack: at byte 5 (0x5): 0xc1 begins no value.')")
    browser.wait(f"({CODE}).includes('\"hi\",')")  # The values before the mistake are laid out.
    audit(stage, "msgpack-broken")
    browser.click(".show-byte")
    browser.wait("document.querySelector('.body-view select').value === 'hex' && document.querySelector('.code-row.current')?.textContent.startsWith('00000000') && document.activeElement.className === 'code'")
    stage.shoot("msgpack-byte")
    stage.open("msgpack_cut", "response")
    browser.wait("document.querySelector('.remarks')?.textContent.includes('at byte 2 (0x2): a text of 5 bytes begins here, of which 2 are there')")


@test
def lays_out_cbor(stage):
    """In the diagnostic notation of RFC 8949."""
    browser = stage.fresh()
    stage.open("cbor", "response")
    browser.wait(f"document.querySelector('.body-view select')?.value === 'cbor' && ({CODE}).includes('when')")
    code = browser.evaluate(CODE)
    for part in ('"id": 18446744073709551615,', "7: [", "null,", "1.5,", "h'010203',", "undefined", '"when": 0("2013-03-21T20:04:00Z")',
                 '(_ "a", "b"),', "{}"):
        expect(part in code, f"{part}: {code}")
    expect(browser.evaluate("document.querySelector('.remarks').textContent") == "", "there is nothing to complain about")
    audit(stage, "cbor")
    stage.open("cbor_broken", "response")
    browser.wait("document.querySelector('.remarks')?.textContent.includes('This is not CBOR: at byte 5 (0x5): 0xfc begins no value.')")


@test
def reads_tokens_of_fields_and_bodies(stage):
    browser = stage.fresh()
    stage.open("token", "request")
    browser.wait("document.querySelectorAll('.token').length === 1")
    text = browser.evaluate("document.querySelector('.token').textContent")
    for part in ("Authorization", "Signed with RS256, by the key “2026-11”; 32 bytes, not verified.", "expires2020-09-13", "days ago: expired)",
                 '"sub": "anna"', '"name": "Zoë"'):
        expect(part in text, f"{part}: {text}")
    audit(stage, "token")
    stage.open("token", "response")
    browser.wait(f"({CODE}).includes('id_token')")
    browser.evaluate("(() => { const select = document.querySelector('.body-view select'); select.value = 'tokens'; select.dispatchEvent(new Event('change')); })()")
    browser.wait("document.querySelector('.token')?.textContent.includes('Not signed (alg is “none”)')")
    expect(browser.evaluate("document.querySelector('.token pre b') === null && document.querySelector('.token').textContent.includes('<b>eve</b>')"),
           "claims are text")


@test
def counts_what_is_shown(stage):
    browser = stage.fresh()
    browser.evaluate("location.hash = '#/statistics?q=host%20~%20*.counted.test'")
    browser.wait("document.querySelectorAll('.statistics tbody tr').length === 2")
    first = "document.querySelector('.statistics tbody tr').textContent"
    expect("api.counted.test" in browser.evaluate(first) and "5.00 MB" in browser.evaluate(first), "the largest is first")
    audit(stage, "statistics")
    browser.click(".statistics th:nth-child(6) button")
    browser.wait(f"({first}).includes('slow.counted.test') && document.querySelector('.statistics [aria-sort=descending]').textContent === 'Median'")
    expect(browser.evaluate("document.querySelector('.statistics tfoot').textContent").startswith("All"), "the sum is last")
    browser.click(".statistics tbody a")
    browser.wait("location.hash.startsWith('#/?q=') && decodeURIComponent(location.hash.replaceAll('+', ' ')).includes('(host ~ *.counted.test) & host == \"slow.counted.test\" & port == 8443')")
    expect(browser.evaluate("!document.querySelector('.statistics thead').textContent.includes('Messages')"), "only WebSockets have messages")
    browser.evaluate("location.hash = '#/statistics?q=websocket'")
    browser.wait("document.querySelector('.statistics thead th:nth-child(6)')?.textContent === 'Messages'")
    total = browser.evaluate("document.querySelector('.statistics tfoot td:nth-child(6)').textContent")
    expect(total not in ("", "0 B"), f"their bytes are counted: {total}")
    browser.evaluate("location.hash = '#/timeline?q=websocket'")
    browser.wait("[...document.querySelectorAll('.timeline .group')].some((group) => / [kM]?B in messages/.test(group.textContent))")
    browser.evaluate("location.hash = '#/statistics?q=host%20%3D%3D%20none.test'")
    browser.wait("document.querySelector('.statistics')?.textContent.includes('No exchange matches')")


@test
def shows_a_font_by_itself(stage):
    browser = stage.fresh()
    stage.open("font", "response")
    browser.wait("document.querySelector('.font-sample')?.textContent.includes('quick brown fox')")
    expect(browser.evaluate("[...document.fonts].some((face) => face.family.includes('pinhole-') && face.status === 'loaded')"), "it is in use")
    audit(stage, "font")
    stage.open("json", "response")
    browser.wait("document.querySelector('.code-row')")
    expect(browser.evaluate("![...document.fonts].some((face) => face.family.includes('pinhole-'))"), "it is gone with its view")


@test
def goes_to_what_a_pointer_means(stage):
    """RFC 6901, in both directions."""
    browser = stage.fresh()
    stage.open("json", "response")
    browser.wait(f"document.querySelector('.body-view select')?.value === 'json' && ({CODE}).includes('9007199254740993')")
    marked = "document.querySelector('.code-row.current:not([hidden])')?.textContent"
    browser.click(".folds button")
    browser.evaluate("document.querySelector('.pointer').focus()")
    browser.type("/lines/11/tags")
    browser.press("Enter")
    browser.wait(f"{marked}?.includes('\"tags\": [')")
    expect("SKU-0012" in browser.evaluate(CODE), "what hid it is unfolded")
    audit(stage, "pointer")
    for pointer, said in (("lines", "begins with “/”"), ("/lines/12", "“/lines” has no element “12”."), ("/customer/age", "“/customer” has no member “age”."),
                          ("/id/a", "“/id” has nothing in it."), ("/a~b", "“~0”")):
        browser.evaluate("(() => { const field = document.querySelector('.pointer'); field.value = ''; field.focus(); })()")
        browser.type(pointer)
        browser.press("Enter")
        browser.wait(f"document.querySelector('.pointer-told').textContent.includes({json.dumps(said)}) && document.activeElement.ariaInvalid === 'true'")
    audit(stage, "pointer-none", schemes=("light",))
    # A click on a line's number copies its pointer, and a match of the search shows its own.
    browser.evaluate("Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {writeText: async (text) => { window.__copied = text; }}})")
    browser.click(".folds button:last-child")
    browser.evaluate("document.querySelector('.code').scrollTop = 0")
    browser.wait(f"({CODE}).includes('customer') && ({CODE}).includes('email')")
    browser.evaluate("[...document.querySelectorAll('.code-row:not([hidden])')].find((row) => row.textContent.includes('\"email\"')).querySelector('.gutter').click()")
    browser.wait("window.__copied === '/customer/email' && document.querySelector('.pointer').value === '/customer/email' && document.querySelector('.toast').textContent === 'Copied: the pointer /customer/email'")
    browser.evaluate("document.querySelector('.search').focus()")
    browser.type("SKU-0003")
    browser.press("Enter")
    browser.wait("document.querySelector('.pointer').value === '/lines/2/sku'")
    stage.open("xml", "response")
    browser.wait("document.querySelector('.body-view select')?.value === 'xml' && document.querySelector('.pointer-box').hidden")


@test
def breaks_lines_between_words(stage):
    """Rows use the room of the pane, and are broken again when the pane gets another width."""
    browser = stage.fresh()
    stage.open("script", "response")
    rows = "[...document.querySelectorAll('.code-row:not([hidden])')].map((one) => one.textContent).join('\\n')"
    browser.wait("document.querySelector('.code-row')")
    browser.evaluate("const picker = document.querySelector('.body-view select'); picker.value = 'raw'; picker.dispatchEvent(new Event('change'))")
    browser.wait("document.querySelector('.code-row')?.textContent.includes('HTTP/')")
    # The observer of the pane is told of its width in a frame of its own.
    before = None
    while before != (before := browser.evaluate(rows)):
        browser.frames(3)
    browser.size(1000)
    browser.wait(f"{rows} !== {json.dumps(before)}")
    browser.size(1440)
    browser.wait(f"{rows} === {json.dumps(before)}")


@test
def reads_what_servers_say_of_their_time(stage):
    browser = stage.fresh()
    stage.open("timed")
    browser.wait("document.querySelectorAll('.waterfall .server-timing tr').length === 3")
    text = browser.evaluate("document.querySelector('.waterfall .server-timing').innerText")
    expect("db: the orders" in text and "21 ms" in text and "cache" in text, f"the detail: {text}")
    stage.shoot("server-timing-detail")
    audit(stage, "server-timing-detail")
