#!/usr/bin/env python3
"""Plays the lessons of `pinhole class` as a student does: with the commands of the worksheets, and nothing else.

    play.py PINHOLE SEED LESSON [LANGUAGE]

Starts a class in a folder of its own, runs each command of the lesson, takes the answers from what the commands print,
and checks the lesson: half done, with wrong answers, with the answers of another student, and at last rightly. Exit
status 1 with the output of the commands if a check does not come out as it should.
"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)


class Failure(Exception):
    """A check whose result was not as expected."""


class Class:
    """A running class and the shell of its student."""

    def __init__(self, pinhole, seed, folder, language):
        self.pinhole = os.path.abspath(pinhole)
        self.seed = seed
        self.home = Path(folder)
        self.folder = self.home / "pinhole-class"
        self.log = []
        # A shell finds the program by its name, and the home folder of the user stays unchanged.
        programs = self.home / "bin"
        programs.mkdir()
        (programs / "pinhole").symlink_to(self.pinhole)
        self.environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", HOME=str(self.home), NO_COLOR="1",
                                LC_ALL="C.UTF-8")
        self.process = subprocess.Popen([self.pinhole, "class", "start", "--seed", seed, "--language", language,
                                         "--lessons", "1-12"],
                                        cwd=folder, env=self.environment, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line.startswith("Ctrl-C"):
                return
        raise Failure("the class did not start")

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        if self.process.returncode != 0:
            raise Failure(f"class start ended with {self.process.returncode}")

    def shell(self, line):
        """Runs a line as a student types it, and returns what it printed."""
        done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        self.log.append(f"$ {line}\n{done.stdout}{done.stderr}")
        # A refused server, an unfinished task and a plan that locks users out are results, not failures.
        may_be_negative = line.startswith(("pinhole class client", "pinhole class check", "pinhole pins rotate",
                                           "pinhole fetch"))
        # An experiment that was not predicted yet hides its outcome.
        is_hidden = line.startswith("pinhole class try") and "--predict" not in line
        if done.returncode not in ((0, 1) if may_be_negative else (0, 2) if is_hidden else (0,)):
            raise Failure(f"exit status {done.returncode}: {line}")
        return done.stdout

    def lesson(self, number):
        return json.loads(self.shell(f"pinhole class lesson {number} --json"))

    def check(self, number, answers=None):
        """Checks a lesson, and returns the state of each task."""
        words = [f"{task}={answer}" for task, answer in (answers or {}).items()]
        done = subprocess.run([self.pinhole, "class", "check", str(number), "--json", *words], cwd=self.folder,
                              env=self.environment, text=True, capture_output=True, timeout=PATIENCE, check=False)
        self.log.append(f"$ pinhole class check {number} {words}\n{done.stdout}{done.stderr}")
        results = [json.loads(line) for line in done.stdout.splitlines()]
        states = {result["task"]: result["state"] for result in results}
        if done.returncode != (0 if set(states.values()) == {"passed"} else 1):
            raise Failure(f"check {number} ended with {done.returncode}: {done.stderr}")
        for result in results:
            if result["state"] != "passed" and not result["message"]:
                raise Failure(f"{result['task']} is {result['state']}, and nothing says why")
        return states

    def steps(self, number):
        """Runs the commands of a lesson, and returns what they printed."""
        return "\n".join(self.shell(command) for step in self.lesson(number)["steps"] for command in step["commands"])

    def choice(self, number, task, *words):
        """The letters of the choices that have one of these words."""
        question = next(one for one in self.lesson(number)["tasks"] if one["id"] == task)["question"]
        choices = re.findall(r"^ +([a-l])  (.*)$", question, re.MULTILINE)
        return "".join(letter for letter, text in choices if any(word in text for word in words))


    def predict(self, number):
        """Predicts each experiment of a lesson, and returns what each showed."""
        shown = {}
        for trial in self.lesson(number)["trials"]:
            name, choices = trial["id"], [choice["id"] for choice in trial["choices"]]
            hidden = subprocess.run([self.pinhole, "class", "try", str(number), name], cwd=self.folder, env=self.environment,
                                    text=True, capture_output=True, timeout=PATIENCE, check=False)
            # An earlier call predicted them already.
            if "prediction" not in trial and (hidden.returncode != 2 or hidden.stdout):
                raise Failure(f"the outcome of {name} is shown without a prediction: {hidden.stdout}")
            # A prediction may begin with a minus.
            prediction = "-999" if name == "cancel" else choices[0]
            shown[name] = json.loads(self.shell(f"pinhole class try {number} {name} --json --predict {prediction}"))
            if shown[name]["outcome"] not in choices or not shown[name]["evidence"]:
                raise Failure(f"the experiment {name}: {shown[name]}")
        return shown


def found(pattern, text):
    match = re.search(pattern, text)
    if not match:
        raise Failure(f"the commands do not print {pattern}")
    return match.group(1)


def read_the_wire(one):
    for name in ("plain.pcapng", "tls.pcapng", "documents.txt"):
        (one.folder / "lesson-1" / name).unlink()
    one.shell("pinhole class reset 1")
    if (one.folder / "class.json").stat().st_mode & 0o77:
        raise Failure("others can read the key of the class")
    printed = one.steps(1)
    plain = one.shell("strings -n 6 lesson-1/plain.pcapng")
    secret = found(r"token=(\w+)", plain)
    encrypted = one.shell("strings -n 6 lesson-1/tls.pcapng")
    if secret in encrypted or "diagnosis" in encrypted or "GET /" in encrypted:
        raise Failure("TLS hides nothing")
    sizes = [(int(size), name) for name, size in re.findall(r"(\w+)  (\d+) bytes", printed)]
    recorded = (one.folder / "lesson-1/tls.pcapng").stat().st_size
    return {"token": secret, "server": found(r"([\w-]+\.[\w-]+\.localhost)", encrypted),
            "document": max(entry for entry in sizes if entry[0] < recorded)[1],
            "visible": one.choice(1, "visible", "name", "data", "time", "Namen", "Datenmenge", "Zeit")}


MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def who_signed_this(one):
    printed = one.steps(2)
    month, day, year = re.search(r"notAfter=(\w+) +(\d+) [\d:]+ (\d+)", printed).groups()
    roots = re.findall(r"CN ?= ?([^\n]+ Root CA)", printed)
    return {"issuer": found(r"issuer=.*CN ?= ?([^\n,]+)", printed),
            "anchor": next(root for root in roots if roots.count(root) > 1),
            "until": f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}",
            "pin": found(r"^([A-Za-z0-9+/]{43}=)$(?m)".replace("(?m)", ""), printed.strip().splitlines()[-1])}


def in_the_middle(one):
    printed = one.steps(3)
    # What stands before a value is copied with it.
    return {"password": found(r"(password=\w+)", printed), "session": found(r"session=(\w+)", printed)}


def is_somebody_there(one):
    printed = one.steps(4)
    commands = [command for step in one.lesson(4)["steps"] for command in step["commands"] if "s_client" in command]
    first = found(r"-servername (\S+)", commands[0])
    answers = {}
    cards = re.findall(r"(\S+\.localhost)\n +issuer +(.*)\n +valid until +(\S+)\n +SHA-256 +(\S+)\n +pin +sha256/(\S+)", printed)
    if len(cards) != 6:
        raise Failure(f"{len(cards)} cards")
    for host, issuer, until, fingerprint, pin in cards:
        facts = one.shell(commands[0].replace(first, host))
        own = one.shell(commands[1].replace(first, host)).strip()
        if own == pin:
            word = "renewed" if fingerprint not in facts else "expired" if until < time.strftime("%Y-%m-%d") else "honest"
        elif host not in facts.split("Alternative Name")[-1]:
            word = "wrongname"
        else:
            word = "intercepted" if "Gateway" in facts else "misissued"
        answers[host.split(".")[0]] = f"{word} sha256/{own}"
    return answers


def pins(one):
    one.steps(5)
    bank = (one.folder / "lesson-5/bank.txt").read_text()
    host = bank.splitlines()[0]
    lists = [f"{host} {pin}" for pin in re.findall(r"sha256/\S+", bank)]
    before = one.check(5)
    if (before["honest"], before["gateway"], before["misissued"]) != ("open", "wrong", "wrong"):
        raise Failure(f"the policy without pins: {before}")
    policy = one.folder / "lesson-5/policy.json"
    policy.write_text(json.dumps({"mechanism": "okhttp", "policy": {"pins": lists[:1]}}))
    if one.check(5)["backup"] != "wrong":
        raise Failure("a policy without backup pin passes")
    # The typical mistake: the key of the issuing CA.
    issuer = re.findall(r"pin +(\S+)", (one.folder / "lesson-2/chain.txt").read_text())[1]
    policy.write_text(json.dumps({"mechanism": "okhttp", "policy": {"pins": [f"{host} {issuer}"]}}))
    mistake = one.check(5)
    if (mistake["misissued"], mistake["insider"]) != ("passed", "wrong"):
        raise Failure(f"a pin of the issuing CA: {mistake}")
    policy.write_text("{")
    if set(one.check(5)[task] for task in ("honest", "gateway", "backup")) != {"wrong"}:
        raise Failure("a damaged policy passes")
    policy.write_text(json.dumps({"mechanism": "okhttp", "policy": {"pins": lists}}))
    return {"blind": one.choice(5, "blind", "own CA", "CA der Bank")}


def the_pin_that_bites(one):
    printed = one.steps(6)
    if "FAILED" not in printed:
        raise Failure("the first plan locks nobody out")
    first = found(r"new key +\S+ +(\S+) +\S+", printed)
    plan = one.folder / "lesson-6/plan.json"
    text = plan.read_text()
    planned = found(r'"day": "(\S+)", "title": "new key"', text)
    release = found(r'"day": "(\S+)", "version": "1.1"', text)
    if "passed" in one.check(6).values():
        raise Failure("a task of the first plan passes")
    plan.write_text(text.replace(release, f"{release[:4]}-01-05"))
    if one.check(6)["protected"] != "wrong":
        raise Failure("a plan with another release passes")
    plan.write_text(text.replace(planned, first))
    days = (datetime.date.fromisoformat(first) - datetime.date.fromisoformat(planned)).days
    return {"early": f"{days} days", "wishes": one.choice(6, "wishes", "at once", "lock out", "sofort", "aussperren")}


def broken_checks(one):
    one.steps(7)
    client = one.folder / "lesson-7/client.py"
    text = client.read_text()
    before = one.check(7)
    if before != {"works": "open", "untrusted": "wrong", "names": "wrong", "downgrade": "wrong", "own": "open"}:
        raise Failure(f"the client with its faults: {before}")
    client.write_text(text + "import subprocess\nsubprocess.run(['curl', sys.argv[1]])\n")
    if "passed" in one.check(7).values():
        raise Failure("a client that calls curl passes")
    client.write_text("raise SystemExit(1)\n")
    if "passed" in one.check(7).values():
        raise Failure("a client that does nothing passes")
    mended = text.replace("            context.check_hostname = False\n", "").replace(
        "    context.check_hostname = False\n", "")
    mended = re.sub(r"    try:\n        return get\(url, context\)\n.*?verified_context\(\)\)\n",
                    "    return get(url, context)\n", mended, flags=re.DOTALL)
    mended = mended.replace("def get(url", "class Safe(urllib.request.HTTPRedirectHandler):\n"
                            "    def redirect_request(self, request, stream, code, message, fields, url):\n"
                            "        if not url.startswith('https://'):\n"
                            "            raise urllib.error.URLError('left TLS')\n"
                            "        return super().redirect_request(request, stream, code, message, fields, url)\n\n\n"
                            "def get(url").replace("HTTPSHandler(context=context))", "HTTPSHandler(context=context), Safe())")
    client.write_text(mended)
    return {}


STORIES = {"pin": ("hotel", "Hotel"), "log": ("unknown person", "unbekannten Person"), "revocation": ("stolen", "gestohlen"),
           "owner": ("employee", "Angestellte"), "consent": ("classmate", "Mitschülerin")}


def beyond_pins(one):
    printed = one.steps(8)
    cases = re.findall(r"^(case\d)\n(.*)$", printed, re.MULTILINE)
    return {case: next(word for word, signs in STORIES.items() if any(sign in story for sign in signs))
            for case, story in cases}


FETCH = "pinhole fetch -i --anchors-only trust/device-roots.pem"


def challenges(one):
    printed = one.steps(9)
    tickets = re.findall(r"ticket=(\w+)", printed)
    if len(tickets) != 3:
        raise Failure(f"the steps print the tickets {tickets}")
    login = one.shell("sed -n 's/^Authorization: Basic //p' lesson-9/request.txt | base64 -d")
    shown = one.predict(9)
    if shown["cancel"]["outcome"] != "-999" or shown["stubborn"]["outcome"] != "-1012":
        raise Failure(f"the dispositions: {shown}")
    if f"ticket={tickets[0]}" in "".join(shown["fallback"]["evidence"]):
        raise Failure("Basic and Digest give the same ticket")
    return {"gates": " ".join(shown[letter]["outcome"] for letter in "abcdef"), "password": login.split(":")[1],
            "digest": f"ticket={tickets[0]}", "badge": tickets[1], "proxy": tickets[2]}


def security_policy(one):
    one.steps(10)
    shown = one.predict(10)

    def rows(server, verdict, mode=""):
        question = next(task for task in one.lesson(10)["tasks"] if task["id"] == "open")["question"]
        modes = dict(re.findall(r"^ +([a-l])  (\w+)", question, re.MULTILINE))
        return "".join(letter for letter, report in shown.items() if modes[letter].startswith(mode) and any(
            line.startswith(f"{server}: {verdict}") or line.startswith(f"{server}: {GERMAN[verdict]}")
            for line in report["evidence"]))

    policy = one.folder / "lesson-10/policy.json"
    settings = {"pinningMode": "certificate", "pinnedCertificates": ["bank.pem"]}
    policy.write_text(json.dumps({"mechanism": "afnetworking", "policy": settings}))
    states = one.check(10)
    if (states["works"], states["refuses"]) != ("wrong", "passed"):
        raise Failure(f"a policy without the backup: {states}")
    settings = {"pinningMode": "publicKey", "pinnedCertificates": ["bank.pem", "backup.pem"]}
    policy.write_text(json.dumps({"mechanism": "afnetworking", "policy": settings}))
    return {"open": rows("unknown", "accepted"), "closed": rows("bank", "refused"),
            "claim": rows("unknown", "refused", "none"), "old": rows("expired", "accepted")}


GERMAN = {"accepted": "angenommen", "refused": "abgelehnt"}
LADDER = ["ClientHello", "ServerHello", "Certificate", "CertificateVerify", "server Finished", "client Finished", "GET /"]


def anatomy(one):
    printed = one.steps(11)
    bank = found(r"(https://bank\S+?)/counter", "\n".join(
        command for step in one.lesson(11)["steps"] for command in step["commands"]))
    method = found(r"Allow: (\w+)", printed)
    tag = found(r'ETag: ("\w+")', printed)
    cookie = found(r"Set-Cookie: (visitor=\w+)", printed)
    counter = one.shell(f"{FETCH} --method {method} {bank}/counter")
    catalogue = one.shell(f"{FETCH} --header 'If-None-Match: {tag}' {bank}/catalogue")
    visit = one.shell(f"{FETCH} --header 'Cookie: {cookie}' {bank}/visit")
    if "HTTP/1.1 304" not in catalogue or "HTTP/1.1 418" not in one.shell(f"{FETCH} {bank}/status/418"):
        raise Failure(f"the server does not answer as asked: {catalogue}")
    one.predict(11)
    question = next(task for task in one.lesson(11)["tasks"] if task["id"] == "ladder")["question"]
    letters = {text: letter for letter, text in re.findall(r"^ +([a-l])  (.*)$", question, re.MULTILINE)}
    return {"method": found(r"ticket=(\w+)", counter),
            "status": found(r"HTTP/1.1 (\d+)", one.shell(f"{FETCH} {bank}/shelf")),
            "cache": found(r"Seal: (\w+)", catalogue), "cookie": found(r"ticket=(\w+)", visit),
            "ladder": "".join(letters[message] for message in LADDER),
            "exchange": one.choice(11, "exchange", "encrypts the secret", "thief", "verschlüsselt das", "stiehlt")}


def platforms(one):
    one.steps(12)
    shown = one.predict(12)
    fixed = one.folder / "lesson-12/fixed.xml"
    text = fixed.read_text()
    fixed.write_text(text.replace("</pin-set>", "</pin-set><trust-anchors/>"))
    if one.check(12)["refuses"] == "passed" and one.check(12)["works"] == "passed":
        raise Failure("an expired pin-set passes")
    fixed.write_text(re.sub(r'expiration="\d+', f'expiration="{time.gmtime().tm_year + 3}', text))
    return {word: "".join(letter for letter, report in shown.items() if report["outcome"] == word)
            for word in ("open", "locked")} | {
                "log": one.choice(12, "log", "afterwards", "demands timestamps", "nachträglich", "Zeitstempel")}


PLAYS = [read_the_wire, who_signed_this, in_the_middle, is_somebody_there, pins, the_pin_that_bites, broken_checks,
         beyond_pins, challenges, security_policy, anatomy, platforms]


# The experiments that need the recordings or the proxy of a class that runs.
EXPERIMENTS = {1: {"name": "readable", "path": "hidden"}, 3: {"before": "refuses", "installed": "accepts"},
               11: {"tunnel": "authority"}}


def other_answers(one, number):
    """The answers in the world of another student."""
    key = subprocess.run([one.pinhole, "class", "key", str(number), "--seed", one.seed + "x"], capture_output=True,
                         text=True, check=True).stdout
    return dict(re.findall(r"^  (\S+): (.*)$", key, re.MULTILINE))


def play(one, number):
    tasks = [task["id"] for task in one.lesson(number)["tasks"]]
    before = one.check(number)
    if set(before) != set(tasks) or set(before.values()) == {"passed"}:
        raise Failure(f"a lesson that was not begun: {before}")
    answers = PLAYS[number - 1](one)
    for task in [task for task in tasks if task not in answers][:1]:
        done = subprocess.run([one.pinhole, "class", "check", str(number), f"{task}=yes"], cwd=one.folder, env=one.environment,
                              text=True, capture_output=True, timeout=PATIENCE, check=False)
        if done.returncode != 2 or "nothing to answer" not in done.stderr:
            raise Failure(f"an answer to {task} is taken: {done.stderr}")
    if len(answers) > 1:
        half = dict(list(answers.items())[:1])
        if set(one.check(number, half).values()) == {"passed"}:
            raise Failure("a lesson that is half done passes")
    foreign = {task: answer for task, answer in other_answers(one, number).items()
               if task in answers and answer not in (answers[task], f"sha256/{answers[task]}")}
    for wrong in ({task: "nonsense" for task in answers}, foreign):
        states = one.check(number, wrong)
        passed = [task for task in wrong if states[task] == "passed"]
        if passed:
            raise Failure(f"{passed} pass with {wrong}")
    for task in answers:
        if not one.shell(f"pinhole class hint {number} {task}").startswith(task):
            raise Failure(f"no hint for {task}")
    states = one.check(number, answers)
    if set(states) != set(tasks) or set(states.values()) != {"passed"}:
        raise Failure(f"lesson {number} played to its end: {states}")
    shown = one.predict(number)
    evidence = "\n".join(line for report in shown.values() for line in report["evidence"])
    for task, answer in answers.items():
        # The responses of lessons 9 and 11 answer tasks; letters are in any sentence.
        value = re.split("[= ]", answer)[-1]
        if number < 9 and len(value) > 6 and value in evidence:
            raise Failure(f"the experiments of lesson {number} show the answer to {task}: {evidence}")
    for trial, outcome in EXPERIMENTS.get(number, {}).items():
        if shown[trial]["outcome"] != outcome:
            raise Failure(f"the experiment {trial} of lesson {number}: {shown[trial]}")


def main():
    pinhole, seed, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
    language = sys.argv[4] if len(sys.argv) > 4 else "en"
    with tempfile.TemporaryDirectory() as folder:
        one = None
        try:
            one = Class(pinhole, seed, folder, language)
            play(one, number)
            one.stop()
        except Exception as failure:
            if one:
                print("\n".join(one.log), file=sys.stderr)
                one.process.kill()
            print(f"{seed}, lesson {number}: {type(failure).__name__}: {failure}", file=sys.stderr)
            return 1
        # Neither the CA nor a capture may lie outside of the folder of the class.
        strays = [name for name in os.listdir(folder) if name not in ("bin", "pinhole-class", ".local")]
        # Pinhole remembers which CAs it made, by names that have nothing of the class.
        state = Path(folder, ".local")
        strays += [str(path.relative_to(state)) for path in state.rglob("*") if path.is_file()
                   and (path.parent != state / "state/pinhole/trusted" or path.stat().st_size)]
        if strays:
            print(f"outside of the folder: {strays}", file=sys.stderr)
            return 1
    return 0


sys.exit(main())
