"""Loads a URL with aiohttp as it comes.

    pinhole audit -- python3 docs/examples/audit/aiohttp_get.py {url}
"""

import asyncio
import sys

import aiohttp


async def main(url):
    async with aiohttp.ClientSession(trust_env=True) as session:
        async with session.get(url) as response:
            print(await response.text())


asyncio.run(main(*sys.argv[1:]))
