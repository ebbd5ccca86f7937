"""Opens connections that ask once and stay, and prints what they cost a server's memory.

    connections.py http2|http3 PORT COUNT PROCESS
"""
import asyncio
import socket
import ssl
import sys
import time
from contextlib import AsyncExitStack

KIND, PORT, COUNT, PROCESS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
REQUEST = [(":method", "GET"), (":path", "/small"), (":scheme", "https"), (":authority", "shop.test")]


def resident():
    with open(f"/proc/{PROCESS}/status", encoding="ascii") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


def http2():
    from h2.connection import H2Connection
    from h2.events import StreamEnded
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    held = []
    for _ in range(COUNT):
        stream = context.wrap_socket(socket.create_connection(("127.0.0.1", PORT)), server_hostname="shop.test")
        client = H2Connection()
        client.initiate_connection()
        client.send_headers(1, REQUEST, end_stream=True)
        is_ended = False
        while not is_ended:
            stream.sendall(client.data_to_send())
            is_ended = any(isinstance(event, StreamEnded) for event in client.receive_data(stream.recv(65536)))
        held.append(stream)
    time.sleep(0.5)
    return resident()


async def http3():
    from aioquic.asyncio.client import connect
    from aioquic.asyncio.protocol import QuicConnectionProtocol
    from aioquic.h3.connection import H3Connection
    from aioquic.quic.configuration import QuicConfiguration

    class Client(QuicConnectionProtocol):
        def quic_event_received(self, event):
            events = self.http.handle_event(event) if hasattr(self, "http") else []
            if any(getattr(each, "stream_ended", False) for each in events):
                self.ended.set()

    configuration = QuicConfiguration(is_client=True, alpn_protocols=["h3"], server_name="shop.test",
                                      verify_mode=ssl.CERT_NONE)
    async with AsyncExitStack() as held:
        for _ in range(COUNT):
            client = await held.enter_async_context(
                connect("127.0.0.1", PORT, configuration=configuration, create_protocol=Client))
            client.ended, client.http = asyncio.Event(), H3Connection(client._quic)
            client.http.send_headers(client._quic.get_next_available_stream_id(),
                                     [(name.encode(), value.encode()) for name, value in REQUEST], end_stream=True)
            client.transmit()
            await asyncio.wait_for(client.ended.wait(), 20)
        await asyncio.sleep(0.5)
        return resident()


before = resident()
after = http2() if KIND == "http2" else asyncio.run(http3())
print(f"{(after - before) / COUNT:.0f} KB for each of {COUNT} connections")
