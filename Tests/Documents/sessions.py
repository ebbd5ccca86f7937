"""Runs the shell sessions of a documentation page, and compares the output of each command with the page.

Usage: python3 sessions.py [--write] PINHOLE PAGE…    (COMMANDS for docs/COMMANDS.md, README for README.md)

With --write, the pages get the outputs that differ. Outputs with “…” have to be written by hand.

Every command at a `$` prompt runs, top to bottom, in one shell in one folder. `PAGE.sh` beside this file prepares the
files and servers that the page takes for granted. The shell has its own network namespace, so a page's ports are free
and its host names lead to loopback. A line begins each part of PAGE.sh:

    #: before COMMAND    the part runs before the next command that begins so
    #: during COMMAND    the part runs while this command runs (a proxy that stays)
    #: sh                the page's `sh` blocks run, too

`common.sh` has the helpers. The output differs if a line differs after `normalised`; a line "…" in the page stands for
any lines, "…" within a line for any text. A block that shows no output at all is only run.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
# All commands of a page together; a test of a page waits for three times the patience.
SECONDS = 2 * PATIENCE

# Commands that no test of the page runs, by their beginning. Each line has its reason.
EXCEPTIONS = {
    "htpasswd ": "asks for a password; the preparation writes the file",
    "make ": "builds for minutes; `make test-package` and `make test` run these targets",
    "ls .build/packages": "shows what `make deb` built; `make test-package` reads the files",
    "sudo apt ": "changes the machine; `make test-package` installs in a bare Debian root",
    "sudo make ": "changes the machine; `make test-package` installs the same files",
    "sudo -E env ": "builds for half an hour in a root of its own; `make test-bare` is this test",
    "python3 -c 'import pandas": "needs packages of PyPI that no test needs otherwise",
    "pinhole attach ": "needs root, and a question on a terminal; Tests/Network/attach.py attaches",
    "docker ": "needs a daemon; the image is made by `make container`",
    "swift run ": "builds for minutes; `Scripts/test-example` runs this command",
}


class Step:
    """A command of a page, and the output that the page shows from a line on."""

    def __init__(self, line, command, output, is_silent, start, indent):
        self.line, self.command, self.output, self.is_silent = line, command, output, is_silent
        self.start, self.indent = start, indent
        self.exception = next((why for begin, why in EXCEPTIONS.items() if command.startswith(begin)), None)

    @property
    def finds_nothing(self):
        """Whether the page shows that nothing was found, or why the capture could not be read."""
        return any(line.startswith("pinhole: ") for line in self.output)

    @property
    def stays(self):
        """Whether the command is a server in a terminal of its own, which runs on while the page continues."""
        if not re.match(r"(sudo )?pinhole (proxy|console)\b", self.command) or self.command.endswith("&"):
            return False
        return not self.output or any(line.startswith(("listening on", "…")) for line in self.output)


def steps_of(lines, runs_scripts=False):
    """The steps of a page's code blocks."""
    steps, start = [], None
    for index, line in enumerate(lines):
        if not line.lstrip().startswith("```"):
            continue
        if start is None:
            start = index
            continue
        indent = len(lines[start]) - len(lines[start].lstrip())
        block = [text[indent:] for text in lines[start + 1:index]]
        prompts = [number for number, text in enumerate(block) if text.startswith("$ ")]
        if prompts:
            found = []
            for number, after in zip(prompts, prompts[1:] + [len(block)]):
                last = number
                while block[last].endswith("\\") and last + 1 < after:
                    last += 1
                command = "\n".join([block[number][2:]] + block[number + 1:last + 1])
                output = block[last + 1:after]
                while output and not output[-1]:
                    output.pop()
                found.append((start + 2 + number, command, output, start + last + 2))
            is_silent = not any(output for _, _, output, _ in found)
            found = [Step(*step[:3], is_silent, step[3], indent) for step in found]
            # What follows a server that does not run here asks that server.
            missing = [number for number, step in enumerate(found) if step.exception and step.command.endswith("&")]
            for step in found[missing[0]:] if missing else []:
                step.exception = found[missing[0]].exception
            steps += found
        elif runs_scripts and lines[start].strip() == "```sh":
            steps.append(Step(start + 2, "\n".join(block), [], True, index, indent))
        start = None
    return steps


def parts_of(text):
    """The parts of a PAGE.sh: (when, the beginning of a command, shell)."""
    parts = [["", "", []]]
    for line in text.splitlines():
        if line.startswith("#: "):
            when, _, command = line[3:].partition(" ")
            parts.append([when, command, []])
        else:
            parts[-1][2].append(line)
    return [(when, command, "\n".join(lines)) for when, command, lines in parts]


def least_lines(output):
    """The least number of lines that a shown output stands for."""
    return len([line for line in output if line.strip() not in ("", "…")])


def lines_of_traffic(output):
    """The least number of lines that a proxy prints after it has said where it listens."""
    places = [number for number, line in enumerate(output) if line.startswith("listening on")]
    return least_lines(output[places[-1] + 1:]) if places else 0


def script_of(steps, parts):
    """One shell script of all steps; a line before and after each output names the step."""
    waiting = list(parts)
    script = [f". {shlex.quote(os.path.join(HERE, 'common.sh'))}"]

    def hidden(when, command="", number=0):
        if waiting and waiting[0][0] == when and command.startswith(waiting[0][1]):
            script.append(f"hide {number}\n{waiting.pop(0)[2]}\nunhide")

    hidden("")
    for index, step in enumerate(steps):
        if step.exception:
            continue
        hidden("before", step.command, index)
        script.append(f"mark {index}")
        lines = least_lines(step.output)
        if step.stays:
            ready = max(1, len([line for line in step.output if line.startswith("listening on")]))
            command = re.sub(r"\s+#.*$", "", step.command)
            script.append(f': >"$SESSION/served"\n{command} >"$SESSION/served" 2>&1 &\nLAST=$!\nready {ready} $LAST')
            hidden("during", step.command, index)
            script.append(f"served {lines} {lines_of_traffic(step.output)}")
        elif re.match(r"pinhole flows (list|show)\b", step.command) and not step.finds_nothing:
            script.append(f"again {lines} {shlex.quote(step.command)}")
        else:
            script.append(step.command)
        script.append(f"STATUS=$?\nsettle {lines}\nend {index} $STATUS")
    if waiting:
        raise SystemExit(f"no command of the page, or none in this order, begins with “{waiting[0][1]}”")
    return "\n".join(script) + "\n"


def normalised(line):
    """A line without what differs between two runs: times, ports, keys, sizes that vary with keys, versions."""
    for pattern, text in NORMALISED:
        line = pattern.sub(text, line)
    return line.rstrip()


NORMALISED = [(re.compile(pattern), text) for pattern, text in [
    (r"[0-9a-f]{64}|([0-9A-F]{2}:){31}[0-9A-F]{2}", "DIGEST"),
    (r"(redacted-[a-z]+-)[0-9a-f]{12}", r"\1TAG"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"),
    (r"Date: .*", "Date: TIME"),
    (r"\b\d\d:\d\d:\d\d\b", "TIME"),
    (r"\d{4}-\d\d-\d\d", "DATE"),
    (r'("(milliseconds|secondsLeft|pid|bytes)":)[\d.]+', r"\1N"),
    (r"(under )?\d+(\.\d+)? [mµ]?s\b", "DURATION"),
    (r"\d+(\.\d+)? KB", "SIZE"),
    # A connection with bytes that nobody has read ends with a reset, and whether they arrived in time is chance.
    (r"reset the connection", "closed (FIN)"),
    (r",\d+\.\d+,", ",N,"),
    (r"(TLS +FAILED +)(\d+ B|SIZE)", r"\1SIZE"),
    (r"(client +[\d.]+):\d+", r"\1:PORT"),
    (r"(, at 127\.0\.0\.1):[3-6]\d{4}\b", r"\1:PORT"),
    # Whether a server's connection is lent depends on the moment at which the client before has closed its own.
    (r'connectionReused(, )?|"connectionReused",?', ""),
    (r"process \d+, \S+", "process ID"),
    (r"token=[\w-]+", "token=TOKEN"),
    (r"[A-Za-z0-9+/]{43}=", "KEY"),
    (r"“[A-Za-z0-9+/]{8}…”", "“KEY…”"),
    (r"[Pp]ython(-urllib)?/?3\.\d+(\.\d+)?", "PYTHON"),
    (r"curl/\d[\d.]*", "curl/VERSION"),
    (r" +", " "),
]]


# The pages show what the libraries of Debian 12 print: OpenSSL 3.0 and curl 7.88. Of each program, from which version on
# it prints something else, and what instead.
LATER = {
    "OpenSSL": ((3, 5), {
        "31 cipher suites": "30 cipher suites",
        "TLS 1.3 TLS 1.2 TLS 1.1 TLS 1.0, ALPN": "TLS 1.3 TLS 1.2, ALPN",
        "Pinhole offered x25519 secp256r1 x448 secp521r1 secp384r1 …":
            "Pinhole offered X25519MLKEM768 SecP256r1MLKEM768 SecP384r1MLKEM1024 MLKEM768 MLKEM1024 MLKEM512 "
            "x25519 secp256r1 x448 secp384r1 secp521r1 ffdhe2048 ffdhe3072",
        "offered x25519 secp256r1 x448 secp521r1 secp384r1 …":
            "offered X25519MLKEM768 x25519 secp256r1 x448 secp384r1 secp521r1 ffdhe2048 ffdhe3072",
        "(key shares: x25519), got x25519": "(key shares: X25519MLKEM768 x25519), got X25519MLKEM768",
        "(key shares: x25519), the server": "(key shares: X25519MLKEM768 x25519), the server",
        "the server chose x25519": "the server chose X25519MLKEM768",
        "ecdsa_secp256r1_sha256 ecdsa_secp384r1_sha384 ecdsa_secp521r1_sha512 ed25519 …":
            "mldsa65 mldsa87 mldsa44 ecdsa_secp256r1_sha256 ecdsa_secp384r1_sha384 ecdsa_secp521r1_sha512 ed25519 …",
        "888 B sent": "2.0 KB sent",
        "rejected-likely(internal_error)": "no-common-version",
        # The lab has L23.
        "77 of 78": "78 of 79",
        "78 of 78": "79 of 79",
        "L" * 22: "L" * 23,
        "0000000001111111111222": "00000000011111111112222",
        "1234567890123456789012": "12345678901234567890123",
        "○!○  68/71": "○!○○  68/71",
    }),
    "curl": ((8, 14), {"closed (close_notify)": "closed (FIN)"}),
}


def in_use(pinhole):
    """The versions of the programs of `LATER`, as they say."""
    texts = [subprocess.run([name, "--version"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
             for name in [pinhole, "curl"]]
    found = {name: re.search(rf"\b{name} (\d+)\.(\d+)", text) for name, text in zip(LATER, texts)}
    return {name: (int(match[1]), int(match[2])) for name, match in found.items()}


def expected(line, versions):
    """What a line of a page is with these versions."""
    for name, (first, texts) in LATER.items():
        for shown, printed in texts.items() if versions[name] >= first else ():
            line = line.replace(shown, printed)
    return line


def matches(shown, printed):
    """Whether a printed line is the shown one; “…” in the shown line stands for any text."""
    if shown == printed:
        return True
    if "…" not in shown:
        return False
    return re.fullmatch(".*".join(re.escape(part) for part in shown.split("…")), printed) is not None


def difference(shown, printed, is_ordered=True):
    """Says how a printed output differs from the shown one; `None` if it does not. Empty lines do not count."""
    shown = [line for line in map(normalised, shown) if counts(line)]
    printed = [line for line in map(normalised, printed) if counts(line)]
    # reach[i]: the numbers of printed lines that the first i shown lines can stand for.
    reach = {0}
    for line in shown:
        if line.strip() == "…":
            after = set(range(min(reach), len(printed) + 1))
        else:
            after = {count + 1 for count in reach if count < len(printed) and matches(line, printed[count])}
        if not after:
            if not is_ordered and len(shown) == len(printed):
                return unordered(shown, printed)
            count = min(max(reach), len(printed))
            return f"“{line}” is “{printed[count] if count < len(printed) else '(nothing)'}”"
        reach = after
    if len(printed) in reach:
        return None
    return f"more than the page shows: “{printed[max(reach)]}”"


def counts(line):
    """Whether a line is compared. A client's program that has ended is not always found."""
    return line and not re.fullmatch("program .*, process ID", line)


def unordered(shown, printed):
    """The same for the output of several programs at one time, whose lines may come in any order."""
    left = list(printed)
    for line in shown:
        found = next((other for other in left if matches(line, other)), None)
        if found is None:
            return f"“{line}” is missing"
        left.remove(found)
    return None


def run(script, folder, pinhole):
    """Runs a script in namespaces of its own, and returns what it wrote."""
    programs = os.path.join(folder, "programs")
    os.mkdir(programs)
    os.symlink(os.path.abspath(pinhole), os.path.join(programs, "pinhole"))
    # Another Python, such as that of pyenv, offers other cipher suites than Debian's.
    os.symlink("/usr/bin/python3", os.path.join(programs, "python3"))
    with open(os.path.join(folder, "session.sh"), "w", encoding="utf-8") as file:
        file.write(script)
    kept = {"LANG": "C.UTF-8", "TERM": "dumb"}
    # A build with a sanitizer needs to know what it is not to report.
    sanitizers = ["LSAN_OPTIONS", "TSAN_OPTIONS", "ASAN_OPTIONS", "ASAN_SYMBOLIZER_PATH"]
    for name in ["USER", "LOGNAME", "PINHOLE_TEST_PATIENCE", "PINHOLE_TEST_PYTHON", "LLVM_PROFILE_FILE", *sanitizers]:
        if name in os.environ:
            kept[name] = os.environ[name]
    kept |= {
        "PATH": f"{programs}:{os.environ.get('PATH', '/usr/bin:/bin')}:/usr/sbin:/sbin",
        "SESSION": folder, "HERE": HERE, "TMPDIR": folder, "REPOSITORY": ROOT,
        "PYTHON": os.environ.get("PINHOLE_TEST_PYTHON") or sys.executable,
    }
    words = ["unshare", "--user", "--map-root-user", "--net", "--mount", "--uts", "--pid", "--fork", "--kill-child",
             "--mount-proc", "bash", os.path.join(folder, "session.sh")]
    try:
        subprocess.run(words, env=kept, cwd=folder, stdin=subprocess.DEVNULL, timeout=SECONDS,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired:
        pass
    texts = {}
    for name in ["output", "hidden"]:
        path = os.path.join(folder, name)
        text = open(path, encoding="utf-8", errors="replace").read() if os.path.exists(path) else ""
        texts[name] = re.sub(re.escape(folder) + r"/home\d+", "~", text)
    return texts["output"], texts["hidden"]


def preparation(hidden, index):
    """The end of what the preparation of a step wrote."""
    parts = [part.partition("\n") for part in hidden.split("\n@@ ")]
    lines = [line for number, _, text in parts if number == str(index) for line in text.split("\n")
             if not re.match(r"\++ (local|shift|eval|sleep|for|exec|'\[')", line)]
    return "\n--- preparation\n" + "\n".join(lines[-40:]) if lines else ""


def write(path, lines, outputs):
    """Replaces outputs of a page, from the last to the first."""
    for step, found in reversed(outputs):
        lines[step.start:step.start + len(step.output)] = [(" " * step.indent + line).rstrip() for line in found]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def check(page, pinhole, versions, is_writing):
    """Runs the sessions of a page; returns the differences and the number of commands."""
    path = os.path.join(ROOT, "README.md" if page == "README" else f"docs/{page}.md")
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    fixture = os.path.join(HERE, f"{page}.sh")
    text = open(fixture, encoding="utf-8").read() if os.path.exists(fixture) else ""
    steps = steps_of(lines, "#: sh\n" in text)
    script = script_of(steps, parts_of(text.replace("#: sh\n", "")))
    with tempfile.TemporaryDirectory(prefix="pinhole-page.") as folder:
        output, hidden = run(script, folder, pinhole)
    printed = {}
    for match in re.finditer(r"\n@@ (\d+) (\d)\n(.*?)\n@= \1 (\d+)\n", output, re.DOTALL):
        printed[int(match[1])] = (match[3].split("\n"), match[2] == "0", int(match[4]))
    faults, outputs = [], []
    for index, step in enumerate(steps):
        if step.exception:
            continue
        place = f"{os.path.relpath(path, ROOT)}:{step.line}: {step.command}"
        if index not in printed:
            faults.append(f"{place}\n  was not reached\n{output[-3000:]}\n--- preparation\n{hidden[-4000:]}")
            break
        found, is_alone, status = printed[index]
        if step.is_silent or (step.stays and not step.output):
            fault = None if status < 2 else f"exit code {status}"
        else:
            shown = [expected(line, versions) for line in step.output]
            fault = difference(shown, found, is_alone)
        if fault:
            faults.append(f"{place}\n  {fault}\n--- the page\n" + "\n".join(step.output)
                          + "\n--- the program\n" + "\n".join(found)
                          + preparation(hidden, index))
            if not step.is_silent and "…" not in "\n".join(step.output):
                outputs.append((step, found[:max(number for number, line in enumerate(found, 1) if line or number == 1)]))
    if is_writing:
        write(path, lines, outputs)
    return faults, len([step for step in steps if not step.exception])


def main():
    words = sys.argv[1:]
    is_writing = words[:1] == ["--write"]
    pinhole, *pages = words[is_writing:]
    versions = in_use(pinhole)
    if is_writing and any(versions[name] >= first for name, (first, _) in LATER.items()):
        raise SystemExit(f"the pages show what Debian 12 prints, and this is {versions}")
    count = 0
    for page in pages:
        faults, number = check(page, pinhole, versions, is_writing)
        count += len(faults)
        print("\n\n".join(faults + [f"{page}: {number} commands, {len(faults)} differences"]), flush=True)
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
