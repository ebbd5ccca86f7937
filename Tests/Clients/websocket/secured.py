"""TLS over a socket that one thread may read while another writes.

An `ssl.SSLSocket` must not be used so before Python 3.13: reads and writes meet inside of one OpenSSL object, and now
and then a connection breaks. Here a lock stands around it, and the socket itself is read without it.
"""

import ssl
import threading


class Secured:
    """A socket that encrypts; what is not said here is the plain socket's."""

    def __init__(self, sock, context, **names):
        self.sock = sock
        self.incoming = ssl.MemoryBIO()
        self.outgoing = ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, **names)
        self.lock = threading.Lock()
        while True:
            try:
                self.tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self._flush()
                self._fill()
        self._flush()

    def __getattr__(self, name):
        return getattr(self.sock, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()

    def _flush(self):
        if data := self.outgoing.read():
            self.sock.sendall(data)

    def _fill(self):
        data = self.sock.recv(1 << 17)
        with self.lock:
            if data:
                self.incoming.write(data)
            else:
                self.incoming.write_eof()

    def recv(self, count, *_):
        while True:
            with self.lock:
                try:
                    return self.tls.read(count)
                except ssl.SSLWantReadError:
                    self._flush()
                except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                    return b""
            self._fill()

    def sendall(self, data, *_):
        with self.lock:
            view = memoryview(data)
            while view:
                view = view[self.tls.write(view[: 1 << 14]) :]
                self._flush()
