"""Loads a URL with aiohttp, which compares the SHA-256 of the certificate and then nothing else of it.

    pinhole audit -- python3 docs/examples/audit/aiohttp_fingerprint.py {url} {fingerprint}
"""

import asyncio
import os
import sys

import aiohttp


async def main(url, fingerprint):
    async with aiohttp.ClientSession() as session:
        pin = aiohttp.Fingerprint(bytes.fromhex(fingerprint))
        async with session.get(url, proxy=os.environ["HTTPS_PROXY"], ssl=pin) as response:
            print(await response.text())


asyncio.run(main(*sys.argv[1:]))
