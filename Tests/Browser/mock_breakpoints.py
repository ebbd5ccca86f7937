"""The held messages of the mock console, and its rules."""
import base64
import datetime
import json
import re
import threading
import time


def key(name, kind, meaning, **more):
    """A key of a rule, as the program declares it."""
    return {"name": name, "type": kind, "meaning": meaning, "isRequired": False, "isList": False, "words": [], "numbers": [], "keys": [], **more}


STATUS = key("status", "integer", "the status of the response", minimum=200, maximum=599)
BODY, FILE = key("body", "content", "its content"), key("file", "line", "its content from a file, instead of `body`")
SET = key("set", "line", "`[\"X-Debug: 1\"]` gives the header this one value", isList=True)
EITHER = {"names": ["body", "file"], "isRequired": False}
FORMS = {
    "keys": [key("do", "words", "the kind of the rule", isRequired=True), key("when", "filter", "a filter (docs/FILTERS.md)"), key("name", "line", "the name"),
             key("enabled", "boolean", "`false` switches the rule off", usual="true"), key("chance", "number", "the part of the matches", usual="1", minimum=0, maximum=1)],
    "kinds": [{"kind": kind, "summary": summary, "answers": False, "keys": keys, **more} for kind, summary, keys, more in (
        ("block", "answers without content", [key("with", "integer", "a status, `close` or `reset`", usual="403", minimum=200, maximum=599, words=["close", "reset"])], {}),
        ("mock", "answers in the server's place", [STATUS, key("fields", "line", "its fields", isList=True), BODY, FILE], {"alternatives": EITHER}),
        ("mapLocal", "answers with a file", [FILE, key("folder", "line", "the folder")], {"alternatives": {"names": ["file", "folder"], "isRequired": True}}),
        ("mapRemote", "sends the request to another server", [key("to", "line", "a URL", isRequired=True), key("keepHost", "boolean", "keeps the name", usual="false")], {}),
        ("breakpoint", "holds messages", [key("at", "words", "the messages that are held", usual='"request"', words=["request", "response", "both"]),
                                         key("seconds", "number", "the time", usual="60", minimum=1, maximum=86400, unit="seconds")], {}),
        ("throttle", "makes it slow", [key("preset", "words", "one of the presets", words=["3G", "Regular 3G", "Wi-Fi"])], {}),
        ("rewriteRequest", "changes the request", [SET, BODY, FILE], {"alternatives": EITHER}),
        ("rewriteResponse", "changes the response", [STATUS, SET, BODY, FILE], {"alternatives": EITHER}))]}
PRESETS = [{"name": "Regular 3G", "downKilobits": 750, "upKilobits": 250, "latencyMilliseconds": 100},
           {"name": "Wi-Fi", "downKilobits": 30000, "upKilobits": 15000, "latencyMilliseconds": 2}]
MEMBERS = {"continue": {"method", "path", "status", "fields", "body", "bodyBase64"}, "respond": {"status", "fields", "body", "bodyBase64"},
           "drop": {"reset"}}


class Refusal(Exception):
    """An error status with the texts of its problem document."""

    def __init__(self, status, title, detail):
        super().__init__(detail)
        self.status, self.title, self.detail = status, title, detail


def iso(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Rules:
    """Rules by their texts. A filter with `stauts` is invalid."""

    def __init__(self):
        self.texts, self.revision = [], 1

    def listing(self):
        rules, remarks = [], []
        for index, text in enumerate(self.texts):
            rule = json.loads(text)
            if "status" in rule.get("when", "") and rule["do"] == "breakpoint" and rule.get("at", "request") == "request":
                remarks.append({"index": index, "text": "it can never act: breakpoint is done before there is a response, and the filter asks for one (status)"})
            rules.append({"text": text, "name": rule.get("name", f"rule {index + 1}"), "kind": rule["do"], "summary": rule["do"],
                          "sentence": f"Does {rule['do']}.", "filter": rule.get("when", ""), "isEnabled": rule.get("enabled", True), "hits": 0})
        return {"revision": self.revision, "rules": rules, "remarks": remarks, "presets": PRESETS}

    @staticmethod
    def check(order):
        """The effect of a rule, or its mistake, in the program's words."""
        try:
            rule = json.loads(order["rule"])
            if rule["do"] not in [one["kind"] for one in FORMS["kinds"]] or "stauts" in rule.get("when", ""):
                return {"mistake": {"place": "when" if "when" in rule else "do", "message": "column 1: expected a known field, found “stauts”; to fix it: write “status”"}}
        except ValueError:
            return {"mistake": {"place": "", "message": "line 1, column 1: expected a value"}}
        return {"sentence": f"Does {rule['do']}.", "filter": rule.get("when", ""), "remarks": []}

    def put(self, order):
        if order.get("revision", self.revision) != self.revision:
            raise Refusal(409, "rules changed", "they are others by now")
        for index, text in enumerate(order["rules"]):
            if "stauts" in text:
                raise Refusal(422, "rules cannot be used", f"rules[{index}].when: column 1: expected a known field, found “stauts”; to fix it: write “status”")
        self.texts, self.revision = order["rules"], self.revision + 1
        return self.listing()


class Board:
    """The held messages."""

    def __init__(self, tell):
        self.tell, self.lock, self.held, self.next, self.decisions = tell, threading.Lock(), {}, 1, []

    def hold(self, order):
        """Holds a message. Expired messages continue by themselves."""
        seconds, now = order.pop("seconds", 60), time.time()
        body = order.pop("body", "").encode()
        one = {"at": "request", "rule": "stop", "method": "GET", "url": "https://api.example.test/held?x=1", "path": "/held?x=1", "length": len(body),
               "fields": [["Accept", "*/*"], ["X-Twice", "2"], ["X-Twice", "1"]], "bodyBase64": base64.b64encode(body).decode(),
               "since": iso(now), "until": iso(now + seconds), "ends": now + seconds, **order}
        with self.lock:
            one["id"], self.next = self.next, self.next + 1
            self.held[one["id"]] = one
        threading.Timer(seconds, lambda: self.remove(one["id"])).start()
        self.news()
        return one["id"]

    def remove(self, number):
        with self.lock:
            one = self.held.pop(number, None)
        if one:
            self.news()
        return one

    def news(self):
        self.tell("breakpoints", self.list())

    def list(self):
        return [self.shown(one, False) for one in self.held.values()]

    def shown(self, one, is_whole):
        left_out = {"ends"} if is_whole else {"ends", "fields", "bodyBase64", "trouble"}
        return {name: value for name, value in {**one, "secondsLeft": max(0, one["ends"] - time.time())}.items() if name not in left_out}

    def one(self, number):
        if number not in self.held:
            raise Refusal(404, "not held", f"no message with the number {number} is held (any more)")
        return self.shown(self.held[number], True)

    def decide(self, number, way, order):
        one = self.one(number)
        if unknown := set(order) - MEMBERS[way]:
            raise Refusal(400, "bad body", f"expected others, found “{unknown.pop()}”")
        self.check(one, order)
        if not self.remove(number):
            raise Refusal(404, "not held", f"no message with the number {number} is held (any more)")
        self.decisions.append([way, number, order])

    @staticmethod
    def check(one, order):
        if " " in order.get("method", ""):
            raise Refusal(400, "bad value", f"method: expected a method other than CONNECT and HEAD, found “{order['method']}”")
        if not re.fullmatch(r"/\S*", order.get("path", "/")):
            raise Refusal(400, "bad value", f"path: expected a path that begins with “/”, without spaces and “#”, found “{order['path']}”")
        if "status" in order and not (isinstance(order["status"], int) and 200 <= order["status"] <= 599):
            raise Refusal(400, "bad value", f"status: expected 200 to 599 other than 205, found “{order['status']}”")
        for index, (name, _) in enumerate(order.get("fields", [])):
            if name.lower() in ("content-length", "host"):
                raise Refusal(400, "bad value", f"fields[{index}]: expected a header that does not frame the message and has no control characters, found “{name}”")
        try:
            base64.b64decode(order.get("bodyBase64", ""), validate=True)
        except ValueError as error:
            raise Refusal(400, "bad value", "bodyBase64: expected Base64, found “something else”") from error
