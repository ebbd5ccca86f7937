"""Every client with every server, through the proxy: who spoke which version, and whether the body came whole.

Starts nginx with HTTP/2 and with HTTP/1.1 alone, nghttpd, which speaks nothing but HTTP/2, and Go's net/http; prints a line
of JSON for each pair.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
HERE = pathlib.Path(__file__).resolve().parent
HOST = "pairs.example.test"
VERSIONS = {"h2": "2", "http/1.1": "1.1"}
BODY = bytes(index * 7 % 251 for index in range(300_000))

# Chromium says by this page what it got; --dump-dom waits for nothing that comes later than the page.
PAGE = """<!doctype html><title>pairs</title><p></p><script>
const request = new XMLHttpRequest();
request.open("GET", "body", false);
request.overrideMimeType("text/plain; charset=x-user-defined");
request.send();
const body = Array.from(request.responseText, character => character.charCodeAt(0) & 255);
const isWhole = body.length === 300000 && body.every((byte, index) => byte === index * 7 % 251);
const version = performance.getEntriesByType("navigation")[0].nextHopProtocol;
document.querySelector("p").textContent = `Got: ${version} ${request.status} ${isWhole ? "whole" : "broken"}`;
</script>"""

NGINX = """
daemon off; worker_processes 1; pid {place}/nginx.pid; error_log {place}/nginx.err;
events {{ worker_connections 256; }}
http {{
  access_log off; client_body_temp_path {place}/b; proxy_temp_path {place}/p; fastcgi_temp_path {place}/f;
  uwsgi_temp_path {place}/u; scgi_temp_path {place}/s;
  ssl_certificate {chain}; ssl_certificate_key {key};
  server {{ listen 127.0.0.1:{both} ssl http2; root {place}/www; }}
  server {{ listen 127.0.0.1:{one} ssl; root {place}/www; }}
}}
"""


def reserved_port():
    """A socket whose port nobody else takes before a server does that allows the use of bound addresses."""
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved


def tool(name):
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
    if not found:
        sys.exit(f"{name} is not installed; make test installs what the tests need")
    return found


def await_port(port, process):
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"nothing listens on {port}")


class Forwarder:
    """Accepts connections and leads each to a server through the proxy, for clients that know no proxy."""

    def __init__(self, proxy_port, port):
        self.proxy_port, self.authority = proxy_port, f"{HOST}:{port}"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.lead, args=(client,), daemon=True).start()

    def lead(self, client):
        server = socket.create_connection(("127.0.0.1", self.proxy_port))
        server.sendall(f"CONNECT {self.authority} HTTP/1.1\r\nHost: {self.authority}\r\n\r\n".encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += server.recv(1)
        threading.Thread(target=self.pass_on, args=(client, server), daemon=True).start()
        self.pass_on(server, client)

    @staticmethod
    def pass_on(source, sink):
        try:
            while piece := source.recv(1 << 16):
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def result_of(*words, text=True):
    result = subprocess.run(words, capture_output=True, text=text, timeout=PATIENCE)
    if result.returncode:
        raise RuntimeError(f"{words[0]} exited with {result.returncode}: {result.stderr!r}")
    return result


def run(*words, text=True):
    return result_of(*words, text=text).stdout


def curl(url, *words):
    with tempfile.NamedTemporaryFile() as file:
        version, status = run("curl", "-sS", *words, "--cacert", os.environ["PINHOLE_CLIENT_CA"], "-x",
                              os.environ["HTTPS_PROXY"], "-o", file.name, "-w", "%{http_version} %{http_code}",
                              url).split()
        return version, int(status), hashlib.sha256(file.read()).hexdigest()


def httpx(url):
    version, status, digest = run(sys.executable, str(HERE / "fetch_httpx.py"), url).split()
    return version.removeprefix("HTTP/"), int(status), digest


def node(url):
    status, digest = run("node", str(HERE / "fetch_h2.mjs"), url).split()
    return "2", int(status), digest


def go(url):
    os.environ["SSL_CERT_FILE"] = os.environ["PINHOLE_CLIENT_CA"]
    result = result_of("go", "run", str(HERE.parent / "fetch.go"), url)
    status, digest = result.stdout.split()
    return result.stderr.split()[-1].removeprefix("HTTP/").removesuffix(".0"), int(status), digest


def chromium(url):
    result = result_of(str(HERE.parent / "chromium.sh"), url.replace("/body", "/page.html"), "<p>Got: ")
    version, status, body = result.stderr.split()
    return VERSIONS[version], int(status), hashlib.sha256(BODY).hexdigest() if body == "whole" else body


def nghttp(forwarder):
    said = run("nghttp", "-v", "--no-dep", "-H", f":authority: {forwarder.authority}",
               f"https://127.0.0.1:{forwarder.port}/body", text=False)
    status = re.search(rb":status: (\d+)", said)
    return "2", int(status.group(1)), hashlib.sha256(BODY).hexdigest() if BODY[:4096] in said else "another body"


def h2load(forwarder):
    said = run("h2load", "-n", "200", "-c", "2", "-m", "20", f"https://127.0.0.1:{forwarder.port}/body")
    done = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored", said)
    version = re.search(r"Application protocol: (\S+)", said).group(1)
    whole = done.groups() == ("200", "0", "0") and f"({200 * len(BODY)}) data" in said
    return VERSIONS[version], 200, hashlib.sha256(BODY).hexdigest() if whole else said


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ["proxy-port", "pid", "ca", "chain", "key"]:
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    place = pathlib.Path(tempfile.mkdtemp())
    (place / "www").mkdir()
    (place / "www/body").write_bytes(BODY)
    (place / "www/page.html").write_text(PAGE)
    os.chmod(place, 0o755)
    reserved = [reserved_port() for _ in range(3)]
    both, one, alone = (one.getsockname()[1] for one in reserved)
    conf = place / "nginx.conf"
    conf.write_text(NGINX.format(place=place, both=both, one=one, chain=arguments.chain, key=arguments.key))
    run("go", "build", "-o", str(place / "serve"), str(HERE / "serve.go"))
    processes = [
        subprocess.Popen([tool("nginx"), "-c", str(conf), "-e", str(place / "nginx.err")], stderr=subprocess.DEVNULL),
        subprocess.Popen([tool("nghttpd"), "-d", str(place / "www"), "-a", "127.0.0.1", str(alone), arguments.key,
                          arguments.chain], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
        subprocess.Popen([str(place / "serve"), str(place / "www"), arguments.chain, arguments.key], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL),
    ]
    try:
        await_port(both, processes[0])
        await_port(alone, processes[1])
        ports = {"nginx with HTTP/2": both, "nginx without": one, "nghttpd": alone,
                 "Go": int(processes[2].stdout.readline())}
        for server, port in ports.items():
            url = f"https://{HOST}:{port}/body"
            forwarder = Forwarder(int(arguments.proxy_port), port)
            for name, call in {
                "curl --http2": lambda: curl(url, "--http2"), "curl --http1.1": lambda: curl(url, "--http1.1"),
                "httpx": lambda: httpx(url), "Node http2": lambda: node(url), "Go": lambda: go(url),
                "nghttp": lambda: nghttp(forwarder), "h2load": lambda: h2load(forwarder),
                "Chromium": lambda: chromium(url),
            }.items():
                try:
                    version, status, digest = call()
                except Exception as error:
                    version, status, digest = f"{error}", 0, ""
                print(json.dumps({"client": name, "server": server, "version": version, "status": status,
                                  "isWhole": digest == hashlib.sha256(BODY).hexdigest()}), flush=True)
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            process.wait()
        shutil.rmtree(place, ignore_errors=True)


main()
