"""A server for the examples of the documentation.

Usage: origin.py PORT [--at ADDRESS] [--tls FILE [--clients FILE]] ROUTE…

--tls has a certificate and its key, --clients the CA of client certificates, without which requests get 400. A route is “PATH BODY” or “PATH STATUS TYPE BODY”; the path `*` is the one for all
others. {path}, {host}, {method} and {body} stand for those of the request, \\n for a line break, x*9 for nine x. A BODY of
`never` is no answer at all, `late:BODY` one after half a second; the pieces of `stream:PIECE|PIECE` are sent one by one,
those of `slow:` with pauses; `login:BODY` needs a login.
"""

import http.server
import ssl
import sys
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A whole answer is one segment.
    wbufsize = -1
    disable_nagle_algorithm = True
    routes = {}

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode()
        path = self.path.partition("?")[0]
        client = self.client_name()
        status, kind, text = self.routes.get(path) or self.routes.get("*") or (404, "text/plain", "not found\\n")
        if client == "":
            status, kind, text = 400, "text/plain", "No certificate was sent.\\n"
        if text == "never":
            threading.Event().wait()
        text = text.replace("\\n", "\n")
        for word, pause in [("stream:", 0), ("slow:", 1)]:
            if text.startswith(word):
                self.stream(status, kind, text[len(word):].split("|"), pause)
                return
        for name, value in [("path", self.path), ("host", self.headers.get("Host", "")), ("method", self.command),
                            ("body", body), ("client", client or "")]:
            text = text.replace("{%s}" % name, value)
        if text.startswith("login:"):
            text = text[6:]
            if not self.headers.get("Authorization"):
                status, text = 401, "log in\\n"
        if text.startswith("late:"):
            time.sleep(0.5)
            text = text[5:]
        if text.startswith("x*"):
            text = "x" * int(text[2:])
        data = text.encode()
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="inside"')
        if kind != "-":
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def client_name(self):
        """The name in the client's certificate; `None` if nobody asked for one."""
        if not getattr(self.server, "asks_clients", False):
            return None
        certificate = self.connection.getpeercert() or {"subject": []}
        return ", ".join(f"CN={value}" for (name, value), in certificate["subject"] if name == "commonName")

    def stream(self, status, kind, pieces, pause):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in pieces + [""]:
            data = piece.encode()
            time.sleep(pause)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = answer

    def log_message(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        """Clients that refuse the certificate are a part of the examples."""


def route(text):
    words = text.split(" ", 3)
    if len(words) == 4 and words[1].isdigit() and ("/" in words[2] or words[2] == "-"):
        return words[0], (int(words[1]), words[2], words[3])
    path, _, body = text.partition(" ")
    return path, (200, "application/json" if body.startswith(("{", "[")) and not body.startswith("{p") else "text/plain", body)


def main():
    port, *words = sys.argv[1:]
    address, identity = "127.0.0.1", None
    if words[:1] == ["--at"]:
        address, words = words[1], words[2:]
    if words[:1] == ["--tls"]:
        identity, words = words[1], words[2:]
    clients = None
    if words[:1] == ["--clients"]:
        clients, words = words[1], words[2:]
    Handler.routes = dict(route(word) for word in words)
    server = Server((address, int(port)), Handler)
    if identity:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(identity)
        if clients:
            context.load_verify_locations(clients)
            context.verify_mode = ssl.CERT_OPTIONAL
            server.asks_clients = True
        # The handshake happens in the thread of the connection, so that a silent client stops nobody else.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()


main()
