"""The real program behind the pages, with servers and clients of its proxy."""
import contextlib
import os
import pathlib
import queue
import re
import shutil
import subprocess
import tempfile
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from browser import PATIENCE, Failure


def printed(process):
    """The lines that a program prints, each within the patience of the tests.

    A thread reads the lines until the program ends. A program whose lines nobody reads stands still once they fill its pipe.
    """
    lines = queue.SimpleQueue()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=PATIENCE)
        except queue.Empty:
            process.kill()
            raise Failure(f"{process.args[0]} printed no line within {PATIENCE} s") from None
        if line is None:
            return
        yield line


class LiveConsole:
    """A proxy with its console in a folder of its own, or in the place of one that has ended."""

    def __init__(self, program, *arguments, site=None, prepare=None, after=None):
        self.folder = after.folder if after else tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        if prepare:
            prepare(self.folder.name)
        if site:
            # An installed program finds the site of its documentation beside it.
            pathlib.Path(self.folder.name, "bin").mkdir()
            program = shutil.copy2(program, f"{self.folder.name}/bin/pinhole")
            shutil.copytree(site, f"{self.folder.name}/share/pinhole/html")
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        # The CA and the capture are in the folder, and the home folder of the user stays unchanged.
        environment["XDG_STATE_HOME"] = f"{self.folder.name}/.xdg/state"
        self.process = subprocess.Popen([program, "proxy", "--listen", "127.0.0.1:0", "--console", after.base.rpartition(":")[2] if after else "0", "--ca-dir", "ca",
                                         "--capture", "pinhole.sqlite", *arguments], cwd=self.folder.name,
                                        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.url, self.proxy, said = None, None, []
        for line in printed(self.process):
            said.append(line)
            if found := re.search(r"console (\S+)", line):
                self.url = found[1]
            if found := re.match(r"listening on (\S+)", line):
                self.proxy = found[1]
                break
        if not self.url or not self.proxy:
            raise Failure(f"pinhole proxy did not begin: {''.join(said)}")
        self.base = self.url.split("/?")[0]

    def ask(self, path, body=None, method="GET"):
        """Sends a request to the console, as a program does."""
        request = urllib.request.Request(f"{self.base}{path}", body, method=method,
                                         headers={"Authorization": f"Bearer {self.url.split('token=')[1]}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read().decode()

    def end(self):
        terminate(self.process)
        self.folder.cleanup()


def terminate(process):
    """Ends a program; one that does not end by itself is killed, and fails the test."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise Failure(f"{process.args[0]} did not end within {PATIENCE} s") from None


class Echo(ThreadingHTTPServer):
    """A server that answers 201 with the body of a request, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), EchoHandler)
        # Method, path, the values of X-Twice, body; and the whole requests: method, path, fields, body.
        self.seen, self.whole = [], []
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, *_):
        pass  # A client that ends resets its connections.


class EchoHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.command, self.path, self.headers.get_all("X-Twice"), body))
        self.server.whole.append((self.command, self.path, self.headers.items(), body))
        answer = b"" if self.command == "HEAD" else b"got " + body
        self.send_response(201)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_REPORT = do_POST


def curl(console, url, *more):
    """A client of the proxy, which prints the body and the status."""
    return subprocess.Popen(["curl", "-sS", "--max-time", str(PATIENCE), "-w", " %{http_code}", "-x", f"http://{console.proxy}", *more, url],
                            env={"NO_PROXY": "", "PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def ended(client):
    return client.communicate(timeout=PATIENCE)[0]


def served_assets(program, assets, folder):
    """Copies the files of the page, with the modules as the program serves them: joined, so that a page loads sooner."""
    with COPYING:
        if not folder.exists():
            shutil.copytree(assets, folder)
            console = LiveConsole(program)
            try:
                for script in folder.rglob("*.js"):
                    script.write_text(console.ask(f"/{script.relative_to(folder)}"), encoding="utf-8")
            finally:
                console.end()
    return folder


COPYING = threading.Lock()


@contextlib.contextmanager
def live(stage, *arguments, site=None):
    """A page of a real console."""
    console = LiveConsole(stage.program, *arguments, site=site)
    try:
        stage.browser.go("about:blank#")
        stage.browser.go(console.url)
        stage.browser.wait("document.querySelector('.live')?.dataset.status === 'live'")
        stage.browser.complaints.clear()
        yield console
    except Failure:
        # The page is gone after this block.
        stage.shoot("failed-live")
        raise
    finally:
        stage.browser.go("about:blank#")
        console.end()
