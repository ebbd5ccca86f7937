"""The timeline of page loads, the list's column, and the times that servers report."""
import base64
import contextlib
import json
import pathlib
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import xml.etree.ElementTree
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from audits import audit
from browser import PATIENCE
from console_stage import ROWS, expect, test
from live_stage import live
from mock_data import iso

FIREFOX = {"pid": 71, "name": "firefox", "path": "/usr/bin/firefox"}
CURL = {"pid": 72, "name": "curl", "path": "/usr/bin/curl"}
BEGAN = 1795366800.0


def emit(stage, host, after, path, referer=None, destination=None, milliseconds=40.0, process=FIREFOX, **more):
    """An item of the mock that began `after` milliseconds after the first item."""
    item = {"host": host, "path": path, "started": iso(BEGAN + after / 1000), "milliseconds": milliseconds, "client": "127.0.0.1:4000",
            "clientProcess": process or None, "referer": referer, "destination": destination, **more}
    stage.control("emit", **{key: value for key, value in item.items() if value is not None or key == "clientProcess"})


def page_load(stage, host):
    """A page with its style sheet, font, slow script, missing image, a request of the script after a redirect, and others."""
    page = f"https://{host}/shop"
    emit(stage, host, 0, "/old", destination="document", status=302)
    emit(stage, host, 50, "/shop", destination="document", contentType="text/html", typeWord="html", serverTiming='db;dur=12.5;desc="Orders, all", cache;desc=hit')
    emit(stage, host, 95, "/shop.css", page, "style", contentType="text/css", typeWord="css")
    # The set-up of this connection began before the page was asked for.
    emit(stage, host, 96, "/slow.js", page, "script", milliseconds=900, contentType="text/javascript", typeWord="js",
         timings={"connect": 20, "tls": 50, "setUpBefore": 70, "requestEnded": 1, "firstByte": 899, "total": 900})
    emit(stage, host, 97, "/missing.png", page, "image", status=404)
    emit(stage, host, 140, "/text.woff2", f"https://{host}/shop.css", "font", contentType="font/woff2", typeWord="woff2")
    # The program of this connection is not known yet.
    emit(stage, host, 141, "/from-origin", f"https://{host}/", "image", process={})
    emit(stage, host, 150, "/own", process=CURL)
    emit(stage, host, 1010, "/orders", page, "empty", method="POST", requestBytes=20, serverTiming="app;dur=30", status=500)
    emit(stage, host, 1020, "/updates", page, "empty", protocol="ws", status=101, milliseconds=60_000)
    # The page sends a request again after a long pause.
    emit(stage, host, 9000, "/poll", page, "empty", standing="failed", protocolError="gRPC: INTERNAL (13)")
    emit(stage, host, 9500, "/again", destination="document", contentType="text/html", typeWord="html")
    emit(stage, host, 9600, "/again.css", f"https://{host}/again", "style")


def show(stage, host, by="page"):
    browser = stage.browser
    browser.evaluate("location.hash = '#/'")
    browser.wait("document.querySelector('#page-other').hidden")
    browser.evaluate(f"location.hash = '#/timeline?q=host%20%3D%3D%20{host}&by={by}'")
    browser.wait("document.querySelector('.timeline .group')")
    return browser


GROUPS = """[...document.querySelectorAll('.group')].map((group) => [group.querySelector('.group-title').textContent,
    [...group.querySelectorAll('tbody tr:not(.said) a')].map((link) => link.textContent)])"""


@test
def groups_exchanges_by_their_page(stage):
    stage.fresh()
    host = "page.example.test"
    page_load(stage, host)
    browser = show(stage, host)
    found = browser.evaluate(GROUPS)
    expect(found == [
        [f"https://{host}/again", ["/again", "/again.css"]],
        [f"https://{host}/shop", ["/poll"]],
        ["curl (72)", [f"{host}/own"]],
        [f"https://{host}/shop", ["/old", "/shop", "/shop.css", "/slow.js", "/missing.png", "/text.woff2", "/from-origin", "POST /orders", "/updates"]],
    ], f"groups: {json.dumps(found, indent=1)}")
    totals = browser.evaluate("[...document.querySelectorAll('.totals')].map((line) => line.textContent)")
    expect("9 requests" in totals[3] and "1.05 s from first to last" in totals[3] and "✕ 2 failed" in totals[3] and "slowest 900 ms: /slow.js" in totals[3]
           and f"redirected from https://{host}/old" in totals[3], f"totals: {totals[3]}")
    expect("after a pause of 8 s" in totals[1] and "firefox (71)" in totals[1], f"a later burst: {totals[1]}")
    poll = browser.evaluate("document.querySelectorAll('.group')[1].querySelector('tbody tr').innerText.replaceAll(/\\s+/g, ' ')")
    expect(poll.startswith("/poll gRPC: INTERNAL (13) ✕ 200"), f"the error of a protocol has its words: {poll}")
    rows = browser.evaluate("[...document.querySelectorAll('.group:last-child tbody tr')].map((row) => row.innerText.replaceAll(/\\s+/g, ' '))")
    expect([row for row in rows if "slowest" in row] == [row for row in rows if "/slow.js" in row], f"the slowest has a word: {rows}")
    expect(any(row.startswith("/text.woff2 ← shop.css") for row in rows), f"what asked for it: {rows}")
    expect(any("Server-Timing db: Orders, all" in row and "13 ms" in row for row in rows) and any("cache: hit —" in row for row in rows), f"what the server says: {rows}")
    expect(any("✕ 500" in row or "500" in row for row in rows) and any("404" in row for row in rows), f"failures: {rows}")
    places = browser.evaluate("[...document.querySelectorAll('.group:last-child tbody .stage-bar')].map((bar) => [parseFloat(bar.style.left), parseFloat(bar.style.width)])")
    expect(len(places) > 40 and all(left >= -0.01 for left, _ in places), f"bars: {places[:6]}")
    expect(browser.evaluate("document.querySelectorAll('.group:last-child .goes-on').length") == 1, "a stream goes on beyond the axis")
    expect(len(browser.evaluate("[...new Set([...document.querySelectorAll('.group:last-child .stage-bar')].map((bar) => bar.className))]")) == 8, "seven stages, and the server's")
    for width, height in ((1280, 720), (1920, 1080)):
        for scheme in ("light", "dark"):
            browser.size(width, height, scheme)
            stage.shoot(f"timeline-{width}-{scheme}")
    # On a phone the bars stay in sight, and type and size make room for them.
    browser.size(390, 800, "light")
    seen = browser.evaluate("[...document.querySelectorAll('.group:last-child tbody tr:not(.said) .track > div')].map((track) => track.getBoundingClientRect()).map((box) => [box.left, box.right])")
    expect(seen and all(0 < left < right - 80 and right <= 390 for left, right in seen), f"the bars are in sight: {seen[:3]}")
    expect(browser.evaluate("document.querySelectorAll('.group')[1].querySelector('tbody tr').innerText.includes('gRPC: INTERNAL (13)')"), "so does a cause")
    stage.shoot("timeline-390-light")
    browser.size(1280, 720, "light")
    audit(stage, "timeline")


@test
def groups_by_process_and_not_at_all(stage):
    stage.fresh()
    host = "process.example.test"
    page_load(stage, host)
    browser = show(stage, host, "process")
    found = browser.evaluate(GROUPS)
    expect([(title, len(names)) for title, names in found] == [("firefox (71)", 3), ("curl (72)", 1), ("127.0.0.1", 1), ("firefox (71)", 8)], f"by process and by time: {found}")
    browser.click("input[name=grouping][value=none]")
    browser.wait("document.querySelectorAll('.group').length === 1 && location.hash.includes('by=none')")
    expect(len(browser.evaluate(GROUPS)[0][1]) == 13, "all on one axis")
    expect(browser.evaluate("document.querySelector('.timeline-count').textContent") == "13 exchanges", "their number is told")
    browser.click(".timeline-tools input[type=checkbox]")
    browser.wait("!document.querySelector('.timeline .said')")


@test
def is_walked_through_by_keys(stage):
    stage.fresh()
    host = "keys.example.test"
    page_load(stage, host)
    browser = show(stage, host)
    browser.evaluate("document.querySelector('.group:last-child .fold').focus()")
    browser.press("Enter")
    browser.wait("document.querySelector('.group:last-child .fold').ariaExpanded === 'false' && !document.querySelector('.group:last-child table')")
    browser.press("Enter")
    browser.wait("document.querySelector('.group:last-child table')")
    # After the buttons the Tab key reaches the link of the totals, then one stop for all rows.
    for _ in range(4):
        browser.press("Tab")
    browser.wait("document.activeElement.textContent === '/old' && document.activeElement.closest('tbody')")
    browser.press("ArrowDown")
    browser.wait("document.activeElement.textContent === '/shop'")
    browser.press("End")
    browser.wait("document.activeElement.textContent === '/updates'")
    browser.press("ArrowUp")
    browser.wait("document.activeElement.textContent === 'POST /orders'")
    expect(browser.evaluate("document.activeElement.closest('table').querySelectorAll('tbody [tabindex=\"0\"]').length") == 1, "one stop")
    # The detail may show the body, and the fonts of the mock are no fonts.
    browser.pardoned.add("OTS parsing error: ")
    browser.press("Enter")
    browser.wait("location.hash.startsWith('#/?') && location.hash.includes('id=') && document.querySelector('.detail')?.textContent.includes('/orders')")
    expect("q=host" in browser.evaluate("location.hash"), "the list keeps the filter")


@test
def saves_pictures(stage):
    stage.fresh()
    host = "picture.example.test"
    page_load(stage, host)
    emit(stage, host, 9700, "/<b>&\x01.js", f"https://{host}/again", "script")
    browser = show(stage, host)
    browser.evaluate("""(() => {
        window.__saved = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.__blob = blob; return make.call(URL, blob); };
        HTMLAnchorElement.prototype.click = function () { window.__saved.push([this.download, window.__blob]); };
    })()""")
    browser.click(".timeline-actions button:nth-child(2)")
    browser.wait("window.__saved.length === 1")
    name, source = browser.evaluate("window.__saved[0][1].text().then((text) => [window.__saved[0][0], text])")
    root = xml.etree.ElementTree.fromstring(source)
    words = " ".join(part.text or "" for part in root.iter("{http://www.w3.org/2000/svg}text"))
    expect(name == "pinhole-timeline.svg" and "Timeline of exchanges" in words and "TLS with the server" in words and f"https://{host}/shop" in words
           and "slowest" in words and "900 ms" in words and "Orders, all" in words and "/<b>&\ufffd.js" in words, f"the picture: {words[:500]}")
    expect("style" not in source and "href" not in source and "<script" not in source, "it needs nothing else")
    browser.click(".group:last-child .saving button:nth-child(2)")
    browser.wait("window.__saved.length === 2")
    data = base64.b64decode(browser.evaluate("""window.__saved[1][1].arrayBuffer().then((bytes) => btoa([...new Uint8Array(bytes)].map((byte) => String.fromCharCode(byte)).join("")))"""))
    width, height = struct.unpack(">II", data[16:24])
    expect(data[:8] == b"\x89PNG\r\n\x1a\n" and width == 2400 and 500 < height < 2000, f"pixels: {width} x {height}")
    if stage.shots:
        (stage.shots / "timeline-picture.svg").write_text(source)
        (stage.shots / "timeline-picture.png").write_bytes(data)
    browser.evaluate("location.hash = '#/'")


@test
def draws_a_column_on_an_axis_of_what_is_seen(stage):
    browser = stage.fresh(columns=["id", "method", "path", "waterfall"])
    cells = f"{ROWS}.map((row) => row.lastElementChild)"
    browser.wait(f"({cells}).length > 10 && ({cells}).every((cell) => cell.firstElementChild?.place && cell.firstElementChild.style.background.includes('--look-'))")
    seen = browser.evaluate(f"({cells}).map((cell) => [cell.firstElementChild.place.left, cell.firstElementChild.place.width, cell.title])")
    expect(min(left for left, _, _ in seen) == 0 and max(left + width for left, width, _ in seen) > 99.9, f"the axis is what is seen: {seen}")
    expect(any("Name resolution" in title and "in total" in title for _, _, title in seen), f"in words: {seen}")
    expect(browser.evaluate("document.querySelector('.row.header > :last-child').textContent").startswith("Waterfall, "), "the head tells how long the axis is")
    for width, height in ((1280, 720), (1920, 1080)):
        for scheme in ("light", "dark"):
            browser.size(width, height, scheme)
            stage.shoot(f"waterfall-column-{width}-{scheme}")
    audit(stage, "waterfall-column", widths=(1440,))
    browser = stage.fresh(columns=["path", "duration", "waterfall"], sort="-duration")
    browser.wait(f"({cells}).length > 10 && ({cells}).every((cell) => cell.firstElementChild?.place && cell.firstElementChild.style.background.includes('--look-'))")
    lefts = browser.evaluate(f"({cells}).map((cell) => cell.firstElementChild.place.left)")
    expect(set(lefts) == {0}, f"in another order each begins at the left: {lefts}")
    browser.size(1920, 1080)
    stage.fresh()
    browser.wait("document.querySelector('.row.header').textContent.includes('Waterfall')")
    stage.shoot("list-1920")
    browser.size(1440)
    stage.fresh()
    expect(not browser.evaluate("document.querySelector('.row.header').textContent.includes('Waterfall')"), "a narrow window has none")


class Shop(BaseHTTPRequestHandler):
    """A page with the usual resources: also a font of its style sheet, a slow script, a redirect and a failure."""

    protocol_version = "HTTP/1.1"
    page = b"""<!doctype html><title>Shop</title><link rel=icon href="data:,"><link rel=stylesheet href="/shop.css"><script src="/slow.js"></script>
        <img src="/shop.svg" alt=""><img src="/missing.png" alt=""><p style="font-family: Shop">text</p>
        <script>fetch("/orders", {method: "POST", body: "{}"}).then(() => document.title = "Done")</script>"""
    files = {
        "/shop": ("text/html", page, {"Server-Timing": 'db;dur=12.5;desc="the orders", cache;desc=miss'}),
        "/shop.css": ("text/css", b"@font-face { font-family: Shop; src: url(/text.woff2) }", {}),
        "/text.woff2": ("font/woff2", b"no font", {}),
        "/slow.js": ("text/javascript", b"1", {"Server-Timing": "build;dur=300"}),
        "/shop.svg": ("image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg"/>', {}),
    }

    def reply(self, status, kind="text/plain", body=b"", more=None):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(more or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/":
            return self.reply(302, more={"Location": "/shop"})
        if self.path == "/slow.js":
            # The test measures this delay; no condition waits for it.
            time.sleep(0.4)
        kind, body, more = self.files.get(self.path, (None, b"", None))
        self.reply(200, kind, body, more) if kind else self.reply(404)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.reply(500)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def shop():
    """A server with TLS on loopback, whose certificate the proxy accepts by name."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=shop.test", "-keyout", "server.key",
                        "-out", "server.pem", "-addext", "subjectAltName=DNS:shop.test"], cwd=folder, check=True, capture_output=True)
        server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port, pathlib.Path(folder, "server.pem")
        finally:
            server.shutdown()


@test
def shows_a_page_that_a_browser_loaded(stage):
    """The real program between a real browser and a server."""
    browser = stage.browser
    with shop() as (port, certificate), tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        with live(stage, "--resolve", "*:*:127.0.0.1", "--upstream-ca", str(certificate)) as console:
            page = f"https://shop.test:{port}/"
            loaded = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                                     "--disable-sync", f"--user-data-dir={profile}", f"--proxy-server=http://{console.proxy}", "--ignore-certificate-errors",
                                     "--virtual-time-budget=20000", "--dump-dom", page], capture_output=True, text=True, timeout=PATIENCE)
            expect("<title>Done</title>" in loaded.stdout, f"the page was loaded: {loaded.stdout[:300]} {loaded.stderr[-300:]}")
            browser.size(1440)
            # The page reads the exchanges recorded so far.
            browser.wait("fetch('/api/traffic?filter=host%20%3D%3D%20shop.test').then((answer) => answer.json()).then(({items}) => items.filter((item) => item.outcome).length >= 8)")
            browser.evaluate("location.hash = '#/timeline?q=host%20%3D%3D%20shop.test'")
            browser.wait("document.querySelectorAll('.timeline .group tbody tr:not(.said)').length === 8")
            found = browser.evaluate(GROUPS)
            expect(len(found) == 1 and found[0][0] == f"{page}shop", f"one page: {found}")
            names = found[0][1]
            expect(names[:2] == ["/", "/shop"] and set(names[2:]) == {"/shop.css", "/slow.js", "/shop.svg", "/missing.png", "/text.woff2", "POST /orders"}, f"what it loaded: {names}")
            rows = browser.evaluate("[...document.querySelectorAll('.group tbody tr')].map((row) => row.innerText.replaceAll(/\\s+/g, ' '))")
            longest = browser.evaluate("fetch('/api/traffic').then((answer) => answer.json()).then(({items}) => items.filter((item) => item.type === 'exchange').sort((one, other) => other.milliseconds - one.milliseconds)[0].path)")
            expect([row.split(" slowest")[0] for row in rows if "slowest" in row] in ([longest], [f"POST {longest}"]), f"the slowest is {longest}: {rows}")
            expect(any(row.startswith("/text.woff2 ← shop.css") for row in rows), f"the font comes from the style sheet: {rows}")
            expect(any(row.startswith("Server-Timing db: the orders") for row in rows) and any(row.startswith("Server-Timing build") for row in rows), f"Server-Timing: {rows}")
            expect("✕ 2 failed" in browser.evaluate("document.querySelector('.totals').textContent"), "the missing image and the refused order")
            kinds = set(browser.evaluate("[...document.querySelectorAll('.group .stage-bar')].map((bar) => bar.className.split('stage-').at(-1))"))
            expect({"connect", "tls", "wait", "receive"} <= kinds, f"stages: {kinds}")
            for width, height in ((1280, 720), (1920, 1080)):
                for scheme in ("light", "dark"):
                    browser.size(width, height, scheme)
                    stage.shoot(f"timeline-live-{width}-{scheme}")
            audit(stage, "timeline-live")


@test
def follows_live_traffic(stage):
    """New exchanges appear while the page is open; a folded group stays folded, and the focus stays at its exchange."""
    stage.fresh()
    host = "live-page.example.test"
    emit(stage, host, 0, "/start", destination="document")
    browser = show(stage, host)
    expect(browser.evaluate(GROUPS) == [[f"https://{host}/start", ["/start"]]], "one at first")
    browser.evaluate("document.querySelector('.group tbody a').focus()")
    emit(stage, host, 60, "/late.css", f"https://{host}/start", "style")
    emit(stage, "other.example.test", 70, "/elsewhere")
    browser.wait("document.querySelectorAll('.group tbody tr').length === 2")
    expect(browser.evaluate("document.activeElement.textContent") == "/start", "the focus stays")
    expect(browser.evaluate("document.querySelector('.timeline-count').textContent") == "2 exchanges in 1 group", "only exchanges of the filter come")
    browser.click(".group .fold")
    emit(stage, host, 9000, "/next", destination="document")
    browser.wait("document.querySelectorAll('.group').length === 2")
    expect(browser.evaluate("[...document.querySelectorAll('.group .fold')].map((one) => one.ariaExpanded)") == ["true", "false"], "a folded group stays folded")
    expect(browser.evaluate("document.activeElement.textContent") == f"https://{host}/start", "the focus stays at the group")
    # Without following, nothing comes until the page is read again.
    browser.click(".timeline .follow")
    emit(stage, host, 9050, "/unseen.css", f"https://{host}/next", "style")
    browser.wait("[...document.querySelectorAll('.timeline-actions button')].some((one) => one.checkVisibility() && one.textContent === 'Read again')")
    expect(browser.evaluate("new Promise((done) => setTimeout(() => done(document.querySelectorAll('.group tbody tr').length), 600))") == 1, "the page stays")
    browser.click(".timeline-actions button")
    browser.wait("document.querySelectorAll('.group tbody tr').length === 2")
