"""An HTTP/1.1 origin. Run as a process of its own; its first line is a JSON object with the ports.

GET /size/N      N bytes with a Content-Length          POST /sink   reads the body, answers with its length
GET /chunked/N   N bytes in chunks of random sizes      GET /break/N/K   announces N bytes, sends K, is gone

Ports: `tls`, `plain`, `alien` (TLS with a certificate that nobody trusts), `noise` (bytes that are no TLS).
"""
import asyncio
import json
import logging
import random
import socket
import ssl
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from kit import body  # noqa: E402


def reset(writer):
    """Ends a connection with a RST instead of a FIN."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


async def read_chunked(reader):
    length = 0
    while size := int((await reader.readline()).split(b";")[0], 16):
        length += len(await reader.readexactly(size))
        await reader.readexactly(2)
    while (await reader.readline()).strip():
        pass
    return length


async def read_counted(reader, length):
    left = length
    while left > 0:
        data = await reader.read(min(left, 1 << 18))
        if not data:
            raise ConnectionError("the body is short")
        left -= len(data)
    return length


async def send_chunked(writer, length):
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    offset = 0
    while offset < length:
        part = body.piece(offset, min(length - offset, random.choice((1, 100, 5_000, 100_000))))
        writer.writelines((b"%x\r\n" % len(part), part, b"\r\n"))
        offset += len(part)
        await writer.drain()
    writer.write(b"0\r\n\r\n")


async def answer(reader, writer, line, fields):
    method, path = line.split()[:2]
    parts = path.split(b"?")[0].strip(b"/").split(b"/")
    if method == b"POST":
        chunked = fields.get(b"transfer-encoding") == b"chunked"
        length = await (read_chunked(reader) if chunked else read_counted(reader, int(fields[b"content-length"])))
        text = b"%d" % length
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
    elif parts[0] == b"chunked":
        await send_chunked(writer, int(parts[1]))
    else:
        length = int(parts[1])
        sent = int(parts[2]) if parts[0] == b"break" else length
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length)
        for part in body.pieces(sent):
            writer.write(part)
            await writer.drain()
        if parts[0] == b"break":
            if random.random() < 0.5:
                reset(writer)
            raise ConnectionError("broken on purpose")
    await writer.drain()


async def serve(reader, writer):
    try:
        while line := await reader.readline():
            fields = {}
            while (field := (await reader.readline()).strip()):
                name, _, value = field.partition(b":")
                fields[name.lower()] = value.strip().lower()
            await answer(reader, writer, line, fields)
            if fields.get(b"connection") == b"close":
                break
    except (OSError, asyncio.IncompleteReadError, ValueError):
        pass
    finally:
        writer.close()


async def noise(reader, writer):
    try:
        writer.write(random.randbytes(random.randrange(1, 5_000)))
        await writer.drain()
        await reader.read(1)
    except OSError:
        pass
    finally:
        writer.close()


def context(folder, stem):
    result = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    result.load_cert_chain(folder / f"{stem}.pem", folder / f"{stem}.key")
    return result


async def main(folder):
    listeners = {"tls": (serve, context(folder, "leaf")), "plain": (serve, None),
                 "alien": (serve, context(folder, "alien")), "noise": (noise, None)}
    servers, ports = [], {}
    for name, (handler, tls) in listeners.items():
        server = await asyncio.start_server(handler, "127.0.0.1", 0, ssl=tls, backlog=1024)
        servers.append(server)
        ports[name] = server.sockets[0].getsockname()[1]
    # What a peer of a broken connection did is no news here.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    print(json.dumps(ports), flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
