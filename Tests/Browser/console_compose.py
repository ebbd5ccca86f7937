"""Requests that people write, with the real program."""
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from console_lab import audit
from console_stage import expect, test
from live_stage import live


class Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen = []

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        Echo.seen.append((self.command, self.path, self.headers.get_all("X-Twice"), body))
        answer = b"got " + body
        self.send_response(201)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST


@test
def keeps_what_was_written(stage):
    browser = stage.fresh()
    browser.evaluate("location.hash = '#/compose'")
    browser.wait("document.querySelector('.compose-form')?.ariaBusy === 'false'")
    browser.click(".compose .url")
    browser.type("http://example.test/")
    browser.click("#compose-body")
    browser.type("half a thought")
    browser.press("Escape")
    expect(browser.evaluate("location.hash") == "#/compose", "Escape in a field stays")
    for place in ("#/settings", "#/"):
        browser.evaluate(f"location.hash = '{place}'")
        browser.wait("!document.querySelector('.compose')" if place == "#/settings" else "!document.querySelector('#page-traffic').hidden")
    browser.evaluate("location.hash = '#/compose'")
    browser.wait("document.querySelector('.compose-form')?.ariaBusy === 'false' && document.querySelector('#compose-body').value === 'half a thought'")
    expect(browser.evaluate("document.querySelector('.compose .url').value") == "http://example.test/", "the URL as well")
    browser.evaluate("document.querySelector('#compose-fields').value = 'A: 1\\nno colon here'")
    browser.click(".compose .primary")
    browser.wait("document.querySelector('.compose .notice.failed')?.textContent.includes('Line 2')")
    browser.evaluate("[...document.querySelectorAll('.compose button')].find((one) => one.textContent === 'Start anew').click()")
    browser.wait("document.querySelector('.compose-form')?.ariaBusy === 'false' && document.querySelector('.compose .url').value === ''")
    # Whoever waits no longer is told what that means; the answer of before is not shown meanwhile.
    browser.evaluate("window.fetched = window.fetch; window.fetch = (path, options) => path !== '/api/send' ? window.fetched(path, options) : new Promise((_, refuse) => options.signal.addEventListener('abort', () => refuse(options.signal.reason)))")
    browser.click(".compose .url")
    browser.type("http://example.test/")
    browser.press("Enter")
    browser.wait("document.querySelector('.answer')?.textContent.includes('Waiting for the answer of http://example.test/')")
    browser.click(".wait-end")
    browser.wait("document.querySelector('.compose .notice.failed')?.textContent.includes('may have been sent') && !document.querySelector('.compose .primary').disabled")
    browser.evaluate("window.fetch = window.fetched; document.querySelector('.compose .plain').click()")
    browser.wait("document.querySelector('.compose-form')?.ariaBusy === 'false' && document.querySelector('.compose .url').value === ''")
    # A tunnel is no request, and says so.
    stage.open("unknown_ca")
    browser.evaluate("document.querySelector('.grid').focus()")
    browser.press("e")
    browser.wait("document.querySelector('.toast')?.textContent.includes('tunnel')")


@test
def composes_edits_and_sends_once(stage):
    browser = stage.browser
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Echo.seen.clear()
    with live(stage) as console:
        if not console:
            return
        browser.evaluate("location.hash = '#/compose'")
        browser.wait("document.querySelector('.compose input[name=through]:checked')?.value === 'proxy'")
        browser.click(".compose .url")
        browser.type(f"http://127.0.0.1:{server.server_port}/form")
        browser.evaluate("(() => { const method = document.querySelector('.compose .method'); method.value = ''; method.focus(); })()")
        browser.type("POST")
        browser.click("#compose-fields")
        browser.type("X-Twice: 2\nX-Twice: 1\nContent-Type: text/plain")
        browser.click("#compose-body")
        browser.type("hello")
        # Pressed twice, sent once.
        browser.evaluate("(() => { const send = document.querySelector('.compose .primary'); send.click(); send.click(); })()")
        browser.wait("document.querySelector('.answer h2')?.textContent.startsWith('Status 201')")
        expect(Echo.seen == [("POST", "/form", ["2", "1"], b"hello")], f"sent once, as it was written: {Echo.seen}")
        expect(browser.evaluate("document.querySelector('.answer-body').textContent") == "got hello", "the answer is shown")
        audit(stage, "compose")
        browser.click(".answer a.button")
        browser.wait("document.querySelector('.detail').ariaBusy === 'false' && document.querySelector('.detail-head').textContent.includes('/form')")
        # From the list by a key: edited, sent again, and compared with what it was.
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("e")
        # The form that was left stays on its page, unseen and with its answer, until the new one is there.
        browser.wait("document.querySelector('#compose-body')?.value === 'hello' && document.querySelector('.compose .method').value === 'POST' && document.querySelector('#compose-body').checkVisibility() && !document.querySelector('.answer h2')")
        expect(browser.evaluate("document.querySelector('#compose-fields').value.includes('X-Twice: 2\\nX-Twice: 1')"), "fields keep their order")
        browser.evaluate("document.querySelector('#compose-body').value = 'hello again'; document.querySelector('#compose-body').focus()")
        browser.press("Enter", 2)
        browser.wait("document.querySelectorAll('.answer a.button').length === 2")
        expect(len(Echo.seen) == 2 and Echo.seen[1][3] == b"hello again", f"sent again: {Echo.seen}")
        browser.click(".answer a.button:nth-of-type(2)")
        browser.wait("document.querySelector('.diff-line.added')?.textContent.includes('hello again')")
        # Back again, the edit and its answer are still there.
        browser.evaluate("history.back()")
        browser.wait("document.querySelector('#compose-body')?.value === 'hello again' && document.querySelectorAll('.answer a.button').length === 2")
        # A body that is too large to be edited goes along as it was.
        large = bytes(range(256)) * 12_000
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{console.proxy}"}))
        opener.open(urllib.request.Request(f"http://127.0.0.1:{server.server_port}/large", large, method="POST"), timeout=60).close()
        browser.evaluate("location.hash = '#/?q=path == /large'")
        browser.wait("document.querySelector('.grid').ariaRowCount === '2' && document.querySelector('.viewport .row:not(.waiting)')?.textContent.includes('/large')")
        browser.evaluate("document.querySelector('.grid').focus()")
        browser.press("ArrowDown")
        browser.press("e")
        browser.wait("document.querySelector('.compose .kept:not([hidden])')?.textContent.includes('3.07 MB')")
        browser.click(".compose .primary")
        browser.wait("document.querySelector('.answer h2')?.textContent.startsWith('Status 201')")
        expect(Echo.seen[-1][3] == large and len(Echo.seen) == 4, "all of it was sent")
        audit(stage, "compose-kept")
        # A server that is gone is said to be, and what was written stays.
        browser.evaluate("location.hash = '#/compose'")
        browser.wait("document.querySelector('h1').textContent && document.querySelector('.compose-form')?.ariaBusy === 'false'")
        browser.evaluate("[...document.querySelectorAll('.compose button')].find((one) => one.textContent === 'Start anew').click()")
        browser.wait("document.querySelector('.compose-form')?.ariaBusy === 'false' && document.querySelector('.compose .url').value === ''")
        browser.evaluate("document.querySelector('.compose input[value=direct]').click()")
        browser.click(".compose .url")
        browser.type("http://127.0.0.1:1/")
        browser.press("Enter")
        browser.wait("document.querySelector('.compose .notice.failed')?.textContent.includes('Nothing was sent')")
        expect(browser.evaluate("document.querySelector('.compose .url').value") == "http://127.0.0.1:1/", "what was written stays")
        # The proxy knows why, and says it.
        browser.evaluate("(() => { document.querySelector('.compose input[value=proxy]').click(); document.querySelector('.compose .url').value = 'https://127.0.0.1:1/'; document.querySelector('.compose .url').focus(); })()")
        browser.press("Enter")
        browser.wait("document.querySelector('.compose .notice.failed')?.textContent.includes('refused the tunnel')")
        said = browser.evaluate("document.querySelector('.compose .notice.failed').textContent")
        expect("Connection refused" in said and said.endswith("Nothing was sent."), f"why: {said}")
        browser.pardon(502)
    server.shutdown()
