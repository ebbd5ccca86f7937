"""Loads a URL with Requests, which finds proxy and CA in the environment, and prints status and SHA-256."""

import hashlib
import sys

import requests

response = requests.get(sys.argv[1], timeout=300)
response.raise_for_status()
print(response.status_code, hashlib.sha256(response.content).hexdigest())
