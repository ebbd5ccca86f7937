"""Sends the kinds of messages of RFC 6455 and RFC 7692 through the proxy, both ways, and compares what arrives.

Prints one JSON line for each connection: the data messages of both sides in their order (kind, length, SHA-256), and
the close codes. What the capture holds has to be the same.
"""

import hashlib
import json
import sys

from peers import PEERS
from stage import Server, connect, parsed_arguments

TEXT = "Grüße, 世界 \U0001f50d "


def described(message):
    content = message.encode() if isinstance(message, str) else message
    return {
        "kind": "text" if isinstance(message, str) else "binary",
        "length": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def may_interrupt(compression, receiver):
    """Whether a control frame may come between compressed fragments.

    `wsproto` 1.3 takes the fragments after it for bytes that are not compressed (`frame_inbound_complete` in
    extensions.py forgets the message at the end of every frame that is final).
    """
    return compression == "none" or receiver != "wsproto"


def echo(peer, between):
    """Sends every message back; some ask for more."""
    while (message := peer.receive()) is not None:
        if message == "fragments":
            peer.send_fragments([TEXT, "", "end"], between)
        elif isinstance(message, str) and message.startswith("close "):
            _, code, reason = message.split(" ", 2)
            return peer.close(int(code), reason)
        else:
            peer.send(message)


def filler(length):
    """Bytes that do not compress to nothing."""
    block = hashlib.sha512(b"pinhole").digest()
    return (block * (length // len(block) + 1))[:length]


def cases(is_large):
    yield from [TEXT, "", b"", bytes(range(256)), "x"]
    for length in [125, 126, 127, 65535, 65536]:
        yield filler(length)
    for number in range(5):
        yield f'{{"number": {number}, "text": "{TEXT * 20}"}}'
        yield TEXT.encode() * 50 + bytes([number])
    if is_large:
        yield filler(16 << 20)
        yield "ä" * (8 << 20)


def converse(peer, is_large, between):
    """What both sides send."""
    sent = []
    for message in cases(is_large):
        peer.send(message)
        sent.append(described(message))
        answer = peer.receive()
        if answer != message:
            raise RuntimeError(f"{described(message)} came back as {answer and described(answer)}, {peer.end}")
    for fragments in [[TEXT, "", "b", TEXT], [b"\x00", filler(70000), b""]]:
        message = type(fragments[0])().join(fragments)
        peer.send_fragments(fragments, between)
        sent.append(described(message))
        if peer.receive() != message:
            raise RuntimeError(f"fragments of {described(message)} came back as something else")
    peer.ping(b"p" * 125)
    peer.ping(b"one")
    peer.pong(b"unasked")
    peer.send("fragments")
    if peer.receive() != TEXT + "end":
        raise RuntimeError("fragments of the server came as something else")
    received = sent + [described(TEXT + "end")]
    return sent + [described("fragments")], received


def main():
    arguments = parsed_arguments(__doc__)

    def between(receiver):
        return "between" if may_interrupt(arguments.compression, receiver) else None

    server = Server(
        arguments.identity,
        lambda sock: PEERS[arguments.server].serve(
            sock, arguments.compression, lambda peer: echo(peer, between(arguments.client))
        ),
    )

    def client():
        """A new connection to the server."""
        return PEERS[arguments.client].client(connect(arguments, server.port), arguments.compression)

    peer = client()
    sent, received = converse(peer, arguments.large, between(arguments.server))
    peer.close(1000, "done")
    print(json.dumps({"client": sent, "server": received, "code": 1000, "closer": "client"}))
    for code, reason in [(1000, ""), (1001, TEXT), (3000, "library"), (4999, "x" * 123)]:
        peer = client()
        peer.close(code, reason)
        print(json.dumps({"client": [], "server": [], "code": code, "reason": reason, "closer": "client"}))
        peer = client()
        request = f"close {code} {reason}"
        peer.send(request)
        if (found := peer.wait_closed()) != code:
            raise RuntimeError(f"expected the close code {code}, found {found}")
        print(
            json.dumps(
                {"client": [described(request)], "server": [], "code": code, "reason": reason, "closer": "server"}
            )
        )
    if server.faults:
        sys.exit(f"the server failed: {server.faults}")


main()
