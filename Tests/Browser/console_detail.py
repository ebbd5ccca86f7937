"""The detail: messages, bodies, streams, handshakes, copies, comparisons."""
import json
import pathlib
import subprocess
import sys

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
def shows_messages_of_every_kind(stage):
    browser = stage.fresh()
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
    browser.click(".body-search input")
    browser.type("sku-0007")
    browser.wait("document.querySelector('.told').textContent.startsWith('1 of 1') && document.querySelector('.code mark.current')?.textContent === 'SKU-0007'")
    stage.shoot("json-search")
    stage.open("json", "request")
    panel = browser.evaluate("document.querySelector('.panel').textContent")
    expect("a b&c" in panel and "customer" in panel, "the query is decoded")
    browser.click(".section:nth-of-type(3) summary")
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
    stage.open("aborted", "response")
    browser.wait("document.querySelector('.remarks').textContent.includes('were captured')")
    stage.open("undecodable", "response")
    browser.wait("document.querySelector('.remarks').textContent.includes('no deflate stream')")
    stage.open("running", "response")
    browser.wait("document.querySelector('.panel').textContent.includes('No response yet')")


@test
def pages_a_hundred_megabytes(stage):
    browser = stage.fresh()
    browser.evaluate("window.__longest = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.__longest = Math.max(window.__longest, entry.duration))).observe({type: 'longtask'})")
    stage.open("huge", "response")
    browser.wait("document.querySelector('.loaded')?.textContent.includes('1.05 MB of 105 MB')")
    browser.click(".loaded button")
    browser.wait("document.querySelector('.loaded')?.textContent.includes('5.24 MB of 105 MB')", 60)
    stage.shoot("huge")
    browser.evaluate("(() => { const code = document.querySelector('.code'); code.scrollTop = code.scrollHeight; })()")
    browser.wait(f"({CODE}).includes('\"values\"')")
    browser.click(".body-search input")
    browser.type("0012345")
    browser.wait("document.querySelector('.told').textContent.startsWith('1 of 1 in what is loaded')")
    longest = browser.evaluate("window.__longest")
    print(f"      5 MB of JSON: longest task of the page {longest:.0f} ms")


@test
def shows_a_long_body_whole(stage):
    """More than is laid out, and as much as a small machine can bear."""
    browser = stage.fresh()
    spec = stage.mock.capture.special[stage.names["huge"]]
    before, spec["huge"] = spec["huge"], 24 << 20
    try:
        browser.evaluate("window.__longest = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.__longest = Math.max(window.__longest, entry.duration))).observe({type: 'longtask'})")
        stage.open("huge", "response")
        browser.wait("document.querySelector('.loaded')?.textContent.includes('1.05 MB of 25.2 MB')")
        browser.click(".load-all")
        browser.wait("!document.querySelector('.loaded') && document.querySelector('.remarks').textContent.includes('More than 16.8 MB are not laid out')", 120)
        stage.shoot("long-whole")
        # Its end is seen, and found.
        browser.evaluate("(() => { const code = document.querySelector('.code'); code.scrollTop = code.scrollHeight; })()")
        browser.wait(f"({CODE}).includes('\"id\":02')")
        browser.click(".body-search input")
        browser.type("0220000")
        browser.wait("document.querySelector('.told').textContent.trim() === '1 of 1' && document.querySelector('.code mark.current')")
        print(f"      25 MB of JSON: longest task of the page {browser.evaluate('window.__longest'):.0f} ms")
    finally:
        spec["huge"] = before


@test
def shows_streams(stage):
    browser = stage.fresh()
    stage.open("websocket", "messages")
    browser.wait("document.querySelectorAll('.messages li').length === 200")
    browser.click(".foot button")
    browser.wait("document.querySelectorAll('.messages li').length === 400")
    browser.click(".foot button")
    browser.wait("document.querySelectorAll('.messages li').length === 426 && !document.querySelector('.foot button')")
    browser.click(".messages li:first-child summary")
    browser.wait("document.querySelector('.messages pre').textContent.includes('\"subscribe\"')")
    stage.shoot("websocket")
    browser.evaluate("(() => { const side = document.querySelector('.panel select'); side.value = 'client'; side.dispatchEvent(new Event('change')); })()")
    browser.wait("[...document.querySelectorAll('.messages li')].filter((line) => line.getClientRects().length > 0).length === 4")
    stage.open("grpc", "messages")
    browser.wait("document.querySelector('.panel').textContent.includes('5 NOT_FOUND: no such note') && document.querySelectorAll('.messages li').length === 3")
    browser.click(".messages li:first-child summary")
    browser.wait("document.querySelector('.messages pre').textContent.includes('1099511627776')")
    stage.shoot("grpc")
    stage.open("grpc", "response")
    browser.wait("document.querySelector('[aria-label=Trailers]').innerText.includes('grpc-status')")
    stage.open("events", "messages")
    browser.wait("document.querySelector('.messages').textContent.includes('tick')")
    stage.open("proto", "response")
    browser.wait(f"{CODE}.includes('\"2\": \"testing\"')")
    expect(browser.evaluate("document.querySelector('.body-view select').value") == "protobuf", "what says to be a message is shown as one")
    stage.shoot("protobuf")
    stage.open("image", "response")
    browser.wait("document.querySelector('.body-view img')?.naturalWidth")
    browser.evaluate("(() => { const views = document.querySelector('.body-view select'); views.value = 'protobuf'; views.dispatchEvent(new Event('change')); })()")
    browser.wait("document.querySelector('.stage .notice')?.textContent.includes('no message of Protocol Buffers')")
    browser.complaints.clear()  # The 422 that was asked for.


@test
def explains_handshakes(stage):
    browser = stage.fresh()
    stage.open("json", "tls")
    browser.wait("document.querySelector('.compared')")
    differing = browser.evaluate("[...document.querySelectorAll('[aria-label=\"The real certificate and the forged one\"] .differs th')].map((cell) => cell.textContent)")
    expect(any("Issuer" in cell and "differs" in cell for cell in differing), f"what differs is marked and said: {differing}")
    expect(not any(cell.startswith("Subject") for cell in differing), "what is the same is not")
    browser.click(".certificate summary")
    browser.wait("document.querySelectorAll('.certificate[open] .pins li').length === 9")
    browser.evaluate("navigator.clipboard.writeText = async (text) => { window.__copied = text; }")
    browser.click(".certificate[open] .pins .copy")
    browser.wait("window.__copied?.startsWith('sha256/')")
    stage.shoot("tls-pins")
    stage.open("unknown_ca", "tls")
    browser.wait("document.querySelector('.cause-card')?.textContent.includes('What to do: Trust Pinhole') && document.querySelector('.compared')")
    expect("certain" in browser.evaluate("document.querySelector('.certainty').textContent"), "how sure it is")
    stage.shoot("tls-failed")
    stage.open("pinned")
    browser.wait("document.querySelector('.certainty').textContent === 'probably'")
    browser.click(".cause-card button")
    browser.wait("document.querySelector('#tab-tls').ariaSelected === 'true' && document.querySelector('.compared')")
    stage.open("relayed", "tls")
    browser.wait("document.querySelector('.panel').textContent.includes('No handshake was read')")
    browser.complaints[:] = [text for text in browser.complaints if "/tls" not in text]  # The 404 itself.


@test
def copies_requests(stage):
    browser = stage.fresh()
    for name in ("json", "error", "multipart", "evil"):
        stage.open(name)
        browser.evaluate("window.__copied = undefined; navigator.clipboard.writeText = async (text) => { window.__copied = text; }")
        browser.click("[aria-haspopup=menu].detail-tools, .detail-tools [aria-haspopup=menu]")
        browser.wait("document.querySelectorAll('.menu [role=menuitem]').length === 5")
        browser.press("Enter")
        command = browser.wait("window.__copied")
        # The shell itself says what the words are.
        script = "curl() { for word in \"$@\"; do printf '%s\\0' \"$word\"; done; test -t 0 || case \" $* \" in *' @- '*) cat >&2;; *@-) cat >&2;; esac; }\n" + command
        run = subprocess.run(["sh", "-c", script], capture_output=True, stdin=subprocess.DEVNULL, check=True)
        words = run.stdout.decode().split("\0")
        item = stage.mock.capture.item(stage.mock.capture.place(stage.names[name]))
        expect(words[words.index("--url") + 1] == item["url"], f"the URL comes through the shell: {words}")
        request = stage.mock.capture.special[stage.names[name]]["request"]
        body = words[words.index("--data-raw") + 1].encode() if "--data-raw" in words else run.stderr
        expect(body == request[1], f"so does the body of {name}: {body[:100]}")
        if name == "error":
            expect("X-Evil: '; touch /tmp/pwned; '" in words, f"so do fields: {words}")
    expect(not pathlib.Path("/tmp/pwned").exists(), "nothing ran")
    stage.open("error")
    programs = {}
    for place, name in enumerate(("curl", "httpie", "fetch", "python", "swift")):
        browser.evaluate("window.__copied = undefined; navigator.clipboard.writeText = async (text) => { window.__copied = text; }")
        browser.click(".detail-tools [aria-haspopup=menu]")
        browser.wait("document.querySelector('.menu')")
        for _ in range(place):
            browser.press("ArrowDown")
        if name == "python":
            stage.shoot("menu-copy")
        browser.press("Enter")
        programs[name] = browser.wait("window.__copied")
    body = stage.mock.capture.special[stage.names["error"]]["request"][1]
    calls = []
    module = type(sys)("requests")
    module.request = lambda *words, **named: calls.append((words, named)) or type("Answer", (), {"status_code": 1, "text": ""})()
    exec(compile(programs["python"].replace("import requests", ""), "copied", "exec"), {"requests": module, "print": lambda *_: None})
    expect(calls[0][1]["data"] == body and calls[0][1]["headers"]["X-Evil"] == "'; touch /tmp/pwned; '", f"Python: {calls}")
    expect("URLSession" in programs["swift"], programs["swift"])
    script = "http() { for word in \"$@\"; do printf '%s\\0' \"$word\"; done; }\n" + programs["httpie"]
    words = subprocess.run(["sh", "-c", script], capture_output=True, check=True).stdout.decode().split("\0")
    expect(words[words.index("--raw") + 1].encode() == body, f"HTTPie: {words}")
    node = "let made; globalThis.fetch = async (...words) => { made = words; };" + programs["fetch"] + "; console.log(JSON.stringify(made));"
    url, options = json.loads(subprocess.run(["node", "--input-type=module", "-e", node], capture_output=True, check=True).stdout)
    expect(options["body"].encode() == body and ["X-Evil", "'; touch /tmp/pwned; '"] in options["headers"], f"fetch: {options}")
    browser.evaluate("window.__copied = undefined")
    browser.evaluate("document.querySelector('.grid').focus()")
    browser.press("y")
    browser.wait("window.__copied?.includes('URLSession')")


@test
def compares_two(stage):
    browser = stage.fresh()
    for name in ("json", "changed"):
        browser.evaluate(f"location.hash = '#/?id={stage.names[name]}'")
        browser.wait(f"{CURSOR} === {stage.names[name]}")
        browser.wait("document.activeElement.id === 'traffic-grid'")
        browser.press(" ")
    browser.wait("document.querySelectorAll('.row.selected').length === 2 && document.querySelector('.status').textContent.includes('2 selected')")
    browser.press("d")
    browser.wait("document.querySelectorAll('.diff .section').length >= 3 && document.querySelector('.diff-lines')")
    lines = browser.evaluate("[...document.querySelectorAll('.diff-line:not(.same)')].map((line) => line.textContent)")
    expect([line.strip() for line in lines] == ['−  "state": "paid",', '+  "state": "open",', '−      "sku": "SKU-0007",', '+      "sku": "SKU-7777",'], f"lines that differ: {lines}")
    stage.shoot("diff")
    browser.press("Escape")
    browser.wait("!document.querySelector('#page-traffic').hidden")
    browser.evaluate(f"location.hash = '#/diff/{stage.names['json']}/{stage.names['relayed']}'")
    browser.wait("document.querySelector('.diff')?.textContent.includes('Only exchanges')")
