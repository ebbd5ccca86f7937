"""The generated capture of the mock console: any number of items, computed from their places."""
import bisect
import re
import time
from array import array

from mock_connect import SUMMARIES
from mock_specimens import specimens
from specimens import answer, get

PERIOD = 5040
STARTED = 1795279472.0  # 2026-11-21T16:44:32Z
HOSTS = ["api.example.test", "cdn.example.test", "shop.example.test", "auth.example.test", "telemetry.vendor.test",
         "images.vendor.test", "api.payments.test", "static.site.test", "search.internal.test"]
METHODS = ["GET"] * 7 + ["POST", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]
STATUSES = [200] * 12 + [201, 204, 206, 301, 304, 304, 400, 401, 404, 429, 500, 503]
KINDS = ["application/json", "text/html", "image/webp", "text/javascript", "text/css", "application/grpc", "font/woff2"]
PATHS = ["/v1/items", "/v2/orders", "/assets/app", "/session", "/collect", "/thumb", "/search", "/api/graphql"]


def iso(seconds):
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03}Z"


def type_word(value):
    """The word that lists show for a Content-Type, as the program shortens it."""
    kind = value.split(";")[0].strip().lower()
    first, _, name = kind.partition("/")
    name = name.removeprefix("x-")
    return kind if first not in ("application", "text") else "js" if name in ("javascript", "ecmascript") else name


def timings(item):
    """Shares of the whole time, as on a new connection."""
    total = item.get("milliseconds") or 61.0
    shares = {"queue": 0.01, "dns": 0.05, "connect": 0.17, "tls": 0.28, "requestEnded": 0.53, "firstByte": 0.86}
    found = {name: round(share * total, 3) for name, share in shares.items()}
    return {**found, "total": total} if item.get("milliseconds") is not None else found


class FilterProblem(Exception):
    """An invalid filter."""

    def __init__(self, column, detail, suggestion=None):
        super().__init__(detail)
        self.column, self.detail, self.suggestion = column, detail, suggestion


class Capture:
    """Items by place: generated items first, then the specimens, then emitted ones."""

    def __init__(self, count):
        self.count = count
        self.ids = array("q", (i * 2 + 1 + (i % 7 == 0) for i in range(count)))
        self.special, self.names, self.notes = {}, {}, {}
        self.templates = [self._template(t) for t in range(PERIOD)]
        for name, spec in specimens().items():
            number = self.next_id()
            self.ids.append(number)
            self.special[number] = spec
            self.names[name] = number

    def next_id(self):
        return (self.ids[-1] if self.ids else 0) + 2

    def emit(self, **overrides):
        """Adds an item that begins now."""
        number = self.next_id()
        self.ids.append(number)
        place = len(self.ids) - 1
        if overrides:
            self.special[number] = {"item": {"method": "GET", "status": 200, "host": "live.example.test",
                                             "path": f"/live/{number}", **overrides}}
        return self.item(place)

    def place(self, number):
        index = bisect.bisect_left(self.ids, number)
        return index if index < len(self.ids) and self.ids[index] == number else None

    def template(self, i):
        return self.templates[i % PERIOD]

    @staticmethod
    def _template(t):
        return {"method": METHODS[t % 13], "status": STATUSES[t * 5 % 24], "host": HOSTS[t * 7 % 9],
                "contentType": KINDS[t % 7], "path": PATHS[t % 8], "type": "exchange", "kindFailed": t % 560 == 13}

    def item(self, place):
        number = self.ids[place]
        spec = self.special.get(number)
        t = self.template(place)
        size = (place * 7919) % 90000 + 40
        item = {
            "type": "exchange", "id": number, "flow": number - 1,
            "started": iso(STARTED + place * 0.05), "method": t["method"], "host": t["host"],
            "path": f"{t['path']}/{place}", "status": t["status"], "requestBytes": 0 if t["method"] == "GET" else 214,
            "responseBytes": size, "milliseconds": round((place * 31) % 4000 / 7 + 1.2, 3), "outcome": "completed", "notes": [],
            "contentType": t["contentType"], "protocol": "h2" if place % 3 else "h1", "scheme": "https",
            "isMarked": False, "comment": "", "client": "127.0.0.1:%d" % (40000 + place % 2000),
        }
        if place % 3:
            item["proxyUser"] = ("anna", "<b>béla</b>")[place % 3 - 1]
        if place % 4:
            name = ("curl", "Firefox", "<b>python3</b>")[place % 4 - 1]
            item["clientProcess"] = {"pid": 1000 + place % 7, "name": name, **({"path": f"/usr/bin/{name}"} if place % 3 else {})}
        if spec is None and t["kindFailed"]:
            spec = {"item": {"type": "flow", "host": t["host"], "path": "", "authority": t["host"] + ":443",
                             "status": None, "method": None, "outcome": "handshakeFailed", "fault": "client",
                             "detail": "The client ended the handshake with bad_certificate (42).",
                             "handshakeFailure": {"peer": "client", "cause": "certificateRefused", "isHint": False, "milliseconds": 3.1,
                                                  "endedBy": "client", "alert": "bad_certificate", "alertCode": 42, "bytesAfterHandshake": 0,
                                                  "detail": "The client ended the handshake with bad_certificate (42)."}}}
        item.update((spec or {}).get("item", {}))
        if item["type"] == "flow":
            item.update(opened=item.pop("started"), closed=iso(STARTED + place * 0.05 + 1))
            item.setdefault("exchanges", 0)
            item.setdefault("bytesFromClient", 517)
            item.setdefault("bytesFromServer", 1320)
            for key in ("method", "status", "url", "scheme", "flow", "requestBytes", "responseBytes", "milliseconds", "contentType"):
                item.pop(key, None)
        else:
            own = {"http": 80, "https": 443}[item["scheme"]]
            item.setdefault("port", own)
            item["url"] = f"{item['scheme']}://{item['host']}{'' if item['port'] == own else ':%d' % item['port']}{item['path']}"
            item.setdefault("timings", (spec or {}).get("timings") or timings(item))
        if item.get("contentType"):
            item["typeWord"] = type_word(item["contentType"])
        item.update(self.notes.get(number, {}))
        item.setdefault("standing", standing(item))
        if item.get("handshakeFailure"):
            item["handshakeFailure"] = {"summary": SUMMARIES[item["handshakeFailure"]["cause"]], **item["handshakeFailure"]}
        item.setdefault("cause", cause(item))
        if is_answered_failure(item):
            item["isAnsweredFailure"] = True
        return {key: value for key, value in item.items() if value is not None}

    def matches(self, text):
        """A predicate over places for a filter: a small part of the language."""
        tests = [compiled(term, column) for term, column in terms(text)]

        def predicate(place):
            number = self.ids[place]
            if number in self.special or number in self.notes:
                facts = {**self.item(place)}
            else:
                facts = dict(self.template(place))
                facts["handshakeFailure"] = facts["kindFailed"] or None
                if facts["kindFailed"]:
                    facts.update(type="flow", method=None, status=None)
            return all(test(facts) for test in tests)

        return predicate

    def matching(self, text):
        """The ids of all matches."""
        predicate = self.matches(text)
        if not text.strip():
            return self.ids
        noted = set(self.special) | set(self.notes)
        table = {}
        out = array("q")
        for place, number in enumerate(self.ids):
            if number in noted:
                if predicate(place):
                    out.append(number)
                continue
            t = place % PERIOD
            if t not in table:
                table[t] = predicate(place)
            if table[t]:
                out.append(number)
        return out


def terms(text):
    """The terms of a conjunction, each with its column; parentheses are skipped."""
    start = 0
    quoted = False
    part = ""
    for index, character in enumerate(text + "&"):
        if character == '"':
            quoted = not quoted
        if character in "()" and not quoted:
            continue
        if character == "&" and not quoted:
            if part.strip():
                yield part.strip(), start + len(part) - len(part.lstrip()) + 1
            elif index < len(text):
                raise FilterProblem(index + 1, "expected an operand before “&”")
            part, start = "", index + 1
            continue
        part += character
    if quoted:
        raise FilterProblem(len(text) + 1, "expected a closing quotation mark, found the end")


def standing(item):
    """The result of an item in a word, as the program gives it."""
    outcome, status = item.get("outcome", "completed"), item.get("status") or 0
    if item.get("type") == "flow":
        if item.get("handshakeFailure") or outcome not in ("completed", "spare", "stopped", None):
            return "broken"
        return "relayed" if outcome == "completed" and item.get("treatment") in ("passedThrough", "opaque") else outcome
    if outcome is None:
        return None
    if outcome == "answeredByProxy":
        return "broken" if (status or 400) >= 400 else "completed"
    if outcome not in ("completed", "closedByClient"):
        return "broken"
    return "failed" if status >= 400 else "completed"


def cause(item):
    """Why an item failed, in the few words that the program gives."""
    failure = item.get("handshakeFailure")
    if failure:
        alert = f", alert {failure['alert']} ({failure['alertCode']})" if failure.get("alert") else ""
        return f"TLS with the {failure['peer']}: {'probably ' if failure['isHint'] else ''}{failure['summary']}{alert}"
    return {"broken": item.get("detail"), "failed": item.get("protocolError")}.get(item["standing"])


def is_answered_failure(item):
    """Whether an exchange shows the failed handshake of a flow."""
    return item.get("type") == "flow" and item.get("exchanges", 0) > 0 and (item.get("handshakeFailure") or {}).get("peer") == "server"


def compiled(term, column):
    if " | " in term:
        tests = [compiled(part.strip(), column) for part in term.split(" | ")]
        return lambda item: any(test(item) for test in tests)
    if term in ("status", "host", "path", "method", "type"):
        raise FilterProblem(column + len(term), f"expected a comparison after “{term}”")
    if term == "tls.answered":
        return is_answered_failure
    if term.startswith("!"):
        inner = compiled(term[1:].strip(), column + 1)
        return lambda item: not inner(item)
    if term in ("failed", "~e"):
        return lambda item: bool(item.get("handshakeFailure")) or standing(item) in ("failed", "broken")
    if term == "broken":
        return lambda item: bool(item.get("handshakeFailure")) or standing(item) == "broken"
    if term == "all":
        return lambda item: True
    if term == "http":
        return lambda item: item.get("type", "exchange") == "exchange"
    if term == "marked":
        return lambda item: bool(item.get("isMarked"))
    if term == "websocket":
        return lambda item: item.get("protocol") == "ws"
    match = re.fullmatch(r"(\w+)\s*(==|!=|>=|<=|>|<|~|contains)\s*(.*)", term)
    if match:
        name, operation, value = match.groups()
        value = value.strip('"')
        if name == "port":
            return lambda item: (item.get("port", 443) == int(value)) == (operation == "==")
        key = {"status": "status", "method": "method", "host": "host", "path": "path", "type": "contentType"}.get(name)
        if key is None:
            raise FilterProblem(column, f"expected a field, found “{name}”", "status" if name.startswith("s") else "host")
        if key == "status":
            if not value.isdigit():
                raise FilterProblem(column + match.start(3), f"expected a status, found “{value}”")
            compare = {"==": int.__eq__, "!=": int.__ne__, ">=": int.__ge__, "<=": int.__le__, ">": int.__gt__, "<": int.__lt__}[operation]
            return lambda item: item.get("status") is not None and compare(item["status"], int(value))
        if operation in ("~", "contains"):
            return lambda item: value.strip("*").lower() in (item.get(key) or "").lower()
        return lambda item: ((item.get(key) or "") == value) == (operation == "==")
    if term.startswith("~"):
        match = re.fullmatch(r"~([dumchb])\s+(.+)", term)
        if not match:
            raise FilterProblem(column, f"expected an operator, found “{term.split()[0]}”", "~d")
        key = {"d": "host", "u": "path", "m": "method", "c": "status", "h": "contentType", "b": "body"}[match[1]]
        return lambda item: match[2].lower() in str(item.get(key) or "").lower()
    return lambda item: term.strip('"').lower() in f"{item.get('host')}{item.get('path')}".lower()


def generated(item):
    """The messages of a generated exchange."""
    body = ('{"id":%d,"path":"%s","values":[1,2,3]}' % (item["id"], item["path"])).encode()
    return {"request": (get(item["path"], item["host"]), b"", b""),
            "response": (answer(item.get("contentType") or "text/plain", body), body, body)}
