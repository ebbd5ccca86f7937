"""WebSocket peers of two kinds, by the packages `websockets` and `wsproto`, with one interface.

A peer sends and receives whole messages, fragments and control frames over a connected TLS socket. Compression is
one of `none`, `takeover` (permessage-deflate with context) and `reset` (without, in both directions).
"""

import os
import queue
import threading

import websockets.sync.client
import websockets.sync.server
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory, ServerPerMessageDeflateFactory
from websockets.server import ServerProtocol
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Ping,
    Pong,
    RejectConnection,
    Request,
    TextMessage,
)
from wsproto.extensions import PerMessageDeflate
from wsproto.utilities import LocalProtocolError

HOST = "ws.example.test"
PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)


class WebsocketsPeer:
    """A peer by `websockets`."""

    def __init__(self, connection):
        self.connection = connection
        self.end = "not closed"

    @classmethod
    def client(cls, sock, compression):
        extensions = None
        if compression != "none":
            reset = compression == "reset"
            extensions = [
                ClientPerMessageDeflateFactory(server_no_context_takeover=reset, client_no_context_takeover=reset)
            ]
        return cls(
            websockets.sync.client.connect(
                f"ws://{HOST}/socket",
                sock=sock,
                extensions=extensions,
                compression=None,
                proxy=None,
                max_size=None,
                ping_interval=None,
            )
        )

    @classmethod
    def serve(cls, sock, compression, handler):
        extensions = None
        if compression != "none":
            reset = compression == "reset"
            extensions = [
                ServerPerMessageDeflateFactory(server_no_context_takeover=reset, client_no_context_takeover=reset)
            ]
        protocol = ServerProtocol(extensions=extensions, max_size=None)
        connection = websockets.sync.server.ServerConnection(sock, protocol, ping_interval=None)
        try:
            connection.handshake()
            if protocol.handshake_exc is None:
                connection.start_keepalive()
                handler(cls(connection))
        finally:
            connection.close()

    def send(self, message):
        self.connection.send(message)

    def send_fragments(self, fragments, between=None):
        def pieces():
            for index, fragment in enumerate(fragments):
                if index and between is not None:
                    self.connection.ping(f"{between} {index}")
                yield fragment

        self.connection.send(pieces())

    def receive(self):
        """The next message; `None` when the peer has closed."""
        try:
            return self.connection.recv()
        except websockets.exceptions.ConnectionClosed as closed:
            self.end = str(closed)
            return None

    def ping(self, payload):
        """Sends a ping and waits for its pong."""
        if not self.connection.ping(payload).wait(PATIENCE):
            raise RuntimeError("no pong came")

    def pong(self, payload):
        self.connection.pong(payload)

    def close(self, code, reason):
        self.connection.close(code, reason)

    def wait_closed(self):
        """The code of the peer's close, 1005 for none."""
        while self.receive() is not None:
            pass
        return self.connection.close_code


class WsprotoPeer:
    """A peer by `wsproto`, which does no I/O itself."""

    def __init__(self, sock, kind):
        self.sock = sock
        self.ws = WSConnection(kind)
        self.messages = queue.Queue()
        self.pongs = queue.Queue()
        self.partial = []
        self.close_code = None
        self.end = "not closed"
        self.lock = threading.Lock()

    @staticmethod
    def _extensions(compression):
        if compression == "none":
            return []
        reset = compression == "reset"
        return [PerMessageDeflate(client_no_context_takeover=reset, server_no_context_takeover=reset)]

    @classmethod
    def client(cls, sock, compression):
        peer = cls(sock, ConnectionType.CLIENT)
        request = Request(host=HOST, target="/socket", extensions=cls._extensions(compression))
        peer._send(request)
        event = peer._first_event()
        if not isinstance(event, AcceptConnection):
            raise RuntimeError(f"expected an accepted WebSocket, found {event}")
        peer._start()
        return peer

    @classmethod
    def serve(cls, sock, compression, handler):
        peer = cls(sock, ConnectionType.SERVER)
        event = peer._first_event()
        if not isinstance(event, Request):
            raise RuntimeError(f"expected a request, found {event}")
        peer._send(AcceptConnection(extensions=cls._extensions(compression)))
        peer._start()
        handler(peer)
        peer.reading.join(PATIENCE)

    def _first_event(self):
        while True:
            data = self.sock.recv(65536)
            self.ws.receive_data(data or None)
            for event in self.ws.events():
                if isinstance(event, RejectConnection):
                    raise RuntimeError(f"the WebSocket was rejected with {event.status_code}")
                return event

    def _start(self):
        self.reading = threading.Thread(target=self._read, daemon=True)
        self.reading.start()

    def _read(self):
        try:
            self._take_events()
            while self.close_code is None and (data := self.sock.recv(65536)):
                with self.lock:
                    self.ws.receive_data(data)
                self._take_events()
        except Exception as error:  # The peer's fault is told in the close that wsproto suggests.
            self.end = repr(error)
            hint = getattr(error, "event_hint", None)
            if hint is not None:
                try:
                    self._send(hint)
                except LocalProtocolError:
                    pass
        finally:
            self.messages.put(None)

    def _take_events(self):
        for event in self.ws.events():
            if isinstance(event, (TextMessage, BytesMessage)):
                self.partial.append(event.data)
                if event.message_finished:
                    kind = str if isinstance(event, TextMessage) else bytes
                    self.messages.put(kind().join(kind(part) for part in self.partial))
                    self.partial = []
            elif isinstance(event, Ping):
                self._send(event.response())
            elif isinstance(event, Pong):
                self.pongs.put(bytes(event.payload))
            elif isinstance(event, CloseConnection):
                self.close_code = 1005 if event.code is None else int(event.code)
                try:
                    self._send(event.response())
                except LocalProtocolError:
                    pass  # It answers our own close.

    def _send(self, event):
        with self.lock:
            self.sock.sendall(self.ws.send(event))

    @staticmethod
    def _message(data, finished):
        if isinstance(data, str):
            return TextMessage(data=data, message_finished=finished)
        return BytesMessage(data=data, message_finished=finished)

    def send(self, message):
        self._send(self._message(message, True))

    def send_fragments(self, fragments, between=None):
        for index, fragment in enumerate(fragments):
            if index and between is not None:
                self._send(Ping(payload=f"{between} {index}".encode()))
            self._send(self._message(fragment, index == len(fragments) - 1))

    def receive(self):
        return self.messages.get(timeout=PATIENCE)

    def ping(self, payload):
        self._send(Ping(payload=payload))
        while self.pongs.get(timeout=PATIENCE) != payload:
            pass  # It answers an earlier ping.

    def pong(self, payload):
        self._send(Pong(payload=payload))

    def close(self, code, reason):
        self._send(CloseConnection(code=code, reason=reason or None))
        self.reading.join(PATIENCE)

    def wait_closed(self):
        while self.receive() is not None:
            pass
        return self.close_code


PEERS = {"websockets": WebsocketsPeer, "wsproto": WsprotoPeer}
