"""Throttling; the log of the proxy, and its settings, with the real program."""
import contextlib
import json
import pathlib
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from audits import audit
from browser import PATIENCE
from console_stage import expect, test
from live_stage import live


@test
def tells_events_and_changes_settings(stage):
    browser = stage.browser
    with live(stage) as console:
        browser.evaluate("location.hash = '#/events'")
        browser.wait("document.querySelectorAll('.log tbody tr').length >= 2")
        text = browser.evaluate("document.querySelector('.log').textContent")
        expect("a new CA was made" in text and f"listening on {console.proxy}" in text, f"events: {text}")
        audit(stage, "events")
        browser.evaluate("location.hash = '#/settings'")
        browser.wait("document.querySelector('#passthrough-hosts')")
        browser.click("#passthrough-hosts")
        browser.type("*.bank.example\nnot a host")
        browser.click(".passthrough-use")
        browser.wait("document.querySelector('.settings [role=alert] .notice.failed')?.textContent.includes('not a host')")
        browser.pardon(422)
        browser.evaluate("(() => { const hosts = document.querySelector('#passthrough-hosts'); hosts.value = '*.bank.example'; })()")
        browser.click(".passthrough-use")
        browser.wait("document.querySelector('.settings .notice.failed:not([hidden])') === null && document.querySelector('.toast')")
        now = browser.evaluate("fetch('/api/settings').then((answer) => answer.json())")
        expect(now["passthrough"] == ["*.bank.example"], f"the proxy follows it: {now}")
        narrows_what_is_recorded(browser)
        audit(stage, "settings-scope")
        said = browser.evaluate("fetch('/api/log').then((answer) => answer.json())")
        texts = " ".join(entry["text"] for entry in said["entries"])
        expect("*.bank.example" in texts and "recorded from now on: what @errors means" in texts, f"the events tell of it: {said}")
        audit(stage, "proxy-settings")


def narrows_what_is_recorded(browser):
    """Saves a filter under a name, and records only its matches."""
    browser.evaluate("fetch('/api/filters/errors', {method: 'PUT', body: JSON.stringify({text: 'status >= 400'})}).then((answer) => answer.status)")
    browser.evaluate("location.hash = '#/help'")
    browser.evaluate("location.hash = '#/settings'")
    browser.wait("document.querySelector('.saved-filters tbody th')?.textContent === '@errors'")
    browser.click("#capture-filter")
    browser.type("@erors")
    browser.press("Enter")
    browser.wait("document.querySelector('#capture-problem:not([hidden])')?.textContent.includes('write “@errors”') && document.activeElement.id === 'capture-filter'")
    browser.pardon(422)
    browser.evaluate("document.querySelector('#capture-filter').value = '@errors'")
    browser.click(".capture-use")
    browser.wait("document.querySelector('#capture-problem').hidden && document.querySelector('.capture-now').textContent.startsWith('Pinhole passes other traffic on without recording it')")
    browser.wait("!document.querySelector('.scope-link').hidden && document.querySelector('.scope-link').title.includes('@errors')")
    # The page refuses to remove a filter that another one refers to, and says so.
    browser.click(".saved-filters tbody button")
    browser.wait("document.querySelector('.saved-filters .notice.failed')?.textContent.includes('capture.filter')")
    browser.pardon(409)
    expect(browser.evaluate("document.querySelector('.saved-filters tbody th').textContent") == "@errors", "it stays")


class Bytes(BaseHTTPRequestHandler):
    """Serves 10 kB under every path."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "10000")
        self.end_headers()
        self.wfile.write(b"x" * 10_000)


def seconds(console, url):
    """The seconds that an answer takes through the proxy."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{console.proxy}"}))
    start = time.monotonic()
    with opener.open(url, timeout=PATIENCE) as answer:
        answer.read()
    return time.monotonic() - start


@test
def throttles_at_once(stage):
    browser = stage.browser
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bytes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with live(stage) as console:
        url = f"http://127.0.0.1:{server.server_port}"
        rules = "fetch('/api/rules').then((answer) => answer.json()).then((found) => found.rules.map((rule) => rule.text))"
        browser.evaluate("fetch('/api/rules', {method: 'PUT', body: JSON.stringify({rules: ['{\"name\": \"first\", \"when\": \"path == /none\", \"do\": \"throttle\", \"preset\": \"DSL\"}']})})")
        # Every page shows that throttling is on.
        browser.wait("document.querySelector('.throttled-link:not([hidden])')?.title === 'first: what matches path == /none is slow'")
        audit(stage, "throttled", widths=(390, 1440))
        browser.click(".throttled-link")
        browser.wait("document.querySelector('#throttle-way')?.options.length === 13 && document.querySelector('.throttle-now').textContent.startsWith('Throttling is off')")
        expect("first" in browser.evaluate("document.querySelector('.throttling .notice:not(#throttle-problem)').textContent"), "other rules that throttle are named")
        # A preset, for all traffic.
        browser.evaluate("(() => { const way = document.querySelector('#throttle-way'); way.value = 'preset Regular 3G'; way.dispatchEvent(new Event('change')); })()")
        browser.click(".throttle-use")
        browser.wait("document.querySelector('.throttle-now').textContent.startsWith('Throttling is on: all traffic')")
        expect([json.loads(text) for text in browser.evaluate(rules)][1] == {"name": "throttling", "do": "throttle", "preset": "Regular 3G"}, "the rule is the last one")
        took = seconds(console, f"{url}/a")
        expect(took >= 0.1, f"10 kB at 750 kbit/s behind 100 ms: {took}")
        audit(stage, "throttling", widths=(390, 1440, 1600))
        # Own figures, for the matches of a filter; a mistake is shown at its field.
        browser.evaluate("(() => { const way = document.querySelector('#throttle-way'); way.value = 'own'; way.dispatchEvent(new Event('change')); })()")
        expect(browser.evaluate("document.querySelector('#throttle-downKilobits').value") == "750", "a preset is what one's own begin with")
        browser.evaluate("document.querySelector('#throttle-lossPercent').focus()")
        browser.type("99")
        browser.press("Enter")
        browser.wait("document.querySelector('#throttle-problem:not([hidden])')?.textContent.includes('0 to 90') && document.activeElement.id === 'throttle-lossPercent'")
        browser.evaluate("document.querySelector('#throttle-lossPercent').value = ''; document.querySelector('#throttle-filter').focus()")
        browser.type("path == /slow & stauts == 1")
        browser.press("Enter")
        browser.wait("document.querySelector('#throttle-problem').textContent.includes('stauts') && document.activeElement.id === 'throttle-filter'")
        audit(stage, "throttling-refused")
        browser.pardon(422)
        browser.evaluate("document.querySelector('#throttle-filter').value = 'path == /slow'; document.querySelector('#throttle-latencyMilliseconds').value = '700'")
        browser.click(".throttle-use")
        browser.wait("document.querySelector('.throttle-now').textContent.includes('path == /slow')")
        took = seconds(console, f"{url}/slow")
        expect(took >= 0.7, f"it waits for the latency: {took}")
        # Saved after a look at the difference; then switched off.
        browser.click(".settings-save")
        browser.wait("[...document.querySelectorAll('dialog .diff-line.added')].some((line) => line.textContent.includes('throttling'))")
        browser.click(".save-write")
        browser.wait("!document.querySelector('dialog')")
        saved = json.loads(pathlib.Path(console.folder.name, "config.json").read_text())["rules"]
        expect(saved[1]["latencyMilliseconds"] == 700 and saved[1]["when"] == "path == /slow", f"it is in the file: {saved}")
        browser.evaluate("(() => { const way = document.querySelector('#throttle-way'); way.value = 'off'; way.dispatchEvent(new Event('change')); })()")
        browser.click(".throttle-use")
        browser.wait("document.querySelector('.throttle-now').textContent.startsWith('Throttling is off')")
        expect(len(browser.evaluate(rules)) == 1, "the rule is gone, the other stays")
        expect(not browser.evaluate("document.querySelector('.throttled-link').hidden"), "the other is told")
        browser.evaluate("fetch('/api/rules', {method: 'PUT', body: JSON.stringify({rules: []})})")
        browser.wait("document.querySelector('.throttled-link').hidden")
    server.shutdown()


@test
def shows_lines_that_can_be_copied(stage):
    browser = stage.browser
    with live(stage) as console:
        browser.wait("document.querySelector('.empty:not([hidden]) .command pre')?.textContent.startsWith('pinhole run --capture /')")
        browser.click(".empty .command button")
        browser.wait("document.querySelector('.toast')?.textContent.includes('any program')")
        audit(stage, "empty-lines")
        # One press leads to every other kind of client.
        browser.click(".empty .to-connect")
        browser.wait("document.querySelectorAll('.connect .tile').length === 11")


class Greeter(BaseHTTPRequestHandler):
    """Greets clients with a certificate; others get 403."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        known = self.connection.getpeercert()
        body = b"welcome" if known else b"who are you?"
        self.send_response(200 if known else 403)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


def identities(folder):
    """Creates an untrusted certificate for the server, and a client's certificate by another CA, with a password."""
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=mutual.test", "-keyout",
            "server.key", "-out", "server.pem", "-addext", "subjectAltName=DNS:mutual.test")
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=Alice", "-keyout",
            "alice.key", "-out", "alice.pem", "-addext", "extendedKeyUsage=clientAuth")
    openssl(folder, "pkcs12", "-export", "-in", "alice.pem", "-inkey", "alice.key", "-out", "alice.p12", "-passout",
            "pass:secret")


def greeter(folder):
    """A server that requests a client certificate and accepts clients without one."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Greeter)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
    context.load_verify_locations(f"{folder}/alice.pem")
    context.verify_mode = ssl.CERT_OPTIONAL
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@contextlib.contextmanager
def untrusted_server():
    """A server that no client trusts: the folder of its certificates, and its address."""
    with tempfile.TemporaryDirectory() as folder:
        identities(folder)
        server = greeter(folder)
        try:
            yield folder, f"mutual.test:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()


def asked(console, host):
    """The status that a client of the proxy gets."""
    words = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "", "-x", f"http://{console.proxy}", "--cacert",
             f"{console.folder.name}/ca/rootCA.pem", f"https://{host}/"]
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE).stdout


def opens_the_newest(browser, status, button):
    """Opens the detail of an exchange with a status, which offers a button."""
    newest = f"fetch('/api/traffic?limit=1&filter=' + encodeURIComponent('status == {status}')).then((answer) => answer.json()).then((found) => found.items[0]?.id ?? 0)"
    number = browser.wait(newest)
    browser.evaluate(f"location.hash = '#/?id={number}'")
    browser.wait(f"document.querySelector('.trust-card {button}')")


@test
def tells_the_remedy_of_its_own_errors(stage):
    """The overview of a request that the proxy answered with an error has the cause and the advice first, for text and for HTML."""
    browser = stage.browser
    with live(stage) as console:
        for accept in ("*/*", "text/html"):
            subprocess.run(["curl", "-s", "-o", "/dev/null", "--noproxy", "", "-x", f"http://{console.proxy}", "-H", f"Accept: {accept}", "http://127.0.0.1:1/"],
                           timeout=PATIENCE)
        browser.wait("document.querySelectorAll('.viewport .row[data-id]:not([hidden])').length >= 2")
        numbers = [item["id"] for item in json.loads(console.ask("/api/traffic?filter=status%20%3D%3D%20502"))["items"]]
        expect(len(numbers) == 2, f"two errors: {numbers}")
        for number in numbers:
            browser.evaluate(f"location.hash = '#/?id={number}'")
            browser.wait(f"document.querySelector('.detail').ariaBusy === 'false' && document.querySelector('.row.cursor')?.dataset.id === '{number}'")
            browser.wait("document.querySelector('#tab-overview')?.ariaSelected === 'true' && document.querySelector('.cause-card .remedy:not([hidden])')")
            found = browser.evaluate("[...document.querySelectorAll('.detail .panel > :first-child :is(h3, p)')].map((one) => one.textContent)")
            expect(found[0] == "!The server cannot be reachedanswered by Pinhole" and found[1].endswith("cannot be reached: Connection refused")
                   and found[2] == "What to do: Check that the server runs and listens on this port.", f"the card: {found}")
        audit(stage, "error-card")
        # A tunnel that found no server has advice, too.
        subprocess.run(["curl", "-s", "-k", "--noproxy", "", "-x", f"http://{console.proxy}", "https://127.0.0.1:1/"], timeout=PATIENCE)
        browser.wait("document.querySelectorAll('.viewport .row[data-id]:not([hidden])').length >= 3")
        browser.evaluate(f"location.hash = '#/?id={json.loads(console.ask('/api/traffic?limit=1'))['items'][0]['id']}'")
        browser.wait("document.querySelector('.notice .what-to-do')?.textContent.startsWith('What to do: Check the name and the port')")


@test
def accepts_a_certificate_and_presents_one(stage):
    browser = stage.browser
    with untrusted_server() as (folder, host):
        with live(stage, "--resolve", "*:*:127.0.0.1") as console:
            # The server's certificate is bad: one button, which asks first.
            expect(asked(console, host) == "502", "a bad certificate is refused")
            opens_the_newest(browser, 502, ".accept-certificate")
            expect(browser.evaluate("document.querySelector('.accept-certificate').textContent") == f"Accept the certificate of {host}…", "it names the server")
            browser.wait("document.querySelector('.trust-card .remedy:not([hidden])')?.textContent.startsWith('What to do: If it is issued by a CA of your own')")
            audit(stage, "trust-card")
            browser.click(".accept-certificate")
            browser.wait("document.querySelector('dialog .accept-now')")
            audit(stage, "trust-dialog")
            browser.click(".accept-now")
            browser.wait("document.querySelector('.toast')?.textContent.includes('is accepted')")
            # Now the server asks for a client certificate.
            expect(asked(console, host) == "403", "the server is reached")
            opens_the_newest(browser, 403, ".choose-certificate")
            text = browser.evaluate("document.querySelector('.trust-card').textContent")
            expect("asked for a client certificate" in text and f"Choose a client certificate for {host}" in text, f"the card: {text}")
            browser.click(".choose-certificate")
            browser.wait("document.querySelector('dialog #certificate-file')")
            browser.click(".certificate-use")
            browser.wait("document.querySelector('dialog .notice')?.textContent === 'No file was chosen.'")
            root = browser.send("DOM.getDocument")["root"]["nodeId"]
            node = browser.send("DOM.querySelector", nodeId=root, selector="#certificate-file")["nodeId"]
            browser.send("DOM.setFileInputFiles", nodeId=node, files=[f"{folder}/alice.p12"])
            browser.click("#certificate-password")
            browser.type("wrong")
            browser.click(".certificate-use")
            browser.wait("document.querySelector('dialog .notice')?.textContent.includes('passphrase')")
            browser.pardon(422)
            audit(stage, "certificate-refused")
            browser.evaluate("document.querySelector('#certificate-password').value = 'secret'")
            browser.click(".certificate-use")
            browser.wait("!document.querySelector('dialog') && document.querySelector('.toast')?.textContent.includes('is presented to')")
            expect(asked(console, host) == "200", "the server knows who asks")
            # The settings list both exceptions, and remove them.
            browser.evaluate("location.hash = '#/settings'")
            browser.wait("document.querySelectorAll('.host-trust .take-back').length === 2")
            text = browser.evaluate("document.querySelector('.host-trust').textContent")
            expect(host in text and "CN=Alice" in text, f"the settings: {text}")
            audit(stage, "trust-settings")
            for left, status in ((1, "403"), (0, "502")):
                # The client certificate is the last entry.
                browser.evaluate("[...document.querySelectorAll('.host-trust .take-back')].at(-1).click()")
                browser.wait(f"document.querySelectorAll('.host-trust .take-back').length === {left}")
                expect(asked(console, host) == status, f"{left} of them are left")


class Kinds(BaseHTTPRequestHandler):
    """Answers with the type of the path's ending, or 404 for an unknown path."""

    types = {"a.json": "application/json", "b.html": "text/html", "c.png": "image/png"}

    def do_GET(self):
        name = self.path.rsplit("/", 1)[-1]
        body = b"{}"
        self.send_response(200 if name in self.types else 404)
        self.send_header("Content-Type", self.types.get(name, "text/plain"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@test
def keeps_to_the_kinds_that_are_pressed(stage):
    browser = stage.browser
    with live(stage) as console:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Kinds)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{console.proxy}"}))
            for name in (*Kinds.types, "gone"):
                try:
                    opener.open(f"http://127.0.0.1:{server.server_address[1]}/{name}", timeout=PATIENCE).read()
                except urllib.error.HTTPError:
                    pass
            rows = ("['a.json', 'b.html', 'c.png', 'gone'].filter((name) => [...document.querySelectorAll('.viewport .row:not([hidden])')]"
                    ".some((row) => row.textContent.includes('/' + name))).join()")
            browser.wait(f"{rows} === 'a.json,b.html,c.png,gone'")
            for kind, shown in (("json", "a.json"), ("image", "a.json,c.png"), ("error", "a.json,c.png,gone")):
                browser.click(f".chip[data-kind={kind}]")
                browser.wait(f"{rows} === '{shown}'")
                # The hosts count the same kinds.
                count = len(shown.split(","))
                browser.wait(f"document.querySelector('#hosts [role=treeitem]').textContent.endsWith('{count}')")
            expect(browser.evaluate("location.hash").endswith("kinds=json%2Cimage%2Cerror"), "the address has the kinds")
            # These exchanges are no background traffic of a browser, so they stay.
            browser.click(".chip[data-kind=quiet]")
            browser.wait("location.hash.endsWith('%2Cquiet') && document.querySelector('.chip[data-kind=quiet]').ariaPressed === 'true'")
            browser.wait(f"{rows} === 'a.json,c.png,gone'")
            browser.click(".chip[data-kind=quiet]")
            browser.wait("!location.hash.includes('quiet')")
            # A filter selects some of them.
            browser.click("#filter-text")
            browser.type("path contains c.png")
            browser.press("Enter")
            browser.wait(f"{rows} === 'c.png'")
            browser.reload()
            browser.wait(f"{rows} === 'c.png' && document.querySelectorAll('.chip[aria-pressed=true]').length === 3")
            browser.evaluate("document.querySelector('.filter [aria-label=\\'Clear the filter\\']').click()")
            browser.wait(f"{rows} === 'a.json,c.png,gone'")
            for kind in ("json", "image", "error"):
                browser.click(f".chip[data-kind={kind}]")
            browser.wait(f"{rows} === 'a.json,b.html,c.png,gone'")
            # Clear asks, and then removes all.
            browser.click("#tools [aria-label^='Clear']")
            browser.click("dialog .danger")
            browser.wait("document.querySelectorAll('.viewport .row:not([hidden])').length === 0")
        finally:
            server.shutdown()
            server.server_close()


@test
def shows_a_refused_certificate_as_one_row(stage):
    """The request and the failed handshake of its flow share one row, live and after a reload; the program has both."""
    browser = stage.browser
    rows = lambda count: browser.wait(f"document.querySelector('.grid')?.ariaRowCount === '{count + 1}' && document.querySelector('.grid').ariaBusy === 'false'")
    words = "[...document.querySelectorAll('.viewport .row:not([hidden]) .cell.caused')].map((cell) => cell.textContent)"
    with untrusted_server() as (folder, host):
        with live(stage, "--resolve", "*:*:127.0.0.1") as console:
            for count in (1, 2):
                expect(asked(console, f"{host}") == "502", "a bad certificate is refused")
                rows(count)
                browser.wait(f"document.querySelector('.folded').textContent.startsWith('{count} handshake')")
            shown = browser.evaluate(words)
            expect(len(shown) == 2 and all(text.startswith("/ – certificate refused: the certificate by") for text in shown), f"the cause: {shown}")
            browser.reload()
            rows(2)
            browser.wait("document.querySelector('.folded').textContent === '2 handshakes folded'")
            browser.wait(f"document.querySelector('[data-key=\"{host}\"], [data-key=\"mutual.test\"]')?.ariaLabel.endsWith('2 exchanges, 2 failed')")
            for scheme in ("light", "dark"):
                browser.size(1280, 720, scheme=scheme)
                stage.shoot(f"refused-{scheme}")
            both = browser.evaluate("fetch('/api/traffic').then((answer) => answer.json()).then(({ items }) => items.map((item) => item.type))")
            expect(sorted(both) == ["exchange", "exchange", "flow", "flow"], f"the API has both: {both}")
            # The detail leads to the handshake.
            browser.evaluate("document.querySelector('.grid').focus()")
            browser.press("Home")
            browser.press("Enter")
            more = "[...document.querySelectorAll('.trust-card button')].find((button) => button.textContent === 'Show both handshakes')"
            browser.wait(more)
            browser.evaluate(f"{more}.click()")
            browser.wait("document.querySelector('#tab-tls')?.ariaSelected === 'true' && document.querySelector('.tls .cause-card')?.textContent.includes('server certificate refused')")
            stage.shoot("refused-tls")
            # Rows of their own, and back; removing the request removes its handshake, too.
            browser.press("Escape")
            browser.click(".folded")
            rows(4)
            browser.click(".folded")
            rows(2)
            browser.click(".viewport .row:not([hidden]) .cell:nth-child(3)", button="right")
            browser.wait("document.querySelector('.menu')")
            browser.press("End")
            browser.press("Enter")
            rows(1)
            browser.wait("document.querySelector('.folded').textContent === '1 handshake folded'")
    browser.size(1440)
