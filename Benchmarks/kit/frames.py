"""Frames of HTTP/2 (RFC 9113), as far as a load needs them; heads are read for a status of 200 and no more."""
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4
OK = b"\x88"


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack("!I", len(payload))[1:] + struct.pack("!BBI", kind, flags, stream) + payload


def field(name, value):
    """A field that is not indexed; both texts have fewer than 127 bytes."""
    return bytes([0, len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def headers(stream, fields, ends, prefix=b""):
    block = prefix + b"".join(field(*pair) for pair in fields)
    return frame(HEADERS, END_HEADERS | (END_STREAM if ends else 0), stream, block)


def settings(**entries):
    numbers = {"streams": 3, "window": 4}
    return frame(SETTINGS, payload=b"".join(struct.pack("!HI", numbers[name], value) for name, value in entries.items()))


def reset(stream, code):
    return frame(RST_STREAM, stream=stream, payload=struct.pack("!I", code))


def window(stream, increment):
    return frame(WINDOW_UPDATE, stream=stream, payload=struct.pack("!I", increment))


class Reader:
    """Cuts what is received into frames: type, flags, stream, payload."""

    def __init__(self):
        self.rest = b""

    def frames(self, piece):
        self.rest += piece
        if self.rest[:3] == PREFACE[:3]:
            if len(self.rest) < len(PREFACE):
                return
            self.rest = self.rest[len(PREFACE):]
        while len(self.rest) >= 9:
            length = int.from_bytes(self.rest[:3], "big")
            if len(self.rest) < 9 + length:
                return
            kind, flags, stream = struct.unpack("!BBI", self.rest[3:9])
            payload, self.rest = self.rest[9:9 + length], self.rest[9 + length:]
            yield kind, flags, stream, payload


def answer_to(kind, flags, payload):
    """What is owed for a frame."""
    if kind == SETTINGS and not flags & ACK:
        return frame(SETTINGS, ACK)
    return frame(PING, ACK, payload=payload) if kind == PING and not flags & ACK else b""
