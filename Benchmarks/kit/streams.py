"""A client of HTTP/2 that asks for many things at one time through the proxy, and resets some of them."""
import random
import socket
import ssl

from kit import frames


class StreamClient:
    """One connection; `run` plays batches of requests on it."""

    def __init__(self, entry, name, port, authority):
        context = ssl.create_default_context(cafile=authority)
        context.set_alpn_protocols(["h2"])
        self.authority = f"{name}:{port}"
        link = socket.create_connection(("127.0.0.1", entry), timeout=30)
        try:
            link.sendall(f"CONNECT {self.authority} HTTP/1.1\r\nHost: {self.authority}\r\n\r\n".encode())
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                piece = link.recv(1)
                if not piece:
                    raise ConnectionError("the proxy closed before it answered CONNECT")
                head += piece
            if head[9:12] != b"200":
                raise ConnectionError(f"the proxy answered {head[9:12]!r}")
            self.link = context.wrap_socket(link, server_hostname=name)
        except OSError:
            link.close()
            raise
        self.reader, self.next, self.isClosing = frames.Reader(), 1, False
        self.link.sendall(frames.PREFACE + frames.settings(window=1 << 20) + frames.window(0, 1 << 30))

    def close(self):
        self.link.close()

    def batch(self, requests, resets):
        """Asks for all of `requests`, of (path, number, body), at one time; resets a part of them at some moment.

        Gives what came whole, with status 200: (number, sent, received). A stream that the other side resets, or
        answers otherwise, is left out.
        """
        sent, waiting = b"", {}
        for path, number, payload in requests:
            stream, self.next = self.next, self.next + 2
            waiting[stream] = [number, len(payload), 0, False]
            fields = [(":method", "POST" if payload else "GET"), (":scheme", "https"), (":authority", self.authority),
                      (":path", f"{path}?soak={number}"), ("x-soak", str(number))]
            sent += frames.headers(stream, fields, not payload)
            if payload:
                sent += frames.frame(frames.DATA, frames.END_STREAM, stream, payload)
        doomed = {stream for stream in waiting if random.random() < resets}
        early = {stream for stream in doomed if random.random() < 0.5}
        sent += self.give_up(early, waiting)
        self.link.sendall(sent)
        doomed -= early
        done = []
        while waiting:
            piece = self.link.recv(1 << 16)
            if not piece:
                raise ConnectionError("the connection was closed with streams open")
            owed = b""
            for kind, flags, stream, payload in self.reader.frames(piece):
                owed += frames.answer_to(kind, flags, payload)
                self.isClosing = self.isClosing or kind == frames.GOAWAY
                if (state := waiting.get(stream)) is None:
                    continue
                if kind == frames.RST_STREAM:
                    del waiting[stream]
                elif kind == frames.HEADERS and not state[3]:
                    state[3] = payload[:1] == frames.OK or payload[:1] < b"\x40" and frames.OK in payload[:4]
                elif kind == frames.DATA:
                    state[2] += len(payload)
                    if payload and not flags & frames.END_STREAM:
                        owed += frames.window(stream, len(payload))
                if stream in doomed and state[2]:
                    owed += self.give_up({stream}, waiting)
                elif kind in (frames.HEADERS, frames.DATA) and flags & frames.END_STREAM:
                    del waiting[stream]
                    if state[3]:
                        done.append(tuple(state[:3]))
            if owed:
                self.link.sendall(owed)
        return done

    @staticmethod
    def give_up(streams, waiting):
        for stream in streams:
            waiting.pop(stream, None)
        return b"".join(frames.reset(stream, random.choice((0, 2, 7, 8))) for stream in streams)
