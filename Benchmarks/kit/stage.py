"""Processes of a run: the origin, the proxy, and whatever stands between; all end with the run."""
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kit import certificates

# Helpers leave no compiled files beside the sources either.
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

NAMES = ["localhost"] + [f"host{number}.test" for number in range(16)]
BINARY = Path(__file__).resolve().parents[2] / ".build/release/pinhole"


class Proxy:
    """A running `pinhole proxy`."""

    def __init__(self, process, port, authority, capture):
        self.process, self.port, self.authority, self.capture = process, port, authority, capture
        self.pid = process.pid

    def is_alive(self):
        return self.process.poll() is None

    def resident(self):
        """Resident memory in KiB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def processor_time(self):
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        """What the open descriptors are, by kind: socket, anon_inode, file."""
        kinds = {}
        for entry in Path(f"/proc/{self.pid}/fd").iterdir():
            try:
                target = os.readlink(entry)
            except OSError:
                continue
            kind = target.split(":")[0] if ":" in target else "file"
            kinds[kind] = kinds.get(kind, 0) + 1
        return kinds


class Stage:
    """A folder and its processes; use it in a `with` statement."""

    def __enter__(self):
        self._temporary = tempfile.TemporaryDirectory(prefix="pinhole-bench-")
        self.folder = Path(self._temporary.name)
        self.processes = []
        certificates.make(self.folder, NAMES)
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            self.end(process)
        self._temporary.cleanup()

    def start(self, command, **options):
        process = subprocess.Popen([str(word) for word in command], cwd=self.folder, **options)
        self.processes.append(process)
        return process

    def end(self, process, seconds=20):
        """Asks a process to end, then makes it; gives its exit status."""
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
        return process.wait()

    def helper(self, name, *arguments):
        """Starts a program of the kit; gives it and what it said."""
        script = Path(__file__).parent / f"{name}.py"
        process = self.start([sys.executable, script, *arguments], stdout=subprocess.PIPE, text=True)
        return process, json.loads(first_line(process))

    def proxy(self, port_of_names, *arguments, binary=None, configuration=None, capture="capture.sqlite"):
        """Starts the proxy; the names of the origin's certificate lead to 127.0.0.1 on `port_of_names`."""
        (self.folder / "config.json").write_text(json.dumps(configuration or {}))
        os.environ["XDG_STATE_HOME"] = str(self.folder / ".xdg/state")
        subprocess.run([str(binary or BINARY), "config", "trust"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        resolve = [word for port in port_of_names for name in NAMES
                   for word in ("--resolve", f"{name}:{port}:127.0.0.1")]
        process = self.start([binary or BINARY, "proxy", "--quiet", "--config", "config.json", "--listen", "127.0.0.1:0",
                              "--ca-dir", "ca", "--capture", capture, "--upstream-ca", "root.pem", *resolve, *arguments],
                             stdout=subprocess.PIPE, text=True)
        line = first_line(process)
        return Proxy(process, int(line.rsplit(":", 1)[1]), self.folder / "ca/rootCA.pem", self.folder / capture)


def first_line(process, seconds=30):
    """The first line that a process prints."""
    deadline = time.monotonic() + seconds
    if not select.select([process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
        raise SystemExit(f"expected a line from {process.args[0]} within {seconds} s, found none")
    line = process.stdout.readline().strip()
    if not line:
        raise SystemExit(f"expected a line from {process.args[0]}, found that it ended with {process.wait()}")
    return line


def binary_from(arguments):
    """The program to measure: the first argument, or the release build."""
    path = Path(arguments[1]).resolve() if len(arguments) > 1 else BINARY
    if not os.access(path, os.X_OK):
        raise SystemExit(f"expected a program at {path}, found none; run `make release` first")
    return path
