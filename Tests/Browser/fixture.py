"""A capture that the program records itself, for the tests of pages that show traffic.

A proxy of the program receives the requests of the specimens and passes them to `Origin`, which stands for all servers: the proxy reaches
it as its upstream proxy. What a recording cannot have in seconds (other times, programs and users) comes from a file that the program
imports. Each group works on a copy of the capture.
"""
import json
import pathlib
import shutil
import socket
import ssl
import subprocess
import threading
import urllib.parse

from browser import PATIENCE, Failure
from live_stage import LiveConsole, terminate
from specimens import answer, entry, get, specimens

PASSED = "push.apple.test"
CONFIGURATION = {"tls": {"passthrough": ["*.bank.example", PASSED]}, "capture": {"bodyLimitBytes": 128 << 20}}
RULES = [{"do": "block", "name": "no ads", "when": "path == /blocked"},
         {"do": "rewriteRequest", "name": "debug", "when": "path == /old", "set": ["X-Debug: 1"]},
         {"do": "rewriteResponse", "name": "gone", "when": "path == /old", "status": 410, "remove": ["server"]},
         {"do": "rewriteResponse", "name": "idle", "when": "path == /old", "remove": ["x-none"]}]
# What goes on until its client ends.
HELD = {"running": ("slow.example.test", "/poll"), "standing": ("stream.example.test", "/standing")}
# Bodies in rows, which are too large for the capture of every group, with their lengths.
LARGE = {"huge": 104_857_600, "larger": 24 << 20}
SWITCHED = (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
ROW = b'{"id":%07d,"name":"item","values":[1,2,3],"note":"a row of one hundred bytes in all, padded.......  "},'


def certificate(folder):
    """A certificate for every name that the specimens have, with its key in one file."""
    file = pathlib.Path(folder, "origin.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-keyout", file, "-out", f"{file}.crt",
                    "-subj", "/CN=api.example.test", "-addext", f"subjectAltName=DNS:*.example.test,DNS:*.pinned.test,DNS:{PASSED}"], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + pathlib.Path(f"{file}.crt").read_bytes())
    return file


class Origin:
    """Every server: an HTTP proxy that answers what is asked through it, itself."""

    def __init__(self, folder):
        self.authority = certificate(folder)
        self.answers = {HELD["standing"]: (SWITCHED + b"\x81\x1a" + b'{"op":"subscribed","id":1}', False)}
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.authority)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            with connection:
                request = read_message(connection)
                if not request.startswith(b"CONNECT "):
                    return self.answer(connection, "", request)
                host = request.split()[1].decode().partition(":")[0]
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                if host == PASSED:
                    connection.recv(1 << 16)
                    return None
                with self.context.wrap_socket(connection, server_side=True) as secured:
                    while request := read_message(secured):
                        self.answer(secured, host, request)
        except OSError:
            pass  # A client that ends resets its connections.

    def answer(self, connection, host, request):
        path = request.split(b" ", 2)[1].decode("latin-1")
        if not host:
            split = urllib.parse.urlsplit(path)
            host, path = split.hostname, path[path.index(split.netloc) + len(split.netloc):]
        message, ends = self.answers.get((host, path), (b"", False))
        connection.sendall(message)
        if (host, path) in HELD:
            # Until the client ends.
            while connection.recv(1 << 16):
                pass
            ends = True
        if ends:
            connection.shutdown(socket.SHUT_RDWR)

    def end(self):
        self.socket.close()


def read_message(connection):
    """A request with its body; nothing at the end of the connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(1 << 16)
        if not more:
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    while len(body) < length_of(head):
        body += connection.recv(1 << 16)
    return head + b"\r\n\r\n" + body


def length_of(head):
    return next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)


class Client:
    """A client of the proxy, for one connection to a server."""

    def __init__(self, console, host, scheme="https", **options):
        address, _, port = console.proxy.rpartition(":")
        self.socket = socket.create_connection((address, int(port)), PATIENCE)
        if scheme == "https":
            self.socket.sendall(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
            head = b""
            while b"\r\n\r\n" not in head:
                head += self.socket.recv(1)
            if b" 200 " not in head.partition(b"\r\n")[0] + b" ":
                raise Failure(f"the proxy refused {host}: {head}")
            if said := options.pop("says", None):
                # Not TLS: the proxy relays it.
                return self.socket.sendall(said)
            context = ssl.create_default_context(cafile=options.pop("authority", f"{console.folder.name}/ca/rootCA.pem"))
            for name, value in options.items():
                setattr(context, name, value)
            self.socket = context.wrap_socket(self.socket, server_hostname=host)

    def ask(self, message):
        """Sends a request, and reads until the response is whole or broken off."""
        self.socket.sendall(message)
        head, left = b"", None
        while left is None or left > 0:
            more = self.socket.recv(1 << 20)
            if not more:
                return
            if left is None:
                head += more
                if b"\r\n\r\n" in head:
                    fields, _, body = head.partition(b"\r\n\r\n")
                    left = length_of(fields) - len(body)
            else:
                left -= len(more)

    def close(self):
        self.socket.close()


def generated():
    """Traffic of several hosts, of programs and users, and two hosts whose statistics differ."""
    kinds, statuses = ("application/json", "text/html", "image/webp", "text/javascript", "text/css"), (200, 200, 200, 304, 404, 500)
    for number in range(300):
        yield entry(("api.example.test", "cdn.example.test", "shop.example.test", "auth.example.test", "telemetry.vendor.test")[number % 5], f"/v1/items/{number}",
                    started="2026-11-21T16:44:32.%03dZ" % number, milliseconds=1 + number % 70, method=("GET", "GET", "POST")[number % 3],
                    status=statuses[number % 6], kind=kinds[number % 5], size=number * 79)
    for number in range(8):
        name = ("", "curl", "Firefox", "<b>python3</b>")[number % 4]
        yield entry("programs.example.test", f"/{number}", **({"_clientProcess": {"pid": 1000 + number, "name": name, **({"path": f"/usr/bin/{name}"} if number % 3 else {})}} if name else {}),
                    **({"_proxyUser": ("anna", "<b>b\u00e9la</b>")[number % 3 - 1]} if number % 3 else {}))
    for number in range(4):
        yield entry("api.counted.test", f"/{number}", milliseconds=12.5, size=1_250_000)
    yield entry("slow.counted.test:8443", "/slow", milliseconds=1500, size=10)


def lines(entries):
    return "".join(json.dumps(one) + "\n" for one in entries).encode()


# Those of the specimens that a recording has no time for, or that go on: a group begins them itself.
class Recording:
    """The capture of a folder, and the numbers of its specimens by their names."""

    def __init__(self, program, folder):
        self.folder, self.names, self.specimens = pathlib.Path(folder), {}, specimens()
        self.folder.mkdir()
        self.origin = Origin(self.folder)
        rules = [word for rule in RULES for word in ("--rule", json.dumps(rule))]
        console = LiveConsole(program, *self.options, *rules, prepare=self.prepare)
        try:
            add(console, generated())
            self.record(console)
            terminate(console.process)
            for name in ("ca", "pinhole.sqlite"):
                copy(pathlib.Path(console.folder.name, name), self.folder / name)
        finally:
            console.end()

    @property
    def options(self):
        return "--upstream-proxy", f"http://{self.origin.address}", "--upstream-ca", f"{self.origin.authority}.crt"

    def prepare(self, folder):
        """Writes the files of a console into its folder."""
        pathlib.Path(folder, "config.json").write_text(json.dumps(CONFIGURATION), encoding="utf-8")
        for name in ("ca", "pinhole.sqlite"):
            if (self.folder / name).exists():
                copy(self.folder / name, pathlib.Path(folder, name))

    def record(self, console):
        for name, spec in self.specimens.items():
            if name in HELD:
                continue
            if "entry" in spec:
                add(console, [spec["entry"]])
            elif "response" in spec:
                self.ask(console, name)
            else:
                self.fail(console, name)
        self.names = self.found(console)
        for name, number in self.names.items():
            item = self.specimens[name]["item"]
            note = {key: item[key] for key in ("comment", "isMarked") if key in item}
            if note:
                console.ask(f"/api/traffic/{number}", json.dumps(note).encode(), "PATCH")

    def found(self, console):
        """The numbers of the specimens, once the last one is recorded."""
        names = [name for name in self.specimens if name not in HELD]
        while True:
            at = {}
            for item in json.loads(console.ask("/api/traffic?limit=200"))["items"]:
                at.setdefault((item["host"], item["path"]), []).append(item["id"])
            numbers = {}
            for name in reversed(names):
                # Of two to one place, the later one is the newer one.
                if left := at.get((self.specimens[name]["item"]["host"], self.specimens[name]["item"]["path"])):
                    numbers[name] = left.pop(0)
            if len(numbers) == len(names):
                return numbers

    def ask(self, console, name):
        """Sends the request of a specimen through the proxy of a console."""
        spec = self.specimens[name]
        host, path, scheme = spec["item"]["host"], spec["item"]["path"], spec["item"].get("scheme", "https")
        self.origin.answers[host, path] = (spec["response"], spec.get("isBrokenOff", False))
        client = Client(console, host, scheme)
        client.ask(spec["request"] if scheme == "https" else spec["request"].replace(b" /", f" http://{host}/".encode(), 1))
        client.close()

    def fail(self, console, name):
        """A connection on which no request comes through."""
        try:
            Client(console, self.specimens[name]["item"]["host"], **self.specimens[name].get("client", {})).close()
        except OSError:
            pass  # The client refuses the certificate, or the server is none for TLS.


class Numbers(dict):
    """The numbers of the specimens in the console of a group. What goes on or is large begins when a test asks for its number."""

    def __init__(self, recording, console):
        super().__init__(recording.names)
        self.recording, self.console, self.clients = recording, console, {}

    def __missing__(self, name):
        host, path = place = HELD.get(name, ("big.example.test", f"/{name}.json"))
        client = Client(self.console, host)
        if name in HELD:
            client.socket.sendall(self.recording.specimens[name]["request"])
            # A client that nothing refers to closes its connection.
            self.clients[name] = client
        else:
            body = bytearray().join(ROW % number for number in range(LARGE[name] // len(ROW % 0) + 1))[:LARGE[name]]
            body[0:1] = b"["
            self.recording.origin.answers[place] = (answer("application/json", body).encode() + body, False)
            client.ask(get(path, host).encode())
            client.close()
        items = []
        while not items or name in LARGE and "outcome" not in items[0]:
            items = json.loads(self.console.ask(f"/api/traffic?limit=1&filter={urllib.parse.quote(f'host == {host} & path == {path}')}"))["items"]
        self[name] = items[0]["id"]
        return self[name]

    def end(self, name):
        """Ends what goes on; it begins anew when a test asks for it again."""
        self.clients.pop(name).close()
        del self[name]


def copy(source, target):
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def add(console, entries):
    """Lets the program import entries, and waits until it has."""
    number = json.loads(console.ask("/api/imports?name=fixture&format=jsonl", lines(entries), "POST"))["id"]
    while (state := json.loads(console.ask(f"/api/imports/{number}")))["state"] in ("waiting", "running"):
        pass
    if state["state"] != "done" or state["leftOut"]:
        raise Failure(f"the import: {state}")
