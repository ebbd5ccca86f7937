"""Sends what RFC 6455 forbids through the proxy and looks at what the server makes of it.

Prints one JSON line for each connection: the name of the fault, and the code with which the server closed (`null`
where it closed without a word). The proxy must not stand in between: the server sees the bytes as they were sent.
"""

import base64
import json
import os
import struct

from peers import HOST, PEERS
from stage import Server, connect, parsed_arguments


def frame(first, payload, mask=b"\x01\x02\x03\x04"):
    length = len(payload)
    if length < 126:
        header = struct.pack("!BB", first, 0x80 | length)
    elif length < 65536:
        header = struct.pack("!BBH", first, 0x80 | 126, length)
    else:
        header = struct.pack("!BBQ", first, 0x80 | 127, length)
    return header + mask + bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))


FAULTS = {
    "reservedBits": frame(0xF1, b"x"),
    "reservedOpcode": frame(0x83, b""),
    "longControl": frame(0x89, b"x" * 126),
    "fragmentedControl": frame(0x09, b""),
    "unmasked": b"\x81\x01x",
    "unexpectedContinuation": frame(0x80, b"x"),
    "unfinishedMessage": frame(0x01, b"x") + frame(0x81, b"y"),
    "badClosePayload": frame(0x88, b"\x03"),
    "badCloseCode": frame(0x88, struct.pack("!H", 1005)),
    "badCloseReason": frame(0x88, struct.pack("!H", 1000) + b"\xff"),
    "invalidText": frame(0x81, b"fine, then \xff\xfe"),
    # `websockets` waits for the 2^63 bytes.
    "abruptBadLength": b"\x82\xff\xff" + b"\x00" * 7 + b"\x01\x02\x03\x04",
    "abruptInMessage": frame(0x01, b"the beginning"),
    "abruptInFrame": frame(0x82, b"x" * 1000)[:500],
    "abruptInHeader": b"\x82",
}


def hear(peer):
    while peer.receive() is not None:
        pass


def close_code(received):
    """The code of the close among the frames of a server, which are short here."""
    while len(received) >= 2:
        length = received[1] & 0x7F
        if received[0] == 0x88:
            return struct.unpack("!H", received[2:4])[0] if length >= 2 else 1005
        received = received[2 + length :]
    return None


def main():
    arguments = parsed_arguments(__doc__)
    server = Server(arguments.identity, lambda sock: PEERS[arguments.server].serve(sock, "none", hear))
    for name, fault in FAULTS.items():
        with connect(arguments, server.port) as sock:
            key = base64.b64encode(os.urandom(16)).decode()
            sock.sendall(
                f"GET /{name} HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += sock.recv(1)
            sock.sendall(fault)
            received = b""
            if not name.startswith("abrupt"):
                while piece := sock.recv(4096):
                    received += piece
            print(json.dumps({"fault": name, "code": close_code(received)}), flush=True)


main()
