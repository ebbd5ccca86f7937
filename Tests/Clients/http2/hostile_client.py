"""A client that breaks the rules of HTTP/2 against the proxy, over real sockets, with a server of good manners behind.

Prints a line of JSON for each case: what RFC 9113 expects (an error of the connection, of stream 3, or nothing), what came,
whether another stream of the connection got its answer, and by how many KiB the proxy grew. An error of the connection
ends every stream; an error of a stream leaves the others alone.
"""

import h2.config
import h2.connection
import h2.events
import h2.exceptions

from wire import *

ZEROS = memoryview(bytes(20_000_000))
GET, POST = "GET", "POST"
NEIGHBOUR, VICTIM, LAST = 1, 3, 0x7ffffffd
CALM = "connection ENHANCE_YOUR_CALM"
PROTOCOL, SIZE, CLOSED = "connection PROTOCOL_ERROR", "connection FRAME_SIZE_ERROR", "connection STREAM_CLOSED"
MALFORMED, NOTHING = "stream PROTOCOL_ERROR", "nothing"


def request(path="/", method=GET, *more, host=HOST):
    return [(":method", method), (":scheme", "https"), (":authority", f"{host}:{PORT}"), (":path", path), *more]


def without(name):
    return [field for field in request() if field[0] != name]


def victim(*more, **other):
    return headers(VICTIM, request("/", GET, *more), **other)


OPEN = "open the victim"
DONE = "wait for the victim's answer"


def cases():
    """Section, name, what is expected, and the steps: bytes, or something to wait for."""
    posted = headers(VICTIM, request("/", POST), END_HEADERS)
    padded = END_HEADERS | END_STREAM | PADDED
    yield "4.1", "an unknown type", NOTHING, frame(0x42, 0, b"x" * 100) + frame(0x42, VICTIM, b"x")
    yield "4.1", "undefined flags", NOTHING, frame(PING, 0, b"8 bytes!", 0xfe)
    yield "4.1", "the reserved bit of the stream", NOTHING, frame(PING, 1 << 31, b"8 bytes!")
    yield "4.2", "DATA beyond the size of frames", SIZE, posted, data(VICTIM, b"x" * 16385)
    yield "4.2", "HEADERS beyond the size of frames", SIZE, headers(VICTIM, b"\0" * 16385)
    yield "4.2", "a frame that states 16 MiB", SIZE, frame(DATA, VICTIM, b"x" * 100, length=(1 << 24) - 1)
    yield "4.3", "a block that does not decode", "connection COMPRESSION_ERROR", headers(VICTIM, b"\xff\xff\xff\xff\xff\xff")
    yield "4.3", "an index that is empty", "connection COMPRESSION_ERROR", headers(VICTIM, b"\xfe\x10")
    yield "4.3", "a string that is cut off", "connection COMPRESSION_ERROR", headers(VICTIM, b"\x00\x05ab")
    yield "4.3", "a table beyond the limit", "connection COMPRESSION_ERROR", headers(VICTIM, b"\x3f\xe1\xff\x7f")
    yield "5.1", "DATA on an idle stream", PROTOCOL, data(VICTIM, b"x")
    yield "5.1", "RST_STREAM on an idle stream", PROTOCOL, reset(VICTIM)
    yield "5.1", "WINDOW_UPDATE on an idle stream", PROTOCOL, window(VICTIM, 1)
    yield "5.1", "CONTINUATION on an idle stream", PROTOCOL, frame(CONTINUATION, VICTIM, block(request()), END_HEADERS)
    yield "5.1", "PRIORITY on an idle stream", NOTHING, frame(PRIORITY, VICTIM, number(0) + b"\x10")
    yield "5.1", "DATA after END_STREAM", CLOSED, victim(), data(VICTIM, b"x")
    yield "5.1", "HEADERS after END_STREAM", CLOSED, victim(), victim()
    yield "5.1", "DATA on a closed stream", CLOSED, victim(), DONE, data(VICTIM, b"x")
    yield "5.1", "HEADERS on a closed stream", CLOSED, victim(), DONE, victim()
    yield "5.1", "WINDOW_UPDATE on a closed stream", NOTHING, victim(), DONE, window(VICTIM, 1)
    yield "5.1", "RST_STREAM on a closed stream", NOTHING, victim(), DONE, reset(VICTIM)
    yield "5.1", "PRIORITY on a closed stream", NOTHING, victim(), DONE, frame(PRIORITY, VICTIM, number(0) + b"\x10")
    yield "5.1.1", "an even stream", PROTOCOL, headers(2, request())
    yield "5.1.1", "a stream below an open one", PROTOCOL, headers(5, request()), victim()
    yield "5.1.2", "more streams than are allowed", PROTOCOL, *[headers(3 + 2 * n, request("/", POST), END_HEADERS) for n in range(129)]
    yield "5.5", "an unknown frame inside a head", PROTOCOL, headers(VICTIM, request(), END_STREAM), frame(0x42)
    yield "6.1", "DATA on stream 0", PROTOCOL, data(0, b"x")
    yield "6.1", "DATA with more padding than frame", PROTOCOL, posted, data(VICTIM, b"\x09x", PADDED)
    yield "6.1", "DATA with padding", NOTHING, posted, data(VICTIM, b"\x02abc\0\0", PADDED | END_STREAM)
    yield "6.2", "HEADERS on stream 0", PROTOCOL, headers(0, request())
    yield "6.2", "HEADERS with more padding than frame", PROTOCOL, headers(VICTIM, block(request()), padded, b"\xff")
    yield "6.2", "HEADERS inside a head", PROTOCOL, headers(VICTIM, request(), END_STREAM), headers(5, request())
    yield "6.2", "another stream's CONTINUATION", PROTOCOL, headers(VICTIM, b"", END_STREAM), \
        frame(CONTINUATION, 5, block(request()), END_HEADERS)
    yield "6.3", "PRIORITY on stream 0", PROTOCOL, frame(PRIORITY, 0, number(0) + b"\x10")
    yield "6.3", "PRIORITY of four bytes", SIZE, victim(), frame(PRIORITY, VICTIM, number(0))
    yield "6.4", "RST_STREAM on stream 0", PROTOCOL, reset(0)
    yield "6.4", "RST_STREAM of three bytes", SIZE, victim(), frame(RST_STREAM, VICTIM, b"abc")
    yield "6.5", "SETTINGS on a stream", PROTOCOL, frame(SETTINGS, VICTIM)
    yield "6.5", "SETTINGS of five bytes", SIZE, frame(SETTINGS, 0, b"12345")
    yield "6.5", "an acknowledgement with a payload", SIZE, frame(SETTINGS, 0, b"123456", ACK)
    yield "6.5.2", "ENABLE_PUSH of 2", PROTOCOL, settings((2, 2))
    yield "6.5.2", "INITIAL_WINDOW_SIZE of 2^31", "connection FLOW_CONTROL_ERROR", settings((4, 1 << 31))
    yield "6.5.2", "MAX_FRAME_SIZE of 16383", PROTOCOL, settings((5, 16383))
    yield "6.5.2", "MAX_FRAME_SIZE of 2^24", PROTOCOL, settings((5, 1 << 24))
    yield "6.5.2", "an unknown setting", NOTHING, settings((0x4242, 7))
    yield "6.6", "PUSH_PROMISE from a client", PROTOCOL, frame(PUSH_PROMISE, NEIGHBOUR, number(2) + block(request()), END_HEADERS)
    yield "6.7", "PING on a stream", PROTOCOL, frame(PING, NEIGHBOUR, b"8 bytes!")
    yield "6.7", "PING of seven bytes", SIZE, frame(PING, 0, b"7 bytes")
    yield "6.8", "GOAWAY on a stream", PROTOCOL, frame(GOAWAY, NEIGHBOUR, bytes(8))
    yield "6.8", "GOAWAY of seven bytes", SIZE, frame(GOAWAY, 0, bytes(7))
    yield "6.9", "WINDOW_UPDATE of 0 on the connection", PROTOCOL, window(0, 0)
    yield "6.9", "WINDOW_UPDATE of three bytes", SIZE, frame(WINDOW_UPDATE, 0, b"abc")
    yield "6.9.1", "the connection's window beyond 2^31 - 1", "connection FLOW_CONTROL_ERROR", window(0, 0x7fffffff)
    yield "6.9.1", "a stream's window beyond 2^31 - 1", "stream FLOW_CONTROL_ERROR", posted, window(VICTIM, 0x7fffffff)
    yield "6.10", "CONTINUATION after nothing", PROTOCOL, frame(CONTINUATION, NEIGHBOUR, b"", END_HEADERS)
    yield "8.1", "trailers that do not end the stream", MALFORMED, posted, headers(VICTIM, [("x", "y")], END_HEADERS)
    yield "8.1.1", "a body longer than its length", MALFORMED, \
        headers(VICTIM, request("/", POST, ("content-length", "1")), END_HEADERS), data(VICTIM, b"12", END_STREAM)
    yield "8.1.1", "a body shorter than its length", MALFORMED, \
        headers(VICTIM, request("/", POST, ("content-length", "9")), END_HEADERS), data(VICTIM, b"12", END_STREAM)
    yield "8.2", "a name in upper case", MALFORMED, victim(("X-Upper", "y"))
    yield "8.2", "a line break in a value", MALFORMED, victim(("x", "a\r\nhost: b"))
    yield "8.2", "NUL in a value", MALFORMED, victim(("x", "a\0b"))
    yield "8.2", "a colon in a name", MALFORMED, victim(("x:y", "z"))
    yield "8.2", "an empty name", MALFORMED, victim(("", "z"))
    yield "8.2.2", "Connection", MALFORMED, victim(("connection", "close"))
    yield "8.2.2", "Transfer-Encoding", MALFORMED, victim(("transfer-encoding", "chunked"))
    yield "8.2.2", "te: gzip", MALFORMED, victim(("te", "gzip"))
    yield "8.3", "an unknown pseudo-field", MALFORMED, headers(VICTIM, [(":x", "y"), *request()])
    yield "8.3", "a pseudo-field behind a field", MALFORMED, headers(VICTIM, [("x", "y"), *request()])
    yield "8.3", "a pseudo-field twice", MALFORMED, victim((":path", "/2"))
    yield "8.3", "a pseudo-field in trailers", MALFORMED, posted, headers(VICTIM, [(":path", "/")])
    for pseudo in ":method", ":scheme", ":path":
        yield "8.3.1", f"no {pseudo}", MALFORMED, headers(VICTIM, without(pseudo))
    yield "8.3.1", "an empty :path", MALFORMED, headers(VICTIM, [*without(":path"), (":path", "")])
    yield "8.3.1", ":authority and Host differ", MALFORMED, victim(("host", "another.test"))
    yield "8.3.2", ":status in a request", MALFORMED, headers(VICTIM, [(":status", "200"), *request()])
    yield "8.5", "CONNECT with a path", MALFORMED, headers(VICTIM, request("/", "CONNECT"))
    yield "9218 7.1", "PRIORITY_UPDATE on a stream", PROTOCOL, frame(PRIORITY_UPDATE, NEIGHBOUR, number(1) + b"u=1")
    yield "9218 7.1", "PRIORITY_UPDATE of stream 0", PROTOCOL, frame(PRIORITY_UPDATE, 0, number(0) + b"u=1")
    yield "9218 7.1", "PRIORITY_UPDATE of a stream to come", NOTHING, frame(PRIORITY_UPDATE, 0, number(VICTIM) + b"u=1"), victim()


def floods():
    """What a peer does too often, or too much of at a time; each is sent as fast as it is taken.

    Where the proxy has to reset streams, a number is the last one of those that it has to before more are sent: more
    than it allows at one time are another fault.
    """
    stream = range(3, 20_003, 2)
    yield "rapid reset", CALM, b"".join(headers(n, request()) + reset(n) for n in stream)
    batches = [range(first, first + 200, 2) for first in range(3, 20_003, 200)]
    malformed = [(b"".join(headers(n, [("x", "y")]) for n in batch), batch[-1]) for batch in batches]
    yield "malformed requests", CALM, *sum(malformed, ())
    overflows = [(b"".join(headers(n, request("/", POST), END_HEADERS) + window(n, 0x7fffffff) for n in batch), batch[-1])
                 for batch in batches]
    yield "streams that have themselves reset (CVE-2025-8671)", CALM, *sum(overflows, ())
    yield "CONTINUATION", CALM, headers(VICTIM, request(), END_STREAM) + frame(CONTINUATION, VICTIM, literal("x", "y" * 9000)) * 2000
    yield "empty CONTINUATION", CALM, headers(VICTIM, request(), END_STREAM) + frame(CONTINUATION, VICTIM) * 9000
    yield "SETTINGS", CALM, settings((3, 100)) * 20_000
    yield "PING", CALM, frame(PING, 0, b"8 bytes!") * 50_000
    yield "PRIORITY", CALM, frame(PRIORITY, VICTIM, number(0) + b"\x10") * 50_000
    yield "PRIORITY_UPDATE", CALM, frame(PRIORITY_UPDATE, 0, number(NEIGHBOUR) + b"u=1") * 50_000
    yield "WINDOW_UPDATE", CALM, window(0, 1) * 100_000
    yield "empty DATA", CALM, data(NEIGHBOUR) * 50_000
    entry = literal("x", "y" * 4000, 0x40)
    bomb = bytes([0x80 | 62]) * 16_000
    parts = [headers(5, block(request()) + bomb, END_STREAM)] + [frame(CONTINUATION, 5, bomb) for _ in range(14)]
    yield "HPACK bomb of 1 GB", "stream ENHANCE_YOUR_CALM", \
        headers(VICTIM, block(request()) + entry) + b"".join(parts) + frame(CONTINUATION, 5, b"", END_HEADERS)
    half = b"".join(headers(n, request()) + (reset(n) if n % 4 == 1 else b"") for n in range(3, 203, 2))
    yield "a hundred streams, every other reset", NOTHING, half


class GoodServer:
    """Answers with how many bytes came, or with as many as the path asks for; by the package h2."""

    def __init__(self, arguments):
        self.port = Listener(arguments, self.serve).port

    def serve(self, sock):
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        connection.initiate_connection()
        sock.sendall(connection.data_to_send())
        paths, received, owed = {}, {}, {}
        while piece := sock.recv(1 << 16):
            try:
                events = connection.receive_data(piece)
            except h2.exceptions.ProtocolError:
                # The package takes GOAWAY for the end of everything that the other side says.
                return
            for event in events:
                if isinstance(event, h2.events.RequestReceived):
                    paths[event.stream_id], received[event.stream_id] = dict(event.headers)[":path"], 0
                elif isinstance(event, h2.events.DataReceived):
                    received[event.stream_id] += len(event.data)
                    connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    connection.send_headers(event.stream_id, [(":status", "200")])
                    path = paths.pop(event.stream_id)
                    count = str(received.pop(event.stream_id)).encode()
                    owed[event.stream_id] = ZEROS[:int(path[7:])] if path.startswith("/bytes/") else count
                elif isinstance(event, h2.events.StreamReset):
                    for store in paths, received, owed:
                        store.pop(event.stream_id, None)
            self.pay(connection, owed)
            sock.sendall(connection.data_to_send())

    @staticmethod
    def pay(connection, owed):
        for stream in list(owed):
            room = min(connection.local_flow_control_window(stream), 1 << 18)
            piece, owed[stream] = owed[stream][:room], owed[stream][room:]
            frames = [piece[start:start + 16384] for start in range(0, len(piece), 16384)] or [b""]
            isOver = not owed[stream]
            for index, part in enumerate(frames):
                if part or isOver:
                    connection.send_data(stream, bytes(part), end_stream=isOver and index == len(frames) - 1)
            if isOver:
                del owed[stream]


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments

    def open(self, *entries):
        peer = opened(self.arguments, PORT, *entries)
        peer.send(headers(NEIGHBOUR, request("/neighbour", POST), END_HEADERS), data(NEIGHBOUR, b"12345"))
        assert peer.wait(lambda: peer.acknowledgements > 0), "SETTINGS were not acknowledged"
        return peer

    def judge(self, peer, stream):
        """Lets the neighbour end, and asks once more: whoever answers has read everything before."""
        peer.send(frame(PING, 0, b"the last"))
        peer.wait(lambda: peer.goAway is not None or b"the last" in peer.pongs)
        if peer.goAway is None:
            peer.send(data(NEIGHBOUR, b"67890", END_STREAM), headers(LAST, request("/last")))
            peer.wait(lambda: peer.goAway is not None or peer.has(NEIGHBOUR) and peer.has(LAST))
        if peer.goAway is not None:
            peer.wait(lambda: not peer.isOpen)
            return f"connection {name(peer.goAway)}", peer
        if not peer.isOpen:
            return "the connection closed without a word", peer
        return f"stream {name(peer.resets[stream])}" if stream in peer.resets else "nothing", peer

    def tell(self, section, case, expected, peer, stream, memory=None):
        got, _ = self.judge(peer, stream)
        isWhole = peer.status(NEIGHBOUR) == "200" and peer.bodies.get(NEIGHBOUR) == b"10"
        others = sorted(set(peer.resets) - {stream})
        peer.close()
        tell(section=section, case=case, expected=expected, got=got, port=peer.port,
             isNeighbourWhole=isWhole and (peer.status(LAST) == "200"),
             otherResets=[] if got.startswith("connection") else others, growth=memory.growth if memory else 0)

    def rules(self):
        for section, case, expected, *steps in cases():
            peer = self.open()
            for step in steps:
                if step is DONE:
                    assert peer.wait(lambda: peer.has(VICTIM)), case
                else:
                    peer.send(step)
            self.tell(section, case, expected, peer, VICTIM)

    def floods(self):
        for case, expected, *steps in floods():
            with Memory(self.arguments.pid) as memory:
                peer = self.open()
                for step in steps:
                    if isinstance(step, bytes):
                        peer.send(step)
                    peer.wait(lambda: peer.goAway is not None or (
                        not peer.unsent if isinstance(step, bytes) else peer.has(step)))
                    if peer.goAway is not None:
                        break
                self.tell("10.5", case, expected, peer, 5 if "bomb" in case else None, memory)

    def tiny_windows(self):
        """A window of one byte, opened byte by byte."""
        with Memory(self.arguments.pid) as memory:
            peer = self.open((4, 1))
            peer.send(headers(VICTIM, request("/bytes/300")))
            peer.wait(lambda: len(peer.bodies.get(VICTIM, b"")) == 1)
            for count in range(2, 301):
                peer.send(window(VICTIM, 1))
                if not peer.wait(lambda: len(peer.bodies[VICTIM]) == count or peer.goAway is not None):
                    break
            assert len(peer.bodies[VICTIM]) == 300, len(peer.bodies[VICTIM])
            peer.send(window(NEIGHBOUR, 9), settings((4, 65535)))
            self.tell("6.9", "windows of one byte", "nothing", peer, VICTIM, memory)

    def many_streams(self):
        """10,000 streams on one connection, every other reset by the client: nothing that is forbidden."""
        with Memory(self.arguments.pid) as memory:
            peer = self.open()
            stream = VICTIM
            for _ in range(200):
                batch = range(stream, stream + 100, 2)
                peer.send(*[headers(n, request()) + (reset(n) if n % 4 == 1 else b"") for n in batch])
                peer.wait(lambda: peer.goAway is not None or all(peer.has(n) for n in batch if n % 4 == 3))
                stream += 100
            self.tell("5.1", "10,000 streams opened, half of them reset", "nothing", peer, None, memory)

    def stalled(self):
        """Peers that ask for a lot and take nothing: by windows that stay shut, and by a socket that nobody reads."""
        for case, entries in [("windows that stay shut", [(4, 0)]), ("a socket that nobody reads", [(4, 0x7fffffff)])]:
            with Memory(self.arguments.pid) as memory:
                peer = self.open(*entries)
                peer.send(window(0, 0x7fff0000 - 65535))
                peer.send(*[headers(n, request("/bytes/20000000")) for n in range(3, 203, 2)])
                peer.wait(lambda: not peer.unsent)
                memory.settle()
                peer.close()
            tell(section="10.5", case=case, expected="gone", got="gone", port=peer.port, isNeighbourWhole=False,
                 otherResets=[], growth=memory.growth)


def main():
    global PORT
    arguments = parsed_arguments(__doc__)
    PORT = GoodServer(arguments).port
    campaign = Campaign(arguments)
    campaign.rules()
    campaign.floods()
    campaign.tiny_windows()
    campaign.many_streams()
    campaign.stalled()


main()
