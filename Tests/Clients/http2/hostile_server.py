"""A server that breaks the rules of HTTP/2 behind the proxy, over real sockets, with a client of good manners in front.

The client asks for two things on one connection: stream 1 is the neighbour, stream 3 the victim. Prints a line of JSON for
each case: what RFC 9113 expects of the proxy (an error of the connection, of the victim, or nothing), what the server was
told, what the client got for each of the two, and by how many KiB the proxy grew.
"""

from wire import *

NEIGHBOUR, VICTIM = 1, 3
PROTOCOL, SIZE, CLOSED = "connection PROTOCOL_ERROR", "connection FRAME_SIZE_ERROR", "connection STREAM_CLOSED"
FLOW, CALM, COMPRESSION = "connection FLOW_CONTROL_ERROR", "connection ENHANCE_YOUR_CALM", "connection COMPRESSION_ERROR"
MALFORMED, NOTHING = "stream PROTOCOL_ERROR", "nothing"
OK = [(":status", "200")]


def answer(*more, flags=END_STREAM | END_HEADERS, stream=VICTIM):
    return headers(stream, [*OK, *more], flags)


def rules():
    """Section, name, what is expected, and what the server sends once it has both requests."""
    begun = answer(flags=END_HEADERS)
    yield "4.1", "an unknown type", NOTHING, frame(0x42, 0, b"x" * 100) + answer()
    yield "4.2", "DATA beyond the size of frames", SIZE, begun + data(VICTIM, b"x" * 16385)
    yield "4.2", "a frame that states 16 MiB", SIZE, frame(DATA, VICTIM, b"x" * 100, length=(1 << 24) - 1)
    yield "4.3", "a block that does not decode", COMPRESSION, headers(VICTIM, b"\xff\xff\xff\xff\xff\xff")
    yield "4.3", "a table beyond the limit", COMPRESSION, headers(VICTIM, b"\x3f\xe1\xff\x7f")
    yield "5.1", "HEADERS on an idle stream", PROTOCOL, answer(stream=99)
    yield "5.1", "DATA on an idle stream", PROTOCOL, data(99, b"x")
    yield "5.1", "RST_STREAM on an idle stream", PROTOCOL, reset(99)
    yield "5.1", "WINDOW_UPDATE on an idle stream", PROTOCOL, window(99, 1)
    yield "5.1", "DATA after the end", CLOSED, answer() + data(VICTIM, b"x")
    yield "5.1", "HEADERS after the end", CLOSED, answer() + answer()
    yield "5.1", "RST_STREAM after the end", NOTHING, answer() + reset(VICTIM, 0)
    yield "5.1.1", "a stream that the server opens", PROTOCOL, answer(stream=2)
    yield "5.5", "an unknown frame inside a head", PROTOCOL, answer(flags=0) + frame(0x42)
    yield "6.1", "DATA on stream 0", PROTOCOL, data(0, b"x")
    yield "6.1", "DATA with more padding than frame", PROTOCOL, begun + data(VICTIM, b"\x09x", PADDED)
    yield "6.2", "HEADERS on stream 0", PROTOCOL, answer(stream=0)
    yield "6.2", "another stream's HEADERS inside a head", PROTOCOL, answer(flags=0) + answer(stream=NEIGHBOUR)
    yield "6.3", "PRIORITY on stream 0", PROTOCOL, frame(PRIORITY, 0, number(0) + b"\x10")
    yield "6.4", "RST_STREAM on stream 0", PROTOCOL, reset(0)
    yield "6.4", "RST_STREAM of three bytes", SIZE, frame(RST_STREAM, VICTIM, b"abc")
    yield "6.4", "RST_STREAM with a code that nobody knows", "reset 0x4242", reset(VICTIM, 0x4242)
    yield "6.4", "RST_STREAM in the middle of a body", "reset INTERNAL_ERROR", begun + data(VICTIM, b"x") + reset(VICTIM, 2)
    yield "6.5", "SETTINGS on a stream", PROTOCOL, frame(SETTINGS, VICTIM)
    yield "6.5", "SETTINGS of five bytes", SIZE, frame(SETTINGS, 0, b"12345")
    yield "6.5", "an acknowledgement with a payload", SIZE, frame(SETTINGS, 0, b"123456", ACK)
    yield "6.5.2", "ENABLE_PUSH of 1", PROTOCOL, settings((2, 1))
    yield "6.5.2", "INITIAL_WINDOW_SIZE of 2^31", FLOW, settings((4, 1 << 31))
    yield "6.5.2", "MAX_FRAME_SIZE of 16383", PROTOCOL, settings((5, 16383))
    yield "6.5.2", "a table of 4 GiB", NOTHING, settings((1, 0xffffffff)) + answer()
    yield "6.6", "PUSH_PROMISE", PROTOCOL, frame(PUSH_PROMISE, VICTIM, number(2) + block(OK), END_HEADERS)
    yield "6.7", "PING on a stream", PROTOCOL, frame(PING, VICTIM, b"8 bytes!")
    yield "6.7", "PING of seven bytes", SIZE, frame(PING, 0, b"7 bytes")
    yield "6.8", "GOAWAY on a stream", PROTOCOL, frame(GOAWAY, VICTIM, bytes(8))
    yield "6.8", "GOAWAY of seven bytes", SIZE, frame(GOAWAY, 0, bytes(7))
    # The victim is asked for again, on another connection.
    yield "6.8", "GOAWAY below the victim", NOTHING, frame(GOAWAY, 0, number(NEIGHBOUR) + bytes(4))
    yield "6.9", "WINDOW_UPDATE of 0 on the connection", PROTOCOL, window(0, 0)
    yield "6.9", "WINDOW_UPDATE of three bytes", SIZE, frame(WINDOW_UPDATE, 0, b"abc")
    yield "6.9.1", "the connection's window beyond 2^31 - 1", FLOW, window(0, 0x7fffffff)
    yield "6.10", "CONTINUATION after nothing", PROTOCOL, frame(CONTINUATION, VICTIM, b"", END_HEADERS)
    # Wherever a stream's error is meant, the connection's is allowed (§5.4.2).
    yield "8.1", "DATA before a head", PROTOCOL, data(VICTIM, b"x")
    yield "8.1", "trailers that do not end the stream", MALFORMED, begun + headers(VICTIM, [("x", "y")], END_HEADERS)
    yield "8.1.1", "a body longer than its length", MALFORMED, answer(("content-length", "1"), flags=END_HEADERS) + \
        data(VICTIM, b"12", END_STREAM)
    yield "8.1.1", "a body shorter than its length", MALFORMED, answer(("content-length", "9"), flags=END_HEADERS) + \
        data(VICTIM, b"12", END_STREAM)
    yield "8.2", "a name in upper case", MALFORMED, answer(("X-Upper", "y"))
    yield "8.2", "a line break in a value", MALFORMED, answer(("x", "a\r\nset-cookie: b"))
    yield "8.2", "NUL in a value", MALFORMED, answer(("x", "a\0b"))
    yield "8.2.2", "Connection", MALFORMED, answer(("connection", "close"))
    yield "8.2.2", "Transfer-Encoding", MALFORMED, answer(("transfer-encoding", "chunked"))
    yield "8.3", "a pseudo-field of requests", MALFORMED, answer((":path", "/"))
    yield "8.3", "a pseudo-field in trailers", MALFORMED, begun + headers(VICTIM, [(":status", "200")])
    yield "8.3.2", "no :status", MALFORMED, headers(VICTIM, [("x", "y")])
    yield "8.3.2", "two of :status", MALFORMED, answer((":status", "201"))
    yield "8.3.2", "a :status that is not a number", MALFORMED, headers(VICTIM, [(":status", "2xx")])
    yield "8.6", "101 Switching Protocols", MALFORMED, headers(VICTIM, [(":status", "101")], END_HEADERS)
    yield "9218 7.1", "PRIORITY_UPDATE from a server", PROTOCOL, frame(PRIORITY_UPDATE, 0, number(VICTIM) + b"u=1")


def floods():
    entry = literal("x", "y" * 4000, 0x40)
    bomb = bytes([0x80 | 62]) * 16_000
    yield "CONTINUATION", CALM, answer(flags=0) + frame(CONTINUATION, VICTIM, literal("x", "y" * 9000)) * 2000
    yield "SETTINGS", CALM, settings((3, 100)) * 20_000
    yield "PING", CALM, frame(PING, 0, b"8 bytes!") * 50_000
    yield "WINDOW_UPDATE", CALM, window(0, 1) * 100_000
    yield "empty DATA", CALM, answer(flags=END_HEADERS) + data(VICTIM) * 50_000
    yield "HPACK bomb of 1 GB", "stream ENHANCE_YOUR_CALM", headers(VICTIM, block(OK) + entry, END_STREAM) + \
        b"".join(frame(CONTINUATION, VICTIM, bomb) for _ in range(14)) + frame(CONTINUATION, VICTIM, b"", END_HEADERS)
    interim = headers(VICTIM, [(":status", "103"), ("link", "x" * 500)], END_HEADERS)
    yield "a hundred interim responses", NOTHING, interim * 100 + answer()
    yield "100,000 interim responses", CALM, interim * 100_000


class Campaign:
    def __init__(self, arguments):
        self.arguments = arguments
        self.port = Listener(arguments, self.serve).port
        self.bytes, self.entries, self.servers = b"", [], []
        self.reads, self.answer = True, b""

    def serve(self, sock):
        peer = Peer(sock)
        self.servers.append(peer)
        peer.send(settings(*self.entries))
        if len(self.servers) > 1:
            peer.wait(lambda: NEIGHBOUR in peer.heads)
            peer.send(answer(stream=NEIGHBOUR))
            peer.wait(lambda: not peer.isOpen)
            return
        peer.wait(lambda: NEIGHBOUR in peer.heads and VICTIM in peer.heads)
        if not self.reads:
            return self.isOver.wait()
        peer.send(self.bytes)
        if self.answer:
            peer.wait(lambda: VICTIM in peer.ended)
        peer.send(self.answer, frame(PING, 0, b"the last"))
        peer.wait(lambda: peer.goAway is not None or b"the last" in peer.pongs)
        if not peer.goAway:
            peer.send(answer(stream=NEIGHBOUR, flags=END_HEADERS), data(NEIGHBOUR, b"neighbour", END_STREAM))
        peer.wait(lambda: not peer.isOpen)

    def open(self):
        self.isOver = threading.Event()
        self.servers.clear()
        return opened(self.arguments, self.port)

    def ask(self, stream, path, flags=END_STREAM | END_HEADERS):
        return headers(stream, [(":method", "POST"), (":scheme", "https"), (":authority", f"{HOST}:{self.port}"),
                                (":path", path)], flags)

    @staticmethod
    def outcome(peer, stream):
        if stream in peer.resets:
            return f"reset {name(peer.resets[stream])}"
        return peer.status(stream) if stream in peer.ended else "nothing"

    def play(self, section, case, expected, sent, memory=None):
        self.bytes = sent
        peer = self.open()
        peer.send(self.ask(NEIGHBOUR, "/neighbour"), self.ask(VICTIM, "/victim"))
        peer.wait(lambda: peer.has(NEIGHBOUR) and peer.has(VICTIM))
        neighbour, victim = self.outcome(peer, NEIGHBOUR), self.outcome(peer, VICTIM)
        peer.close()
        server = self.servers[0]
        deadline = time.monotonic() + PATIENCE
        while server.isOpen and time.monotonic() < deadline:
            time.sleep(0.01)
        if server.goAway:
            got = f"connection {name(server.goAway)}"
        elif VICTIM in server.resets:
            got = f"stream {name(server.resets[VICTIM])}"
        elif victim.startswith("reset"):
            got = victim
        else:
            got = "nothing"
        tell(section=section, case=case, expected=expected, got=got, port=peer.port, neighbour=neighbour,
             victim=victim, growth=memory.growth if memory else 0)

    def tiny_windows(self):
        """The server takes a body byte by byte."""
        self.entries, self.bytes, self.answer = [(4, 0)], window(VICTIM, 1) * 300, answer()
        with Memory(self.arguments.pid) as memory:
            peer = self.open()
            peer.send(self.ask(NEIGHBOUR, "/neighbour"), self.ask(VICTIM, "/victim", END_HEADERS))
            peer.send(data(VICTIM, b"x" * 300, END_STREAM))
            peer.wait(lambda: peer.has(VICTIM) and peer.has(NEIGHBOUR))
            self.end("6.9", "windows of one byte", "nothing", peer, memory)

    def stalled(self):
        """A server that stops reading while 50 streams send to it."""
        self.entries, self.reads = [(4, 0x7fffffff)], False
        with Memory(self.arguments.pid) as memory:
            peer = self.open()
            peer.send(self.ask(NEIGHBOUR, "/neighbour"))
            streams = range(VICTIM, VICTIM + 100, 2)
            peer.send(*[self.ask(stream, "/victim", END_HEADERS) for stream in streams])
            # What the proxy's windows let through; they begin at 128 KiB.
            for _ in range(8):
                peer.send(*[data(stream, bytes(16000)) for stream in streams])
            peer.wait(lambda: not peer.unsent)
            memory.settle()
            self.end("10.5", "a server that stops reading", "silence", peer, memory)
            self.isOver.set()

    def end(self, section, case, expected, peer, memory):
        got = expected if peer.goAway is None else f"connection {name(peer.goAway)}"
        tell(section=section, case=case, expected=expected, got=got, port=peer.port,
             neighbour=self.outcome(peer, NEIGHBOUR), victim=self.outcome(peer, VICTIM), growth=memory.growth)
        peer.close()


def main():
    arguments = parsed_arguments(__doc__)
    campaign = Campaign(arguments)
    for rule in rules():
        campaign.play(*rule)
    for case, expected, sent in floods():
        with Memory(arguments.pid) as memory:
            campaign.play("10.5", case, expected, sent, memory)
    campaign.tiny_windows()
    campaign.stalled()


main()
