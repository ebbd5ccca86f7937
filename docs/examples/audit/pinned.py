"""Loads a URL with the standard library and compares the certificate before it sends anything.

    pinhole audit --listen 127.0.0.1:0 -- python3 pinned.py {address} {host} {leaf}

The pinned certificate stands in a file (PEM).
"""

import socket
import ssl
import sys

address, host, leaf = sys.argv[1:]
ip, port = address.rsplit(":", 1)
with open(leaf, encoding="ascii") as file:
    expected = ssl.PEM_cert_to_DER_cert(file.read())
with socket.create_connection((ip, int(port)), timeout=30) as plain:
    with ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secure:
        if secure.getpeercert(binary_form=True) != expected:
            sys.exit("the certificate is not the pinned one")
        secure.sendall(f"GET /account HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
        print(secure.recv(4096).decode())
