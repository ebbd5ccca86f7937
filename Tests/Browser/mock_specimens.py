"""Items of the mock console that show one thing each: bodies of every kind, failures, streams.

Each is a dict: `item` overrides the keys of a line of traffic, `request` and `response` are (head, body as sent,
body decoded), `messages` are those of a WebSocket or a stream, `tls` overrides the answer about the handshakes.
"""
import base64
import gzip
import json
import pathlib
import struct
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
# Values that a tool may read as something else: a file, JSON, an option; valid and invalid UTF-8.
ODD_FIELDS = [("X-At", "@/etc/hostname"), ("X-Equals", "=5"), ("X-Both", ":=@/etc/hostname"), ("X-Slashes", "a\\b\\\\c=d"),
              ("X-Empty", ""), ("X-Utf", "\u00c3\u00a9 \u00c3\u00a0"), ("X-Latin", "\u00e9"), ("X-Unsayable", "\\@a"), ("-o", "/tmp/x"),
              ("X-Control", "a\x03\x1b[201~b")]
LARGE = "it's £ 200,000\n".encode() * 16000


def head(start, *fields):
    return "\r\n".join([start, *fields, "", ""])


def answer(kind, body, *more, status="200 OK"):
    return head(f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}",
                "Date: Sat, 21 Nov 2026 16:44:32 GMT", "Server: nginx", *more)


def get(path, host, *more):
    return head(f"GET {path} HTTP/1.1", f"Host: {host}", "User-Agent: ExampleApp/4.2 (iOS 19.1)", "Accept: */*",
                "Accept-Encoding: gzip, br", *more)


def simple(host, path, kind, body, *more, method="GET", status="200 OK", item=None, request_head=None,
           request_body=b"", decoded=None, **extra):
    code = int(status.split()[0])
    return {
        "item": {"method": method, "host": host, "path": path, "status": code, "contentType": kind.split(";")[0],
                 "responseBytes": len(body), "requestBytes": len(request_body), **(item or {})},
        "request": (request_head or get(path, host), request_body, request_body),
        "response": (answer(kind, body, *more, status=status), body, body if decoded is None else decoded),
        **extra,
    }


def failed(host, cause, detail, remedy, alert=None, code=None, peer="client", hint=False, ended="client"):
    failure = {"peer": peer, "cause": cause, "isHint": hint, "endedBy": ended, "alert": alert, "alertCode": code,
               "bytesAfterHandshake": 0, "milliseconds": 4.2, "detail": detail}
    return {"item": {"type": "flow", "host": host, "path": "", "authority": host + ":443", "treatment": "intercepted",
                     "outcome": "handshakeFailed", "fault": peer, "detail": detail, "status": None, "method": None,
                     "url": None, "handshakeFailure": {k: v for k, v in failure.items() if v is not None}},
            "failure": failure, "cause": detail, "remedy": remedy}


def websocket():
    messages = [
        {"sender": "client", "kind": "text", "text": '{"op":"subscribe","channels":["orders","prices"]}'},
        {"sender": "server", "kind": "text", "text": '{"op":"subscribed","id":1}'},
        *[{"sender": "server", "kind": "text", "text": json.dumps({"op": "price", "n": n, "value": n * 0.25})}
          for n in range(420)],
        {"sender": "client", "kind": "binary", "base64": base64.b64encode(bytes(range(64))).decode()},
        {"sender": "server", "kind": "ping", "text": "hb"},
        {"sender": "client", "kind": "pong", "text": "hb"},
        {"sender": "client", "kind": "close", "closeCode": 1000, "closeReason": "bye", "base64": base64.b64encode(b"\x03\xe8bye").decode()},
    ]
    for number, message in enumerate(messages, 1):
        size = len(message.get("text", "")) or 64
        message.update(number=number, started="2026-11-21T16:44:33.100Z", sinceStart=number * 1.5, milliseconds=0.007, frames=1, bytes=size,
                       recordedBytes=size, isComplete=True, isCompressed=number % 2 == 0, notes=[])
    spec = simple("stream.example.test", "/socket", "text/plain", b"", status="101 Switching Protocols",
                  item={"protocol": "ws", "notes": ["upgraded", "webSocket"], "messages": len(messages),
                        "contentType": None},
                  request_head=get("/socket", "stream.example.test", "Connection: Upgrade", "Upgrade: websocket",
                                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"))
    spec["messages"] = messages
    return spec


def standing():
    """An open WebSocket."""
    spec = websocket()
    spec["item"].update(path="/standing", outcome=None, milliseconds=None, messages=2)
    spec["messages"] = spec["messages"][:2]
    return spec


def events():
    body = b": welcome\n\n" + b"".join(f"event: tick\nid: {n}\ndata: {{\"n\":{n}}}\n\n".encode() for n in range(6))
    messages = [{"sender": "server", "kind": "event", "offset": n * 30, "bytes": 30, "time": "2026-11-21T16:44:33.100Z",
                 "milliseconds": n * 50.5, "isComplete": True,
                 "event": {"type": "tick", "id": str(n), "data": json.dumps({"n": n, "text": EVIL})}} for n in range(6)]
    for number, message in enumerate(messages, 1):
        message["number"] = number
    spec = simple("stream.example.test", "/events", "text/event-stream", body,
                  item={"outcome": None, "milliseconds": None})
    spec.update(messages=messages, stream={"responseFormat": "eventStream", "leftOut": 0, "troubles": []})
    return spec


def grpc():
    frame = bytes.fromhex("000000000908011204746561 73".replace(" ", ""))
    messages = [
        {"number": 1, "sender": "client", "kind": "message", "offset": 0, "bytes": 14, "time": "2026-11-21T16:44:33.100Z",
         "milliseconds": 0.3, "isComplete": True, "protobuf": {"text": "tea", "number": "-7", "counts": {"cups": "1099511627776"}}},
        {"number": 2, "sender": "server", "kind": "message", "offset": 0, "bytes": 14, "time": "2026-11-21T16:44:33.200Z",
         "milliseconds": 12.5, "isComplete": True, "compression": "gzip", "protobuf": {"note": "brewed"}},
        {"number": 3, "sender": "server", "kind": "trailers", "offset": 14, "bytes": 20, "time": "2026-11-21T16:44:33.201Z",
         "milliseconds": 12.6, "isComplete": True, "trailers": [["grpc-status", "5"], ["grpc-message", "no such note"]]},
    ]
    spec = simple("rpc.example.test", "/notes.Notes/Fetch", "application/grpc", frame, method="POST",
                  request_body=frame, item={"protocol": "h2"},
                  request_head=head("POST /notes.Notes/Fetch HTTP/2", "host: rpc.example.test", "content-type: application/grpc",
                                    "te: trailers"))
    spec.update(messages=messages, trailers="grpc-status: 5\r\ngrpc-message: no%20such%20note\r\n\r\n",
                stream={"requestFormat": "grpc", "responseFormat": "grpc", "leftOut": 0, "troubles": [],
                        "grpcStatus": {"code": 5, "name": "NOT_FOUND", "message": "no such note"},
                        "grpcTimeoutMilliseconds": 60000})
    return spec


def specimens():
    """All specimens by name, the oldest first."""
    zipped = gzip.compress(ORDER_TEXT, mtime=0)
    form = b"name=Zo%C3%AB+%26+co&token=a%2Bb%3D&empty=&name=second"
    unknown = failed("api.pinned.test", "authorityNotTrusted",
                     "The client ended the handshake with unknown_ca (48): it does not trust Pinhole's CA.",
                     "Trust Pinhole's CA in the client (http://pinhole.test/ says how). If it pins, let this host "
                     "pass: tls.passthrough.", "unknown_ca", 48)
    pinned = failed("bank.pinned.test", "looksPinned",
                    "The client finished the handshake and closed 3 ms later without a request: it looks like a pin.",
                    "Run the client against the lab, or let the host pass: pinhole --passthrough bank.pinned.test.",
                    hint=True)
    refused = failed("expired.example.test", "serverCertificateRefused",
                     "The server's certificate was refused: the certificate expired on 2026-10-22T16:44:32Z.",
                     "Renew it, or exempt this host: tls.exempt.", peer="server", ended=None)
    relayed = {"item": {"type": "flow", "host": "push.apple.test", "path": "", "authority": "push.apple.test:443",
                        "treatment": "passedThrough", "reason": "tls.passthrough: *.apple.test", "outcome": "completed",
                        "status": None, "method": None, "url": None, "bytesFromClient": 7421, "bytesFromServer": 91022,
                        "detail": "done"}}
    return {
        "partial": simple("api.example.test", "/partial", "application/json", b'{"a": [1, 2, 3, {"b"', total=30),
        "proto": {**simple("api.example.test", "/item.pb", "application/x-protobuf", bytes.fromhex("08960112 0774657374696e67".replace(" ", ""))),
                  "protobuf": {"1": 150, "2": "testing"}},
        "graphql": simple("api.example.test", "/graphql", "application/json", b'{"data":{"order":null}}', method="POST", request_body=GRAPHQL,
                          request_head=head("POST /graphql HTTP/1.1", "Host: api.example.test", "Content-Type: application/json", f"Content-Length: {len(GRAPHQL)}")),
        "graphql_batch": simple("api.example.test", "/graphql", "application/json", BATCH, method="POST", request_body=BATCH,
                                request_head=head("POST /graphql HTTP/1.1", "Host: api.example.test", "Content-Type: application/json", f"Content-Length: {len(BATCH)}")),
        "graphql_get": simple("api.example.test", "/graphql?query=query%20Who(%24id%3AID!)%7Bme(id%3A%24id)%7Bname%7D%7D&variables=%7B%22id%22%3A9007199254740993%7D&operationName=Who",
                              "application/json", b'{"data":{}}'),
        "cbor": simple("api.example.test", "/concise", "application/cbor", CONCISE),
        "cbor_broken": simple("api.example.test", "/concise-broken", "application/senml+cbor", bytes.fromhex("8301626869fc") + bytes(40)),
        "token": simple("api.example.test", "/me", "application/json", json.dumps({"id_token": UNSIGNED}).encode(),
                        request_head=get("/me?t=" + TOKEN[:20], "api.example.test", f"Authorization: Bearer {TOKEN}", f"Cookie: session={TOKEN}")),
        "font": simple("cdn.example.test", "/sans.ttf", "font/ttf", FONT),
        "msgpack": simple("api.example.test", "/packed", "application/msgpack", PACKED),
        "msgpack_broken": simple("api.example.test", "/packed-broken", "application/vnd.msgpack", bytes.fromhex("93 01 a26869 c1") + bytes(40)),
        "msgpack_cut": simple("api.example.test", "/packed-cut", "application/x-msgpack", bytes.fromhex("93 01 a5 6869")),
        "latin": simple("api.example.test", "/latin", "text/plain; charset=utf-8", "Zo\u00eb paid 3 \u20ac, said \ufffd".encode()[:-3] + b"\xe9\xff!"),
        "sent_so": simple("api.example.test", "/sent-so", "text/plain", "a \ufffd that was sent".encode()),
        "long": simple("api.example.test", "/long?q=" + "0123456789" * 800, "text/plain", b"short", "X-Long: " + "abcdefghij" * 1000),
        "ruled": simple("api.example.test", "/old", "text/plain", b"here",
                        item={"notes": ["ruled"], "isMarked": True, "rules": [
                            {"rule": "debug", "kind": "rewriteRequest", "effect": "changed x-debug"},
                            {"rule": "gone", "kind": "rewriteResponse", "effect": "changed status 200 to 410, server"},
                            {"rule": "idle", "kind": "rewriteResponse", "effect": "nothing to change"}]}),
        "own": simple("api.example.test", "/blocked", "text/plain", b"", status="403 Forbidden",
                      item={"outcome": "answeredByProxy", "detail": "blocked by the rule “no ads”", "notes": ["ruled"]}),
        # Heads are bytes, one character each.
        "odd": simple("api.example.test", "/odd", "text/plain", b"here", "X-Told: \u00c3\u00a9t\u00c3\u00a9",
                      request_head=get("/odd", "api.example.test", *(f"{name}: {value}" for name, value in ODD_FIELDS), "@/etc/hostname")),
        "large": simple("api.example.test", "/large", "text/plain", b"here", method="POST", request_body=LARGE,
                        request_head=head("POST /large HTTP/1.1", "Host: api.example.test", f"Content-Length: {len(LARGE)}")),
        "read": simple("api.example.test", "/read", "text/plain", b"here", request_body=b"looked for",
                       request_head=get("/read", "api.example.test", "Content-Length: 10")),
        "plain": simple("intranet.test", "/status", "text/plain; charset=utf-8", "all is well: ✓\n".encode() * 40,
                        item={"scheme": "http"}),
        "timed": simple("slow.example.test", "/timed", "text/plain", b"here", 'Server-Timing: db;dur=21.4;desc="the orders"', "server-timing: cache;desc=hit",
                        isWeakened=True),
        "json": simple("api.example.test", "/v2/orders/9007199254740993?expand=lines&expand=customer&q=a%20b%26c",
                       "application/json; charset=utf-8", zipped, "Content-Encoding: gzip",
                       "Set-Cookie: session=9f8e7d; Path=/; HttpOnly; Secure; SameSite=Lax",
                       "Set-Cookie: theme=dark; Max-Age=31536000", "X-Request-Id: 7f1c", decoded=ORDER_TEXT,
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
        "standing": standing(),
        "jsonlines": simple("stream.example.test", "/lines", "application/x-ndjson", b'{"n":1}\n', messages=[
            {"number": 1, "sender": "server", "kind": "message", "offset": 0, "bytes": 7, "time": "2026-11-21T16:44:33.100Z", "milliseconds": 4.5,
             "isComplete": True, "json": {"n": 1}}], stream={"responseFormat": "jsonLines", "leftOut": 0, "troubles": []}),
        "setup": simple("slow.example.test", "/first", "text/plain", b"here", timings={
            "queue": 0.004, "connect": 0.4, "tls": 499, "setUpBefore": 499.4, "firstByte": 301, "total": 301.5}),
        "high": simple("cdn.example.test", "/high.bin", "application/octet-stream", b"\xff\xfe\xfd" * 100),
        "higher": simple("cdn.example.test", "/higher.bin", "application/octet-stream", b"\xff\xfe\xfd" * 100 + b"\xff"),
        "undeclared": simple("cdn.example.test", "/cafe", "text/plain", "caf\u00e9 au lait".encode("latin-1")),
        "meta": simple("cdn.example.test", "/page", "text/html", '<meta charset="shift_jis"><p>\u65e5\u672c</p>'.encode("shift_jis")),
        "shifted": simple("cdn.example.test", "/greeting", "text/plain; charset=shift_jis", "\u3053\u3093\u306b\u3061\u306f".encode("shift_jis")),
        "crossed": simple("api.example.test", "/crossed.xml", "application/xml", b"<r>\n<a></r>"),
        "events": events(),
        "grpc": grpc(),
        "unknown_ca": unknown,
        "old": failed("old.example.test", "noCommonVersion", "No common TLS version with the server.", "Widen tls.server in config.json.", peer="server", ended="server"),
        "ancient": failed("ancient.example.test", "noCommonVersion", "The client offers no TLS version that Pinhole allows.", "Widen tls.client in config.json.", ended=None),
        "pinned": pinned,
        "refused": refused,
        "relayed": relayed,
        "error": simple("api.example.test", "/v2/orders", "application/problem+json",
                        b'{"title":"Database is gone","status":500}', method="POST", status="500 Internal Server Error",
                        request_body=b'{"sku":"it\'s $HOME `id` \\\\ \\"quoted\\"\\n","n":1}',
                        request_head=head("POST /v2/orders HTTP/1.1", "Host: api.example.test", "X-Evil: '; touch /tmp/pwned; '",
                                          "Content-Type: application/json", "Content-Length: 50")),
        "missing": simple("cdn.example.test", "/favicon.ico", "text/html", b"<h1>404</h1>", status="404 Not Found"),
        "aborted": simple("api.example.test", "/download", "application/zip", b"PK\3\4" + b"\0" * 4000,
                          item={"outcome": "abortedByServer", "detail": "aborted by the server: the connection was reset after 4004 of 90000 bytes"},
                          complete=False, total=90000),
        "huge": simple("big.example.test", "/export.json", "application/json", b"[]",
                       item={"responseBytes": 104857600, "milliseconds": 9312.4}, huge=104857600),
        "broken": simple("api.example.test", "/broken", "application/json", b'{"a": [1, 2, {"b": tru}], "c": "unfinished'),
        "undecodable": simple("api.example.test", "/undecodable", "text/plain", b"\x1f\x8b\x08garbage", "Content-Encoding: gzip",
                              decoded=b"", failure="gzip: the header is followed by no deflate stream"),
        "evil": simple("evil.example.test", f"/{EVIL}?q={EVIL}", "application/json", json.dumps({EVIL: EVIL + "\u202egpj.exe"}, ensure_ascii=False).encode(),
                       f"X-Evil: {EVIL}", item={"comment": EVIL, "isMarked": True}),
        "running": {"item": {"method": "GET", "host": "slow.example.test", "path": "/poll", "status": None, "outcome": None,
                             "milliseconds": None, "responseBytes": None},
                    "request": (get("/poll", "slow.example.test"), b"", b"")},
        "nothing": simple("api.example.test", "/v2/ping", "text/plain", b"", status="204 No Content", method="PUT",
                          item={"contentType": None, "notes": ["connectionReused"]}),
        "changed": simple("api.example.test", "/v2/orders/9007199254740993?expand=lines", "application/json",
                          ORDER_TEXT.replace(b'"paid"', b'"open"').replace(b'"SKU-0007"', b'"SKU-7777"'),
                          "X-Request-Id: 90aa"),
    }
