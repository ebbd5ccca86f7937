#!/usr/bin/env python3
"""Serves chains of certificates, each on a port of its own.

    serve_chains.py FOLDER COUNT

Chain N is FOLDER/N.pem with the key FOLDER/N-key.pem. Prints the ports as one line, 0 for a chain that cannot be
served, then answers whatever comes with an empty response until standard input ends.
"""
import os
import selectors
import socket
import ssl
import sys
import threading

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)


def listener(folder, number):
    """Gives a listening socket with its context, or nothing where OpenSSL refuses the chain."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    try:
        context.load_cert_chain(f"{folder}/{number}.pem", f"{folder}/{number}-key.pem")
    except ssl.SSLError:
        return None
    link = socket.create_server(("127.0.0.1", 0))
    return link, context


def answer(link, context):
    """Shakes hands, reads a request, answers."""
    link.settimeout(PATIENCE)
    try:
        with context.wrap_socket(link, server_side=True) as peer:
            peer.recv(1 << 16)
            peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    except OSError:
        link.close()


def main(folder, count):
    selector = selectors.DefaultSelector()
    ports = []
    for number in range(int(count)):
        made = listener(folder, number)
        ports.append(made[0].getsockname()[1] if made else 0)
        if made:
            selector.register(made[0], selectors.EVENT_READ, made[1])
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    print(*ports, flush=True)
    while True:
        for key, _ in selector.select():
            if key.data is None:
                return
            link, _ = key.fileobj.accept()
            threading.Thread(target=answer, args=(link, key.data), daemon=True).start()


main(*sys.argv[1:])
