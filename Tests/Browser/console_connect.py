"""The page Connect: tiles with lights and steps on the mock; a phone that follows the QR code, with the real program."""
import json
import os
import pathlib
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import zxingcpp

from audits import audit
from browser import PATIENCE
from console_stage import expect, test
from hands import Hands
from live_stage import live, printed

TILE = "document.querySelector('.tile[href=\"#/connect/{}\"]')"
LIGHT = TILE + "?.dataset.light"


def pixels(file):
    """The brightness of the pixels of a PNG with 8 bits a channel, as Chromium writes it."""
    data, at, packed = pathlib.Path(file).read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", content[:10])
            expect(depth == 8 and colours in (2, 6), f"a picture in colours: {depth}, {colours}")
        elif kind == b"IDAT":
            packed += content
    size = 3 if colours == 2 else 4
    rows, before, grey = zlib.decompress(packed), bytearray(width * size), bytearray()
    for row in range(height):
        begin = row * (width * size + 1)
        way, line = rows[begin], bytearray(rows[begin + 1:begin + 1 + width * size])
        for place in range(len(line)):
            left = line[place - size] if place >= size else 0
            above, corner = before[place], before[place - size] if place >= size else 0
            if way == 4:
                guess = min((abs(above - corner), 0, left), (abs(left - corner), 1, above), (abs(left + above - 2 * corner), 2, corner))[2]
            else:
                guess = (0, left, above, (left + above) // 2)[way]
            line[place] = line[place] + guess & 255
        grey += line[1::size]
        before = line
    return memoryview(bytes(grey)).cast("B", (height, width))


def scanned(browser):
    """The text that a camera reads from the window."""
    with tempfile.TemporaryDirectory() as folder:
        browser.frames(3)
        browser.shoot(f"{folder}/window.png")
        found = zxingcpp.read_barcodes(pixels(f"{folder}/window.png"))
    expect(len(found) == 1, f"one code in the window: {[code.text for code in found]}")
    return found[0].text


@test
def draws_codes_that_can_be_read(_):
    """Every version, each with the longest text that it holds, read by another decoder."""
    longest = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]
    texts = [text for length in longest
             for text in ("http://192.168.1.5:8080/".ljust(length, "a")[:length], f"{'ü' * (length // 2)}{'a' * (length % 2)}")]
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Page/qr-codes.mjs")
    words = ["node", script, json.dumps([*texts, "a" * 214])]
    *codes, said = json.loads(subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout)
    for place, (text, rows) in enumerate(zip(texts, codes, strict=True)):
        version, size = place // 2 + 1, len(rows) + 8
        expect(len(rows) == 17 + 4 * version, f"{len(text)} characters need version {version}: {len(rows)} modules")
        light = "0" * size
        picture = "".join([light * 4, *(f"0000{row}0000" for row in rows), light * 4])
        # Four pixels a module.
        grey = bytes(255 * (picture[(row // 4) * size + column // 4] == "0") for row in range(4 * size) for column in range(4 * size))
        found = zxingcpp.read_barcodes(memoryview(grey).cast("B", (4 * size, 4 * size)))
        expect([code.text for code in found] == [text], f"version {version}: {[code.text for code in found]}")
    expect("too long" in said, f"a text that is too long is refused: {said}")


@test
def shows_tiles_lights_and_steps(stage):
    browser = stage.fresh("#/connect")
    browser.wait("document.querySelectorAll('.tile').length === 11 && document.querySelector('.way:not([hidden]) ol')")
    expect(browser.evaluate("document.querySelector('#places [aria-current]').textContent") == "Connect", "the navigation says where")
    lights = browser.evaluate("Object.fromEntries([...document.querySelectorAll('.tile')].map((tile) => [tile.hash.slice(10), tile.dataset.light]))")
    expect((lights["terminal"], lights["python"], lights["ios"], lights["go"]) == ("read", "refused", "plain", "none"), f"lights: {lights}")
    expect(browser.evaluate("document.querySelector('.way h2').textContent") == "This machine's terminal", "the first one is open")
    # By keyboard alone: the tile keeps the focus, and the page shows its steps.
    browser.evaluate(TILE.format("python") + ".focus()")
    browser.press("Enter")
    browser.wait("document.querySelector('.way h2').textContent === 'Python'")
    expect(browser.evaluate("document.activeElement.hash") == "#/connect/python", "the tile keeps the focus")
    text = browser.evaluate("document.querySelector('.obstacles .obstacle').textContent")
    expect("CA not trusted" in text and "api.example.test:443" in text and "What to do" in text and "Pass api.example.test through" in text, f"the obstacle: {text}")
    browser.click(".way .command button")
    browser.wait("document.querySelector('.toast')?.textContent.includes('Copied: the line for')")
    # The light changes on the open page, and the obstacle is gone.
    stage.mock.ways.changes["python"] = {"light": "read", "connections": 1, "last": "2026-11-21T16:44:36Z", "client": "python3"}
    browser.wait(LIGHT.format("python") + " === 'read' && !document.querySelector('.obstacles .obstacle')")
    browser.wait("document.querySelector('#announcer').textContent.includes('Python: HTTPS is read')")
    expect("1 connection since the proxy began" in browser.evaluate("document.querySelector('.way-state').textContent"), "the count is told")
    for kind in ("terminal", "node", "chromium", "android", "ios", "go"):
        browser.evaluate(f"location.hash = '#/connect/{kind}'")
        browser.wait(f"document.querySelector('.tile[aria-current]')?.hash === '#/connect/{kind}' && document.querySelector('.way ol')")
        audit(stage, f"connect-{kind}", widths=(390, 1280, 1440))
    stage.mock.ways.__init__()


@test
def offers_what_helps_with_obstacles(stage):
    browser = stage.fresh("#/connect/node")
    browser.wait("document.querySelectorAll('.obstacles .obstacle').length === 2")
    cards = browser.evaluate("[...document.querySelectorAll('.obstacles .obstacle')].map((card) => card.textContent)")
    expect("Choose a client certificate for bank.example.test:443" in cards[0], f"the newest first: {cards}")
    expect("Accept the certificate of self.example.test:8443" in cards[1], f"a certificate: {cards}")
    browser.click(".accept-certificate")
    browser.wait("document.querySelector('dialog .accept-now')")
    browser.press("Escape")
    browser.wait("!document.querySelector('dialog')")
    browser.evaluate("location.hash = '#/connect/chromium'")
    browser.wait("document.querySelector('.obstacles .is-offer')?.textContent.includes('offers HTTP/3')")
    # One press passes a pinned host on.
    browser.evaluate("location.hash = '#/connect/android'")
    browser.wait("document.querySelector('.obstacles .pass-on')?.textContent === 'Pass pay.example.test through from now on'")
    browser.click(".obstacles .pass-on")
    browser.wait("document.querySelector('.toast')?.textContent.includes('passed through')")
    expect("pay.example.test" in stage.mock.passthrough, f"the proxy follows: {stage.mock.passthrough}")
    stage.mock.passthrough.remove("pay.example.test")
    # A tile opens its browser.
    browser.evaluate("location.hash = '#/connect/firefox'")
    browser.wait("document.querySelector('.open-browser')?.textContent === 'Open Firefox now'")
    browser.click(".way .open-browser")
    browser.wait("document.querySelector('.toast')?.textContent.includes('Firefox runs')")


@test
def draws_the_address_for_phones(stage):
    browser = stage.fresh("#/connect/ios")
    for scheme in ("light", "dark"):
        browser.size(1280, 720, scheme)
        browser.wait("document.querySelector('.qr')")
        expect(scanned(browser) == "http://192.168.1.5:8080/", f"the code in the theme {scheme}")
    browser.evaluate("(() => { const place = document.querySelector('#qr-address'); place.value = '10.8.0.2:8080'; place.dispatchEvent(new Event('change')); })()")
    expect(scanned(browser) == "http://10.8.0.2:8080/", "the other address")
    # A proxy on loopback alone has no code; the page shows the command that opens the proxy.
    stage.mock.ways.network = {"isOpen": False, "places": ["192.168.1.5:8080"], "network": "192.168.1.0/24",
                               "command": "cd /srv/shop && pinhole proxy --listen 0.0.0.0:8080 --allow 192.168.1.0/24"}
    browser.wait("!document.querySelector('.qr') && document.querySelector('.network .command pre')?.textContent.includes('--allow 192.168.1.0/24')")
    expect("Nothing is opened from this page" in browser.evaluate("document.querySelector('.network').textContent"), "it says what it means")
    audit(stage, "connect-loopback", widths=(390, 1280, 1440))
    stage.mock.ways.__init__()


class Greeter(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "7")
        self.end_headers()
        self.wfile.write(b"welcome")

    def log_message(self, *_):
        pass


def greeter(folder):
    """A server with a certificate of a CA of its own."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=shop.test", "-keyout", "server.key",
                    "-out", "server.pem", "-addext", "subjectAltName=DNS:shop.test"], cwd=folder, check=True, capture_output=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Greeter)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
# The exit status of curl for a certificate that it does not trust.
DISTRUST = 60


# The network of the phone's test, on the proxy's side: a cable whose other end goes to the phone. It has no addresses of IPv6, which
# would appear a second or two after the cable is plugged in.
CABLE = ("ip link add phones type veth peer name phone && ip link set phones addrgenmode none && ip address add 192.0.2.1/24 dev phones"
         " && ip link set phones up")


class Phone:
    """A device in a network of its own, with a cable to the proxy's network.

    It is there before the browser starts: Chromium breaks off requests, also on loopback, when an address or a link changes.
    """

    def __init__(self):
        self.process = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo ready; exec sleep 900"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        next(printed(self.process))
        subprocess.run(["ip", "link", "set", "phone", "netns", str(self.process.pid)], check=True)
        self.run("ip", "link", "set", "phone", "addrgenmode", "none").check_returncode()
        self.run("ip", "address", "add", "192.0.2.2/24", "dev", "phone").check_returncode()
        self.run("ip", "link", "set", "phone", "up").check_returncode()
        subprocess.run(["sh", "-c", "until ip link show phones | grep -q 'state UP'; do :; done"], check=True, timeout=PATIENCE)

    def run(self, *words):
        return subprocess.run(["nsenter", "--target", str(self.process.pid), "--net", *words], capture_output=True, text=True, timeout=PATIENCE)

    def fetch(self, *words):
        return self.run("curl", "-sS", "--max-time", str(PATIENCE), "--noproxy", "", "--user-agent", PHONE, *words)

    def end(self):
        self.process.kill()
        self.process.wait()


@test
def connects_a_phone_by_its_code(stage):
    """The browser, the proxy and the phone are in a network of their own, so that nothing listens beyond this test."""
    if os.environ.get("PINHOLE_PHONE_NETWORK"):
        phone = Phone()
        try:
            return follows_the_code(stage, phone)
        finally:
            # A phone that is left behind would hold the output of this process open.
            phone.end()
    unshare = ["unshare", "--user", "--map-root-user", "--net"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode:
        print("      this system makes no network namespaces: the phone was left out")
        return
    script = f'ip link set lo up && {CABLE} && exec "$@"'
    shots = ["--shots", str(stage.shots)] if stage.shots else []
    ran = subprocess.run([*unshare, "sh", "-c", script, "-", sys.executable, str(pathlib.Path(__file__).with_name("test_console.py")),
                          "--items", "100", "--pinhole", str(stage.program), *shots, "connect.connects_a_phone_by_its_code"],
                         env={**os.environ, "PINHOLE_PHONE_NETWORK": "1"}, capture_output=True, text=True, timeout=PATIENCE * 2)
    expect(ran.returncode == 0 and "1 of 1 are well" in ran.stdout, f"in the network: {ran.stdout} {ran.stderr}")


def follows_the_code(stage, phone):
    browser = stage.browser
    with tempfile.TemporaryDirectory() as folder:
        server = greeter(folder)
        with live(stage, "--listen", "0.0.0.0:0", "--allow", "192.0.2.0/24", "--allow", "127.0.0.0/8", "--upstream-ca", f"{folder}/server.pem",
                  "--resolve", "shop.test:*:127.0.0.1") as console:
            browser.size(1280, 720)
            codes = []
            for uses_pointer in (False, True):
                browser.evaluate("location.hash = '#/'")
                browser.wait("document.querySelector('.empty .to-connect')?.checkVisibility()")
                hands = Hands(browser, uses_pointer)
                hands.choose(".empty .to-connect")
                browser.wait("document.querySelectorAll('.tile').length === 11")
                hands.choose(".tile[href='#/connect/ios']")
                browser.wait("document.querySelector('.tile[aria-current]')?.hash === '#/connect/ios' && document.querySelector('.qr')")
                codes.append(scanned(browser))
                hands.arrived("connect a phone")
            url = codes[0]
            expect(codes == [url, url], f"both ways lead to the same code: {codes}")
            expect(url.startswith("http://192.0.2.1:"), f"the address in the network: {url}")
            expect(browser.evaluate(LIGHT.format("ios")) == "none", "nothing came yet")
            audit(stage, "connect-live-ios", widths=(1280, 1440))
            # The phone opens the page of the code, and takes the CA from it.
            page = phone.fetch(url)
            port = url.rstrip("/").rpartition(":")[2]
            expect("/pinhole-ca.crt" in page.stdout and f"port\n<code>{port}</code>" in page.stdout, f"the page: {page}")
            expect(phone.fetch("--output", f"{folder}/ca.crt", f"{url}pinhole-ca.crt").returncode == 0, "the CA comes")
            browser.wait(LIGHT.format("ios") + " === 'plain'")
            # The phone uses the proxy before it trusts the CA: the tile names the missing step.
            shop = f"https://shop.test:{server.server_port}/"
            refused = phone.fetch("--proxy", url, shop)
            expect(refused.returncode == DISTRUST, f"a phone without the CA refuses: {refused}")
            browser.wait(LIGHT.format("ios") + " === 'refused' && document.querySelector('.obstacles .obstacle')?.textContent.includes('CA not trusted')", 20)
            text = browser.evaluate("document.querySelector('.obstacles .obstacle').textContent")
            expect("192.0.2.2" in text and "shop.test" in text, f"the obstacle names device and host: {text}")
            audit(stage, "connect-live-refused", widths=(1280, 1440))
            # With the CA, the light goes on, and the obstacle is gone.
            welcome = phone.fetch("--proxy", url, "--cacert", f"{folder}/ca.crt", shop)
            expect(welcome.stdout == "welcome", f"the shop answers: {welcome}")
            browser.wait(LIGHT.format("ios") + " === 'read' && !document.querySelector('.obstacles .obstacle')")
            expect("HTTPS is read" in browser.evaluate("document.querySelector('.way-state').textContent"), "the state says so")
            others = browser.evaluate("[...document.querySelectorAll('.tile')].filter((tile) => tile.dataset.light !== 'none').map((tile) => tile.hash)")
            expect(others == ["#/connect/ios"], f"no other tile took the phone for its own: {others}")
            audit(stage, "connect-live-read", widths=(1280, 1440))
        server.shutdown()
        server.server_close()


@test
def shows_the_ways_of_a_real_proxy(stage):
    """Loopback alone, the commands of the program, and the light of this machine's terminal."""
    browser = stage.browser
    with live(stage) as console:
        browser.evaluate("location.hash = '#/connect'")
        browser.wait("document.querySelectorAll('.tile').length === 11 && document.querySelector('.way ol')")
        expect(browser.evaluate(LIGHT.format("terminal")) == "none", "nothing came yet")
        commands = browser.evaluate("[...document.querySelectorAll('.way .command pre')].map((line) => line.textContent)")
        state = browser.evaluate("fetch('/api/state').then((answer) => answer.json())")
        expect(commands == [line["command"] for line in state["commands"] if line["client"] in ("any program", "curl", "this terminal")], f"commands: {commands}")
        for kind in ("terminal", "chromium", "docker", "android", "computer"):
            browser.evaluate(f"location.hash = '#/connect/{kind}'")
            browser.wait(f"document.querySelector('.tile[aria-current]')?.hash === '#/connect/{kind}' && document.querySelector('.way ol')")
            audit(stage, f"connect-real-{kind}", widths=(1280, 1920))
        browser.wait("document.querySelector('.network .command pre')?.textContent.includes('--listen 0.0.0.0:')")
        command = browser.evaluate("document.querySelector('.network .command pre').textContent")
        expect(f"--listen 0.0.0.0:{console.proxy.rpartition(':')[2]}" in command and "--capture pinhole.sqlite" in command and command.count("--listen") == 1,
               f"the flags stay, but for where it listens: {command}")
        server = ThreadingHTTPServer(("127.0.0.1", 0), Greeter)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        subprocess.run(["curl", "-s", "--noproxy", "", "-x", f"http://{console.proxy}", f"http://127.0.0.1:{server.server_port}/"], check=True, capture_output=True)
        browser.wait(LIGHT.format("terminal") + " === 'plain'")
        server.shutdown()
        server.server_close()
