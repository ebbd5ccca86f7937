"""Loads a URL with Requests, which finds proxy and CA in the environment, and prints status and SHA-256."""

import hashlib
import os
import sys

import requests

PATIENCE = int(os.environ.get("PINHOLE_TEST_PATIENCE") or 300)

response = requests.get(sys.argv[1], timeout=PATIENCE)
response.raise_for_status()
print(response.status_code, hashlib.sha256(response.content).hexdigest())
