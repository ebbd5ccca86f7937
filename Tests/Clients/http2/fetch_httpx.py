"""Loads a URL with httpx, which speaks HTTP/2 where the server does, and prints version, status and SHA-256."""

import hashlib
import os
import ssl
import sys

import httpx

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)

context = ssl.create_default_context(cafile=os.environ["PINHOLE_CLIENT_CA"])
with httpx.Client(http2=True, verify=context, proxy=os.environ["HTTPS_PROXY"], timeout=PATIENCE) as client:
    response = client.get(sys.argv[1])
    print(response.http_version, response.status_code, hashlib.sha256(response.content).hexdigest())
