"""Frames of HTTP/2 made by hand, good ones and bad ones, and connections that nobody keeps from breaking rules."""

import argparse
import json
import os
import pathlib
import select
import socket
import ssl
import struct
import threading
import time

import hpack

HOST = "hostile.example.test"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
PRIORITY_UPDATE = 16
END_STREAM, ACK, END_HEADERS, PADDED, WITH_PRIORITY = 0x1, 0x1, 0x4, 0x8, 0x20
CODES = ["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
         "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM"]
# A peer that does not answer for so long has failed; machines may be slow.
PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)


def frame(kind, stream=0, payload=b"", flags=0, length=None):
    length = len(payload) if length is None else length
    return struct.pack("!I", length)[1:] + struct.pack("!BBI", kind, flags, stream) + payload


def literal(name, value, first=0):
    """A field that is not indexed, its name and value as they are; `first` 0x40 puts it in the table."""
    return bytes([first]) + text(name) + text(value)


def text(value):
    value = value.encode("latin-1") if isinstance(value, str) else value
    return integer(len(value), 7) + value


def integer(value, prefix):
    most = (1 << prefix) - 1
    if value < most:
        return bytes([value])
    rest, encoded = value - most, bytearray([most])
    while rest >= 128:
        encoded.append(rest & 127 | 128)
        rest >>= 7
    return bytes(encoded) + bytes([rest])


def block(fields):
    return b"".join(literal(name, value) for name, value in fields)


def headers(stream, fields, flags=END_STREAM | END_HEADERS, prefix=b""):
    return frame(HEADERS, stream, prefix + (fields if isinstance(fields, bytes) else block(fields)), flags)


def data(stream, payload=b"", flags=0):
    return frame(DATA, stream, payload, flags)


def settings(*entries):
    return frame(SETTINGS, 0, b"".join(struct.pack("!HI", *entry) for entry in entries))


def number(value):
    return struct.pack("!I", value)


def reset(stream, code=8):
    return frame(RST_STREAM, stream, number(code))


def window(stream, increment):
    return frame(WINDOW_UPDATE, stream, number(increment))


class Peer:
    """One end of a connection of HTTP/2 that reads frames and sends whatever it is told to."""

    def __init__(self, sock):
        self.sock = sock
        sock.setblocking(False)
        self.rest, self.unsent = b"", b""
        self.decoder = hpack.Decoder(max_header_list_size=1 << 20)
        self.isOpen = True
        self.goAway, self.pongs, self.acknowledgements = None, set(), 0
        self.heads, self.bodies, self.ended, self.resets = {}, {}, set(), {}
        self.answers = True
        self.releases = True

    def send(self, *pieces):
        self.unsent += b"".join(pieces)

    def wait(self, condition, seconds=PATIENCE):
        """Reads and writes until the condition holds or the connection has ended; whether it holds."""
        deadline = time.monotonic() + seconds
        while not condition() and self.isOpen:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            if not self.step():
                select.select([self.sock], [self.sock] if self.unsent else [], [], min(left, 1))
        return condition()

    def step(self):
        """One read and one write; whether anything moved."""
        moved = False
        try:
            if self.unsent:
                count = self.sock.send(self.unsent[:1 << 16])
                self.unsent = self.unsent[count:]
                moved = count > 0
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
            pass
        except OSError:
            # What the other side has said before it closed is still to be read.
            self.unsent = b""
        try:
            piece = self.sock.recv(1 << 16)
            self.isOpen = bool(piece)
            self.take(piece)
            return True
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
            return moved
        except OSError:
            self.isOpen = False
            return True

    def take(self, piece):
        self.rest += piece
        if self.rest.startswith(PREFACE):
            self.rest = self.rest[len(PREFACE):]
        while len(self.rest) >= 9:
            length = int.from_bytes(self.rest[:3], "big")
            if len(self.rest) < 9 + length:
                return
            kind, flags, stream = struct.unpack("!BBI", self.rest[3:9])
            payload, self.rest = self.rest[9:9 + length], self.rest[9 + length:]
            self.read(kind, flags, stream, payload)

    def read(self, kind, flags, stream, payload):
        if kind == SETTINGS:
            if flags & ACK:
                self.acknowledgements += 1
            elif self.answers:
                self.send(frame(SETTINGS, flags=ACK))
        elif kind == PING and flags & ACK:
            self.pongs.add(payload)
        elif kind == PING and self.answers:
            self.send(frame(PING, 0, payload, ACK))
        elif kind == GOAWAY:
            code = struct.unpack("!I", payload[4:8])[0]
            self.goAway = code if self.goAway in (None, 0) else self.goAway
        elif kind == RST_STREAM:
            self.resets[stream] = struct.unpack("!I", payload)[0]
        elif kind == HEADERS:
            self.heads.setdefault(stream, []).append(dict(self.decoder.decode(payload)))
        elif kind == DATA:
            self.bodies[stream] = self.bodies.get(stream, b"") + payload
            if payload and self.releases:
                self.send(window(0, len(payload)))
        if kind in (HEADERS, DATA) and flags & END_STREAM:
            self.ended.add(stream)

    def has(self, stream):
        """Whether a stream is over, one way or the other."""
        return stream in self.ended or stream in self.resets

    def status(self, stream):
        return self.heads.get(stream, [{}])[-1].get(":status")

    def close(self):
        self.sock.close()


def connect(arguments, port, host=HOST):
    """A tunnel through the proxy, TLS inside, HTTP/2 agreed."""
    sock = socket.create_connection(("127.0.0.1", arguments.proxy_port), timeout=PATIENCE)
    authority = f"{host}:{port}"
    sock.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += sock.recv(1)
    context = ssl.create_default_context(cafile=arguments.ca)
    context.set_alpn_protocols(["h2"])
    secured = context.wrap_socket(sock, server_hostname=host)
    assert secured.selected_alpn_protocol() == "h2", secured.selected_alpn_protocol()
    return secured


def opened(arguments, port, *entries):
    """A client's end of a connection of HTTP/2 to a server behind the proxy, with these settings."""
    peer = Peer(connect(arguments, port))
    peer.port = peer.sock.getsockname()[1]
    peer.send(PREFACE, settings(*entries))
    return peer


class Listener:
    """Accepts connections with TLS and HTTP/2, and gives each to `serve` in a thread of its own."""

    def __init__(self, arguments, serve):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments.chain, arguments.key)
        context.set_alpn_protocols(["h2"])
        self.context, self.serve = context, serve
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            sock, _ = self.listener.accept()
            threading.Thread(target=self.secure, args=(sock,), daemon=True).start()

    def secure(self, sock):
        try:
            with self.context.wrap_socket(sock, server_side=True) as secured:
                self.serve(secured)
        except OSError:
            pass


class Memory:
    """The most resident memory that a process has while it is watched, beyond what it had before."""

    def __init__(self, pid):
        self.path = pathlib.Path(f"/proc/{pid}/status")
        self.before = self.most = self.now()
        self.isOver = threading.Event()

    def now(self):
        """In KiB."""
        return next(int(line.split()[1]) for line in self.path.read_text().splitlines() if line.startswith("VmRSS"))

    def settle(self, seconds=1):
        """Waits until it has stood still for that long: then everything waits that will."""
        level, since = self.now(), time.monotonic()
        while time.monotonic() - since < seconds:
            time.sleep(0.05)
            if abs(self.now() - level) > 256:
                level, since = self.now(), time.monotonic()

    def __enter__(self):
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.isOver.set()
        self.thread.join()

    def watch(self):
        while not self.isOver.wait(0.02):
            self.most = max(self.most, self.now())

    @property
    def growth(self):
        return max(self.most, self.now()) - self.before


def tell(**result):
    """Prints what came of a case."""
    print(json.dumps(result), flush=True)


def name(code):
    return CODES[code] if code < len(CODES) else hex(code)


def parsed_arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--proxy-port", type=int, required=True)
    parser.add_argument("--pid", type=int, required=True)
    for option in ["ca", "chain", "key"]:
        parser.add_argument(f"--{option}", required=True)
    return parser.parse_args()
