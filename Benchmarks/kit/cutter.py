"""A TCP relay that cuts each connection after a random number of bytes, with a FIN or a RST on both sides.

Run as a process of its own: cutter.py PORT relays to 127.0.0.1:PORT; its first line is a JSON object with its port.
"""
import asyncio
import json
import logging
import random
import socket
import struct
import sys


class Link:
    def __init__(self):
        # Handshakes are as likely to be hit as bodies.
        self.left = random.choice((random.randrange(1, 4_000), random.randrange(1, 300_000)))
        self.cut = asyncio.Event()

    async def pump(self, reader, writer):
        try:
            while not self.cut.is_set() and (data := await reader.read(min(self.left, 65536))):
                writer.write(data)
                await writer.drain()
                self.left -= len(data)
                if self.left <= 0:
                    break
        except OSError:
            pass
        self.cut.set()


async def relay(reader, writer, port):
    try:
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        writer.close()
        return
    link = Link()
    pumps = [asyncio.create_task(link.pump(reader, other_writer)),
             asyncio.create_task(link.pump(other_reader, writer))]
    await link.cut.wait()
    for pump in pumps:
        pump.cancel()
    await asyncio.gather(*pumps, return_exceptions=True)
    for end in (writer, other_writer):
        if random.random() < 0.5:
            linger = struct.pack("ii", 1, 0)
            end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            end.transport.abort()
        else:
            end.close()


async def main(port):
    server = await asyncio.start_server(lambda *ends: relay(*ends, port), "127.0.0.1", 0)
    # What a peer of a broken connection did is no news here.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
