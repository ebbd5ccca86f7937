import PinholeContent
import PinholeCrypto
import PinholeModel
import PinholeWire

extension OriginRoutes {
    /// The routes of the demo and of the tests.
    package static let standard: OriginRoutes = {
        var routes = OriginRoutes()
        routes.addDocuments()
        routes.addStreams()
        routes.addProtocolCases()
        routes.addFailures()
        routes.set("/echo") { $0.reply(200, type: "application/json", body: $0.echo) }
        return routes
    }()

    private mutating func addDocuments() {
        set("/json") { request in
            let body = #"{"item": "teapot", "price": 12.5, "currency": "EUR", "inStock": true}"# + "\n"
            return request.reply(200, type: "application/json", body: Array(body.utf8))
        }
        set("/html") { $0.reply(200, type: "text/html; charset=utf-8", body: Array(Self.page.utf8)) }
        set("/redirect") { $0.reply(302, fields: ["Location: /json"]) }
        set("/gzip") { request in
            guard let body = ContentEncoder.encode(OriginFiller.bytes(32 << 10), codings: ["gzip"]) else {
                return request.reply(500)
            }
            return request.reply(
                200,
                type: "text/plain",
                body: body,
                fields: ["Content-Encoding: gzip", "Vary: Accept-Encoding"]
            )
        }
        set("/status/*") { request in
            guard let status = Int(request.remainder), (200...599).contains(status) else {
                return request.reply(
                    400,
                    type: "text/plain",
                    body: Array("Expected /status/200 to 599.\n".utf8)
                )
            }
            return request.reply(status, type: "text/plain", body: Array("Status \(status).\n".utf8))
        }
    }

    private mutating func addStreams() {
        set("/1mb") { $0.reply(filler: 1 << 20) }
        set("/bytes/*") { request in
            guard let count = Int64(request.remainder), count >= 0 else {
                return request.reply(400, type: "text/plain", body: Array("Expected /bytes/COUNT.\n".utf8))
            }
            return request.reply(filler: count)
        }
        set("/chunked") { request in
            request.stream(
                type: "text/plain",
                ["Each line ", "came in a chunk ", "of its own.\n"].map { Array($0.utf8) },
                chunkExtension: ";note=\"an extension\"",
                trailers: ["X-Checksum: 1234abcd", "X-Lines: 1"]
            )
        }
        set("/slow") { Self.slow($0, count: 20) }
        set("/slow/*") { Self.slow($0, count: Int($0.remainder) ?? 20) }
        set("/close") { request in
            [
                request.responseHead(200, type: "text/plain", [], closing: true),
                .text("This body ends where the connection ends.\n"), .close,
            ]
        }
    }

    private mutating func addProtocolCases() {
        set("/early-hints") { request in
            let hint = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n"
            return (request.head.version == .http11 ? [.text(hint)] : [])
                + request.reply(200, type: "text/html; charset=utf-8", body: Array(Self.page.utf8))
        }
        set("/continue") { request in
            // A 100 that was not asked for is allowed as well (RFC 9110 §15.2.1). If it was asked for, it was already
            // sent.
            let interim = request.head.version == .http11 && !request.head.expectsContinue
            return (interim ? [.text("HTTP/1.1 100 Continue\r\n\r\n")] : [])
                + request.reply(
                    200,
                    type: "text/plain",
                    body: Array("Got \(request.bodyLength) bytes.\n".utf8)
                )
        }
        set("/upgrade", answersEarly: true) { request in
            guard request.head.upgrade, let wanted = request.head.fields.first("upgrade") else {
                return request.reply(426, fields: ["Upgrade: echo"])
            }
            let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: \(wanted)\r\nConnection: Upgrade\r\n\r\n"
            return [.text(head), .echo]
        }
        set("/refuse-early", answersEarly: true) { request in
            let body = Array("Not before the body, not after it.\n".utf8)
            return [
                request.responseHead(
                    413,
                    type: "text/plain",
                    ["Content-Length: \(body.count)"],
                    closing: true
                ), .bytes(body), .close,
            ]
        }
    }

    private mutating func addFailures() {
        set("/reset") { request in
            [
                request.responseHead(200, type: "text/plain", ["Content-Length: 1000000"]), .filler(50_000),
                .pause(.milliseconds(20)), .reset,
            ]
        }
        set("/cut") { request in
            [
                request.responseHead(200, type: "text/plain", ["Content-Length: 1000000"]), .filler(50_000),
                .cut,
            ]
        }
        set("/never") { _ in [.hang] }
    }

    private static func slow(_ request: OriginRequest, count: Int) -> [OriginStep] {
        let lines = (1...max(1, min(count, 100_000))).map { Array("line \($0)\n".utf8) }
        return request.stream(type: "text/plain", lines, interval: .milliseconds(50))
    }

    private static let page = """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Teapots</title></head>
        <body><h1>Teapots</h1><p>Short and stout, 12.50 €.</p></body></html>

        """
}

extension OriginRequest {
    /// The answer of `/echo`: the facts of the request as JSON, with the received bytes of the head in Base64.
    fileprivate var echo: [UInt8] {
        let text = { (text: String) in JSONValue.string(text) }
        let pairs = { (fields: HeaderFields) in
            JSONValue.array(fields.pairs.map { .array([text($0.name), text($0.value)]) })
        }
        let members: [String: JSONValue?] = [
            "method": text(head.method),
            "target": text(head.rawTarget),
            "version": text(head.version.text),
            "serverName": peer.serverName.map(text),
            "tls": peer.version.map(text),
            "clientCertificate": peer.clientSubject.map(text),
            "headers": pairs(head.fields),
            "trailers": pairs(trailers),
            "head": text(Base64.encode(head.raw)),
            "bodyLength": .integer(bodyLength),
            "bodySHA256": text(Hexadecimal.encode(Digest.sha256(body))),
        ]
        // The demo shows the first lines to people, so each member has its own.
        let lines = members.compactMapValues(\.self).sorted { $0.key < $1.key }.map { name, value in
            var json = JSONText()
            json.value(value)
            return "  \"\(name)\" : \(String(decoding: json.take(), as: UTF8.self))"
        }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
    }
}
