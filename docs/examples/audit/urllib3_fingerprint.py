"""Loads a URL with urllib3, which pins the SHA-256 of the certificate.

    pinhole audit -- python3 docs/examples/audit/urllib3_fingerprint.py {url} {fingerprint}
"""

import os
import sys

import urllib3

url, fingerprint = sys.argv[1:]
manager = urllib3.ProxyManager(
    os.environ["HTTPS_PROXY"],
    assert_fingerprint=fingerprint,
    ca_certs=os.environ["SSL_CERT_FILE"],
    retries=False,
)
print(manager.request("GET", url).data.decode())
