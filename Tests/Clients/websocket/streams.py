"""WebSocket peers in streams of HTTP/2 (RFC 8441), by the packages `h2` and `wsproto`, with the interface of peers.py."""

import queue
import threading

import h2.config
import h2.connection
import h2.events
import h2.settings
from wsproto import ConnectionType
from wsproto.connection import Connection
from wsproto.extensions import PerMessageDeflate

from peers import HOST, PATIENCE, WsprotoPeer


class StreamSocket:
    """One stream of a connection of HTTP/2, which is read and written as a socket."""

    def __init__(self, sock, isClient):
        config = h2.config.H2Configuration(client_side=isClient, header_encoding="utf-8")
        self.sock = sock
        self.h2 = h2.connection.H2Connection(config)
        self.turn = threading.Condition()
        self.heads, self.pieces = queue.Queue(), queue.Queue()
        self.takesConnect, self.hasEnded = threading.Event(), threading.Event()
        self.stream = None
        if not isClient:
            self.h2.local_settings = h2.settings.Settings(
                client=False, initial_values={h2.settings.SettingCodes.ENABLE_CONNECT_PROTOCOL: 1}
            )
        self.h2.initiate_connection()
        self.sock.sendall(self.h2.data_to_send())
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            while data := self.sock.recv(65536):
                with self.turn:
                    for event in self.h2.receive_data(data):
                        self._take(event)
                    self.sock.sendall(self.h2.data_to_send())
                    self.turn.notify_all()
        except OSError:
            pass
        finally:
            self.heads.put(None)
            self.pieces.put(b"")

    def _take(self, event):
        if isinstance(event, h2.events.RemoteSettingsChanged):
            if self.h2.remote_settings.enable_connect_protocol:
                self.takesConnect.set()
        elif isinstance(event, (h2.events.RequestReceived, h2.events.ResponseReceived)):
            self.heads.put((event.stream_id, dict(event.headers)))
        elif isinstance(event, h2.events.DataReceived):
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            self.pieces.put(bytes(event.data))
        elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
            self.pieces.put(b"")
            self.hasEnded.set()

    def head(self):
        """The fields of the request or the response."""
        found = self.heads.get(timeout=PATIENCE)
        if found is None:
            raise RuntimeError("the connection ended before a head came")
        self.stream, fields = found
        return fields

    def send_head(self, fields, stream=None):
        with self.turn:
            self.stream = stream or self.stream or self.h2.get_next_available_stream_id()
            self.h2.send_headers(self.stream, fields)
            self.sock.sendall(self.h2.data_to_send())

    def recv(self, _):
        return self.pieces.get(timeout=PATIENCE)

    def sendall(self, data):
        while data:
            with self.turn:
                while not (room := min(self.h2.local_flow_control_window(self.stream), self.h2.max_outbound_frame_size)):
                    self.turn.wait(PATIENCE)
                self.h2.send_data(self.stream, data[:room])
                self.sock.sendall(self.h2.data_to_send())
            data = data[room:]

    def finish(self):
        with self.turn:
            self.h2.end_stream(self.stream)
            self.sock.sendall(self.h2.data_to_send())


class StreamPeer(WsprotoPeer):
    """A peer whose frames pass in a stream."""

    def __init__(self, stream, kind, extensions):
        super().__init__(stream, kind)
        self.ws = Connection(kind, extensions)

    @classmethod
    def client(cls, sock, compression):
        stream = StreamSocket(sock, isClient=True)
        if not stream.takesConnect.wait(PATIENCE):
            raise RuntimeError("SETTINGS_ENABLE_CONNECT_PROTOCOL did not come")
        extensions = cls._extensions(compression)
        fields = [
            (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "https"), (":path", "/socket"),
            (":authority", HOST), ("sec-websocket-version", "13"),
        ]
        fields += [("sec-websocket-extensions", f"{one.name}; {one.offer()}") for one in extensions]
        stream.send_head(fields)
        answer = stream.head()
        if answer[":status"] != "200":
            raise RuntimeError(f"expected an accepted WebSocket, found {answer}")
        agreed = answer.get("sec-websocket-extensions")
        for extension in extensions:
            extension.finalize(agreed)
        peer = cls(stream, ConnectionType.CLIENT, extensions if agreed else [])
        peer._start()
        return peer

    @classmethod
    def serve(cls, sock, compression, handler):
        stream = StreamSocket(sock, isClient=False)
        request = stream.head()
        if (request[":method"], request[":protocol"]) != ("CONNECT", "websocket"):
            raise RuntimeError(f"expected an extended CONNECT, found {request}")
        extensions, fields = [], [(":status", "200")]
        if offer := request.get("sec-websocket-extensions"):
            extensions = cls._extensions(compression)
            fields += [
                ("sec-websocket-extensions", f"{one.name}; {one.accept(offer)}".removesuffix("; True"))
                for one in extensions
            ]
        stream.send_head(fields, stream.stream)
        peer = cls(stream, ConnectionType.SERVER, extensions)
        peer._start()
        handler(peer)
        peer.reading.join(PATIENCE)
        stream.finish()
        stream.hasEnded.wait(PATIENCE)

    def close(self, code, reason):
        super().close(code, reason)
        self.sock.finish()
        self.sock.hasEnded.wait(PATIENCE)
