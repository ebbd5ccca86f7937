"""Loads a URL with the standard library, as strict as it can be about certificates (RFC 5280)."""

import hashlib
import os
import ssl
import sys
import urllib.request

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)

context = ssl.create_default_context()
context.verify_flags |= ssl.VERIFY_X509_STRICT
with urllib.request.urlopen(sys.argv[1], timeout=PATIENCE, context=context) as response:
    print(response.status, hashlib.sha256(response.read()).hexdigest())
