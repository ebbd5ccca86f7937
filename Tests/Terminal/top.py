"""`pinhole top` in pseudo terminals, with a proxy, a server and curl: what users see, and what is left at the end.

Usage: python3 top.py PINHOLE DIRECTORY [SHOTS]

Prints a line for each check, and ends with 1 at the first that fails. SHOTS is a folder for the screens as text.
"""

import base64
import http.server
import os
import re
import signal
import socketserver
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from terminal import PATIENCE, Terminal  # noqa: E402

PINHOLE, FOLDER = sys.argv[1], sys.argv[2]
SHOTS = sys.argv[3] if len(sys.argv) > 3 else None
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": FOLDER, "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC",
    # The place of the counters, in a build that measures the coverage.
    **{name: value for name, value in os.environ.items() if name == "LLVM_PROFILE_FILE"},
}
EVIL = "before\x1b]0;owned\x07\x1b[31mred\x1b[2J\x9b1m after\r\n\u202ertl \u4f60\u597d\n"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    release = threading.Event()

    def log_message(self, *_):
        pass

    def do_GET(self):
        status, kind, body = 200, "application/json", b'{"item":"teapot","price":12.50,"tags":["a",{"b":null}]}'
        if self.path.startswith("/evil"):
            kind, body = "text/plain", EVIL.encode()
        elif self.path.startswith("/bytes"):
            kind, body = "application/octet-stream", bytes(range(256))
        elif self.path.startswith("/missing"):
            status = 404
        elif self.path.startswith("/stream"):
            return self.stream()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b'event: tick\ndata: {"n": 1}\n\n')
        self.wfile.flush()
        self.release.wait(PATIENCE)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


class Stage:
    """A server, and a proxy that records into a capture of its own."""

    def __init__(self, name, rules=None):
        self.folder = os.path.join(FOLDER, name)
        os.makedirs(self.folder)
        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        if rules:
            with open(os.path.join(self.folder, "config.json"), "w") as file:
                file.write('{"rules": [%s]}' % rules)
        self.start()

    def start(self):
        words = [PINHOLE, "proxy", "--listen", "127.0.0.1:0", "--capture", "p.sqlite", "--ca-dir", "ca"]
        self.log = open(os.path.join(self.folder, "log"), "ab")
        self.proxy = subprocess.Popen(
            words, cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=self.log, text=True
        )
        for line in self.proxy.stdout:
            if line.startswith("listening on "):
                self.address = line.split()[2]
                return
        raise AssertionError("the proxy did not start")

    def stop(self):
        self.proxy.send_signal(signal.SIGTERM)
        self.proxy.wait(PATIENCE)

    def curl(self, path, *more):
        words = ["curl", "-s", "-o", "/dev/null", "-x", f"http://{self.address}", *more, self.origin + path]
        return subprocess.Popen(words, env=ENVIRONMENT)

    def fetch(self, path, *more):
        assert self.curl(path, *more).wait(PATIENCE) == 0

    def top(self, columns, rows, *more, **variables):
        words = [PINHOLE, "top", "--capture", "p.sqlite", *more]
        environment = {**ENVIRONMENT, **variables}
        return Terminal(words, columns, rows, {k: v for k, v in environment.items() if v is not None}, self.folder)

    def close(self):
        Handler.release.set()
        self.stop()
        self.server.shutdown()


def shot(terminal, name):
    if SHOTS:
        os.makedirs(SHOTS, exist_ok=True)
        with open(os.path.join(SHOTS, f"{name}.txt"), "w") as file:
            file.write(terminal.text() + "\n")


def is_restored(terminal):
    return not terminal.modes & {1049, 2004} and terminal.is_cursor_shown


def position(terminal):
    """The number of the selected line, and that of all lines."""
    match = re.search(r"(\d+)/(\d+)", terminal.lines()[0])
    return match and (int(match[1]), int(match[2]))


def check_list(stage):
    for path in ["/item.json", "/missing", "/evil", "/bytes"]:
        stage.fetch(path)
    terminal = stage.top(80, 24)
    terminal.shows("/item.json", "/missing", "404", "following", "4/4")
    shot(terminal, "list-80x24")
    stage.fetch("/new?a=b", "-d", '{"a": 1}')
    terminal.shows("POST", "/new?a=b", "5/5")
    print("the list appears, and a new exchange arrives")

    terminal.press("/status == ")
    terminal.shows("column", "▼")
    shot(terminal, "filter-wrong")
    terminal.press("404\r")
    terminal.wait(lambda t: "1/1" in t.text() and "/item.json" not in t.text(), "the filtered list")
    stage.fetch("/missing/2")
    terminal.shows("/missing/2", "2/2")
    terminal.press("\x1b")
    terminal.shows("/item.json", "6/6")
    print("a filter is checked, applied to the list and to new traffic, and removed")

    terminal.press("gjj\r")
    terminal.shows("1 Overview", "text/plain")
    shot(terminal, "overview-80x24")
    terminal.press("3")
    terminal.shows("before\\u{1b}]0;owned\\u{7}", "\\u{202e}rtl 你好")
    shot(terminal, "response-hostile")
    print("control characters of a peer are shown, and none reaches the terminal")

    terminal.press("qg\r3")
    terminal.shows('  "price": 12.50,')
    terminal.press("/teapot\r")
    terminal.shows("match 1 of 1")
    terminal.press("H")
    terminal.shows("7b 22 69 74 65 6d")
    terminal.press("J4")
    terminal.shows("no TLS")
    print("the detail shows JSON and bytes, and is searched")

    terminal.press("q")
    terminal.resize(200, 50)
    os.kill(terminal.process, signal.SIGWINCH)
    terminal.shows("DURATION", "/item.json", "TYPE")
    shot(terminal, "list-200x50")
    terminal.press("\r1")
    terminal.shows("1 Overview", "flow ")
    shot(terminal, "overview-200x50")
    terminal.resize(20, 4)
    os.kill(terminal.process, signal.SIGWINCH)
    terminal.shows("too small")
    terminal.resize(80, 24)
    os.kill(terminal.process, signal.SIGWINCH)
    terminal.shows("1 Overview")
    print("the screen follows the size of the terminal")

    terminal.press("q?")
    terminal.shows("select the next exchange")
    shot(terminal, "help")
    terminal.press("qq")
    assert terminal.end() == 0
    assert is_restored(terminal)
    terminal.close()
    print("q ends it, and the terminal is as before")


def check_actions(stage):
    terminal = stage.top(100, 24)
    terminal.shows("/item.json")
    terminal.press("gm")
    terminal.shows("* ")
    terminal.press("cwhy? äöü\r")
    terminal.shows("# why? äöü")
    terminal.press("y")
    terminal.wait(lambda t: t.clipboard is not None, "the clipboard")
    assert base64.b64decode(terminal.clipboard).startswith(b"curl "), terminal.clipboard
    terminal.press("Y")
    terminal.shows("write the curl command to: ")
    terminal.press("\x15item.sh\r")
    terminal.shows("in item.sh")
    with open(os.path.join(stage.folder, "item.sh")) as file:
        assert "/item.json" in file.read()
    terminal.press("Y\x15item.sh\r")
    terminal.shows("item.sh")
    print("marks, comments, the clipboard and files work")

    terminal.press("\r3")
    terminal.shows('"item": "teapot"')
    terminal.press("r")
    terminal.shows("sent again")
    terminal.press("qG")
    terminal.wait(lambda t: position(t) == (7, 7) and t.text().count("/item.json") == 2, "the request")
    print("a request is sent again")

    terminal.press("p")
    terminal.shows("PAUSED")
    terminal.press("p")
    terminal.shows("recording")
    print("the recording is paused and goes on")

    client = stage.curl("/stream")
    terminal.shows("/stream")
    terminal.press("G\r")
    terminal.shows("5 Messages")
    terminal.press("5")
    terminal.shows("tick")
    shot(terminal, "messages")
    terminal.press("qGx")
    terminal.shows("(y/n)")
    terminal.press("y")
    client.wait(PATIENCE)
    terminal.wait(lambda t: " s…" not in t.text(), "the end of the exchange")
    print("messages of a stream are shown, and an exchange that goes on is ended")

    terminal.press("os")
    terminal.shows("by status")
    terminal.press("\x03")
    assert terminal.end() == 0
    terminal.close()
    print("the list is sorted")


def check_faults(stage):
    terminal = stage.top(80, 24)
    terminal.shows("following")
    stage.stop()
    terminal.shows("tried again each second")
    shot(terminal, "lost")
    stage.start()
    terminal.wait(lambda t: "tried again" not in t.text(), "the new proxy")
    stage.fetch("/after")
    terminal.shows("/after")
    print("a proxy that ends is told, and one that starts again is found")

    os.kill(terminal.process, signal.SIGTERM)
    assert terminal.end() == 0
    assert is_restored(terminal)
    terminal.close()
    print("SIGTERM restores the terminal")

    terminal = stage.top(80, 24)
    terminal.shows("following")
    os.kill(terminal.process, signal.SIGABRT)
    assert terminal.end() == -signal.SIGABRT
    assert is_restored(terminal)
    terminal.close()
    print("a crash restores the terminal")

    # A shell with jobs, since the system stops no program that nobody could continue.
    script = f"set -m; stty -g; '{PINHOLE}' top --capture p.sqlite; echo stopped; stty -g; fg; stty -g"
    terminal = Terminal(["bash", "-c", script], 80, 24, ENVIRONMENT, stage.folder)
    terminal.shows("following")
    terminal.press("\x1a")
    terminal.wait(lambda t: "stopped" in t.outside, "the shell")
    terminal.wait(lambda t: t.is_alternate and "following" in t.text(), "the screen")
    terminal.press("q")
    assert terminal.end() == 0
    terminal.close()
    settings = [line for line in terminal.outside.splitlines() if line.count(":") > 10]
    assert len(settings) == 3 and len(set(settings)) == 1, terminal.outside
    print("^Z gives the terminal back until the shell continues the program, and its settings return")

    terminal = stage.top(80, 24, LANG=None, NO_COLOR="1")
    terminal.shows("following", "/after")
    terminal.press("/ä")
    terminal.shows("filter: ?")
    terminal.press("\x1b")
    terminal.wait(lambda t: "filter:" not in t.text(), "the list")
    assert terminal.text().isascii()
    terminal.press("q")
    assert terminal.end() == 0
    terminal.close()
    print("without UTF-8 and colours, the screen is ASCII")


def failure(stage, words, says, **variables):
    """Runs the command in a terminal, where it must end at once with status 3."""
    terminal = Terminal([PINHOLE, "top", *words], 80, 24, {**ENVIRONMENT, **variables}, stage.folder)
    status = terminal.end()
    terminal.close()
    text = terminal.outside.replace("\r\n", " ")
    assert status == 3, (status, text)
    assert all(word in " ".join(text.split()) for word in says.split()), text


def check_refusals(stage):
    failure(stage, ["--capture", "none.sqlite"], "no running proxy pinhole proxy")
    failure(stage, ["--capture", "p.sqlite"], "TERM is “dumb”", TERM="dumb")
    token = os.path.join(stage.folder, "p.sqlite.token")
    with open(token) as file:
        good = file.read()
    with open(token, "w") as file:
        file.write("A" * 43 + "\n")
    failure(stage, ["--capture", "p.sqlite"], "expected the token of this console")
    with open(token, "w") as file:
        file.write(good)
    result = subprocess.run(
        [PINHOLE, "top", "--capture", "p.sqlite"], cwd=stage.folder, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert result.returncode == 3 and "needs a terminal" in result.stderr, result
    assert not result.stdout
    result = subprocess.run([PINHOLE, "top", "stauts >"], cwd=stage.folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert result.returncode == 2 and "stauts" in result.stderr, result
    print("a missing proxy, a wrong token, a dumb terminal, a pipe and a wrong filter are told")


def check_held():
    stage = Stage("held", '{"do": "breakpoint", "when": "~u /stop"}')
    try:
        terminal = stage.top(80, 24, EDITOR="sed -i s,/stop,/edited,")
        terminal.shows("following")
        client = stage.curl("/stop")
        terminal.shows("1 held (b)")
        terminal.press("b")
        terminal.shows("request", "/stop")
        terminal.press("\r")
        terminal.shows("User-Agent: curl")
        shot(terminal, "held")
        terminal.press("a")
        assert client.wait(PATIENCE) == 0
        terminal.shows("No message is held")
        client = stage.curl("/stop")
        terminal.wait(lambda t: "No message is held" not in t.text(), "the next message")
        terminal.press("d")
        assert client.wait(PATIENCE) != 0
        terminal.shows("No message is held")
        client = stage.curl("/stop")
        terminal.wait(lambda t: "No message is held" not in t.text(), "the message for the editor")
        terminal.press("e")
        assert client.wait(PATIENCE) == 0
        terminal.shows("edited")
        terminal.press("q")
        terminal.shows("/stop", "/edited")
        terminal.press("q")
        assert terminal.end() == 0
        terminal.close()
        print("held messages are shown, let go, edited and dropped")
    finally:
        stage.close()


def check_run():
    folder = os.path.join(FOLDER, "run")
    os.makedirs(folder)
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/of-the-program"
    # The program ends when its standard input does.
    words = [PINHOLE, "run", "--capture", "r.sqlite", "--", "sh", "-c", f"curl -s -o /dev/null {url}; echo ready; cat"]
    run = subprocess.Popen(
        words, cwd=folder, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout.readline() == "ready\n"
    terminal = Terminal([PINHOLE, "top", "--capture", "r.sqlite"], 80, 24, ENVIRONMENT, folder)
    terminal.shows("/of-the-program", "recording")
    shot(terminal, "run")
    run.communicate("", PATIENCE)
    assert run.returncode == 0
    terminal.shows("tried again each second")
    terminal.press("q")
    assert terminal.end() == 0
    terminal.close()
    server.shutdown()
    print("the traffic of a program of pinhole run is shown, and its end is told")


def main():
    stage = Stage("stage")
    try:
        check_list(stage)
        check_actions(stage)
        check_faults(stage)
        check_refusals(stage)
    finally:
        stage.close()
    check_held()
    check_run()


if __name__ == "__main__":
    try:
        main()
    except AssertionError as problem:
        print(f"FAILED: {problem}")
        sys.exit(1)
