#!/usr/bin/env python3
"""Plays a class on one machine: `pinhole class serve`, two students, a teacher and a stranger.

    serve.py PINHOLE

Exit status 1 with a sentence if a page shows or changes more than it may, or a check does not come out as it should.
"""
import contextlib
import hashlib
import http.client
import json
import os
import queue
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)


class Failure(Exception):
    """A result that was not as expected."""


def expect(is_so, sentence):
    if not is_so:
        raise Failure(sentence)


def environment(home):
    """The environment of a command whose user has this home, where Pinhole remembers what was begun."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return kept | {"HOME": str(home), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}


def run_class(pinhole, home, *words):
    """A `pinhole class` command that ends by itself."""
    return subprocess.run([pinhole, "class", *words], cwd=home, env=environment(home), text=True, capture_output=True, timeout=PATIENCE,
                          check=False)


class Served:
    """A running class."""

    def __init__(self, pinhole, folder, *options):
        self.program = pinhole
        Path(folder, "names.txt").write_text("# the class\nmia\n\nben\n", encoding="utf-8")
        self.process = subprocess.Popen([pinhole, "class", "serve", "--students", "names.txt", *options], cwd=folder,
                                        env=environment(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.news = queue.SimpleQueue()
        self.hearing = threading.Thread(target=self.hear, daemon=True)
        self.hearing.start()
        self.facts = {}
        for line in self.process.stdout:
            word, _, rest = line.strip().partition(" ")
            self.facts[word] = rest.strip()
            if line.startswith("Ctrl-C"):
                break
        else:
            raise Failure("the class did not start")
        self.folder = Path(folder, "classes")
        lines = Path(self.folder, "passwords.csv").read_text(encoding="utf-8").splitlines()
        self.passwords = dict(line.split(",")[:2] for line in lines)
        self.address = urllib.parse.urlsplit(self.facts["page"]).netloc

    def hear(self):
        for line in self.process.stderr:
            sys.stderr.write(line)
            self.news.put(line)

    def follow(self, is_so, sentence):
        """Waits for a change of the class: it says each one, and looking for it again and again would hash passwords all the time."""
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            try:
                self.news.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                raise Failure(sentence) from None

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.hearing.join(PATIENCE)
        expect(self.process.returncode == 0, f"class serve ended with {self.process.returncode}")

    def connect(self):
        if not self.facts["page"].startswith("https:"):
            return http.client.HTTPConnection(self.address, timeout=PATIENCE)
        # The certificate is judged by its printed fingerprint, as a student does it.
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection = http.client.HTTPSConnection(self.address, timeout=PATIENCE, context=context)
        connection.connect()
        digest = hashlib.sha256(connection.sock.getpeercert(binary_form=True)).hexdigest().upper()
        printed = self.facts["SHA-256"].replace(":", "").upper()
        expect(digest == printed, f"the page presents {digest}, and the command printed {printed}")
        return connection


class Visitor:
    """A browser, as far as cookies and forms go."""

    def __init__(self, served, name="", password=None):
        self.served, self.cookie = served, ""
        if name:
            self.log_in(name, served.passwords[name] if password is None else password)

    def ask(self, method, path, body=None, **fields):
        connection = self.served.connect()
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if self.cookie:
            fields["Cookie"] = self.cookie
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def log_in(self, name, password):
        form = urllib.parse.urlencode({"name": name, "password": password})
        answer, content = self.ask("POST", "/login", form, Content_Type="application/x-www-form-urlencoded")
        self.status = answer.status
        if answer.status == 303:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            self.attributes = answer.headers["Set-Cookie"]
        return content

    def json(self, method, path, body=None, status=200):
        answer, content = self.ask(method, path, None if body is None else json.dumps(body))
        expect(answer.status == status, f"{method} {path}: expected {status}, found {answer.status}: {content[:300]}")
        return json.loads(content) if content else None


def strangers(served):
    nobody = Visitor(served)
    answer, content = nobody.ask("GET", "/")
    expect(answer.status == 401 and b'name="password"' in content, "a stranger gets the login page")
    expect("script" not in content.decode(), "the login page needs no script")
    for path in ("/api/state", "/api/lessons", "/api/class", "/api/traffic", "/js/main.js", "/docs/"):
        answer, content = nobody.ask("GET", path)
        expect(answer.status == 401, f"a stranger gets {answer.status} from {path}")
    for name, password in (("mia", "wrong"), ("mia", ""), ("nobody", served.passwords["mia"]), ("mia", served.passwords["ben"])):
        guess = Visitor(served, name, password)
        expect(guess.status == 401 and not guess.cookie, f"{name} with a wrong password gets {guess.status}")
    answer, _ = nobody.ask("GET", "/", Host="evil.example")
    expect(answer.status == 421, "another name of the host is refused")
    mia = Visitor(served, "mia")
    answer, _ = mia.ask("POST", "/api/lessons/app", '{"trustsProxy": false}', Origin="https://evil.example")
    expect(answer.status == 403, "a request of another site's page is refused")
    answer, _ = mia.ask("POST", "/logout")
    expect(answer.status == 303, "a logout leads to the login page")
    expect(mia.ask("GET", "/api/state")[0].status == 401, "a session ends with its logout")


def students(served):
    mia, ben, teacher = Visitor(served, "mia"), Visitor(served, "ben"), Visitor(served, "teacher")
    expect("HttpOnly" in mia.attributes and "SameSite=Strict" in mia.attributes, "the cookie is for the page alone")
    expect(mia.json("GET", "/api/lessons")["student"] == "mia", "Mia sees her own lessons")
    expect(mia.json("GET", "/api/state")["isReadOnly"], "the page is read-only")
    # Lesson 3: the app logs in, first refused and then read.
    refused = mia.json("POST", "/api/lessons/app", {"trustsProxy": False})
    expect(not refused["isLoggedIn"], f"the app refuses the proxy: {refused}")
    read = mia.json("POST", "/api/lessons/app", {"trustsProxy": True})
    expect(read["isLoggedIn"], f"the app logs in: {read}")
    # The capture has an exchange some tenths of a second after its end.
    deadline, logins = time.monotonic() + PATIENCE, []
    while not logins and time.monotonic() < deadline:
        traffic = mia.json("GET", "/api/traffic")["items"]
        logins = [item for item in traffic if item.get("path") == "/login" and item.get("status") == 200]
    expect(len(logins) == 1 and logins[0]["proxyUser"] == "mia", f"Mia sees her login, recorded under her name: {traffic}")
    expect(ben.json("GET", "/api/traffic")["items"] == [], "Ben does not see Mia's traffic")
    _, body = mia.ask("GET", f"/api/traffic/{logins[0]['id']}/request-body")
    answers = {"password": re.search(rb"password=(\w+)", body)[1].decode()}
    mia.json("POST", "/api/lessons/3/check?language=de", {"answers": {"password": "falsch", "why": "Die CA."}})
    checked = mia.json("POST", "/api/lessons/3/check?language=de", {"answers": answers})["results"]
    expect("schreibe sie in das Feld" in checked[3]["message"], f"messages for the page, in German: {checked}")
    results = {one["task"]: one["state"] for one in checked}
    expect(results == {"refused": "passed", "read": "passed", "password": "passed", "session": "open"}, f"lesson 3: {results}")
    # Each file that a lesson names is there.
    for lesson in mia.json("GET", "/api/lessons")["lessons"]:
        names = [file["name"] for file in lesson["files"]]
        for name in re.findall(r"[\w.-]+/?[\w.-]*\.(?:txt|json|py|pcapng)", " ".join(step.get("page", "") for step in lesson["steps"])):
            expect(name in names, f"lesson {lesson['number']} has no {name}: {names}")
        for file in lesson["files"]:
            content = mia.ask("GET", f"/api/lessons/{lesson['number']}/files/{urllib.parse.quote(file['name'], safe='')}")[1]
            expect(len(content) == file["size"], f"{file['name']} has {len(content)} bytes, and not {file['size']}")
    # The file of lesson 5 is edited on the page.
    pins = mia.ask("GET", "/api/lessons/5/files/bank.txt")[1].decode().split()
    policy = {"mechanism": "okhttp", "policy": {"pins": [f"{pins[0]} {pin}" for pin in pins if pin.startswith("sha256/")]}}
    mia.json("PUT", "/api/lessons/5/files/policy.json", policy, status=204)
    results = mia.json("POST", "/api/lessons/5/check", {"answers": {}})["results"]
    expect([one["task"] for one in results if one["state"] != "passed"] == ["blind"], f"lesson 5: {results}")
    report = mia.json("POST", "/api/lessons/5/try", {"trial": "insider", "prediction": "refuses"})
    expect(report["outcome"] == "accepts" and report["misconception"], f"a wrong prediction: {report}")
    # A policy names files of the lesson alone; messages quote none of them, and do not tell what else there is.
    messages = {}
    for name in ("bank.txt", "../../passwords.csv", "../../none.csv", "/proc/self/environ", "/etc/shadow", "/dev/stdin"):
        mia.json("PUT", "/api/lessons/5/files/policy.json", {"mechanism": "tofu", "policy": {"store": name}}, status=204)
        said = mia.json("POST", "/api/lessons/5/check", {"answers": {}})["results"][0]["message"]
        expect(name in said and pins[0] not in said and "teacher," not in said and "HOME=" not in said, f"lesson 5: {said}")
        messages[name] = said.replace(name, "it")
    expect(len(set(list(messages.values())[1:])) == 1, f"lesson 5 tells which files exist: {messages}")
    mia.json("PUT", "/api/lessons/5/files/bank.txt", {}, status=403)
    mia.json("PUT", "/api/lessons/5/files/..%2F..%2Fclass.json", {}, status=403)
    mia.json("GET", "/api/lessons/5/files/..%2F..%2Fclass.json", status=404)
    # The client of lesson 7 is a program: it runs on the teacher's machine only during the teacher's check.
    results = mia.json("POST", "/api/lessons/7/check", {"answers": {}})["results"]
    expect({one["state"] for one in results} == {"open"} and "teacher" in results[0]["message"], f"lesson 7: {results}")
    check = run_class(served.program, served.folder.parent, "check", "7", "--json", "--directory", str(served.folder / "mia"))
    states = {one["task"]: one["state"] for one in map(json.loads, check.stdout.splitlines())}
    expect(states["works"] == states["own"] == "open" and states["names"] == "wrong", f"the teacher's check of lesson 7: {states}")
    for method, path, body in (("PATCH", f"/api/traffic/{logins[0]['id']}", {"isMarked": True}), ("DELETE", "/api/traffic", None),
                               ("POST", "/api/send", {}), ("PUT", "/api/rules", {}), ("POST", "/api/lab/run", {}),
                               ("POST", "/api/mcp", {}), ("PUT", "/api/filters/x", {})):
        mia.json(method, path, body, status=403)
    mia.json("GET", "/api/class", status=404)
    # The experiment works for students and for the teacher.
    switches = {"middle": "proxy", "installsAuthority": True, "pin": "none", "allowsInvalid": False, "checksName": True}
    for visitor in (mia, teacher):
        expect(visitor.json("POST", "/api/classroom", switches)["isStolen"], "the proxy with an installed CA reads the password")
    german = mia.json("POST", "/api/classroom?language=de", switches)
    expect("Passwort" in german["headline"] and "The " not in json.dumps(german["steps"]), f"the experiment in German: {german['headline']}")
    # A question to the class: two votes, and nothing is told before the end.
    mia.json("POST", "/api/class/poll", switches, status=404)
    expect(mia.json("GET", "/api/lessons/poll") == {}, "there is no question yet")
    mia.json("POST", "/api/lessons/poll", {"outcome": "read"}, status=409)
    teacher.json("POST", "/api/class/poll", switches)
    expect("outcome" not in mia.json("GET", "/api/lessons/poll")["poll"], "the outcome is hidden")
    mia.json("POST", "/api/lessons/poll", {"outcome": "maybe"}, status=400)
    mia.json("POST", "/api/lessons/poll", {"outcome": "refused"})
    expect(teacher.json("GET", "/api/class/poll")["poll"]["voters"] == [1, 0], "a vote is a number")
    teacher.json("POST", "/api/class/poll/next", {"stage": "first"})
    expect(teacher.json("POST", "/api/class/poll/next", {"stage": "first"})["poll"]["stage"] == "second", "a second click skips no stage")
    mia.json("POST", "/api/lessons/poll", {"outcome": "read"})
    ben.json("POST", "/api/lessons/poll", {"outcome": "hidden"})
    poll = teacher.json("POST", "/api/class/poll/next", {"stage": "second"})["poll"]
    expect((poll["outcome"], poll["last"], poll["changes"], poll["late"]) ==
           ("read", {"refused": 0, "hidden": 1, "read": 1}, [{"from": "refused", "to": "read", "count": 1}], 1), f"the poll: {poll}")
    expect(mia.json("GET", "/api/lessons/poll")["poll"]["outcome"] == "read", "the outcome is shown")
    teacher.json("DELETE", "/api/class/poll", status=204)
    # No file of a world tells the role of a station.
    names = " ".join(os.listdir(served.folder / "mia/world"))
    expect(not re.search("gateway|stranger|card|new|other|bank", names), f"a file of the world tells its role: {names}")
    # The teacher sees the results alone.
    table = {row["student"]: row for row in teacher.json("GET", "/api/class")["students"]}
    expect(sorted(table) == ["ben", "mia"], f"the table has the students: {table}")
    expect(table["mia"]["lessons"][2] == {"number": 3, "passed": 3, "all": 4} and table["mia"]["remarks"] == [], f"Mia: {table['mia']}")
    expect(table["mia"]["points"] == 4 * table["mia"]["passed"] - 1, f"a wrong answer costs a point: {table['mia']}")
    expect(table["mia"]["whys"] == [{"lesson": 3, "text": "Die CA."}], f"the sentence for the teacher: {table['mia']}")
    expect(table["mia"]["predictions"] == [{"lesson": 5, "trial": "insider", "prediction": "refuses", "outcome": "accepts"}],
           f"the predictions for the teacher: {table['mia']}")
    expect(table["ben"]["passed"] == 0 and table["ben"]["remarks"] == [], f"Ben: {table['ben']}")
    teacher.json("GET", "/api/traffic", status=404)
    expect(b"class-table.js" in teacher.ask("GET", "/")[1], "the teacher's page is the table")
    session = re.search(r"session=(\w+)", mia.ask("GET", f"/api/traffic/{logins[0]['id']}")[1].decode())[1]
    mia.json("POST", "/api/lessons/3/check", {"answers": {"session": session}})
    row = next(row for row in teacher.json("GET", "/api/class")["students"] if row["student"] == "mia")
    expect(row["lessons"][2] == {"number": 3, "passed": 4, "all": 4}, f"the table changes with the results: {row}")


def changes(served):
    """The teacher changes the class while it runs: on the page, by a command, and by the list."""
    teacher, mia = Visitor(served, "teacher"), Visitor(served, "mia")
    home = served.folder.parent
    added = teacher.json("POST", "/api/class/students", {"name": "Zoë, die Große 😀", "group": "10b"})
    expect(added["student"] == "Zoë-die-Große", f"an id is made of a name: {added}")
    served.passwords[added["student"]] = added["password"]
    zoe = Visitor(served, added["student"])
    expect(zoe.json("GET", "/api/lessons")["student"] == added["student"], "a student who was added logs in")
    expect(home.joinpath("names.txt").read_text(encoding="utf-8").endswith('\n,"Zoë, die Große 😀",10b\n')
           or added["student"] in home.joinpath("names.txt").read_text(encoding="utf-8"), "the list has the student")
    teacher.json("POST", "/api/class/students", {"id": "mia"}, status=422)
    teacher.json("POST", "/api/class/students", {"id": "a/b"}, status=422)
    mia.json("POST", "/api/class/students", {"id": "kai"}, status=404)
    quoted = urllib.parse.quote(added["student"])
    zoe.json("POST", "/api/lessons/2/check", {"answers": {"issuer": "nobody"}})
    teacher.json("POST", f"/api/class/students/{quoted}/reset", {"lesson": 2}, status=204)
    said = teacher.json("POST", f"/api/class/students/{quoted}/reset", {"lesson": 9}, status=422)
    expect("no lesson 9" in json.dumps(said), f"a lesson that the class does not have is not reset: {said}")
    row = next(row for row in teacher.json("GET", "/api/class")["students"] if row["student"] == added["student"])
    expect((row["name"], row["group"], row["checks"]) == ("Zoë, die Große 😀", "10b", 0), f"the row of Zoë: {row}")
    answer, points = teacher.ask("GET", "/api/class/points.csv")
    expect(answer.status == 200 and '"Zoë, die Große 😀",10b,0,156' in points.decode(), f"the points: {points.decode()}")
    # A new password ends the sessions; those of others stay.
    renewed = teacher.json("POST", f"/api/class/students/{quoted}/password", None)
    expect(zoe.ask("GET", "/api/state")[0].status == 401, "a new password ends the session")
    expect(Visitor(served, added["student"]).status == 401, "the old password is refused")
    served.passwords[added["student"]] = renewed["password"]
    expect(Visitor(served, added["student"]).json("GET", "/api/lessons")["student"] == added["student"], "the new one is taken")
    mia.json("GET", "/api/state")
    # A student is deleted with everything.
    teacher.json("DELETE", f"/api/class/students/{quoted}", status=204)
    expect(Visitor(served, added["student"]).status == 401, "a deleted student is logged out")
    left = home.joinpath("names.txt").read_text(encoding="utf-8") + Path(served.folder, "passwords.csv").read_text(encoding="utf-8")
    expect("Zoë" not in left and not (served.folder / added["student"]).exists(), f"nothing of a deleted student stays: {left}")
    del served.passwords[added["student"]]
    # The command and the list do the same; the class follows within seconds.
    command = run_class(served.program, home, "student", "add", "kai", "--students", "names.txt")
    expect(command.returncode == 0, f"a student is added by a command: {command.stderr}")
    served.passwords["kai"] = command.stdout.split()[1]
    list_ = home.joinpath("names.txt")
    served.follow(lambda: Visitor(served, "kai").cookie, "the class takes a student whom a command added")
    text = list_.read_text(encoding="utf-8")
    list_.write_text(text.replace("\nkai", "\n# kai"), encoding="utf-8")
    served.follow(lambda: not Visitor(served, "kai").cookie, "a student who left the list is logged out")
    list_.write_text("mia\nben\n", encoding="utf-8")
    served.follow(lambda: len(teacher.json("GET", "/api/class")["students"]) == 2, "the class follows the list")
    mia.json("GET", "/api/state")


def exhaustion(served):
    """A student or a stranger uses up nothing of the others."""
    ben, teacher = Visitor(served, "ben"), Visitor(served, "teacher")
    for _ in range(30):
        mia = Visitor(served, "mia")
    for visitor, path in ((mia, "/api/state"), (ben, "/api/state"), (teacher, "/api/class")):
        visitor.json("GET", path)
    answer, _ = Visitor(served).ask("POST", "/login", "name=" + "x" * 5000)
    expect(answer.status == 413, f"a large login gets {answer.status}")
    mia.json("POST", "/api/lessons/3/check", {"answers": {"password": "x" * 1001}}, status=400)
    # Two writers of one file at the same time leave one of both contents.
    contents = [json.dumps({"mechanism": letter * 100_000}).encode() for letter in "ab"]
    writers = [threading.Thread(target=mia.ask, args=("PUT", "/api/lessons/5/files/policy.json", contents[number % 2])) for number in range(12)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    expect(mia.ask("GET", "/api/lessons/5/files/policy.json")[1] in contents, "writers at the same time do not mix their contents")
    names = os.listdir(served.folder / "mia/lesson-5")
    expect(not [name for name in names if name.endswith(".new")], f"no drafts are left: {names}")


def opened(port, text=b"", count=1):
    """Connections that have sent a text; those that the server has ended already are among them."""
    connections = []
    for _ in range(count):
        connections.append(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
        with contextlib.suppress(OSError):
            connections[-1].sendall(text)
    return connections


def ended(connection):
    """Whether the server has ended a connection."""
    connection.settimeout(PATIENCE)
    with contextlib.suppress(ConnectionError):
        try:
            while connection.recv(65536):
                pass
        except TimeoutError:
            return False
    return True


def memory(served):
    status = Path(f"/proc/{served.process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024


def doors(served):
    """Strangers take no place of a student, whatever they leave unfinished."""
    mia, port = Visitor(served, "mia"), int(served.address.rpartition(":")[2])
    host = f"Host: {served.address}\r\n".encode()
    unfinished = (b"", b"G", b"GET / HTTP/1.1\r\n", b"POST /login HTTP/1.1\r\n" + host + b"Content-Length: 4000\r\n\r\nname=",
                  b"OPTIONS /login HTTP/1.1\r\n" + host + b"Content-Length: 9\r\n\r\n", b"GET /api/state HTTP/1.1\r\n" + host + b"\r\n",
                  b"POST /login HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
    for text in unfinished:
        strangers_ = opened(port, text, 200)
        mia.json("GET", "/api/state")
        expect(Visitor(served, "ben").cookie, f"a student logs in beside 200 times {text[:30]}")
        expect(ended(strangers_[0]), f"the oldest of 200 gives way: {text[:30]}")
        for stranger in strangers_:
            stranger.close()
    # A student who opens many connections loses the oldest idle one, and nobody else loses one.
    ben = Visitor(served, "ben")
    head = b"GET /api/state HTTP/1.1\r\n" + host + b"Cookie: " + mia.cookie.encode() + b"\r\n\r\n"
    own = []
    for _ in range(40):
        own += opened(port, head)
        own[-1].recv(65536)
    expect(ended(own[0]), "the oldest connection of forty gives way")
    ben.json("GET", "/api/state")
    unread = opened(port, head[:-2] + b"Content-Length: 5000\r\n\r\n", 40)
    ben.json("GET", "/api/state")
    for connection in own + unread:
        connection.close()
    deadline = time.monotonic() + PATIENCE
    while mia.ask("GET", "/api/state")[0].status != 200:
        expect(time.monotonic() < deadline, "the places of closed connections are free again")


def lesson_servers(served):
    """The servers of the lessons have no login: bodies and connections are bounded."""
    state = json.loads(Path(served.folder, "mia/class.json").read_text(encoding="utf-8"))
    before = memory(served)
    uploads = opened(state["plain"], b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 30)
    for upload in uploads:
        with contextlib.suppress(OSError):
            for _ in range(20):
                upload.sendall(b"80000\r\n" + b"z" * 0x80000 + b"\r\n")
    expect(memory(served) < before + 100, f"300 MB of bodies: {before} MB before, {memory(served)} MB after")
    idle = opened(state["plain"], b"", 300) + opened(state["secure"], b"\x16\x03\x01", 300)
    # Later connections push out earlier ones, so the request comes when nearly all of them have been accepted.
    for number in (0, 230, 530):
        expect(ended(idle[number]), f"idle connection {number} of {len(idle)} gives way")
    connection = http.client.HTTPConnection("127.0.0.1", state["plain"], timeout=PATIENCE)
    connection.request("GET", "/basket")
    expect(connection.getresponse().status == 200, "a lesson's server answers beside idle connections")
    Visitor(served, "ben").json("GET", "/api/state")
    for connection in uploads + idle:
        connection.close()


def long_check(served):
    """A check that takes longer than --check-seconds ends with an answer that says so, and holds up nobody else."""
    mia, ben = Visitor(served, "mia"), Visitor(served, "ben")
    policy = {"mechanism": "all", "policy": {"of": [{"mechanism": "system"}] * 40_000}}
    mia.json("PUT", "/api/lessons/5/files/policy.json", policy, status=204)
    found = []
    checks = [threading.Thread(target=lambda: found.append(mia.ask("POST", "/api/lessons/5/check", '{"answers": {}}'))) for _ in range(12)]
    for check in checks:
        check.start()
    for visitor in (ben, ben, ben, mia):
        began = time.monotonic()
        visitor.json("GET", "/api/lessons")
        if visitor is ben:
            ben.json("POST", "/api/lessons/5/check", {"answers": {}})
        took = time.monotonic() - began
        expect(took < 10, f"a request beside a long check waits for {took:.1f} s")
    for check in checks:
        check.join()
    # One check runs and four wait. The others are refused at once.
    statuses = [answer.status for answer, _ in found]
    expect(set(statuses) == {422, 503} and statuses.count(422) >= 5, f"the long checks end with {statuses}")
    said = {422: b"took longer than 1 s of a processor", 503: b"too many checks wait already"}
    for answer, content in found:
        expect(said[answer.status] in content, f"the answer says why: {content[:200]}")
    mia.json("PUT", "/api/lessons/5/files/policy.json", {"mechanism": "system"}, status=204)
    mia.json("POST", "/api/lessons/5/check", {"answers": {}})


def certificates(pinhole, folder):
    """The page of a class with a certificate of the teacher's own."""
    def made(name, days, *parts):
        key, certificate = Path(folder, f"{name}.key"), Path(folder, f"{name}.crt")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=school",
                        "-addext", "subjectAltName=DNS:class.school.example", "-days", str(days), "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        path = Path(folder, f"{name}.pem")
        path.write_text("".join({"key": key, "certificate": certificate}[part].read_text() for part in parts))
        return str(path)

    for path, sentence in ((f"{folder}/none.pem", "none.pem"), (made("keyless", 9, "certificate"), "one PEM file with certificate and key")):
        found = run_class(pinhole, folder, "serve", "--students", "names.txt", "--certificate", path)
        expect(found.returncode == 3 and "--certificate" in found.stderr and sentence in found.stderr, f"{path}: {found.stderr}")
    served = Served(pinhole, folder, "--open", "--certificate", made("good", 9, "certificate", "key"))
    try:
        port = served.address.rpartition(":")[2]
        for host, status in ((f"class.school.example:{port}", 401), ("other.school.example", 421)):
            answer, _ = Visitor(served).ask("GET", "/", Host=host)
            expect(answer.status == status, f"{host} gets {answer.status}")
    finally:
        served.end()


def proxies(served):
    """The proxy of a student asks for the student's password."""
    state = json.loads(Path(served.folder, "mia/class.json").read_text(encoding="utf-8"))
    for login, status in ((None, 407), ("ben:" + served.passwords["ben"], 407), ("mia:" + served.passwords["mia"], 200)):
        command = ["curl", "-s", "-o", os.devnull, "-w", "%{http_code}", "-x", f"http://127.0.0.1:{state['proxy']}",
                   f"http://shop.localhost:{state['plain']}/"] + (["-U", login] if login else [])
        found = subprocess.run(command, text=True, capture_output=True, timeout=PATIENCE, check=False).stdout
        expect(found == str(status), f"the proxy answers {login} with {found}")
    for path in ("passwords.csv", "mia/class.json"):
        expect(Path(served.folder, path).stat().st_mode & 0o77 == 0, f"others cannot read {path}")


def large(served):
    """Forty answers arrive complete over one connection."""
    mia = Visitor(served, "mia")
    names = ["/", "/js/main.js", "/js/parts/traffic/traffic-grid.js", "/css/base.css", "/api/openapi.json"]
    alone = {name: mia.ask("GET", name)[1] for name in names}
    connection = served.connect()
    for name in names * 8:
        connection.request("GET", name, headers={"Cookie": mia.cookie})
        answer = connection.getresponse()
        expect(answer.status == 200 and answer.read() == alone[name], f"{name} came in another way over one connection")
    connection.close()


def has_version_6():
    """Whether this machine has ::1; some containers do not."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind(("::1", 0))
        return True
    return False


def elsewhere(served, address):
    """The servers, the commands of the lessons and the proxy follow the address of the page."""
    mia = Visitor(served, "mia")
    state = json.loads(Path(served.folder, "mia/class.json").read_text(encoding="utf-8"))
    steps = mia.json("GET", "/api/lessons")["lessons"][1]["steps"]
    expect(f"-connect {address}:{state['secure']} " in steps[0]["commands"][0], f"lesson 2 names {address}: {steps[0]}")
    host = re.search(r"-servername (\S+)", steps[0]["commands"][0])[1]
    found = subprocess.run(["openssl", "s_client", "-connect", f"{address}:{state['secure']}", "-servername", host], input="", text=True,
                           capture_output=True, timeout=PATIENCE, check=False)
    expect("BEGIN CERTIFICATE" in found.stdout, f"the server of {host} answers at {address}: {found.stderr[-300:]}")
    read = mia.json("POST", "/api/lessons/app", {"trustsProxy": True})
    expect(read["isLoggedIn"], f"the app logs in through the proxy: {read}")


def foreign(pinhole, folder):
    """The folder of a class that somebody else began is used only after it was confirmed."""
    with tempfile.TemporaryDirectory() as other:
        shutil.copytree(Path(folder, "classes"), Path(other, "classes"), symlinks=True)
        Path(other, "names.txt").write_text("mia\nben\n", encoding="utf-8")

        def refusal(*words):
            found = run_class(pinhole, other, *words)
            expect(found.returncode == 3 and "--trust-folder" in found.stderr, f"class {words} is refused: {found}")
            return found.stderr

        serve = ("serve", "--students", "names.txt")
        expect("knows the passwords" in refusal(*serve), "the passwords of somebody else are refused")
        expect("classes/mia/ca is not used" in refusal("start", "--directory", "classes/mia"), "so is the CA of somebody else")
        # In a folder with nothing but the CAs of the students, they are still those of somebody else.
        paths = [*Path(other, "classes").iterdir(), *Path(other, "classes").glob("*/class.json")]
        kept = {path: path.read_bytes() for path in paths if path.is_file()}
        for path in kept:
            path.unlink()
        expect("/ca is not used" in refusal(*serve), "the CA of somebody else is refused in a class, too")
        for path, content in kept.items():
            path.write_bytes(content)
            path.chmod(0o600)
        refusal(*serve)
        Served(pinhole, other, "--trust-folder").end()
        Served(pinhole, other).end()
        Path(other, "classes/teacher.key").write_text("another secret\n", encoding="utf-8")
        refusal(*serve)


def unremembered(pinhole):
    """A running class needs no memory of the CAs that it made itself: its state directory cannot be written here."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, ".local").write_text("no folder", encoding="utf-8")
        served = Served(pinhole, folder, "--language", "de")
        try:
            page = Visitor(served).ask("GET", "/")[1].decode()
            expect('lang="de"' in page and "Anmelden" in page and "Log in" not in page, f"a German class asks in German: {page}")
            renewed = Visitor(served, "teacher").json("POST", "/api/class/students/mia/password")
            mia = Visitor(served, "mia", renewed["password"])
            expect(mia.cookie, "the student logs in with the new password")
            expect(mia.json("POST", "/api/lessons/app", {"trustsProxy": True})["isLoggedIn"], "the student's proxy runs again")
        finally:
            served.end()


def sheets(served):
    """Worksheets follow --lessons, and a lesson that the class does not have is refused."""
    words = ("print", "--directory", str(served.folder / "mia"), "--html", "-", "--lessons")
    found, missing = (run_class(served.program, served.folder.parent, *words, choice) for choice in ("2", "2,9"))
    expect(found.returncode == 0 and "<h1>2. " in found.stdout and "<h1>1. " not in found.stdout, f"one sheet is printed: {found.stderr}")
    expect(missing.returncode == 3 and "no lesson 9" in missing.stderr, f"a sheet of a missing lesson is refused: {missing.stderr}")


def damaged(pinhole, folder):
    """A damaged choice of lessons is told, and not replaced by the eight lessons."""
    choice = Path(folder, "classes/lessons.txt")
    before = choice.read_text(encoding="utf-8")
    choice.write_text("1 2\n", encoding="utf-8")
    found = run_class(pinhole, folder, "serve", "--students", "names.txt")
    expect(found.returncode == 3 and "lessons.txt" in found.stderr, f"a damaged choice is refused: {found}")
    expect(choice.read_text(encoding="utf-8") == "1 2\n", "a damaged choice stays")
    choice.write_text(before, encoding="utf-8")


def main():
    pinhole = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        served = Served(pinhole, folder)
        try:
            strangers(served)
            students(served)
            changes(served)
            sheets(served)
            proxies(served)
            exhaustion(served)
            doors(served)
            lesson_servers(served)
            before = served.passwords
        finally:
            served.end()
        # A second start, open and with TLS, keeps passwords and results.
        served = Served(pinhole, folder, "--open")
        try:
            expect(served.passwords == before, "a second start keeps the passwords")
            expect(Visitor(served, "mia").attributes.endswith("Secure"), "the cookie travels over TLS alone")
            row = Visitor(served, "teacher").json("GET", "/api/class")["students"][1]
            expect(row["lessons"][2] == {"number": 3, "passed": 4, "all": 4}, f"a second start keeps the results: {row}")
            strangers(served)
            large(served)
            printed = served.facts["SHA-256"]
        finally:
            served.end()
        served = Served(pinhole, folder, "--open", "--check-seconds", "1")
        try:
            expect(served.facts["SHA-256"] == printed, "a third start keeps the certificate")
            long_check(served)
        finally:
            served.end()
        for address in ("127.0.0.2", "[::1]") if has_version_6() else ("127.0.0.2",):
            served = Served(pinhole, folder, "--open", "--listen", f"{address}:0")
            try:
                elsewhere(served, address)
            finally:
                served.end()
        unremembered(pinhole)
        certificates(pinhole, folder)
        damaged(pinhole, folder)
        foreign(pinhole, folder)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(1)
