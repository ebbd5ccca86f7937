"""HTTP/2 to the proxy itself: tunnels in streams (RFC 9113 section 8.5), requests beside them, and what goes wrong.

Speaks to an HTTPS proxy with h2 and prints a line of JSON for each case; an error of a case is its "detail".
"""

import argparse
import base64
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time
import traceback

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)


class Proxy:
    """One connection of HTTP/2 to the proxy, with TLS or without."""

    def __init__(self, options, secured=True, window=None):
        self.sock = socket.create_connection(("127.0.0.1", options.proxy_port), timeout=PATIENCE)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if secured:
            context = ssl.create_default_context(cafile=options.ca)
            context.set_alpn_protocols(["h2", "http/1.1"])
            self.sock = context.wrap_socket(self.sock, server_hostname="127.0.0.1")
            assert self.sock.selected_alpn_protocol() == "h2", self.sock.selected_alpn_protocol()
        config = h2.config.H2Configuration(client_side=True, header_encoding="utf-8", validate_outbound_headers=False)
        self.h2 = h2.connection.H2Connection(config)
        if window is not None:
            self.h2.local_settings[h2.settings.SettingCodes.INITIAL_WINDOW_SIZE] = window
        self.h2.initiate_connection()
        self.heads, self.data, self.ended, self.resets, self.unread = {}, {}, set(), {}, {}
        self.goaway = None
        self.closed = False
        self.releases = lambda stream: True
        self.flush()

    def flush(self):
        try:
            self.sock.sendall(self.h2.data_to_send())
        except OSError:
            # Why the proxy has closed is still to be read.
            pass

    def connect(self, authority, fields=(), end=False, pseudo=()):
        stream = self.h2.get_next_available_stream_id()
        head = [(":method", "CONNECT")]
        if authority is not None:
            head.append((":authority", authority))
        self.h2.send_headers(stream, head + list(pseudo) + list(fields), end_stream=end)
        self.flush()
        return stream

    def request(self, authority, path, method="GET", scheme="http", fields=(), body=None):
        stream = self.h2.get_next_available_stream_id()
        head = [(":method", method), (":scheme", scheme), (":authority", authority), (":path", path)]
        self.h2.send_headers(stream, head + list(fields), end_stream=body is None)
        self.flush()
        if body is not None:
            self.send(stream, body, end=True)
        return stream

    def send(self, stream, data, end=False):
        while data:
            room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
            if room <= 0:
                self.turn()
                continue
            self.h2.send_data(stream, data[:room])
            data = data[room:]
            self.flush()
        if end:
            self.h2.end_stream(stream)
            self.flush()

    def turn(self):
        """Reads once."""
        piece = self.sock.recv(1 << 16)
        if not piece:
            self.closed = True
            return
        for event in self.h2.receive_data(piece):
            stream = getattr(event, "stream_id", None)
            if isinstance(event, h2.events.ResponseReceived):
                self.heads[stream] = dict(event.headers)
            elif isinstance(event, h2.events.DataReceived):
                self.data[stream] = self.data.get(stream, b"") + event.data
                if self.releases(stream):
                    self.h2.acknowledge_received_data(event.flow_controlled_length, stream)
                else:
                    self.unread[stream] = self.unread.get(stream, 0) + event.flow_controlled_length
                    self.h2.increment_flow_control_window(event.flow_controlled_length)
            elif isinstance(event, h2.events.StreamEnded):
                self.ended.add(stream)
            elif isinstance(event, h2.events.StreamReset):
                self.resets[stream] = int(event.error_code)
            elif isinstance(event, h2.events.ConnectionTerminated):
                self.goaway = (int(event.error_code), event.last_stream_id)
        self.flush()

    def until(self, condition, what):
        limit = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < limit, f"waited in vain for {what}"
            assert not self.closed, f"the proxy closed before {what}; GOAWAY {self.goaway}"
            self.turn()

    def tunnel(self, authority, **more):
        """Opens a tunnel and expects it to stand."""
        stream = self.connect(authority, **more)
        self.until(lambda: stream in self.heads or stream in self.resets, f"an answer to CONNECT on {stream}")
        assert self.heads.get(stream, {}).get(":status") == "200", (self.heads.get(stream), self.resets)
        return stream

    def take(self, stream, count):
        self.until(lambda: len(self.data.get(stream, b"")) >= count, f"{count} bytes on {stream}")
        taken, self.data[stream] = self.data[stream][:count], self.data[stream][count:]
        return taken

    def close(self):
        self.sock.close()


class Inner:
    """TLS in a tunnel."""

    def __init__(self, proxy, stream, name, ca, protocols=("http/1.1",)):
        context = ssl.create_default_context(cafile=ca)
        context.set_alpn_protocols(list(protocols))
        self.proxy, self.stream = proxy, stream
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname=name)
        self.drive(self.tls.do_handshake)

    def drive(self, action):
        while True:
            try:
                result = action()
                self.push()
                return result
            except ssl.SSLWantReadError:
                self.push()
                self.proxy.until(
                    lambda: self.proxy.data.get(self.stream) or self.stream in self.proxy.ended,
                    f"bytes of TLS on {self.stream}",
                )
                self.incoming.write(self.proxy.data.pop(self.stream, b""))
                if self.stream in self.proxy.ended:
                    self.incoming.write_eof()

    def push(self):
        self.proxy.send(self.stream, self.outgoing.read())

    def get(self, host, path):
        self.tls.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        self.push()
        text = b""
        while b"\r\n\r\n" not in text:
            text += self.drive(lambda: self.tls.read(1 << 16))
        head, _, body = text.partition(b"\r\n\r\n")
        length = int([line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")][0][15:])
        while len(body) < length:
            body += self.drive(lambda: self.tls.read(1 << 16))
        return int(head.split()[1]), body


class Servers:
    """Servers of plain TCP: one echoes, one sends without end, one resets, one speaks first, one never answers."""

    def __init__(self):
        self.seen_reset = threading.Event()
        self.seen_end = threading.Event()
        self.echo = self.listen(self.do_echo)
        self.flood = self.listen(self.do_flood)
        self.reset = self.listen(self.do_reset)
        self.watch = self.listen(self.do_watch)
        self.greet = self.listen(self.do_greet)
        # It stays bound and never listens, so that nobody else gets the port.
        self.unused = socket.socket()
        self.unused.bind(("127.0.0.1", 0))
        self.nobody = self.unused.getsockname()[1]

    def listen(self, serve):
        listener = socket.create_server(("127.0.0.1", 0), backlog=256)

        def accept():
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return listener.getsockname()[1]

    def do_echo(self, connection):
        """Echoes, and says “done” after the end."""
        try:
            while piece := connection.recv(1 << 16):
                connection.sendall(piece)
            connection.sendall(b"done")
        except OSError:
            pass
        connection.close()

    def do_flood(self, connection):
        connection.recv(1)
        try:
            while True:
                connection.sendall(bytes(1 << 16))
        except OSError:
            connection.close()

    def do_reset(self, connection):
        connection.recv(1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    def do_greet(self, connection):
        connection.sendall(b"hello")
        connection.close()

    def do_watch(self, connection):
        """Tells how the client's end came."""
        try:
            while connection.recv(1 << 16):
                connection.sendall(b"seen")
            self.seen_end.set()
        except OSError:
            self.seen_reset.set()


def cases(options, servers):
    echo = f"127.0.0.1:{servers.echo}"
    host = options.origin
    name = host.split(":")[0]

    def intercepted():
        proxy = Proxy(options)
        inner = Inner(proxy, proxy.tunnel(host), name, options.ca)
        for _ in range(3):
            status, body = inner.get(host, "/bytes/300000")
            assert (status, len(body)) == (200, 300000), (status, len(body))

    def in_parallel():
        proxy = Proxy(options)
        tunnels = [Inner(proxy, proxy.tunnel(host), name, options.ca) for _ in range(50)]
        for tunnel in tunnels:
            assert tunnel.get(host, "/bytes/5000")[0] == 200

    def plain_tunnel():
        proxy = Proxy(options)
        stream = proxy.tunnel(echo)
        text = os.urandom(400_000)
        sender = text
        got = b""
        while sender:
            piece, sender = sender[:20_000], sender[20_000:]
            proxy.send(stream, piece)
            got += proxy.take(stream, len(piece))
        assert got == text

    def half_close():
        proxy = Proxy(options)
        stream = proxy.tunnel(echo)
        proxy.send(stream, b"x" * 10, end=True)
        assert proxy.take(stream, 14) == b"x" * 10 + b"done"
        proxy.until(lambda: stream in proxy.ended, "END_STREAM")
        assert stream not in proxy.resets

    def slow_tunnel():
        proxy = Proxy(options)
        slow = proxy.tunnel(f"127.0.0.1:{servers.flood}")
        proxy.releases = lambda stream: stream != slow
        proxy.send(slow, b"x")
        proxy.until(lambda: proxy.unread.get(slow, 0) >= 60_000, "a full window")
        inner = Inner(proxy, proxy.tunnel(host), name, options.ca)
        assert len(inner.get(host, "/bytes/300000")[1]) == 300000
        assert proxy.unread[slow] <= 65_535

    def server_resets():
        proxy = Proxy(options)
        other = proxy.tunnel(echo)
        stream = proxy.tunnel(f"127.0.0.1:{servers.reset}")
        proxy.send(stream, b"x")
        proxy.until(lambda: stream in proxy.resets, "RST_STREAM")
        assert proxy.resets[stream] == h2.errors.ErrorCodes.CONNECT_ERROR, proxy.resets
        proxy.send(other, b"still")
        assert proxy.take(other, 5) == b"still"

    def client_resets():
        proxy = Proxy(options)
        stream = proxy.tunnel(f"127.0.0.1:{servers.watch}")
        proxy.send(stream, b"x")
        assert proxy.take(stream, 4) == b"seen"
        proxy.h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        proxy.flush()
        assert servers.seen_reset.wait(PATIENCE)
        other = proxy.tunnel(echo)
        proxy.send(other, b"still")
        assert proxy.take(other, 5) == b"still"

    def client_cancels():
        proxy = Proxy(options)
        stream = proxy.tunnel(f"127.0.0.1:{servers.watch}")
        proxy.send(stream, b"x")
        assert proxy.take(stream, 4) == b"seen"
        proxy.h2.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
        proxy.flush()
        assert servers.seen_end.wait(PATIENCE)

    def cancels_download():
        proxy = Proxy(options)
        stream = proxy.tunnel(f"127.0.0.1:{servers.flood}")
        proxy.send(stream, b"x")
        proxy.take(stream, 500_000)
        proxy.h2.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
        proxy.flush()
        other = proxy.tunnel(echo)
        proxy.send(other, b"still")
        assert proxy.take(other, 5) == b"still"

    def reset_during_dial():
        proxy = Proxy(options)
        for _ in range(30):
            proxy.h2.reset_stream(proxy.connect("blackhole.example.test:443"), h2.errors.ErrorCodes.CANCEL)
            proxy.flush()
        assert proxy.tunnel(echo)

    def dial_fails():
        proxy = Proxy(options)
        stream = proxy.connect(f"127.0.0.1:{servers.nobody}")
        proxy.until(lambda: stream in proxy.ended, "an answer")
        assert proxy.heads[stream][":status"] == "502", proxy.heads[stream]
        assert b"cannot be reached" in proxy.data[stream], proxy.data[stream]
        assert proxy.tunnel(echo)

    def to_itself():
        proxy = Proxy(options)
        stream = proxy.connect(f"127.0.0.1:{options.proxy_port}")
        proxy.until(lambda: stream in proxy.ended, "an answer")
        assert proxy.heads[stream][":status"] == "508", proxy.heads[stream]

    def malformed():
        for authority, pseudo in [
            (None, []),
            ("no-port.example.test", []),
            ("bad host:443", []),
            (echo, [(":scheme", "https"), (":path", "/")]),
        ]:
            proxy = Proxy(options)
            other = proxy.tunnel(echo)
            stream = proxy.connect(authority, pseudo=pseudo)
            proxy.until(lambda: stream in proxy.resets, f"a reset for {authority}")
            assert proxy.resets[stream] == h2.errors.ErrorCodes.PROTOCOL_ERROR, proxy.resets
            proxy.send(other, b"still")
            assert proxy.take(other, 5) == b"still"

    def ended_at_once():
        proxy = Proxy(options)
        stream = proxy.connect(echo, end=True)
        assert proxy.take(stream, 4) == b"done"
        proxy.until(lambda: stream in proxy.ended, "END_STREAM")
        # A server that speaks first is heard, too.
        stream = proxy.connect(f"127.0.0.1:{servers.greet}", end=True)
        assert proxy.take(stream, 5) == b"hello"
        proxy.until(lambda: stream in proxy.ended, "END_STREAM")
        assert not proxy.resets, proxy.resets

    def one_after_the_other():
        proxy = Proxy(options)
        for number in range(1000):
            stream = proxy.tunnel(echo)
            proxy.send(stream, b"%04d" % number, end=True)
            assert proxy.take(stream, 8) == b"%04ddone" % number
            proxy.until(lambda: stream in proxy.ended, "END_STREAM")

    def too_many():
        proxy = Proxy(options)
        proxy.until(lambda: proxy.h2.remote_settings.max_concurrent_streams < 1000, "SETTINGS")
        most = proxy.h2.remote_settings.max_concurrent_streams
        streams = [proxy.tunnel(echo) for _ in range(most)]
        for stream in streams:
            proxy.send(stream, b"still")
        assert all(proxy.take(stream, 5) == b"still" for stream in streams)
        proxy.h2.remote_settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS] = 5000
        proxy.h2.remote_settings.acknowledge()
        for _ in range(1000 - most):
            proxy.connect(echo)
        # Who does not keep to what was announced and acknowledged breaks the connection. What still came after its end
        # is answered with a reset.
        try:
            while not proxy.closed:
                proxy.turn()
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert proxy.goaway[0] == h2.errors.ErrorCodes.PROTOCOL_ERROR, proxy.goaway
        assert Proxy(options).tunnel(echo)

    def rapid_reset():
        proxy = Proxy(options)
        try:
            for _ in range(3000):
                stream = proxy.connect(echo)
                proxy.h2.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
                proxy.flush()
            while proxy.goaway is None and not proxy.closed:
                proxy.turn()
        except (OSError, h2.exceptions.ProtocolError):
            pass
        assert proxy.goaway is None or proxy.goaway[0] == h2.errors.ErrorCodes.ENHANCE_YOUR_CALM, proxy.goaway

    def goaway():
        proxy = Proxy(options)
        stream = proxy.tunnel(echo)
        proxy.sock.sendall(bytes([0, 0, 8, 7, 0, 0, 0, 0, 0]) + struct.pack(">II", 0, 0))
        proxy.send(stream, b"still")
        assert proxy.take(stream, 5) == b"still"

    def plain_requests():
        proxy = Proxy(options)
        streams = [proxy.request(options.plain, "/bytes/5000") for _ in range(20)]
        streams.append(proxy.request(options.plain, "/echo", method="POST", body=b"z" * 100_000))
        proxy.until(lambda: proxy.ended.issuperset(streams), "responses")
        assert {proxy.heads[stream][":status"] for stream in streams} == {"200"}, proxy.heads
        assert all(len(proxy.data[stream]) == 5000 for stream in streams[:-1])
        assert json.loads(proxy.data[streams[-1]])["bodyLength"] == 100_000, proxy.data[streams[-1]]

    def secure_request():
        proxy = Proxy(options)
        stream = proxy.request(host, "/bytes/5000", scheme="https")
        proxy.until(lambda: stream in proxy.ended, "a response")
        assert proxy.heads[stream][":status"] == "200", (proxy.heads, proxy.data)

    def own_page():
        proxy = Proxy(options)
        for authority in ["pinhole.test", f"127.0.0.1:{options.proxy_port}", f"localhost:{options.proxy_port}"]:
            stream = proxy.request(authority, "/")
            proxy.until(lambda: stream in proxy.ended, "the page")
            assert b"Pinhole" in proxy.data[stream], proxy.data[stream]

    def without_tls():
        proxy = Proxy(options, secured=False)
        inner = Inner(proxy, proxy.tunnel(host), name, options.ca)
        assert len(inner.get(host, "/bytes/300000")[1]) == 300000
        stream = proxy.request(options.plain, "/bytes/5000")
        proxy.until(lambda: stream in proxy.ended, "a response")
        assert len(proxy.data[stream]) == 5000

    def vanishes():
        for _ in range(5):
            proxy = Proxy(options)
            for _ in range(20):
                proxy.tunnel(echo)
            proxy.close()

    yield from [
        intercepted, in_parallel, plain_tunnel, half_close, slow_tunnel, server_resets, client_resets, client_cancels,
        cancels_download,
        reset_during_dial, dial_fails, to_itself, malformed, ended_at_once, one_after_the_other, too_many, rapid_reset,
        goaway, plain_requests, secure_request, own_page, without_tls, vanishes,
    ]


def refused(options):
    """The cases of a proxy that asks for a password."""

    def authentication():
        proxy = Proxy(options)
        for open_stream in [
            lambda fields: proxy.connect(options.origin, fields=fields),
            lambda fields: proxy.request(options.plain, "/bytes/5000", fields=fields),
        ]:
            for fields in [[], [("proxy-authorization", "Basic d3Jvbmc6d3Jvbmc=")]]:
                stream = open_stream(fields)
                proxy.until(lambda: stream in proxy.ended, "an answer")
                assert proxy.heads[stream][":status"] == "407", proxy.heads[stream]
                assert "proxy-authenticate" in proxy.heads[stream]
            stream = open_stream([("proxy-authorization", "Basic " + options.credentials)])
            proxy.until(lambda: stream in proxy.heads, "an answer")
            assert proxy.heads[stream][":status"] == "200", proxy.heads[stream]

    yield authentication


def shared(options):
    """The case of a proxy whose users share a connection: each asks in the clear, and in a tunnel."""

    def several_users():
        proxy = Proxy(options)
        name = options.origin.rpartition(":")[0]
        for user in options.users * 2:
            login = [("proxy-authorization", "Basic " + base64.b64encode(user.encode()).decode())]
            path = "/" + user.partition(":")[0]
            stream = proxy.request(options.plain, path, fields=login)
            proxy.until(lambda: stream in proxy.ended, "an answer")
            Inner(proxy, proxy.tunnel(options.origin, fields=login), name, options.ca).get(name, "/tunnel" + path)
        proxy.close()

    yield several_users


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--proxy-port", type=int, required=True)
    parser.add_argument("--ca", required=True, help="the CA of the proxy")
    parser.add_argument("--origin", required=True, help="host:port of a server of HTTPS")
    parser.add_argument("--plain", required=True, help="host:port of a server of HTTP")
    parser.add_argument("--credentials", help="Base64 of what the proxy asks for")
    parser.add_argument("--users", nargs="+", help="names and passwords of several whom the proxy knows")
    parser.add_argument("--only")
    options = parser.parse_args()
    failed = False
    if options.users:
        chosen = shared(options)
    else:
        chosen = refused(options) if options.credentials else cases(options, Servers())
    for case in chosen:
        if options.only and case.__name__ != options.only:
            continue
        begun = time.monotonic()
        result = {"case": case.__name__, "isWell": True}
        try:
            case()
        except Exception:
            failed = True
            result = {"case": case.__name__, "isWell": False, "detail": traceback.format_exc()}
        print(f"{case.__name__}: {time.monotonic() - begun:.2f} s", file=sys.stderr)
        print(json.dumps(result), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
