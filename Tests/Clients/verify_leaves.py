"""Verifies leaves in a handshake in memory, with VERIFY_X509_STRICT.

Usage: verify_leaves.py MANIFEST. Each line of the manifest has five columns, separated by tabs: a
label, the file of the trusted root, the file of the chain (beside it, with the suffix .key, the
key), the PKCS#12 of the identity (unused here) and the host. One line per leaf is printed: the
label, a tab, and "accepted" or "rejected: " with the reason.
"""

import ssl
import sys


def verify(root: str, chain: str, host: str) -> None:
    client_context = ssl.create_default_context(cafile=root)
    client_context.verify_flags |= ssl.VERIFY_X509_STRICT
    server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_context.load_cert_chain(chain, chain + ".key")
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_context.wrap_bio(to_client, to_server, server_hostname=host)
    server = server_context.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(10):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            if side is client:
                return
    raise RuntimeError("the handshake does not end")


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as manifest:
        for line in manifest:
            label, root, chain, _, host = line.rstrip("\n").split("\t")
            try:
                verify(root, chain, host)
                print(f"{label}\taccepted")
            except (ssl.SSLError, OSError, RuntimeError, ValueError) as error:
                print(f"{label}\trejected: {error}")


main()
