"""`pinhole attach` in a network namespace: a program that knows of no proxy is attached to by its name and its number.

Usage: unshare --net --mount python3 attach.py PINHOLE DIRECTORY   (as root)
       unshare --net --mount python3 attach.py --check             (says why this system does not permit the test)

    attach-client ── 192.0.2.10 and 2001:db8::10 on the loopback interface: servers of this script

Prints a line for each check, and ends with 1 at the first that fails.
"""

import http.client
import http.server
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
V4, V6 = "192.0.2.10", "2001:db8::10"
NAME = "attach-client"
UNDO = "/run/pinhole"
# nft lies where only root usually looks.
os.environ["PATH"] += ":/usr/local/sbin:/usr/sbin:/sbin"

# The client asks for what a line of its input says, and prints the result as JSON. It has a child process of the same
# name, which gets the lines that begin with “child”.
CLIENT = """
import json, socket, ssl, subprocess, sys

def ask(way, address, authority):
    if way == "udp":
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            line.settimeout(%(patience)d)
            line.connect((address, 443))
            line.send(b"hello")
            return line.recv(100).decode()
    with socket.create_connection((address, 443 if way == "https" else 80), %(patience)d) as line:
        issuer = ""
        if way == "https":
            context = ssl.create_default_context(cafile=authority)
            line = context.wrap_socket(line, server_hostname="o.test")
            issuer = dict(pair[0] for pair in line.getpeercert()["issuer"])["commonName"]
        line.sendall(b"GET /a HTTP/1.1\\r\\nHost: o.test\\r\\nConnection: close\\r\\n\\r\\n")
        data = b""
        while more := line.recv(1000):
            data += more
        return data.split(b" ")[1].decode() + " " + issuer

name, both, strict = sys.argv[1:4]
child = None
if name != "child":
    child = subprocess.Popen([name, __file__, "child", both, strict], executable=name, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "child":
        child.stdin.write(" ".join(words[1:]) + "\\n")
        child.stdin.flush()
        print(child.stdout.readline() or sys.exit("the child process has ended"), end="", flush=True)
        continue
    authority = both
    if words[0] == "strict":
        words, authority = words[1:], strict
    try:
        print(json.dumps(ask(words[0], words[1], authority)), flush=True)
    except OSError as failure:
        print(json.dumps("failed: " + str(failure)), flush=True)
if child:
    child.communicate()
"""


def run(*words, check=True, **more):
    result = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, **more)
    if check and result.returncode != 0:
        sys.exit(f"FAIL {' '.join(words)}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def expect(holds, name, found=""):
    if not holds:
        sys.exit(f"FAIL {name}\nfound: {found}")
    print("ok  ", name, flush=True)


def until(condition, name):
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        if time.monotonic() > end:
            sys.exit(f"FAIL {name} did not happen within {PATIENCE} s")
        time.sleep(0.05)
    return value


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def group(pid="self"):
    """The folder of the cgroup of a process."""
    path = next(line[3:] for line in read(f"/proc/{pid}/cgroup").splitlines() if line.startswith("0::"))
    mounts = [line.split() for line in read("/proc/self/mountinfo").splitlines()]
    place = next(words[4] for words in mounts if words[words.index("-") + 1] == "cgroup2" and words[3] == "/")
    return place + path.rstrip("/")


def check():
    """Ends with the reason if this system does not permit the test."""
    if os.geteuid() != 0:
        sys.exit("this test needs root")
    try:
        own = f"{group()}/pinhole-check"
        os.mkdir(own)
    except (OSError, StopIteration) as failure:
        sys.exit(f"this system permits no cgroup: {failure!r}")
    try:
        place = os.path.relpath(own, "/sys/fs/cgroup")
        result = run("nft", "table inet check { chain a { type nat hook output priority -150\n"
                     f'socket cgroupv2 level 1 "{place}" meta l4proto tcp redirect to :1\n'
                     "}\n}", check=False)
        if result.returncode != 0:
            sys.exit(f"this kernel has no rules for cgroups: {result.stderr}")
        run("nft", "delete table inet check")
    finally:
        os.rmdir(own)


class Answer(http.server.BaseHTTPRequestHandler):
    """The answer of the servers."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """A server at an address of either family."""

    def __init__(self, address, port, context=None):
        self.address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        super().__init__((address, port), Answer)
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, *_):
        pass


class Client:
    """A program that runs already."""

    def __init__(self, directory):
        name = f"{directory}/{NAME}"
        words = [name, f"{directory}/client.py", name, f"{directory}/both.pem", f"{directory}/origin-ca.pem"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        expect(self.ask(f"child http {V4}") == "200 ", "the client and its child process run")
        self.origin = group(self.pid)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


class Attachment:
    """`pinhole attach`."""

    count = 0

    def __init__(self, stage, *words):
        Attachment.count += 1
        self.errors = f"{stage.directory}/attach-{Attachment.count}.err"
        with open(self.errors, "w") as errors:
            self.process = subprocess.Popen([*stage.attach, *words], stdin=subprocess.DEVNULL, stderr=errors,
                                            cwd=stage.directory)

    def text(self):
        return read(self.errors)

    def waits(self):
        until(lambda: "pinhole: attached to" in self.text() or self.process.poll() is not None, "the attachment")
        expect(self.process.poll() is None, "attached", self.text())

    def helper(self):
        """The process that has the rights of root."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            words = read(f"/proc/{pid}/cmdline").split("\0")
            if f"PPid:\t{self.process.pid}\n" in read(f"/proc/{pid}/status") and "attached" in words:
                return int(pid)
        sys.exit("FAIL the helper is not found")


class Stage:
    def __init__(self, binary, directory):
        self.directory = directory
        self.binary = binary
        os.environ.update(HOME=directory, XDG_DATA_HOME=f"{directory}/data", XDG_STATE_HOME=f"{directory}/state",
                          XDG_CONFIG_HOME=f"{directory}/config", XDG_CACHE_HOME=f"{directory}/cache")
        self.attach = [binary, "attach", "--yes", "--verbose", "--ca-dir", f"{directory}/ca", "--capture",
                       f"{directory}/capture.sqlite", "--upstream-ca", f"{directory}/origin-ca.pem"]

    def begin(self):
        # The undo files of this machine stay out of the test.
        run("mount", "-t", "tmpfs", "none", "/run")
        run("ip", "link", "set", "lo", "up")
        run("ip", "address", "add", f"{V4}/32", "dev", "lo")
        run("ip", "address", "add", f"{V6}/128", "dev", "lo", "nodad")
        d = self.directory
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
            "30", "-subj", "/CN=Test CA", "-keyout", f"{d}/origin-ca.key", "-out", f"{d}/origin-ca.pem")
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
            "30", "-subj", "/CN=o.test", "-addext", "subjectAltName=DNS:o.test", "-addext",
            "basicConstraints=critical,CA:FALSE", "-CA", f"{d}/origin-ca.pem", "-CAkey", f"{d}/origin-ca.key",
            "-keyout", f"{d}/server.key", "-out", f"{d}/server.pem")
        run(self.binary, "ca", "init", "--ca-dir", f"{d}/ca")
        with open(f"{d}/both.pem", "w") as file:
            file.write(read(f"{d}/origin-ca.pem") + read(f"{d}/ca/rootCA.pem"))
        with open(f"{d}/client.py", "w") as file:
            file.write(CLIENT % {"patience": PATIENCE})
        os.symlink(os.path.realpath(sys.executable), f"{d}/{NAME}")
        self.serve()

    def serve(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{self.directory}/server.pem", f"{self.directory}/server.key")
        for address in V4, V6:
            for port, security in (80, None), (443, context):
                server = Server(address, port, security)
                threading.Thread(target=server.serve_forever, daemon=True).start()
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.bind((V4, 443))
        threading.Thread(target=self.echo, args=(line,), daemon=True).start()

    @staticmethod
    def echo(line):
        while True:
            line.sendto(*line.recvfrom(100))

    def leftovers(self, client):
        """What an attachment to a client left: the table, the cgroup and the undo file."""
        name = f"pinhole-{client.pid}"
        found = [line for line in run("nft", "list", "tables").stdout.splitlines() if line.split()[-1] == name]
        return found + [path for path in (f"{client.origin}/{name}", f"{UNDO}/{name}") if os.path.exists(path)]

    def is_clean(self, client, way):
        until(lambda: not self.leftovers(client), f"{way}: everything is taken back")
        expect(group(client.pid) == client.origin, f"{way}: the process is in its own cgroup", group(client.pid))
        found = client.ask(f"https {V4}")
        expect(found == "200 Test CA", f"{way}: the client reaches its server by itself", found)


def sees(client, way):
    """What an attached client experiences."""
    for address in V4, V6:
        found = client.ask(f"https {address}")
        expect(found.startswith("200 ") and "Test CA" not in found, f"{way}: TLS to {address} is decrypted", found)
        found = client.ask(f"http {address}")
        expect(found == "200 ", f"{way}: plain HTTP to {address}", found)
    found = client.ask(f"child https {V4}")
    expect(found.startswith("200 ") and "Test CA" not in found, f"{way}: its child process, too", found)
    found = client.ask(f"udp {V4}")
    expect(found.startswith("failed: "), f"{way}: HTTP/3 is refused", found)


def by_name(stage, client):
    found = client.ask(f"https {V4}")
    expect(found == "200 Test CA", "before: the client reaches its server by itself", found)
    expect(client.ask(f"udp {V4}") == "hello", "before: UDP reaches port 443")
    attachment = Attachment(stage, NAME)
    attachment.waits()
    text = attachment.text()
    for step in (f"mkdir {client.origin}/pinhole-{client.pid}", f"table inet pinhole-{client.pid} {{", "rmdir "):
        expect(step in text, f"the change is told: {step}", text)
    expect(len(stage.leftovers(client)) == 3, "table, cgroup and undo file exist", stage.leftovers(client))
    told = run(stage.binary, "doctor", cwd=stage.directory, check=False).stdout
    expect("killed pinhole attach" not in told, "doctor finds no fault in an attachment", told)
    sees(client, "by name")
    found = client.ask(f"strict https {V4}")
    expect("failed" in found and "certificate" in found, "a client without trust in the CA refuses it", found)
    line = http.client.HTTPConnection(V4, timeout=PATIENCE)
    line.request("GET", "/own")
    expect(line.getresponse().status == 200, "another process is served")
    result = run(*stage.attach, "--capture", "none", str(client.pid), check=False)
    expect(result.returncode == 3 and "another pinhole attach" in result.stderr, "a second attachment is refused",
           result.stderr)
    attachment.process.send_signal(signal.SIGTERM)
    code = attachment.process.wait(PATIENCE)
    text = attachment.text()
    expect(code == 0, "SIGTERM: exit code 0", f"{code} {text}")
    expect(re.search(r"pinhole: \d+ exchanges with \d hosts", text), "a summary", text)
    expect("does not trust Pinhole's CA" in text, "the refusal is told", text)
    stage.is_clean(client, "SIGTERM")
    # Not by the name of the program: on a busy machine, a connection of some milliseconds may be gone before its search.
    listing = run(stage.binary, "flows", "list", "--capture", f"{stage.directory}/capture.sqlite").stdout
    expect("https://o.test/a" in listing and "/own" not in listing, "the capture has its exchanges alone", listing)


def killed(stage, client):
    attachment = Attachment(stage, str(client.pid))
    attachment.waits()
    attachment.process.kill()
    attachment.process.wait(PATIENCE)
    stage.is_clean(client, "SIGKILL of the proxy")
    attachment = Attachment(stage, str(client.pid))
    attachment.waits()
    os.kill(attachment.helper(), signal.SIGKILL)
    code = attachment.process.wait(PATIENCE)
    expect(code == 3 and "everything is taken back" in attachment.text(), "the end of the part with root is told",
           f"{code} {attachment.text()}")
    stage.is_clean(client, "SIGKILL of the part with root")
    for way in "the next start", "a start without a process", "--undo":
        attachment = Attachment(stage, str(client.pid))
        attachment.waits()
        helper = attachment.helper()
        os.kill(attachment.process.pid, signal.SIGSTOP)
        os.kill(helper, signal.SIGKILL)
        attachment.process.kill()
        attachment.process.wait(PATIENCE)
        until(lambda: read(f"/proc/{helper}/status").partition("State:\t")[2][:1] in ("", "Z"), "the helper's end")
        found = stage.leftovers(client)
        expect(len(found) == 3, "SIGKILL of both parts leaves the changes", found)
        name = f"pinhole-{client.pid}"
        told = run(stage.binary, "doctor", cwd=stage.directory, check=False).stdout
        expect(name in told and "pinhole attach --undo" in told, "doctor names them", told)
        if way == "--undo":
            result = run(stage.binary, "attach", "--undo", cwd=stage.directory)
            expect("took back" in result.stderr, "attach --undo says what it took back", result.stderr)
            stage.is_clean(client, way)
            result = run(stage.binary, "attach", "--undo", cwd=stage.directory)
            expect("nothing to take back" in result.stderr, "and nothing is left to take back", result.stderr)
            continue
        if way == "a start without a process":
            result = run(*stage.attach, "no-such-program", check=False)
            expect(result.returncode == 3 and "took back" in result.stderr, "it takes the changes back as well", result.stderr)
            stage.is_clean(client, way)
            continue
        attachment = Attachment(stage, NAME)
        attachment.waits()
        expect("took back" in attachment.text(), "the next start takes the changes back", attachment.text())
        sees(client, way)
        attachment.process.send_signal(signal.SIGINT)
        attachment.process.wait(PATIENCE)
        stage.is_clean(client, way)


def removed(stage, client):
    attachment = Attachment(stage, NAME)
    attachment.waits()
    own = group(client.pid)
    for pid in read(f"{own}/cgroup.procs").split():
        with open(f"{client.origin}/cgroup.procs", "w") as file:
            file.write(pid)
    try:
        os.rmdir(own)
    except FileNotFoundError:
        pass  # Pinhole was faster.
    code = attachment.process.wait(PATIENCE)
    expect(code == 0, "the end of the cgroup ends the attachment", f"{code} {attachment.text()}")
    stage.is_clean(client, "removal of the cgroup")


def occupied(stage, client):
    attachment = Attachment(stage, str(client.pid))
    attachment.waits()
    own = group(client.pid)
    os.mkdir(f"{own}/other")
    attachment.process.send_signal(signal.SIGTERM)
    code = attachment.process.wait(PATIENCE)
    expect(code == 3 and f"could not remove the cgroup {own}" in attachment.text(), "a cgroup with others in it stays",
           f"{code} {attachment.text()}")
    expect(stage.leftovers(client) == [own, f"{UNDO}/pinhole-{client.pid}"], "its table is gone",
           stage.leftovers(client))
    other = Client(stage.directory)
    attachment = Attachment(stage, str(other.pid))
    attachment.waits()
    expect("could not remove the cgroup" in attachment.text(), "others can be attached to all the same",
           attachment.text())
    attachment.process.send_signal(signal.SIGTERM)
    attachment.process.wait(PATIENCE)
    stage.is_clean(other, "beside an occupied cgroup")
    other.end()
    os.rmdir(f"{own}/other")
    result = run(stage.binary, "attach", "--undo", cwd=stage.directory)
    expect("took back" in result.stderr, "attach --undo takes it back as soon as it is free", result.stderr)
    stage.is_clean(client, "an occupied cgroup")


def foreign(stage, client):
    """Another user's folder of undo files leads root to nothing."""
    os.chmod(UNDO, 0o755)
    result = run(*stage.attach, str(client.pid), check=False)
    expect(result.returncode == 3 and "is open to others" in result.stderr, "a folder of others is refused",
           result.stderr)
    os.chmod(UNDO, 0o700)
    expect(not stage.leftovers(client), "nothing was changed")


def several(stage, client):
    other = Client(stage.directory)
    result = run(*stage.attach, NAME, check=False)
    expect(result.returncode == 3 and all(f"\n  {one.pid}  " in result.stderr for one in (client, other)),
           "a name of two programs is refused with a list", result.stderr)
    other.end()
    result = run(*stage.attach, "no-such-program", check=False)
    expect(result.returncode == 3, "a name of no program is refused", result.stderr)
    result = run(*stage.attach, str(os.getpid()), check=False)
    expect(result.returncode == 2, "a parent process of Pinhole is refused", result.stderr)
    expect(not stage.leftovers(client), "nothing was changed")


def ended(stage, client):
    attachment = Attachment(stage, NAME)
    attachment.waits()
    client.end()
    code = attachment.process.wait(PATIENCE)
    expect(code == 0 and "has ended" in attachment.text(), "the end of the program ends the attachment",
           attachment.text())
    expect(not stage.leftovers(client), "the end of the program: everything is taken back", stage.leftovers(client))


def main():
    check()
    if sys.argv[1] == "--check":
        return
    stage = Stage(*sys.argv[1:])
    stage.begin()
    client = Client(stage.directory)
    try:
        by_name(stage, client)
        killed(stage, client)
        removed(stage, client)
        occupied(stage, client)
        foreign(stage, client)
        several(stage, client)
        ended(stage, client)
    finally:
        client.process.kill()


main()
