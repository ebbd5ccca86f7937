"""Transparent listeners in network namespaces: curl knows of no proxy, and nft, iptables or TPROXY lead it to one.

Usage: unshare --net python3 transparent.py PINHOLE DIRECTORY   (as root; else: unshare --map-root-user --net ...)

    client 10.9.0.2 ── 10.9.0.1 here (pinhole, curl) 10.8.0.1 ── 10.8.0.2 servers, which have 192.0.2.10, too

Prints a line for each check, and ends with 1 at the first that fails.
"""

import json
import os
import socket
import subprocess
import sys
import time

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
PORTS = "80, 443, 2525, 2526, 8081"
NOBODY = "65534"
MARK = "7"
V4, V6 = "192.0.2.10", "2001:db8::10"
# Whether there is a second user: a namespace of users made for this test has root alone.
HAS_USERS = int(open("/proc/self/uid_map").read().split()[2]) > 1
# nft, iptables and nginx lie where only root usually looks.
os.environ["PATH"] += ":/usr/local/sbin:/usr/sbin:/sbin"

SERVERS = """
import socket, sys, threading

def serve(family, address, port, greeting):
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, port))
    listener.listen()
    while True:
        connection, _ = listener.accept()
        connection.sendall(greeting)
        data = connection.recv(100)
        connection.sendall(data[::-1])
        connection.close()

for port, greeting in ((2525, b"220 hello\\n"), (2526, b"")):
    for family, address in ((socket.AF_INET, "192.0.2.10"), (socket.AF_INET6, "2001:db8::10")):
        threading.Thread(target=serve, args=(family, address, port, greeting)).start()
"""

NGINX = """
user root; daemon off; pid %(dir)s/nginx.pid; error_log %(dir)s/nginx.log;
events {}
http {
    access_log off;
    client_body_temp_path %(dir)s/tmp; proxy_temp_path %(dir)s/tmp; fastcgi_temp_path %(dir)s/tmp;
    uwsgi_temp_path %(dir)s/tmp; scgi_temp_path %(dir)s/tmp;
    server {
        listen 192.0.2.10:80; listen [2001:db8::10]:80;
        listen 192.0.2.10:443 ssl http2; listen [2001:db8::10]:443 ssl http2;
        ssl_certificate %(dir)s/server.pem; ssl_certificate_key %(dir)s/server.key;
        location / { default_type text/plain; return 200 "$scheme $host $remote_addr $server_protocol"; }
    }
}
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


class Proxy:
    """`pinhole proxy`, as a user of its own where there is one."""

    def __init__(self, binary, directory, *words, user=None, name="proxy", ca="ca"):
        self.output, self.errors = f"{directory}/{name}.out", f"{directory}/{name}.err"
        prefix = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] if user else []
        with open(self.output, "w") as output, open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                prefix + [binary, "proxy", "--json", "--console", "none", "--ca-dir", f"{directory}/{ca}",
                          "--upstream-ca", f"{directory}/origin-ca.pem", "--capture", "none", *words],
                stdout=output, stderr=errors, cwd=directory)
        listeners = words.count("--listen")
        until(lambda: self.process.poll() is not None or len(self.lines("listening")) == listeners, "listening")
        if self.process.poll() is not None:
            sys.exit("FAIL the proxy ended: " + open(self.errors).read())

    def lines(self, kind):
        lines = [line for line in open(self.output) if line.endswith("\n")]
        return [value for value in map(json.loads, lines) if value["type"] == kind]

    def waits_for(self, kind, name, **fields):
        def found():
            return [line for line in self.lines(kind) if all(line.get(k) == v for k, v in fields.items())]
        until(found, f"{name}: {kind} {fields}")
        expect(True, name)

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


class Stage:
    def __init__(self, binary, directory):
        self.binary, self.directory = binary, directory
        self.children = []

    def begin(self):
        self.client = self.namespace("c0", "10.9.0", "fd09")
        self.servers = self.namespace("s0", "10.8.0", "fd08")
        run(*self.servers, "ip", "address", "add", f"{V4}/32", "dev", "lo")
        # Without nodad, nobody can listen there until the kernel has looked for the address on the line.
        run(*self.servers, "ip", "address", "add", f"{V6}/128", "dev", "lo", "nodad")
        run("ip", "route", "add", V4, "via", "10.8.0.2")
        run("ip", "route", "add", V6, "via", "fd08::2")
        self.certificates()
        self.start_servers()

    def namespace(self, link, v4, v6):
        """Makes a namespace that has a line here, and leads everything through it."""
        child = subprocess.Popen(["unshare", "--net", "sleep", "1000"])
        self.children.append(child)
        here = os.readlink("/proc/self/ns/net")
        until(lambda: os.readlink(f"/proc/{child.pid}/ns/net") != here, "a namespace")
        inside = ("nsenter", "--target", str(child.pid), "--net")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", link, "type", "veth", "peer", "name", "up0", "netns", str(child.pid))
        for prefix, name, end in ((), link, 1), (inside, "up0", 2):
            run(*prefix, "ip", "link", "set", "lo", "up")
            run(*prefix, "ip", "link", "set", name, "up")
            run(*prefix, "ip", "address", "add", f"{v4}.{end}/24", "dev", name)
            run(*prefix, "ip", "address", "add", f"{v6}::{end}/64", "dev", name, "nodad")
        run(*inside, "ip", "route", "add", "default", "via", f"{v4}.1")
        run(*inside, "ip", "-6", "route", "add", "default", "via", f"{v6}::1")
        return inside

    def certificates(self):
        d = self.directory
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
            "30", "-subj", "/CN=Test CA", "-keyout", f"{d}/origin-ca.key", "-out", f"{d}/origin-ca.pem")
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
            "30", "-subj", "/CN=o.test", "-addext", "subjectAltName=DNS:o.test,DNS:pass.test", "-addext",
            "basicConstraints=critical,CA:FALSE", "-CA", f"{d}/origin-ca.pem", "-CAkey", f"{d}/origin-ca.key",
            "-keyout", f"{d}/server.key", "-out", f"{d}/server.pem")

    def start_servers(self):
        d = self.directory
        with open(f"{d}/nginx.conf", "w") as file:
            file.write(NGINX % {"dir": d})
        self.children.append(subprocess.Popen([*self.servers, sys.executable, "-c", SERVERS]))
        nginx = subprocess.Popen([*self.servers, "nginx", "-c", f"{d}/nginx.conf"])
        self.children.append(nginx)

        def answers(address):
            if nginx.poll() is not None:
                sys.exit(f"FAIL nginx ended with {nginx.returncode}; its log is {d}/nginx.log")
            return run("curl", "-s", f"http://{address}/", check=False).returncode == 0

        for address in (V4, f"[{V6}]"):
            until(lambda: answers(address), "a server")

    def proxy(self, *words, **more):
        proxy = Proxy(self.binary, self.directory, *words, **more)
        self.children.append(proxy.process)
        return proxy

    def curl(self, *words, at=V4, where=(), ca="ca/rootCA.pem"):
        address = f"[{at}]" if ":" in at else at
        names = [word for name in ("o.test", "pass.test") for port in (80, 443, 8081)
                 for word in ("--resolve", f"{name}:{port}:{address}")]
        result = run(*where, "curl", "-sS", "--noproxy", "*", "--max-time", str(PATIENCE), "--cacert", f"{self.directory}/{ca}",
                     "-w", " %{http_code} %{http_version}", *names, *words, check=False)
        return f"{result.returncode} {result.stdout}{result.stderr}"

    def talk(self, port, words, at=V4, where=()):
        """Sends words, and reads to the end."""
        program = ("import socket,sys; c = socket.create_connection((sys.argv[1], int(sys.argv[2])), 30); "
                   "c.sendall(sys.argv[3].encode()); data = b''\n"
                   "while more := c.recv(100): data += more\n"
                   "sys.stdout.write(data.decode())")
        return run(*where, sys.executable, "-c", program, at, str(port), words).stdout

    def nft(self, rules):
        run("nft", "flush", "ruleset")
        run("nft", "-f", "-", input=rules)

    def end(self):
        for child in reversed(self.children):
            child.terminate()
        for child in self.children:
            child.wait(PATIENCE)


def serves(stage, way, where=()):
    """What every way has to carry."""
    for at in (V4, V6):
        for version in ("1.1", "2"):
            found = stage.curl(f"--http{version}", "https://o.test/a", at=at, where=where)
            expect(found.startswith("0 https o.test") and found.endswith(f" 200 {version}"),
                   f"{way}: HTTP/{version} over TLS to {at}", found)
        found = stage.curl("http://o.test/b", at=at, where=where)
        expect(found.startswith("0 http o.test") and found.endswith(" 200 1.1"), f"{way}: plain HTTP to {at}", found)
        found = stage.talk(2525, "abc", at=at, where=where)
        expect(found == "220 hello\ncba", f"{way}: a server that speaks first, at {at}", found)
        found = stage.talk(2526, "\x01bc", at=at, where=where)
        expect(found == "cb\x01", f"{way}: what is not HTTP, at {at}", found)
    found = stage.curl("https://pass.test/", where=where, ca="origin-ca.pem")
    expect(found.startswith("0 https pass.test"), f"{way}: a host in tls.passthrough is relayed", found)


def redirects(stage):
    listen = ["--listen", "transparent@127.0.0.1:7070", "--listen", "transparent@[::1]:7070"]
    config = f"{stage.directory}/config.json"
    with open(config, "w") as file:
        file.write('{"tls": {"passthrough": ["pass.test"]}}')
    excepted = f"meta skuid {NOBODY}" if HAS_USERS else f"meta mark {MARK}"
    proxy = stage.proxy(*listen, "--config", config, *([] if HAS_USERS else ["--mark", MARK]),
                        user=NOBODY if HAS_USERS else None)
    rules = """table inet pinhole { chain output { type nat hook output priority -100;
        %s
        tcp dport { """ + PORTS + """ } redirect to :7070
        }
        }"""
    stage.nft(rules % f"{excepted} return")
    serves(stage, "nft redirect")
    for url in ("https://o.test/a", "http://o.test/b"):
        proxy.waits_for("exchange", f"the record names {url}", url=url, status=200)
    proxy.waits_for("flow", "the relay is recorded by its address", authority=f"{V4}:2526", treatment="opaque")
    found = stage.curl("http://127.0.0.1:7070/x")
    expect("made to 127.0.0.1:7070 itself" in found and " 421 " in found, "not redirected: a page says so", found)
    found = stage.curl("--http1.1", "https://127.0.0.1:7070/x")
    expect("made to 127.0.0.1:7070 itself" in found and " 421 " in found, "not redirected, by TLS", found)
    found = stage.curl("http://o.test:8081/")
    expect("cannot be reached" in found and " 502 " in found, "a port that is closed: a page says so", found)
    found = stage.curl("https://o.test:8081/")
    expect(found.split()[0] in ("35", "56"), "a port that is closed, by TLS: a reset", found)
    stage.nft(rules % "")
    found = stage.curl("http://o.test/b")
    expect("was redirected to it again" in found and " 508 " in found, "the proxy itself redirected: no loop", found)
    found = stage.curl("https://o.test/b")
    expect(not found.startswith("0 https"), "the proxy itself redirected, by TLS: no loop", found)
    text = open(proxy.errors).read()
    expect("leads connections of this proxy to servers" in text, "and the log says what to do", text)
    run("nft", "flush", "ruleset")
    proxy.stop()


def iptables(stage):
    proxy = stage.proxy("--listen", "transparent@127.0.0.1:7070", "--listen", "transparent@[::1]:7070", "--mark", MARK,
                        "--config", f"{stage.directory}/config.json")
    for program in ("iptables", "ip6tables"):
        chain = (program, "-t", "nat", "-A", "OUTPUT", "-p", "tcp")
        run(*chain, "-m", "mark", "--mark", MARK, "-j", "RETURN")
        run(*chain, "-m", "multiport", "--dports", PORTS.replace(" ", ""), "-j", "REDIRECT", "--to-ports", "7070")
    serves(stage, "iptables REDIRECT, with a mark")
    run("nft", "flush", "ruleset")
    proxy.stop()


def hops(stage):
    """Another proxy leads to the servers; it gets the address."""
    passing = f"{stage.directory}/pass.json"
    with open(passing, "w") as file:
        file.write('{"tls": {"passthrough": ["*"]}}')
    hop = stage.proxy("--listen", "127.0.0.1:7080", "--proxy-auth", "alice:secret", "--mark", MARK, "--config", passing,
                      name="hop", ca="hop-ca")
    stage.nft("""table inet pinhole { chain output { type nat hook output priority -100;
        meta mark """ + MARK + """ return
        tcp dport { """ + PORTS + """ } redirect to :7070
        }
        }""")
    for kind in ("http", "https", "socks5"):
        proxy = stage.proxy("--listen", "transparent@127.0.0.1:7070", "--listen", "transparent@[::1]:7070",
                            "--upstream-proxy", f"{kind}://127.0.0.1:7080", "--upstream-auth", "alice:secret",
                            "--upstream-ca", f"{stage.directory}/hop-ca/rootCA.pem",
                            "--config", f"{stage.directory}/config.json")
        serves(stage, f"redirect, and through {kind}")
        proxy.stop()
    hop.waits_for("flow", "the hop is asked for the address", authority=f"{V4}:443")
    hop.stop()
    run("nft", "flush", "ruleset")


def gateway(stage):
    """Others' connections, on their way through this machine."""
    proxy = stage.proxy("--listen", "transparent@10.9.0.1:7070", "--listen", "transparent@[fd09::1]:7070", "--allow",
                        "10.9.0.0/24", "--allow", "fd09::/64", "--config", f"{stage.directory}/config.json")
    stage.nft("""table inet pinhole { chain prerouting { type nat hook prerouting priority -100;
        iifname "c0" tcp dport { """ + PORTS + """ } redirect to :7070
        }
        }""")
    serves(stage, "redirect on a gateway", stage.client)
    proxy.stop()


def tproxy(stage):
    proxy = stage.proxy("--listen", "tproxy@127.0.0.1:7071", "--listen", "tproxy@[::1]:7071",
                        "--config", f"{stage.directory}/config.json")
    for family in ("-4", "-6"):
        run("ip", family, "rule", "add", "fwmark", "1", "lookup", "100")
        run("ip", family, "route", "add", "local", "default", "dev", "lo", "table", "100")
    stage.nft("""table inet pinhole { chain prerouting { type filter hook prerouting priority mangle;
        iifname "c0" meta nfproto ipv4 tcp dport { %(ports)s } tproxy ip to 127.0.0.1:7071 meta mark set 1 accept
        iifname "c0" meta nfproto ipv6 tcp dport { %(ports)s } tproxy ip6 to [::1]:7071 meta mark set 1 accept
        }
        }""" % {"ports": PORTS})
    serves(stage, "TPROXY", stage.client)
    found = stage.curl("http://127.0.0.1:7071/x")
    expect(" 421 " in found, "TPROXY: not redirected: a page says so", found)
    proxy.stop()
    run("nft", "flush", "ruleset")


def powerless(stage):
    """What needs a capability says so."""
    for words, expected in ((("--mark", MARK), "SO_MARK"), (("--listen", "tproxy@127.0.0.1:7072"), "IP_TRANSPARENT")):
        result = run("setpriv", "--bounding-set=-all", "--inh-caps=-all", stage.binary, "proxy", "--listen",
                     "127.0.0.1:0", "--console", "none", "--capture", "none", "--ca-dir", f"{stage.directory}/ca",
                     *words, check=False, cwd=stage.directory)
        expect(result.returncode not in (0, None) and expected in result.stderr and "CAP_NET_ADMIN" in result.stderr,
               f"without the capability {words[0]} is refused", result.stderr)


def main():
    if [name for _, name in socket.if_nameindex() if name != "lo"]:
        sys.exit("expected a network namespace without interfaces (unshare --net): the rules of this one stay as they are")
    binary, directory = sys.argv[1], sys.argv[2]
    os.chmod(directory, 0o755)
    os.makedirs(f"{directory}/tmp", exist_ok=True)
    os.makedirs(f"{directory}/ca", mode=0o700, exist_ok=True)
    stage = Stage(binary, directory)
    try:
        stage.begin()
        if HAS_USERS:
            os.chown(f"{directory}/ca", int(NOBODY), int(NOBODY))
        redirects(stage)
        run("chown", "-R", f"{os.getuid()}:{os.getgid()}", f"{directory}/ca")
        iptables(stage)
        hops(stage)
        gateway(stage)
        tproxy(stage)
        powerless(stage)
    finally:
        stage.end()


main()
