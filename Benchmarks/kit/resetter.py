"""An origin of HTTP/2 that ends streams in many ways. Run as a process of its own; its first line is JSON with the port.

Each request is answered whole, reset before its answer, reset in the middle of it, or refused; now and then the server
says GOAWAY, and closes once what it has taken is answered.
"""
import asyncio
import json
import random
import ssl
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from kit.frames import (  # noqa: E402
    DATA, END_STREAM, GOAWAY, HEADERS, OK, Reader, answer_to, frame, headers, reset, settings)


def answer(stream):
    """The frames for a request whose answer has 1,000 bytes."""
    body = frame(DATA, END_STREAM, stream, bytes(1_000))
    return random.choices([
        headers(stream, [], False, OK) + body,
        reset(stream, 2),
        reset(stream, 7),
        headers(stream, [], False, OK) + frame(DATA, 0, stream, bytes(500)) + reset(stream, 8),
    ], [6, 1, 1, 2])[0]


async def serve(source, sink):
    reader, end = Reader(), random.randrange(50, 5_000)
    sink.write(settings(streams=100))
    try:
        while piece := await source.read(1 << 16):
            for kind, flags, stream, payload in reader.frames(piece):
                sink.write(answer_to(kind, flags, payload))
                if kind == HEADERS and flags & END_STREAM:
                    sink.write(answer(stream))
                    if stream > end:
                        sink.write(frame(GOAWAY, payload=struct.pack("!II", stream, 0)))
                        return await sink.drain()
            await sink.drain()
    except OSError:
        pass
    finally:
        sink.close()


async def main(folder):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "leaf.pem", folder / "leaf.key")
    context.set_alpn_protocols(["h2"])
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context, backlog=256)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


asyncio.run(main(Path(sys.argv[1])))
