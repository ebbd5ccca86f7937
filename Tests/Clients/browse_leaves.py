"""Lets headless Chromium visit a server for each leaf.

Usage: browse_leaves.py MANIFEST. Each line of the manifest has five columns, separated by tabs: a
label, the file of the trusted root, the file of the chain (beside it, with the suffix .key, the
key), the PKCS#12 of the identity (unused here) and the host. One line per leaf is printed: the
label, a tab, and "accepted" or "rejected: " with the reason.

All servers listen on loopback, each on a port of its own; a page of one more server fetches from
all of them and posts the results. The roots are trusted in an NSS database in a home directory
that is removed at the end.
"""

import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
PAGE = """<!doctype html><title>leaves</title><script>
const targets = %s;
Promise.all(targets.map(([label, url]) =>
  fetch(url, {mode: "no-cors", cache: "no-store"})
    .then(() => [label, "accepted"], error => [label, "rejected: " + error])
)).then(results => fetch("/results", {method: "POST", body: JSON.stringify(results)}));
</script>"""


class Leaf(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class TLSServer(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        pass  # A browser that refuses the leaf breaks the connection off.


def start_leaf(chain: str) -> int:
    server = TLSServer(("127.0.0.1", 0), Leaf)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, chain + ".key")
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def start_page(targets: list) -> tuple:
    done = threading.Event()
    results: list = []

    class Page(Leaf):
        def do_GET(self) -> None:
            body = (PAGE % json.dumps(targets)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            results.extend(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            super().do_GET()
            done.set()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1], done, results


def trust(home: str, roots: set) -> None:
    database = pathlib.Path(home, ".pki", "nssdb")
    database.mkdir(parents=True)
    run = ["certutil", "-d", f"sql:{database}"]
    subprocess.run([*run, "-N", "--empty-password"], check=True)
    for index, root in enumerate(sorted(roots)):
        file = pathlib.Path(home, f"{index}.pem")
        file.write_text(root, encoding="utf-8")
        subprocess.run([*run, "-A", "-n", f"root {index}", "-t", "C,,", "-i", str(file)], check=True)


def main() -> None:
    rows = [line.split("\t") for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    targets = []
    for label, _, chain, _, host in rows:
        name = f"[{host}]" if ":" in host else host
        targets.append((label, f"https://{name}:{start_leaf(chain)}/"))
    port, done, results = start_page(targets)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        trust(home, {pathlib.Path(row[1]).read_text(encoding="utf-8") for row in rows})
        browser = subprocess.Popen(
            [
                "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-proxy-server", "--disable-background-networking", "--no-first-run",
                f"--user-data-dir={home}/profile", "--host-resolver-rules=MAP * 127.0.0.1",
                "--remote-debugging-port=0", f"http://127.0.0.1:{port}/",
            ],
            env={**os.environ, "HOME": home}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            if not done.wait(PATIENCE):
                print(f"Chromium did not answer within {PATIENCE} s", file=sys.stderr)
        finally:
            browser.terminate()
            browser.wait(PATIENCE)
    for label, result in results:
        print(f"{label}\t{result}")


main()
