"""Sends messages through rules that drop, change and send messages, and checks what both sides get.

The rules are those of WebSocketRulesTests.swift. With --console, messages are sent by the control API, too. Prints one JSON
line: the number of messages that the server got.
"""

import json
import sys
import time
import urllib.parse
import urllib.request

import peers
from stage import Server, connect, parsed_arguments
from streams import StreamPeer

PEERS = {**peers.PEERS, "streams": StreamPeer}

TEXT = "price and prices, and more of prices "


def expect(peer, expected):
    found = peer.receive()
    if found != expected:
        raise RuntimeError(f"expected {str(expected)[:80]!r}, found {str(found)[:80]!r}, {peer.end}")


def asked(console, path, body=None):
    """Asks the control API, with the token of the console's URL."""
    parts = urllib.parse.urlsplit(console)
    token = urllib.parse.parse_qs(parts.query)["token"][0]
    request = urllib.request.Request(
        f"{parts.scheme}://{parts.netloc}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=peers.PATIENCE) as answer:
        return answer.status, answer.read()


def send_by_console(console, peer):
    """Messages of people, to both sides of the WebSocket that stands."""
    limit = time.monotonic() + peers.PATIENCE
    while True:
        items = json.loads(asked(console, "/api/traffic?filter=websocket%20%26%20running")[1])["items"]
        if items or time.monotonic() > limit:
            break
    path = f"/api/traffic/{items[0]['id']}/messages"
    if asked(console, path, {"to": "client", "text": "from the console"})[0] != 204:
        raise RuntimeError("the console did not send")
    expect(peer, "from the console")
    asked(console, path, {"to": "server", "base64": "AAEC"})
    expect(peer, b"\x00\x01\x02")


def converse(peer, console):
    expect(peer, "hello of the rule")
    for number in range(3):
        peer.send(f"{number} {TEXT}")
        expect(peer, f"{number} {TEXT}")
    peer.send(f"secret {TEXT}")
    peer.send_fragments(["sec", "", f"ret {TEXT}"])
    for number in range(3):
        peer.send(f"{TEXT} costs {number}")
        expect(peer, f"{TEXT} costs {number}00")
        peer.send(f"{TEXT} {number}".encode())
        expect(peer, f"{TEXT} {number}".encode())
        peer.send_fragments([TEXT, str(number)])
        expect(peer, TEXT + str(number))
        peer.send("")
        expect(peer, "")
    peer.ping(b"alive")
    peer.send("question")
    expect(peer, "question")
    expect(peer, "asked by the rule")
    if console:
        send_by_console(console, peer)
    peer.close(1000, "done")


def main():
    arguments = parsed_arguments(__doc__)
    got = []

    def echo(peer):
        while (message := peer.receive()) is not None:
            got.append(message)
            peer.send(message)

    protocol = "h2" if arguments.client == "streams" else None
    server = Server(
        arguments.identity, lambda sock: PEERS[arguments.server].serve(sock, arguments.compression, echo), protocol
    )
    peer = PEERS[arguments.client].client(connect(arguments, server.port, protocol), arguments.compression)
    converse(peer, arguments.console)
    if any(isinstance(message, str) and message.startswith("secret") for message in got):
        sys.exit("the server got what was to be dropped")
    if server.faults:
        sys.exit(f"the server failed: {server.faults}")
    print(json.dumps({"got": len(got)}))


main()
