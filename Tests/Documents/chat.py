"""A server and a client of WebSockets for the examples of the documentation (needs the package websockets).

Usage: chat.py serve PORT [CERTIFICATE]
       chat.py talk PROXY-PORT CA URL STEP…

The steps of the client: `text:…`, `binary:HEX`, `ping:…`, `receive` (one message), `stay`, `close:REASON`.
"""

import os
import socket
import ssl
import sys
import threading

from websockets.sync.client import connect
from websockets.sync.server import serve

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)


def chat(connection):
    for message in connection:
        if isinstance(message, bytes):
            connection.send(message)
        elif message.startswith('{"join"'):
            connection.send('{"joined": "teapots", "members": ["Ada", "Grace"]}')
        elif message == "balance":
            connection.send('{"balance": 12}')


def server(port, identity=None):
    context = None
    if identity:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(identity)
    with serve(chat, "127.0.0.1", int(port), ssl=context) as running:
        running.serve_forever()


def through(port, host, target):
    """A connection to a server by CONNECT."""
    line = socket.create_connection(("127.0.0.1", int(port)))
    line.sendall(f"CONNECT {host}:{target} HTTP/1.1\r\nHost: {host}:{target}\r\n\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    assert b" 200 " in head, head
    return line


def client(proxy, authority, url, *steps):
    scheme, _, rest = url.partition("://")
    host, _, port = rest.partition("/")[0].partition(":")
    context = ssl.create_default_context(cafile=authority) if scheme == "wss" else None
    port = port or (443 if context else 80)
    connection = connect(url, sock=through(proxy, host, port), ssl=context, server_hostname=host if context else None)
    for step in steps:
        kind, _, text = step.partition(":")
        if kind == "text":
            connection.send(text)
        elif kind == "binary":
            connection.send(bytes.fromhex(text))
        elif kind == "ping":
            connection.ping(text).wait(PATIENCE)
        elif kind == "receive":
            print(connection.recv(PATIENCE), flush=True)
        elif kind == "stay":
            print("staying", flush=True)
            threading.Event().wait()
        elif kind == "close":
            connection.close(1000, text)


{"serve": server, "talk": client}[sys.argv[1]](*sys.argv[2:])
