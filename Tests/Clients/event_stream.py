"""A server of event streams and of JSON lines, and a client, that speak through the proxy of the environment.

    event_stream.py NAME VERSION CERTIFICATE KEY

NAME is what the client calls the server; VERSION is 1 or 2, the version of HTTP of both. Each event must have reached
the client before the server sends the next one, so whatever holds one back ends the run. One line is printed: the
number of events and of lines.
"""

import os
import queue
import socket
import socketserver
import ssl
import sys
import threading

import h2.config
import h2.connection
import h2.events

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)
COUNT = 5
turn = queue.Queue()


def pieces(path):
    """What the server sends, piece by piece; each but the first waits for the client."""
    if path == "/events":
        yield ": welcome\nretry: 2500\n\n"
        for number in range(COUNT):
            assert turn.get(timeout=PATIENCE) == number
            yield f"id: {number}\nevent: tick\ndata: first {number}\ndata: second\n\n"
    elif path == "/pauses":
        yield '{"rows": ['
        for number in range(COUNT):
            assert turn.get(timeout=PATIENCE) == number
            yield f'{", " if number else ""}{{"row": {number}}}'
        yield "]}"
    else:
        for number in range(COUNT):
            assert turn.get(timeout=PATIENCE) == number
            yield f'{{"line": {number}}}\n'


TYPES = {"/events": "text/event-stream", "/lines": "application/x-ndjson", "/pauses": "application/json"}


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, context, version):
        super().__init__(("127.0.0.1", 0), Handler)
        self.context, self.version = context, version


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        connection = self.server.context.wrap_socket(self.request, server_side=True)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.server.version == "2":
            assert connection.selected_alpn_protocol() == "h2"
            serve_http2(connection)
        else:
            serve_http1(connection)


def serve_http1(connection):
    file = connection.makefile("rb")
    while line := file.readline():
        path = line.split()[1].decode()
        while file.readline().strip():
            pass
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {TYPES[path]}\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        for piece in pieces(path):
            connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece.encode()))
        connection.sendall(b"0\r\n\r\n")


def serve_http2(connection):
    state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    state.initiate_connection()
    connection.sendall(state.data_to_send())
    while data := connection.recv(65536):
        for event in state.receive_data(data):
            if not isinstance(event, h2.events.RequestReceived):
                continue
            path = dict(event.headers)[b":path"].decode()
            state.send_headers(event.stream_id, [(":status", "200"), ("content-type", TYPES[path])])
            for piece in pieces(path):
                state.send_data(event.stream_id, piece.encode())
                connection.sendall(state.data_to_send())
            state.end_stream(event.stream_id)
        connection.sendall(state.data_to_send())


class Client:
    """A connection through the proxy's tunnel."""

    def __init__(self, authority, version):
        host, port = os.environ["HTTPS_PROXY"].removeprefix("http://").split(":")
        self.authority, self.version = authority, version
        plain = socket.create_connection((host, int(port)), timeout=PATIENCE)
        plain.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += plain.recv(1)
        assert answer.startswith(b"HTTP/1.1 200"), answer
        context = ssl.create_default_context(cafile=os.environ["PINHOLE_CLIENT_CA"])
        context.set_alpn_protocols(["h2"] if version == "2" else ["http/1.1"])
        self.socket = context.wrap_socket(plain, server_hostname=authority.split(":")[0])

    def get(self, path):
        """The body, in the pieces in which it comes."""
        return self.get_http2(path) if self.version == "2" else self.get_http1(path)

    def get_http1(self, path):
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.authority}\r\n\r\n".encode())
        file = self.socket.makefile("rb")
        assert file.readline() == b"HTTP/1.1 200 OK\r\n"
        while file.readline().strip():
            pass
        while size := int(file.readline(), 16):
            yield file.read(size)
            file.readline()
        file.readline()

    def get_http2(self, path):
        state = h2.connection.H2Connection(h2.config.H2Configuration())
        state.initiate_connection()
        state.send_headers(
            1,
            [(":method", "GET"), (":scheme", "https"), (":authority", self.authority), (":path", path)],
            end_stream=True,
        )
        self.socket.sendall(state.data_to_send())
        while data := self.socket.recv(65536):
            for event in state.receive_data(data):
                if isinstance(event, h2.events.DataReceived):
                    if event.data:
                        yield event.data
                elif isinstance(event, h2.events.StreamEnded):
                    return
            self.socket.sendall(state.data_to_send())
        raise AssertionError("the connection ended before the stream")


def main():
    name, version, certificate, key = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"] if version == "2" else ["http/1.1"])
    server = Server(context, version)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    authority = f"{name}:{server.server_address[1]}"
    counts = []
    for path, mark in [("/events", "second\n\n"), ("/lines", "}\n"), ("/pauses", '"row"')]:
        received, number = "", 0
        # The first one asks for itself; an event stream begins with a comment.
        turn.put(0)
        for piece in Client(authority, version).get(path):
            received += piece.decode()
            while received.count(mark) > number:
                number += 1
                if number < COUNT:
                    # A pause, so that the last of them is a stream although its type is none.
                    threading.Event().wait(0.15 if path == "/pauses" else 0)
                    turn.put(number)
        counts.append(received.count(mark))
    print(*counts)


main()
