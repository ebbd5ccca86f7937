"""The records that Swift Testing writes while tests run, and what follows from them.

`swift test --event-stream-output-path FILE --event-stream-version 0` writes one JSON object a line: first each test of
the run, then each event. Kinds of records and events that this module does not know are skipped, as the schema asks.
"""
import json
import re
from pathlib import Path


class Test:
    """A test function or a suite."""

    def __init__(self, identifier, payload=None):
        payload = payload or {}
        self.id = identifier
        self.title = payload.get("displayName")
        self.is_suite = payload.get("kind") == "suite"
        self.began = self.ended = None
        self.was_skipped = False
        self.issues = []

    @property
    def name(self):
        """The path of the function, without the line where it is declared, and its title."""
        path = re.sub(r"/[^/]*:\d+:\d+$", "", self.id)
        return f'{path} "{self.title}"' if self.title else path

    @property
    def suite(self):
        """The path of the enclosing suite, or the module of a function outside of suites."""
        path = re.sub(r"/[^/]*:\d+:\d+$", "", self.id)
        return path.rpartition("/")[0] or path.partition(".")[0]

    @property
    def seconds(self):
        return self.ended - self.began if self.was_run else 0.0

    @property
    def was_run(self):
        return self.began is not None and self.ended is not None

    @property
    def was_cut_off(self):
        return self.began is not None and self.ended is None

    @property
    def passed(self):
        return self.was_run and not self.issues and not self.was_skipped


class Run:
    """One run of tests. `closing` is Swift Testing's last line; None means that the process ended before it."""

    def __init__(self, path):
        self.tests = {}
        self.loose_issues = []
        self.closing = None
        path = Path(path)
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []:
            try:
                record = json.loads(line)
            except ValueError:
                # A process that crashes can leave half a record.
                continue
            self.take(record.get("kind"), record.get("payload", {}))

    def take(self, kind, payload):
        if kind == "test":
            self.tests[payload["id"]] = Test(payload["id"], payload)
        elif kind == "event":
            test = None
            if payload.get("testID"):
                test = self.tests.setdefault(payload["testID"], Test(payload["testID"]))
            self.note(payload["kind"], test, payload)

    def note(self, kind, test, payload):
        if kind == "runEnded":
            self.closing = " ".join(message["text"] for message in payload["messages"])
        elif kind == "issueRecorded":
            issue = payload["issue"]
            # Version 0 lists no warnings; a later toolchain may say of an issue that it is none.
            if issue.get("isKnown") or not issue.get("isFailure", True):
                return
            (test.issues if test else self.loose_issues).append(text_of_issue(payload))
        elif test and kind == "testStarted":
            test.began = payload["instant"]["absolute"]
        elif test and kind == "testEnded":
            test.ended = payload["instant"]["absolute"]
        elif test and kind == "testSkipped":
            test.was_skipped = True

    @property
    def functions(self):
        return [test for test in self.tests.values() if not test.is_suite]

    @property
    def failed(self):
        return [test for test in self.functions if test.issues]

    @property
    def cut_off(self):
        """The tests that had begun when the process crashed."""
        return [test for test in self.functions if test.was_cut_off] if self.closing is None else []

    @property
    def has_other_issues(self):
        """Issues of a suite (its trait threw, for example) and issues of no test at all."""
        return bool(self.loose_issues) or any(test.issues for test in self.tests.values() if test.is_suite)


def text_of_issue(payload):
    """What Swift Testing says of an issue: where, in which case of a parameterised test, what, and the notes."""
    where = payload["issue"].get("sourceLocation") or {}
    words = [f'{where["fileID"]}:{where["line"]}' if where else "at an unknown line"]
    case = payload.get("_testCase", {}).get("displayName")
    if case:
        words.append(f"({case})")
    return " ".join(words) + ": " + "\n".join(message["text"] for message in payload.get("messages", []))


def beside(log, suffix):
    """The path of a file that belongs to a log: `.build/test.log` has `.build/test-times.txt`, for example."""
    log = Path(log)
    return log.with_name(log.name.removesuffix(".log") + suffix)


def unsteady_folder(log):
    """Where both outputs of the tests that were run again are kept."""
    log = Path(log)
    return log.parent / "unsteady" / log.name.removesuffix(".log")
