"""The sockets of a WebSocket run: a TLS server on a free port, and clients that reach it through the proxy."""

import argparse
import socket
import ssl
import threading

from peers import HOST, PATIENCE
from secured import Secured


def parsed_arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--server", required=True, choices=["websockets", "wsproto", "streams"])
    parser.add_argument("--client", default="websockets", choices=["websockets", "wsproto", "streams"])
    parser.add_argument("--compression", default="none", choices=["none", "takeover", "reset"])
    parser.add_argument("--proxy-port", required=True, type=int)
    parser.add_argument("--ca", required=True, help="what the client trusts")
    parser.add_argument("--identity", required=True, help="the server's certificates and key, PEM")
    parser.add_argument("--console", help="the console's URL with its token")
    parser.add_argument("--large", action="store_true", help="send messages of 16 MiB, too")
    return parser.parse_args()


class Server:
    """Accepts TLS connections on 127.0.0.1, each with a thread of its own."""

    def __init__(self, identity, serve, protocol=None):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(identity)
        if protocol:
            self.context.set_alpn_protocols([protocol])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.serve = serve
        self.faults = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            sock, _ = self.listener.accept()
            threading.Thread(target=self._run, args=(sock,), daemon=True).start()

    def _run(self, sock):
        sock.settimeout(PATIENCE)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        try:
            with Secured(sock, self.context, server_side=True) as secured:
                self.serve(secured)
        except Exception as error:
            self.faults.append(f"{type(error).__name__}: {error}")


def connect(arguments, port, protocol=None):
    """A TLS connection to the server, through the proxy."""
    sock = socket.create_connection(("127.0.0.1", arguments.proxy_port), timeout=PATIENCE)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
    sock.sendall(f"CONNECT {HOST}:{port} HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        piece = sock.recv(1)
        if not piece:
            raise RuntimeError(f"the proxy closed after {answer!r}")
        answer += piece
    if b" 200 " not in answer.split(b"\r\n")[0]:
        raise RuntimeError(f"the proxy answered {answer!r}")
    context = ssl.create_default_context(cafile=arguments.ca)
    if protocol:
        context.set_alpn_protocols([protocol])
    return Secured(sock, context, server_hostname=HOST)
