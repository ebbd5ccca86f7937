"""Exchanges and connections that show one thing each: bodies of every kind, failures, streams.

Each is a dict: `item` says where it goes, `request` and `response` are messages as they are sent. A recording cannot have some of them, such as
those with other times; they are an `entry` of a HAR. A connection without a request has the options of its client.
"""
import base64
import gzip
import json
import pathlib
import struct
import urllib.parse
import zlib


def _png(width=64, height=40):
    rows = b"".join(
        b"\0" + b"".join(bytes((x * 4 % 256, y * 6 % 256, (x ^ y) * 3 % 256, 255)) for x in range(width))
        for y in range(height)
    )

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PNG = _png()
# A font of the system: Chromium needs fontconfig, which installs one.
FONT = sorted(pathlib.Path("/usr/share/fonts").rglob("*.ttf"))[0].read_bytes()
SYSTEM = "/etc/ssl/certs/ca-certificates.crt"
EVIL = '<img src=x onerror="window.__evil=1"><script>window.__evil=1</script>'
ORDER = {
    "id": 9007199254740993, "state": "paid", "customer": {"name": "Zoë Ångström", "email": "zoe@example.test"},
    "lines": [{"sku": f"SKU-{n:04}", "quantity": n, "price": n * 1.25, "tags": ["fragile", "gift"] if n % 2 else []}
              for n in range(1, 13)],
    "note": "first line\nsecond line \"quoted\"", "shipped": None, "express": True, "empty": {},
}
QUERY = """# The order, and who gets it.
query Order($id: ID!, $first: Int = 10) { order(id: $id) { ...Lines customer: buyer @include(if: true) { name, address(kind: SHIPPING, in: {country: "SE"}) { street } }
... on Gift { note(format: \\"\\"\\"as it is\\"\\"\\") } } } fragment Lines on Order { lines(first: $first) { sku quantity } }"""
GRAPHQL = ('{"operationName": "Order", "variables": {"id": 9007199254740993, "first": 2}, "query": "' + QUERY.replace('"SE"', '\\"SE\\"').replace("\n", "\\n")
           + '"}').encode()
BATCH = b'[{"query":"{a}"},{"operationName":"Put","query":"mutation Put{put(n:1){id}}","extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}}]'
# {"id": 2^64-1, 7: [nil, 1.5, bin, ext 5, timestamp], [1, 2]: "Zoë", "price": 0.1 (32 bits), "rest": {}}
CONCISE = bytes.fromhex("a4 626964 1bffffffffffffffff 07 84 f6 f93e00 43010203 f7 647768656e c074323031332d30332d32315432303a30343a30305a "
                        "646c697374 9f 01 7f 6161 6162 ff a0 ff")


def token(header, claims, signature=b"\x01" * 32):
    """A JSON Web Token."""
    parts = [json.dumps(part).encode() for part in (header, claims)] + [signature]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


TOKEN = token({"alg": "RS256", "kid": "2026-11"}, {"sub": "anna", "exp": 1_600_000_000, "iat": 1_599_990_000, "name": "Zoë"})
UNSIGNED = token({"alg": "none"}, {"sub": "<b>eve</b>"}, b"")
PACKED = bytes.fromhex("85 a26964 cfffffffffffffffff 07 95 c0 cb3ff8000000000000 c403010203 d40507 d7ffa1dcd7c85a4af6a5 920102 a45a6fc3ab a57072696365 ca3dcccccd a472657374 80")
# JavaScript would round the number; a console must show its original digits.
WAV = (b"RIFF" + (36 + 8000).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little") + b"\1\0\1\0" + (8000).to_bytes(4, "little") * 2
       + b"\1\0\x08\0data" + (8000).to_bytes(4, "little") + bytes(128 + (n % 20 - 10) * 4 for n in range(8000)))
ORDER_TEXT = json.dumps(ORDER, ensure_ascii=False).encode()
XML = b"""<?xml version="1.0" encoding="UTF-8"?><!-- orders --><orders xmlns="urn:example"><order id="1" state="paid"><sku>SKU-1</sku>\
<note><![CDATA[a < b]]></note><empty/></order><order id="2"><sku>SKU-2</sku></order></orders>"""
HTML = f"<!doctype html>\n<html><head><title>Shop</title>\n<style>p {{ color: red }}</style></head>\n<body>\n<p>Hello {EVIL}</p>\n</body></html>\n".encode()
BOUNDARY = "----pinhole7MA4YWxk"
MULTIPART = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nA picture & more\r\n'
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="dot.png"\r\nContent-Type: image/png\r\n\r\n'
).encode() + PNG + f"\r\n--{BOUNDARY}--\r\n".encode()
# Values that are UTF-8, and one that is not.
ODD_FIELDS = [("X-Utf", "\u00c3\u00a9 \u00c3\u00a0"), ("X-Latin", "\u00e9")]


def head(start, *fields):
    return "\r\n".join([start, *fields, "", ""])


def answer(kind, body, *more, status="200 OK"):
    return head(f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}",
                "Date: Sat, 21 Nov 2026 16:44:32 GMT", "Server: nginx", *more)


def get(path, host, *more):
    return head(f"GET {path} HTTP/1.1", f"Host: {host}", "User-Agent: ExampleApp/4.2 (iOS 19.1)", "Accept: */*",
                "Accept-Encoding: gzip, br", *more)


# What RFC 3986 does not permit in a URL.
HOSTILE = f"/{urllib.parse.quote(EVIL)}?q={urllib.parse.quote(EVIL)}"


def simple(host, path, kind, body, *more, method="GET", status="200 OK", item=None, request_head=None, request_body=b"", total=None):
    response = answer(kind, body, *more, status=status)
    if total:
        response = response.replace(f"Content-Length: {len(body)}", f"Content-Length: {total}")
    return {"item": {"method": method, "host": host, "path": path, **(item or {})}, "isBrokenOff": total is not None,
            "request": (request_head or get(path, host)).encode("latin-1") + request_body, "response": response.encode("latin-1") + body}


def entry(host, path, scheme="https", started="2026-11-21T16:44:32.000Z", milliseconds=5.0, method="GET", status=200, kind="application/json", size=2, body=None, isCut=False, version="HTTP/1.1",
          request=(), response=(), sent=b"", timings=None, **own):
    """An exchange as in a HAR of Pinhole. A response without a body has a size alone."""
    fields = lambda lines: [{"name": name, "value": value} for name, value in lines]
    encoded = lambda data: base64.b64encode(data).decode()
    content = {"size": size, "mimeType": kind} if body is None else {"size": max(size, len(body)), "mimeType": kind, "text": encoded(body), "encoding": "base64", "_coded": True, "_truncated": isCut}
    return {
        "_flow": 1, "_outcome": "completed", "_notes": [], "startedDateTime": started, "time": milliseconds,
        "request": {"method": method, "url": f"{scheme}://{host}{path}", "httpVersion": version, "headers": fields([("Host", host), *request]), "bodySize": len(sent),
                    **({"postData": {"text": encoded(sent), "encoding": "base64"}} if sent else {})},
        "response": {"status": status, "statusText": "", "httpVersion": version, "headers": fields([("Content-Type", kind), *response]), "content": content,
                     "bodySize": content["size"]},
        "timings": timings or {"send": 0, "wait": milliseconds, "receive": 0}, **own}


def imported(host, path, **parts):
    return {"item": {"host": host, "path": path}, "entry": entry(host, path, **parts)}


def failed(host, **client):
    """A connection without a request."""
    return {"item": {"host": host, "path": ""}, "client": client}


def websocket():
    began = 1795279472.0
    messages = [("send", 1, '{"op":"subscribe","channels":["orders","prices"]}'), ("receive", 1, '{"op":"subscribed","id":1}'),
                *[("receive", 1, json.dumps({"op": "price", "n": n, "value": n * 0.25})) for n in range(420)],
                ("send", 2, base64.b64encode(bytes(range(64))).decode()), ("receive", 9, base64.b64encode(b"hb").decode()), ("send", 10, base64.b64encode(b"hb").decode()),
                ("send", 8, base64.b64encode(b"\x03\xe8bye").decode())]
    return imported("stream.example.test", "/socket", status=101, kind="text/plain", request=[("Connection", "Upgrade"), ("Upgrade", "websocket")],
                    _webSocketMessages=[{"type": way, "opcode": opcode, "data": data, "time": began + number * 0.0015}
                                        for number, (way, opcode, data) in enumerate(messages, 1)])


def grpc():
    sent = b"\x08\x96\x01\x12\x03tea\x18" + bytes.fromhex("808080808020")
    told = b"\x0a\x06brewed"
    frame = lambda data: struct.pack(">BI", 0, len(data)) + data
    found = imported("rpc.example.test", "/notes.Notes/Fetch", method="POST", version="HTTP/2", kind="application/grpc", body=frame(told), sent=frame(sent),
                     request=[("content-type", "application/grpc"), ("te", "trailers")])
    found["entry"]["response"]["_trailers"] = [{"name": "grpc-status", "value": "5"}, {"name": "grpc-message", "value": "no%20such%20note"}]
    return found


def specimens():
    """All specimens by name, the oldest first."""
    zipped = gzip.compress(ORDER_TEXT, mtime=0)
    form = b"name=Zo%C3%AB+%26+co&token=a%2Bb%3D&empty=&name=second"
    return {
        "partial": imported("api.example.test", "/partial", size=30, body=b'{"a": [1, 2, 3, {"b"', isCut=True),
        "proto": simple("api.example.test", "/item.pb", "application/x-protobuf", bytes.fromhex("08960112 0774657374696e67")),
        "graphql": simple("api.example.test", "/graphql", "application/json", b'{"data":{"order":null}}', method="POST", request_body=GRAPHQL,
                          request_head=head("POST /graphql HTTP/1.1", "Host: api.example.test", "Content-Type: application/json", f"Content-Length: {len(GRAPHQL)}")),
        "graphql_batch": simple("api.example.test", "/graphql", "application/json", BATCH, method="POST", request_body=BATCH,
                                request_head=head("POST /graphql HTTP/1.1", "Host: api.example.test", "Content-Type: application/json", f"Content-Length: {len(BATCH)}")),
        "graphql_get": simple("api.example.test", "/graphql?query=query%20Who(%24id%3AID!)%7Bme(id%3A%24id)%7Bname%7D%7D&variables=%7B%22id%22%3A9007199254740993%7D&operationName=Who",
                              "application/json", b'{"data":{}}'),
        "cbor": simple("api.example.test", "/concise", "application/cbor", CONCISE),
        "cbor_broken": simple("api.example.test", "/concise-broken", "application/senml+cbor", bytes.fromhex("8301626869fc") + bytes(40)),
        "token": simple("api.example.test", "/me", "application/json", json.dumps({"id_token": UNSIGNED}).encode(),
                        request_head=get("/me", "api.example.test", f"Authorization: Bearer {TOKEN}", f"Cookie: session={TOKEN}")),
        "font": simple("cdn.example.test", "/sans.ttf", "font/ttf", FONT),
        "msgpack": simple("api.example.test", "/packed", "application/msgpack", PACKED),
        "msgpack_broken": simple("api.example.test", "/packed-broken", "application/vnd.msgpack", bytes.fromhex("93 01 a26869 c1") + bytes(40)),
        "msgpack_cut": simple("api.example.test", "/packed-cut", "application/x-msgpack", bytes.fromhex("93 01 a5 6869")),
        "latin": simple("api.example.test", "/latin", "text/plain; charset=utf-8", "Zo\u00eb paid 3 \u20ac, said \ufffd".encode()[:-3] + b"\xe9\xff!"),
        "sent_so": simple("api.example.test", "/sent-so", "text/plain", "a \ufffd that was sent".encode()),
        "long": simple("api.example.test", "/long?q=" + "0123456789" * 800, "text/plain", b"short", "X-Long: " + "abcdefghij" * 1000),
        "ruled": simple("api.example.test", "/old", "text/plain", b"here", item={"isMarked": True}),
        "own": simple("api.example.test", "/blocked", "text/plain", b""),
        # Heads are bytes, one character each.
        "odd": simple("api.example.test", "/odd", "text/plain", b"here", "X-Told: \u00c3\u00a9t\u00c3\u00a9",
                      request_head=get("/odd", "api.example.test", *(f"{name}: {value}" for name, value in ODD_FIELDS))),
        "plain": simple("intranet.test", "/status", "text/plain; charset=utf-8", "all is well: ✓\n".encode() * 40,
                        item={"scheme": "http"}),
        "timed": simple("slow.example.test", "/timed", "text/plain", b"here", 'Server-Timing: db;dur=21.4;desc="the orders"', "server-timing: cache;desc=hit"),
        "json": simple("api.example.test", "/v2/orders/9007199254740993?expand=lines&expand=customer&q=a%20b%26c",
                       "application/json; charset=utf-8", zipped, "Content-Encoding: gzip",
                       "Set-Cookie: session=9f8e7d; Path=/; HttpOnly; Secure; SameSite=Lax",
                       "Set-Cookie: theme=dark; Max-Age=31536000", "X-Request-Id: 7f1c",
                       request_head=get("/v2/orders/9007199254740993?expand=lines&expand=customer&q=a%20b%26c",
                                        "api.example.test", "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc",
                                        "Cookie: session=9f8e7d; theme=dark; tz=Europe%2FStockholm")),
        "form": simple("api.example.test", "/login", "text/html", b"", "Location: /home", method="POST", status="302 Found",
                       request_body=form,
                       request_head=head("POST /login HTTP/1.1", "Host: api.example.test",
                                         "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}")),
        "multipart": simple("api.example.test", "/upload", "application/json", b'{"ok":true}', method="POST",
                            status="201 Created", request_body=MULTIPART,
                            request_head=head("POST /upload HTTP/1.1", "Host: api.example.test",
                                              f"Content-Type: multipart/form-data; boundary={BOUNDARY}",
                                              f"Content-Length: {len(MULTIPART)}")),
        "xml": simple("api.example.test", "/orders.xml", "application/xml", XML),
        "html": simple("shop.example.test", "/", "text/html; charset=utf-8", HTML),
        "sound": simple("cdn.example.test", "/tone.wav", "audio/wav", WAV),
        "film": simple("cdn.example.test", "/film.mp4", "video/mp4", b"\0\0\0\x18ftypmp42" + b"\0" * 200),
        "image": simple("cdn.example.test", "/dot.png", "image/png", PNG),
        "binary": simple("cdn.example.test", "/firmware.bin", "application/octet-stream", bytes(range(256)) * 64),
        "script": simple("cdn.example.test", "/app.js", "text/javascript",
                         b"// minified\n" + b"function a(b){return b?b.map(c=>c*2):null};" * 300),
        "websocket": websocket(),
        "jsonlines": simple("stream.example.test", "/lines", "application/x-ndjson", b'{"n":1}\n'),
        "setup": imported("slow.example.test", "/first", kind="text/plain", milliseconds=301.5, started="2026-11-21T16:44:33.000Z", _setUpBefore=499.4,
                          timings={"blocked": 0.004, "dns": -1, "connect": 499.4, "ssl": 499, "send": 0, "wait": 301, "receive": 0.5}),
        "high": simple("cdn.example.test", "/high.bin", "application/octet-stream", b"\xff\xfe\xfd" * 100),
        "higher": simple("cdn.example.test", "/higher.bin", "application/octet-stream", b"\xff\xfe\xfd" * 100 + b"\xff"),
        "undeclared": simple("cdn.example.test", "/cafe", "text/plain", "caf\u00e9 au lait".encode("latin-1")),
        "meta": simple("cdn.example.test", "/page", "text/html", '<meta charset="shift_jis"><p>\u65e5\u672c</p>'.encode("shift_jis")),
        "shifted": simple("cdn.example.test", "/greeting", "text/plain; charset=shift_jis", "\u3053\u3093\u306b\u3061\u306f".encode("shift_jis")),
        "crossed": simple("api.example.test", "/crossed.xml", "application/xml", b"<r>\n<a></r>"),
        "events": simple("stream.example.test", "/events", "text/event-stream", b"".join(
            b"event: tick\nid: %d\ndata: %s\n\n" % (n, json.dumps({"n": n, "text": EVIL}).encode()) for n in range(6))),
        "grpc": grpc(),
        "unknown_ca": failed("api.pinned.test", authority=SYSTEM),
        "old": failed("old.example.test", authority=SYSTEM),
        "ancient": failed("ancient.example.test", authority=SYSTEM),
        "pinned": failed("bank.pinned.test"),
        "relayed": failed("push.apple.test", says=b"SSH-2.0-client\r\n"),
        "error": simple("api.example.test", "/v2/orders", "application/problem+json",
                        b'{"title":"Database is gone","status":500}', method="POST", status="500 Internal Server Error",
                        request_body=b'{"sku":"it\'s $HOME `id` \\\\ \\"quoted\\"\\n","n":1}',
                        request_head=head("POST /v2/orders HTTP/1.1", "Host: api.example.test", "X-Evil: '; touch /tmp/pwned; '",
                                          "Content-Type: application/json", "Content-Length: 47")),
        "missing": simple("cdn.example.test", "/favicon.ico", "text/html", b"<h1>404</h1>", status="404 Not Found"),
        "aborted": simple("api.example.test", "/download", "application/zip", b"PK\3\4" + b"\0" * 4000, total=90000),
        "broken": simple("api.example.test", "/broken", "application/json", b'{"a": [1, 2, {"b": tru}], "c": "unfinished'),
        "undecodable": simple("api.example.test", "/undecodable", "text/plain", b"\x1f\x8b\x08garbage", "Content-Encoding: gzip"),
        "evil": simple("evil.example.test", HOSTILE, "application/json", json.dumps({EVIL: EVIL + "\u202egpj.exe"}, ensure_ascii=False).encode(),
                       f"X-Evil: {EVIL}", item={"comment": EVIL, "isMarked": True}, request_head=get(HOSTILE, "evil.example.test", f"X-Evil: {EVIL}")),
        "running": simple("slow.example.test", "/poll", "text/plain", b"here"),
        "standing": {"request": get("/standing", "stream.example.test", "Connection: Upgrade", "Upgrade: websocket",
                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13").encode()
                     # A text in a frame whose mask is zero.
                     + b"\x81\x92" + bytes(4) + b'{"op":"subscribe"}'},
        "changed": simple("api.example.test", "/v2/orders/9007199254740993?expand=lines", "application/json",
                          ORDER_TEXT.replace(b'"paid"', b'"open"').replace(b'"SKU-0007"', b'"SKU-7777"'),
                          "X-Request-Id: 90aa"),
    }
