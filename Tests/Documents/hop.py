"""A proxy that asks for a login and allows CONNECT to one port: hop.py PORT USER:PASSWORD ALLOWED-PORT"""

import base64
import http.server
import socket
import sys
import threading
import urllib.request

PORT, LOGIN, ALLOWED = int(sys.argv[1]), sys.argv[2], sys.argv[3]


class Hop(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def is_allowed(self):
        login = "Basic " + base64.b64encode(LOGIN.encode()).decode()
        if self.headers.get("Proxy-Authorization") == login:
            return True
        self.answer(407, b"")
        return False

    def answer(self, status, body):
        self.send_response(status)
        if status == 407:
            self.send_header("Proxy-Authenticate", 'Basic realm="hop"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.is_allowed():
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(self.path) as response:
                self.answer(200, response.read())

    def do_CONNECT(self):
        if not self.is_allowed():
            return
        host, _, port = self.path.rpartition(":")
        if port != ALLOWED:
            self.answer(403, b"")
            return
        server = socket.create_connection((host, int(port)))
        self.send_response(200)
        self.end_headers()
        threading.Thread(target=copy, args=(server, self.connection), daemon=True).start()
        copy(self.connection, server)
        self.close_connection = True

    def log_message(self, *words):
        pass


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Hop).serve_forever()
