#!/usr/bin/env python3
"""Stands for Pinhole's control API and serves the pages of the web console with generated traffic.

    mock_console.py [--port PORT] [--items COUNT] [--assets FOLDER]

Prints the URL with the token.
"""
import argparse
import bisect
import json
import pathlib
import queue
import re
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mock_connect import Ways
from mock_data import Capture, FilterProblem, generated
from mock_tls import handshakes

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src blob:; connect-src 'self'; font-src 'self'; "
          "base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
ASSETS = pathlib.Path(__file__).resolve().parents[2] / "Sources/CConsoleAssets/assets"


def leb128(ids):
    out, last = bytearray(), 0
    for number in ids:
        delta, last = number - last, number
        while delta > 127:
            out.append(delta & 127 | 128)
            delta >>= 7
        out.append(delta)
    return bytes(out)


def steps(ids):
    """Numbers in any order: the sign of each difference is its last bit."""
    out, last = bytearray(), 0
    for number in ids:
        difference, last = number - last, number
        step = 2 * difference if difference >= 0 else -2 * difference - 1
        while step > 127:
            out.append(step & 127 | 128)
            step >>= 7
        out.append(step)
    return bytes(out)


# The keys by which a list can be sorted, and their values in an item.
SORTS = {
    "id": lambda it: it["id"], "marked": lambda it: 1 if it["isMarked"] else None, "time": lambda it: it.get("started", it.get("opened")),
    "scheme": lambda it: it.get("scheme") if it["type"] == "exchange" else None, "port": lambda it: it.get("port", 443), "url": lambda it: it.get("url", it.get("authority")),
    "method": lambda it: it.get("method"), "status": lambda it: it.get("status"), "protocol": lambda it: it.get("protocol"),
    "host": lambda it: it.get("host"), "path": lambda it: it["path"] if it["type"] == "exchange" else None,
    "type": lambda it: it.get("contentType"), "response.size": lambda it: it.get("responseBytes", it.get("bytesFromServer")),
    "request.size": lambda it: it.get("requestBytes", it.get("bytesFromClient")), "duration": lambda it: lasted(it),
    "client": lambda it: it.get("client"), "process": lambda it: it.get("clientProcess", {}).get("name"), "proxy.user": lambda it: it.get("proxyUser"), "flow": lambda it: it.get("flow", it["id"]), "comment": lambda it: it["comment"] or None,
}


def lasted(item):
    return 1000.0 if item["type"] == "flow" else item.get("milliseconds")


def canonical(text):
    """The canonical form of a filter: words are searched in URLs."""
    words = text.split()
    is_words = words and all(re.fullmatch(r"[\w./-]+|\"[^\"]*\"", word) and word not in ("failed", "marked", "websocket", "spare", "running") for word in words)
    return " & ".join(f"url matches {word}" for word in words) if is_words else text


def filter_problem(problem):
    more = {"suggestion": problem.suggestion} if problem.suggestion else {}
    return {"title": "This is no filter", "status": 422, "detail": problem.detail, "column": problem.column, **more}


class Refusal(Exception):
    """An error status with the texts of its problem document."""

    def __init__(self, status, title, detail):
        super().__init__(detail)
        self.status, self.title, self.detail = status, title, detail


class Mock:
    """The state that all connections share."""

    def __init__(self, items):
        self.capture = Capture(items)
        self.token = "mock-token"
        self.lock = threading.Lock()
        self.listeners = {}
        self.log = []
        self.is_recording, self.is_ended = True, False
        # The reason why recording stands still.
        self.standstill = None
        # Seconds before a stream of events opens.
        self.slowness = 0
        # Lets searches of one range after the other pass; `None` lets all pass.
        self.ranges = None
        # Seconds that a sorted index takes.
        self.sorting = 0
        self.indexes, self.matches = {}, {}
        # Generated items by place and number, because a list is sorted many times.
        self.made = {}
        self.hosts = {}
        self.filters = {}
        self.passthrough = ["*.bank.example"]
        # The names of the browsers, the reason why none can be opened, and the opened ones.
        self.browsers, self.obstacle, self.opened = ["chromium", "firefox"], None, []
        # The requests that were sent again.
        self.sent = []
        self.ways = Ways()

    def state(self):
        capture = self.capture
        return {"version": "0.6.0", "proxy": ["127.0.0.1:8080"], "started": "2026-11-21T16:40:00.000Z", "isRecording": self.is_recording,
                "scope": {"filter": "", "leftOut": 0}, "capture": {"path": "/var/lib/pinhole/capture.sqlite", "bytes": 734003200, "exchanges": len(capture.ids),
                            "flows": len(capture.ids) // 6, "first": capture.ids[0] if capture.ids else 0, "last": capture.ids[-1] if capture.ids else 0,
                            **({"standstill": self.standstill} if self.standstill else {})},
                "ca": {"path": "/var/lib/pinhole/rootCA.pem", "sha256": "b0" * 32, "notAfter": "2036-11-20T16:44:32Z"}}

    def settings(self):
        return {"passthrough": self.passthrough, "captureFilter": "", "file": "config.json",
                "facts": [{"name": "proxy.listen", "value": "127.0.0.1:8080"}]}

    def saved(self):
        return {"filters": [{"name": name, "text": text, "canonical": text} for name, text in sorted(self.filters.items())]}

    def tell(self, kind, data, number, place=None):
        with self.lock:
            for mailbox, filtering in self.listeners.items():
                if place is None or filtering(place):
                    mailbox.put((kind, data, number))

    def state_of(self, text):
        """The key of a cached answer. The count alone may return after removals and additions; the last id may not."""
        return text, len(self.capture.ids), self.capture.ids[-1] if self.capture.ids else 0, len(self.capture.notes)

    def matching(self, text):
        """The ids of all matches, for questions about one range after the other."""
        if not text.strip():
            return self.capture.ids
        key = self.state_of(text)
        if key not in self.matches:
            self.matches[key] = self.capture.matching(text)
        return self.matches[key]

    def index(self, text):
        key = self.state_of(text)
        if key not in self.indexes:
            self.indexes[key] = leb128(self.capture.matching(text))
        return self.indexes[key]

    def sorted(self, text, sort, is_descending):
        """The ids of all matches in sorted order."""
        capture, key = self.capture, SORTS[sort]
        found = [(key(self.item(number)), number) for number in capture.matching(text)]
        valued = sorted(((value.lower() if isinstance(value, str) else value, number) for value, number in found if value is not None),
                        reverse=is_descending)
        missing = sorted((number for value, number in found if value is None), reverse=is_descending)
        return [number for _, number in valued] + missing

    def item(self, number):
        place = self.capture.place(number)
        if number in self.capture.special or number in self.capture.notes:
            return self.capture.item(place)
        return self.made.get((place, number)) or self.made.setdefault((place, number), self.capture.item(place))

    def hosts_of(self, text):
        key = self.state_of(text)
        if key not in self.hosts:
            found, capture = {}, self.capture
            for number in capture.matching(text):
                place = capture.place(number) if capture.special and number in capture.special else None
                if place is None:
                    # The place of a generated item follows from its number.
                    template = capture.template((number - 1) >> 1)
                    name, port, has_failed = template["host"], 443, template["kindFailed"]
                else:
                    item = capture.item(place)
                    name, port, has_failed = item["host"], item.get("port", 443), "handshakeFailure" in item
                entry = found.get(name) or found.setdefault(name, {"host": name, "exchanges": 0, "failed": 0, "last": 0, "ports": {}})
                for one in (entry, entry["ports"].setdefault(port, {"port": port, "exchanges": 0, "failed": 0})):
                    one["exchanges"] += 1
                    one["failed"] += has_failed
                entry["last"] = number
            listed = ({**entry, "ports": sorted(entry["ports"].values(), key=lambda one: one["port"])} for entry in found.values())
            self.hosts[key] = sorted(listed, key=lambda entry: entry["host"])
        return self.hosts[key]

    def control(self, name, **order):
        """What tests do to the mock: the keys are those of an item, or say which items are meant."""
        capture = self.capture
        match name:
            case "emit":
                made = []
                for _ in range(order.pop("count", 1)):
                    item = capture.emit(**order)
                    made.append(item["id"])
                    self.tell("traffic", item, item["id"], len(capture.ids) - 1)
                return made
            case "change":
                number, silently = order.pop("id"), order.pop("silently", False)
                capture.special.setdefault(number, {"item": {}})["item"].update(order)
                self.matches.clear()
                if not silently:
                    self.tell("traffic", capture.item(capture.place(number)), number, capture.place(number))
            case "cut":
                # Ends the streams of events.
                with self.lock:
                    for mailbox in self.listeners:
                        mailbox.put(None)
            case "gone":
                capture.ids = type(capture.ids)("q", (number for number in capture.ids if number > order["upTo"]))
                self.tell("gone", order, capture.ids[-1])
            case "remove":
                capture.ids = type(capture.ids)("q", (number for number in capture.ids if number not in order["ids"]))
                self.tell("reload", {"isBehind": False}, capture.ids[-1])
            case "miss":
                self.tell("reload", {"isBehind": True}, capture.ids[-1])
            case "stop":
                self.standstill, self.is_recording = order["standstill"], order["standstill"] is None
                self.tell("state", self.state(), capture.next_id())


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    mock = None
    assets = ASSETS

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", kind="application/json", **fields):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": POLICY,
                            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
                            "Cross-Origin-Resource-Policy": "same-origin", **fields}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def problem(self, status, title, **more):
        self.reply(status, {"title": title, "status": status, **more}, "application/problem+json")

    def body(self):
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")

    def handle_any(self):
        if self.mock.is_ended:
            # A server that is gone must not answer on a connection that was kept open.
            self.close_connection = True
            return None
        split = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(split.query, keep_blank_values=True))
        path = urllib.parse.unquote(split.path)
        if path == "/" and "token" in self.query:
            return self.reply(303, Location="/", Set_Cookie=f"pinhole-token={self.query['token']}; HttpOnly; SameSite=Strict; Path=/")
        if f"pinhole-token={self.mock.token}" not in (self.headers.get("Cookie") or ""):
            if path.startswith("/api/"):
                return self.problem(401, "A token is needed", detail="The cookie is missing or its token is not the one of this capture.",
                                    remedy="Open the URL that pinhole printed.")
            return self.reply(401, b"<!doctype html><title>Token</title><p>A token is needed.", "text/html; charset=utf-8")
        if not path.startswith("/api/"):
            return self.asset("index.html" if path == "/" else path[1:])
        self.mock.log.append(f"{self.command} {self.path}")
        try:
            self.api([urllib.parse.unquote(part) for part in split.path[5:].split("/") if part])
        except FilterProblem as problem:
            self.reply(422, filter_problem(problem), "application/problem+json")
        except Refusal as refusal:
            self.problem(refusal.status, refusal.title, detail=refusal.detail)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def asset(self, name):
        file = (self.assets / name).resolve()
        if not file.is_relative_to(self.assets.resolve()) or not file.is_file():
            return self.reply(404, b"not here", "text/plain")
        self.reply(200, file.read_bytes(), TYPES[file.suffix])

    def called(self, text):
        """The filter with the texts of the saved filters that it refers to."""
        return re.sub(r"@(\w+)", lambda found: self.mock.filters.get(found[1], found[0]), text)

    def api(self, parts):
        mock, capture = self.mock, self.mock.capture
        text = self.called(self.query.get("filter", ""))
        match [self.command, *parts]:
            case ["GET", "state"]:
                self.reply(200, mock.state())
            case ["PUT", "recording"]:
                mock.is_recording = bool(self.body()["isRecording"])
                self.reply(200, {"isRecording": mock.is_recording})
                mock.tell("state", mock.state(), capture.next_id())
            case ["GET", "trust"]:
                self.reply(200, {"exemptions": [], "clientCertificates": []})
            case ["GET", "settings"]:
                self.reply(200, mock.settings())
            case ["PUT", "settings"]:
                mock.passthrough = self.body()["passthrough"]
                self.reply(200, mock.settings())
            case ["GET", "connect"]:
                self.reply(200, mock.ways.listing())
            case ["GET", "browser"]:
                more = {"problem": mock.obstacle} if mock.obstacle else {}
                self.reply(200, {"browsers": [{"name": name, "family": name} for name in mock.browsers], "running": [], "asksForPassword": False, **more})
            case ["POST", "browser"]:
                name = self.body()["browser"]
                if name not in mock.browsers:
                    raise Refusal(422, "no such browser", f"browser: expected {', '.join(mock.browsers)}, found “{name}”")
                mock.opened.append(name)
                self.reply(201, {"id": len(mock.opened), "browser": name, "opened": "2026-11-21T16:44:32Z"})
            case ["POST", "send"]:
                mock.sent.append(self.body())
                self.reply(200, {"id": capture.ids[-1], "status": 200, "head": "", "bodyBase64": "", "length": 0, "milliseconds": 1})
            case ["GET", "compose"]:
                self.reply(200, {"collections": [], "environments": [], "history": [], "file": "compose.json", "historyFile": "compose-history.json"})
            case ["GET", "rules"]:
                self.reply(200, {"revision": 1, "rules": [], "remarks": [], "presets": []})
            case ["GET", "settings", "file"]:
                self.reply(200, {"path": "config.json", "exists": True, "fingerprint": "1", "before": "{}", "after": "{}"})
            case ["GET", "rules", "kinds"]:
                self.reply(200, {"keys": [], "kinds": []})
            case ["GET", "breakpoints"]:
                self.reply(200, {"held": []})
            case ["GET", "log"]:
                self.reply(200, {"entries": []})
            case ["GET", "filter"]:
                try:
                    capture.matches(self.called(self.query.get("text", "")))
                except FilterProblem as problem:
                    return self.reply(200, {"problem": filter_problem(problem)})
                self.reply(200, {"canonical": canonical(self.query.get("text", "")), "isSQL": True, "remarks": ["servers send 100 to 599, as a rule: “700” may find nothing"] if "700" in self.query.get("text", "") else []})
            case ["GET", "filter", "suggestion"]:
                self.reply(200, {})
            case ["GET", "filters"]:
                self.reply(200, mock.saved())
            case ["PUT", "filters", name]:
                if not re.fullmatch(r"[A-Za-z][\w.-]*", name):
                    raise Refusal(422, "filter cannot be saved", f"expected a name, found “{name}”")
                mock.filters[name] = self.body()["text"]
                self.reply(200, mock.saved())
            case ["DELETE", "filters", name]:
                mock.filters.pop(name)
                self.reply(200, mock.saved())
            case ["GET", "hosts"]:
                self.reply(200, {"hosts": mock.hosts_of(text), "upTo": max(mock.capture.ids, default=0)})
            case ["GET", "traffic", "index"] if "sort" in self.query:
                time.sleep(mock.sorting)
                ids = mock.sorted(text, self.query["sort"], self.query.get("order") == "descending")
                self.reply(200, steps(ids), "application/octet-stream")
            case ["GET", "traffic", "index"] if "after" in self.query or "before" in self.query:
                if mock.ranges:
                    mock.ranges.acquire()
                ids = mock.matching(text)
                first, end = bisect.bisect_right(ids, int(self.query.get("after", 0))), bisect.bisect_left(ids, int(self.query.get("before", 1 << 60)))
                self.reply(200, leb128(ids[first:end]), "application/octet-stream")
            case ["GET", "traffic", "index"]:
                self.reply(200, mock.index(text), "application/octet-stream")
            case ["GET", "traffic"] if "ids" in self.query:
                places = (capture.place(int(number)) for number in self.query["ids"].split(",") if number)
                self.reply(200, {"items": [capture.item(place) for place in places if place is not None]})
            case ["GET", "traffic"]:
                self.list(text)
            case ["DELETE", "traffic"] if self.query.get("ids"):
                gone = {int(number) for number in self.query["ids"].split(",")}
                capture.ids = type(capture.ids)("q", (number for number in capture.ids if number not in gone))
                self.reply(204)
                mock.tell("reload", {"isBehind": False}, max(capture.ids, default=0))
            case ["DELETE", "traffic"] if not text:
                self.problem(400, "nothing said", detail="expected a filter or ids, found neither")
            case ["DELETE", "traffic"]:
                gone = set(capture.ids if text == "all" else capture.matching(text))
                capture.ids = type(capture.ids)("q", (number for number in capture.ids if number not in gone))
                self.reply(204)
                if text == "all":
                    mock.tell("gone", {"upTo": max(gone, default=0)}, max(gone, default=0))
            case ["PATCH", "traffic", number]:
                self.note(int(number))
            case [_, "traffic", number, *rest] if capture.place(int(number)) is None:
                self.problem(404, "It is gone", detail=f"Nothing has the number {number}: it may have been removed by retention.")
            case ["GET", "traffic", number]:
                self.reply(200, self.detail(int(number)))
            case ["GET", "traffic", number, ("request-body" | "response-body") as owner]:
                self.bytes(int(number), owner)
            case ["POST", "traffic", number, "abort"]:
                self.abort(int(number))
            case ["GET", "flows", number, "tls"]:
                self.tls(int(number))
            case ["GET", "export"]:
                self.reply(200, b"{}", "application/octet-stream", Content_Disposition='attachment; filename="pinhole.har"')
            case ["GET", "events"]:
                self.events(text)
            case _:
                self.problem(404, "There is nothing here")

    def spec(self, number):
        capture = self.mock.capture
        spec = capture.special.get(number)
        return spec if spec and ("response" in spec or "request" in spec or spec["item"].get("type") == "flow") else {
            **generated(capture.item(capture.place(number))), **(spec or {})}

    def abort(self, number):
        capture = self.mock.capture
        item = capture.item(capture.place(number))
        if item.get("outcome"):
            return self.problem(409, "over", detail=f"{number} is over: {item['outcome']}")
        end = {"outcome": "aborted", "detail": "the user ended it"} if item["type"] == "flow" else {"outcome": "abortedByUser", "detail": "the user ended it"}
        capture.special.setdefault(number, {"item": {}})["item"].update({**end, "milliseconds": 61000.5})
        self.mock.matches.clear()
        self.reply(204)
        self.mock.tell("traffic", capture.item(capture.place(number)), number, capture.place(number))

    def list(self, text):
        capture = self.mock.capture
        ids = capture.matching(text)
        limit, before = int(self.query.get("limit", 200)), int(self.query.get("before", 1 << 60))
        found = []
        for number in reversed(ids):
            if number < before:
                if len(found) == limit:
                    break
                found.append(number)
        self.reply(200, {"items": [capture.item(capture.place(number)) for number in found], "more": len(ids) > len(found)})

    def note(self, number):
        capture = self.mock.capture
        capture.notes.setdefault(number, {}).update(self.body())
        self.mock.matches.clear()
        place = capture.place(number)
        self.reply(200, capture.item(place))
        self.mock.tell("traffic", capture.item(place), number, place)

    def detail(self, number):
        capture = self.mock.capture
        item, spec = capture.item(capture.place(number)), self.spec(number)
        notes = {"isMarked": item["isMarked"], "comment": item["comment"]}
        tls = handshakes(item, spec) or {}
        if item["type"] == "flow":
            return {"flow": item, "client": tls.get("client"), "server": tls.get("server"), "dials": tls.get("dials", []), **notes}
        detail = {"exchange": item, "request": self.message(spec["request"]), **notes,
                  "timings": item["timings"],
                  "flow": {"flow": {"id": item["flow"], "client": item["client"], "clientProcess": item.get("clientProcess"), "server": "192.0.2.7:443",
                                    "authority": item["host"] + ":443", "treatment": "intercepted", "opened": item["started"],
                                    "reason": "intercepted: no rule in tls.passthrough matches", "exchanges": 3},
                           "dials": tls.get("dials", []), "client": tls.get("client"), "server": tls.get("server"),
                           "keyExchange": tls.get("keyExchange")}}
        if "response" in spec:
            detail["response"] = self.message(spec["response"])
        return detail

    @staticmethod
    def message(parts):
        head, body, _ = parts
        return {"head": head, "body": {"length": len(body), "captured": len(body), "isComplete": True}}

    def bytes(self, number, owner):
        _, raw, decoded = self.spec(number)["request" if owner == "request-body" else "response"]
        offset, length = int(self.query.get("offset", 0)), int(self.query.get("length", 1 << 20))
        whole = decoded if self.query.get("decoded") == "1" else raw
        total, data = len(whole), whole[offset:offset + length]
        self.reply(200, data, "application/octet-stream", Pinhole_Total=str(total), Content_Range=f"bytes {offset}-{offset + len(data) - 1}/{total}",
                   Content_Disposition="attachment", Content_Security_Policy=POLICY + "; sandbox")

    def tls(self, number):
        capture = self.mock.capture
        place = capture.place(number)
        if place is None:
            # For the number of a flow: its exchange has the next number.
            place = capture.place(number + 1) or 0
        answer = handshakes(capture.item(place), self.spec(capture.ids[place]))
        return self.reply(200, answer) if answer else self.problem(404, "There was no TLS", detail="The flow was not decrypted.")

    def events(self, text):
        capture = self.mock.capture
        mailbox = queue.Queue()
        time.sleep(self.mock.slowness)
        with self.mock.lock:
            self.mock.listeners[mailbox] = capture.matches(text)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.write(b": hello\nretry: 500\n\nevent: begin\ndata: {}\n\n")
            last = self.headers.get("Last-Event-ID")
            for number in capture.ids if last else []:
                if number > int(last) and self.mock.listeners[mailbox](capture.place(number)):
                    self.send_event("traffic", capture.item(capture.place(number)), number)
            self.send_event("state", self.mock.state(), capture.ids[-1] if capture.ids else 0)
            self.send_event("breakpoints", [], capture.ids[-1] if capture.ids else 0)
            while True:
                try:
                    event = mailbox.get(timeout=15)
                except queue.Empty:
                    self.wfile.write(b": still here\n\n")
                    continue
                if event is None:
                    return
                self.send_event(*event)
        except OSError:
            pass
        finally:
            with self.mock.lock:
                self.mock.listeners.pop(mailbox, None)

    def send_event(self, kind, data, number):
        self.wfile.write(f"event: {kind}\nid: {number}\ndata: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def end(self, mock):
        """Behaves as if the process were gone."""
        mock.is_ended = True
        self.shutdown()
        self.server_close()
        with mock.lock:
            for mailbox in mock.listeners:
                mailbox.put(None)

    def handle_error(self, *_):
        pass  # A closing browser resets its connections.


def start(items=2000, port=0, assets=ASSETS):
    """Serves from a thread of its own; returns the server and the shared state."""
    mock = Mock(items)
    handler = type("Bound", (Handler,), {"mock": mock, "assets": pathlib.Path(assets)})
    server = Server(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, mock


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--assets", default=ASSETS)
    options = parser.parse_args()
    server, mock = start(options.items, options.port, options.assets)
    print(f"http://127.0.0.1:{server.server_address[1]}/?token={mock.token}", flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
