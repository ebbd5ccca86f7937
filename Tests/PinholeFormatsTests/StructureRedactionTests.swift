import Foundation
import PinholeContent
import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeFormats
@testable import PinholeStore

@Suite("Copies with tokens")
struct StructureRedactionTests {
    private static let now = Timestamp(seconds: 1_767_323_045)
    /// A value that nothing explains, and of which no six characters may be left.
    private static let secret = "Zq01xw7Kp3Vn01Tr"

    private static func whole(_ bytes: [UInt8]) -> BodyRecord {
        var body = BodyRecord()
        body.inline = bytes
        body.length = Int64(bytes.count)
        body.capturedLength = body.length
        body.isComplete = true
        return body
    }

    private static func exchange(
        _ id: Int64,
        _ path: String,
        _ fields: String = "",
        _ body: String = "",
        answer: String = "Content-Type: text/plain\r\n",
        _ content: [UInt8] = []
    ) throws -> FlowEvent {
        let head = "POST \(path) HTTP/1.1\r\nHost: shop.test\r\n\(fields)\r\n"
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: id),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("shop.test", defaultPort: 443),
            method: "POST",
            path: path,
            request: MessageRecord(head: Array(head.utf8)),
            timings: ExchangeTimings(started: now + .seconds(id))
        )
        record.request.body = whole(Array(body.utf8))
        record.response = MessageRecord(head: Array("HTTP/1.1 200 OK\r\n\(answer)\r\n".utf8))
        record.response?.body = whole(content)
        record.status = 200
        record.timings.ended = now + .seconds(id + 1)
        record.outcome = .completed
        record.proxyUser = "\(secret)-user"
        record.rules = [RuleHit(rule: "hide \(secret)", kind: "mock", effect: "answered \(secret)")]
        return .exchange(record)
    }

    private static func flow() -> FlowRecord {
        var flow = FlowRecord(
            id: FlowID(rawValue: 1),
            opened: now,
            client: "192.0.2.77:5151",
            listener: "127.0.0.1:8080"
        )
        flow.authority = "shop.test:443"
        flow.reason = "because of \(secret)"
        flow.clientProcess = ClientProcess(pid: 4711, name: secret, path: "/home/\(secret)/bin")
        flow.outcome = Outcome(.completed, detail: "it said \(secret)")
        var handshake = HandshakeRecord(peer: .client, started: now, duration: .zero)
        handshake.version = "TLSv1.3"
        handshake.cipher = "TLS_AES_128_GCM_SHA256"
        handshake.group = "X25519MLKEM768"
        handshake.serverName = "shop.test"
        handshake.applicationProtocol = "h2"
        handshake.clientCertificate = Array(secret.utf8)
        flow.clientHandshake = handshake
        return flow
    }

    private static func record(_ events: [FlowEvent], in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("in.sqlite")
        let store = try CaptureStore.open(CaptureStore.Options(path: path), now: now) { _ in }
        store.record([.flow(flow())] + events)
        store.flush()
        store.close()
        return path
    }

    private static func copied(
        _ events: [FlowEvent],
        _ options: StructureRedaction.Options = StructureRedaction.Options(),
        in directory: TemporaryDirectory
    ) throws -> (
        records: [ExchangeRecord], bodies: [String], summary: Redaction.Summary, bytes: [UInt8]
    ) {
        let source = try record(events, in: directory)
        let target = directory.file("out.sqlite")
        let summary = try Redaction.structure(options).write(source, TrafficFilter(), to: target, now: now)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: target)))
        let reader = try CaptureReader(path: target)
        let records = try reader.exchanges(order: .oldestFirst, limit: 99).compactMap {
            try reader.exchange($0.id)
        }
        let bodies = try records.map { String(decoding: try reader.body(of: $0, .response), as: UTF8.self) }
        return (records, bodies, summary, bytes)
    }

    /// Places in which a value can stand, each with a kind of message around it.
    private static let places: [(path: String, fields: String, type: String, body: String)] = [
        ("/a?x=\(secret)", "", "", ""), ("/a/\(secret);v=1", "", "", ""), ("/a#\(secret)", "", "", ""),
        ("/a?\(secret)", "Cookie: \(secret)\r\n", "", ""), ("/a", "Cookie: a=1; \(secret)=2\r\n", "", ""),
        ("/a", "\(secret): 1\r\n", "", ""), ("/a", "X-Thing: v1 \(secret)\r\n", "", ""),
        (
            "/a", "Link: <https://shop.test/?p=1>; rel=next, <https://\(secret).test/>; rel=\(secret)\r\n",
            "", ""
        ),
        (
            "/a", "Referer: https://u:\(secret)@shop.test/\(secret)?next=%2Fx%3Ft%3D\(secret)#\(secret)\r\n",
            "", ""
        ),
        ("/a", "Authorization: Digest username=\"\(secret)\", response=\"\(secret)\"\r\n", "", ""),
        ("/a", "Content-Type: \(secret)/\(secret); \(secret)=\(secret)\r\n", "", ""),
        ("/a", "Accept-Language: \(secret), de-AT;q=0.8\r\nUser-Agent: \(secret)/1 (\(secret))\r\n", "", ""),
        (
            "/a", "", "application/json",
            #"{"a": ["\#(secret)", {"\#(secret)": 1}], "b": "{\"c\": \"\#(secret)\"}"}"#
        ),
        (
            "/a", "", "application/json",
            #"{"u": "https://\#(secret).test/\#(secret)?a=\#(secret)", "n": 17.5e3}"#
        ),
        ("/a", "", "application/json", #"{"broken": "\#(secret)", \#(secret)"#),
        ("/a", "", "application/x-ndjson", "{\"a\": \"\(secret)\"}\n\(secret)\n[1]"),
        (
            "/a", "", "application/x-www-form-urlencoded",
            "a=\(secret)&\(secret)=1&p=%7B%22a%22%3A%22\(secret)%22%7D&\(secret)"
        ),
        (
            "/a", "", "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\(secret)\r\n\r\n\(secret)\r\n--b\r\nContent-Disposition: form-data; filename=\"\(secret)\"; name=\"x\"\r\nContent-Type: application/json\r\n\r\n{\"a\":\"\(secret)\"}\r\n--b--\r\n"
        ),
        (
            "/a", "", "text/event-stream",
            "event: \(secret)\ndata: {\"t\":\"\(secret)\"}\n: \(secret)\n\(secret): x\n\n"
        ),
        (
            "/a", "", "text/html",
            "<!DOCTYPE html><p class=\(secret) \(secret)='\(secret)'>\(secret)<a href=\"/x?a=\(secret)&amp;b=1\">x</a><!-- \(secret) --><script>var a = '\(secret)'</script>"
        ),
        (
            "/a", "", "application/xml",
            "<?xml version='1.0'?><a:b xmlns:a=\"\(secret)\"><![CDATA[\(secret)]]>&lt;\(secret)</a:b>"
        ),
        ("/a", "", "text/plain", "line \(secret)\n\n\(secret)"), ("/a", "", "image/png", secret),
        ("/a", "", "application/octet-stream", secret), ("/a", "", "", secret),
    ]

    @Test("no six characters of a value are left, wherever it stood", arguments: places.indices)
    func everywhere(_ index: Int) throws {
        let place = Self.places[index]
        let directory = try TemporaryDirectory()
        let type = place.type.isEmpty ? "" : "Content-Type: \(place.type)\r\n"
        let events = [
            try Self.exchange(
                2,
                place.path,
                place.fields + type,
                place.body,
                answer: type
                    + "Set-Cookie: \(Self.secret)=\(Self.secret); Path=/\(Self.secret); HttpOnly\r\n",
                Array(place.body.utf8)
            )
        ]
        let copy = try Self.copied(events, in: directory)
        #expect(copy.summary.entries == 1)
        let secret = Array(Self.secret.utf8)
        // Data searches as fast in a build for debugging; a copy has some 200 KB.
        let bytes = Data(copy.bytes)
        for start in 0...(secret.count - 6) {
            let part = secret[start..<(start + 6)]
            #expect(bytes.range(of: Data(part)) == nil, "\(String(decoding: part, as: UTF8.self))")
        }
    }

    @Test(
        "a text in the place of a host, and attributes with values, pass the proof",
        arguments: [
            ("Host: a b \(secret)\r\n", ""), ("X-Thing: https://shop.test:\(secret)/\r\n", ""),
            ("X-Thing: https://{\(secret)}/x\r\n", "Location: http://%s.\(secret)%/\r\n"),
            ("Cookie: max-age=\(secret)\r\n", "Set-Cookie: max-age=\(secret)\r\n"),
            ("", "Set-Cookie: domain=\(secret)\r\n"), ("", "Set-Cookie: ;path=\(secret)\r\n"),
            ("", "Set-Cookie: a=b; Secure=\(secret); HttpOnly=\(secret); Partitioned=1\r\n"),
        ]
    )
    func unusual(_ fields: String, _ answer: String) throws {
        guard case .exchange(var record) = try Self.exchange(2, "/a", fields, answer: answer) else { return }
        let directory = try TemporaryDirectory()
        record.responseServer = #"{"\#(Self.secret)": "https://\#(Self.secret)/"}"#
        for hidesHosts in [false, true] {
            var options = StructureRedaction.Options()
            options.hidesHosts = hidesHosts
            let copy = try Self.copied([.exchange(record)], options, in: directory)
            #expect(copy.summary.entries == 1)
            #expect(Data(copy.bytes).range(of: Data(Self.secret.utf8)) == nil)
            for file in ["in.sqlite", "out.sqlite"] {
                try FileManager.default.removeItem(atPath: directory.file(file))
            }
        }
    }

    /// Short values that lists, forms of dates, numbers and languages, or the places of names let through once.
    private static let short: [(fields: String, type: String, body: String, value: String)] = [
        ("Authorization: Digest username=\"jo\", realm=\"k9\"\r\n", "", "", "jo"),
        ("Authorization: Digest username=\"jo\", realm=\"k9\"\r\n", "", "", "k9"),
        ("Authorization: Digest username=\"noopener\"\r\n", "", "", "noopener"),
        ("Authorization: Basic noopener\r\n", "", "", "noopener"),
        ("Authorization: Token name=zookeeper\r\n", "", "", "zookeeper"),
        ("Link: </a>; rel=next; name=zookeeper\r\n", "", "", "zookeeper"),
        ("Link: </a>; rel=next; title=\"noopener, zq\"\r\n", "", "", "noopener"),
        ("Content-Disposition: attachment; filename=\"noopener zq.pdf\"\r\n", "", "", "noopener"),
        ("Content-Disposition: form-data; name=\"zoo keeper\"\r\n", "", "", "keeper"),
        ("Via: 1.1 192.0.2.7\r\n", "", "", "192.0.2.7"), ("Via: 1.1 10.9.8.7\r\n", "", "", "10.9.8.7"),
        ("Accept: text/html; id=4711471147\r\n", "", "", "4711471147"),
        ("Accept: text/html; q=0.5; 4711471147\r\n", "", "", "4711471147"),
        ("Cache-Control: max-age=60, member=4711471\r\n", "", "", "4711471"),
        ("Keep-Alive: timeout=2026-01-31\r\n", "", "", "2026-01-31"),
        ("If-Modified-Since: 4711471147\r\n", "", "", "4711471147"),
        ("If-Modified-Since: Sat, 47 Nov 1147 11:47:11 GMT\r\n", "", "", "Nov 1147"),
        ("If-Modified-Since: Sun, 28 Nov 2026 10:00:00 GMT\r\n", "", "", "28 Nov"),
        ("Referer: https://shop.test:04711/a\r\n", "", "", "04711"),
        ("Referer: https://SHOP.test/a\r\n", "", "", "SHOP"),
        ("", "application/json", #"{"at": "2026-01-31T10:00:00+05:45"}"#, "+05:45"),
        ("", "application/json", #"{"at": "2026-01-31T10:00:00.5-0330"}"#, "0330"),
        ("", "application/json", #"{"name_4711abcd4711": 1}"#, "4711abcd4711"),
    ]

    @Test("no short value is left where words, numbers, dates and names stay", arguments: short.indices)
    func shortValues(_ index: Int) throws {
        let place = Self.short[index]
        let directory = try TemporaryDirectory()
        let type = place.type.isEmpty ? "" : "Content-Type: \(place.type)\r\n"
        // A name stays from the second message on, and a value never.
        let events = try [2, 3].map {
            try Self.exchange(
                $0,
                "/a",
                place.fields + type,
                place.body,
                answer: place.fields + type,
                Array(place.body.utf8)
            )
        }
        let copy = try Self.copied(events, in: directory)
        for record in copy.records {
            for message in [record.request, try #require(record.response)] {
                let text = String(decoding: message.head + message.body.inline, as: UTF8.self)
                #expect(!text.contains(place.value), "\(text)")
            }
        }
    }

    @Test(
        "lengths, weights, versions, schemes and dates of registered fields stay",
        arguments: [
            "Accept: text/html;level=1, application/json;q=0.875, */*;q=0",
            "Accept-Language: de-AT, en;q=0.5",
            "Via: 1.1 ", "Range: bytes=0-499,600-700", "Cache-Control: max-age=31536000, public",
            "Keep-Alive: timeout=5, max=100", "Age: 1234567890", "X-XSS-Protection: 1; mode=block",
            "Content-Range: bytes 0-499/1234", "Retry-After: 120", "Expires: 0", "Expires: -1",
            "Last-Modified: Thu, 29 Feb 2024 23:59:60 GMT",
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=15",
            "Authorization: Basic ", "Authorization: Digest algorithm=md5, qop=auth", "Priority: u=3, i",
            "Content-Disposition: form-data; name=\"zookeeper\"; filename=",
        ]
    )
    func safeValues(_ line: String) throws {
        let directory = try TemporaryDirectory()
        let rest = line.last == " " || line.last == "=" ? Self.secret : ""
        let events = try [2, 3].map { try Self.exchange($0, "/a", "\(line)\(rest)\r\n") }
        let copy = try Self.copied(events, in: directory)
        let head = String(decoding: copy.records[0].request.head, as: UTF8.self)
        #expect(head.contains(line), "\(head)")
    }

    @Test(
        "a boundary that is a safe word, a language or a number is replaced in the type and in the body alike"
    )
    func boundaries() throws {
        for boundary in ["next", "de", "4711", "text/html", "true"] {
            let directory = try TemporaryDirectory()
            let body =
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n--\(boundary)--\r\n"
            let type = "Content-Type: multipart/form-data; boundary=\(boundary)\r\n"
            let copy = try Self.copied([try Self.exchange(2, "/a", type, body)], in: directory)
            #expect(copy.summary.entries == 1 && copy.summary.bodiesLeftOut == 0, "\(boundary)")
        }
    }

    @Test("the chain of the proxy, which names the machine, and a client's certificate are left out")
    func chains() throws {
        let directory = try TemporaryDirectory()
        var flow = Self.flow()
        let authority = try CertificateAuthority.create(
            CertificateAuthority.Options(machineName: "annas-laptop"),
            now: Self.now
        )
        flow.clientHandshake?.presentedChain = [authority.certificate.der]
        flow.serverHandshake = flow.clientHandshake
        flow.serverHandshake?.peer = .server
        flow.serverHandshake?.presentedChain = []
        let copy = try Self.copied([.flow(flow), try Self.exchange(2, "/a")], in: directory)
        #expect(copy.bytes.firstRange(of: Array("annas-laptop".utf8)) == nil)
    }

    private static func webSocket(
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        _ number: Int64
    ) -> FlowEvent {
        var message = WebSocketMessage(
            exchange: ExchangeID(rawValue: 2),
            number: number,
            sender: .client,
            kind: kind,
            started: now
        )
        message.inline = payload
        message.length = Int64(payload.count)
        message.capturedLength = message.length
        message.isComplete = true
        return .webSocketMessage(message)
    }

    @Test(
        "of messages, types of packets and codes stay; other numbers, reasons and names of one message do not"
    )
    func messages() throws {
        let directory = try TemporaryDirectory()
        var upgraded = try Self.exchange(2, "/socket", answer: "Upgrade: websocket\r\n")
        if case .exchange(var record) = upgraded {
            record.notes = [.webSocket]
            upgraded = .exchange(record)
        }
        let copy = try Self.copied(
            [
                upgraded, Self.webSocket(.text, Array(#"42["login",{"onlyhere":1}]"#.utf8), 1),
                Self.webSocket(.text, Array(#"987["x"]"#.utf8), 2),
                Self.webSocket(.close, [0x5a, 0x71] + Array(Self.secret.utf8), 3),
            ],
            in: directory
        )
        let reader = try CaptureReader(path: directory.file("out.sqlite"))
        let payloads = try reader.messages(of: copy.records[0].id, after: 0, limit: 9).map {
            try reader.payload(of: $0)
        }
        #expect(payloads.count == 3)
        let first = String(decoding: payloads[0], as: UTF8.self)
        #expect(
            first.hasPrefix("42[\"str_") && first.contains("\"name_") && !first.contains("onlyhere"),
            "\(first)"
        )
        #expect(payloads[1].starts(with: Array("str_".utf8)))
        #expect(payloads[2].prefix(2) == [0x03, 0xea])
    }

    @Test("a message that is shown twice is one message, so its names stay hidden")
    func shownTwice() throws {
        let view = StructureView(StructureRedaction.Options())
        guard case .webSocketMessage(let message) = Self.webSocket(.text, Array(#"{"onlyhere":1}"#.utf8), 1)
        else {
            return
        }
        let entry = WebSocketTranscript.Entry(message: message, content: message.inline, trouble: nil)
        for _ in 0..<3 {
            let shown = String(decoding: view.decoded(entry).content, as: UTF8.self)
            #expect(shown.hasPrefix("{\"name_"), "\(shown)")
        }
    }

    @Test("tokens of numbers and dates keep their form, and the proof knows them")
    func forms() throws {
        let tokens = ValueTokens()
        for text in [
            "0", "7", "42", "-17", "999", "1000", "-4711", "123456", "2147483647", "9223372036854775807",
            "0.5", "17.25",
            "-1234.5678e12", "00", "007", "0042", "1.50E-3",
        ] {
            let value = Array(text.utf8)[...]
            let form = try #require(TokenForm.Number(value), "\(text)")
            let token = tokens.number(value, form)
            #expect(TokenForm.isNumber(token[...]), "\(text)")
            let shape = { (bytes: [UInt8]) in bytes.map { TokenForm.isDigit($0) ? 0x30 : $0 } }
            #expect(shape(token) == shape(Array(value)), "\(text)")
            // A value in the middle of a text has the same token.
            let inner = (Array("xyz".utf8) + value)[3...]
            #expect(try tokens.number(inner, #require(TokenForm.Number(inner))) == token, "\(text)")
        }
        for text in ["2026-01-31", "2026-01-31T10:00:00.123+05:45", "Sat, 28 Nov 2026 10:00:00 GMT"] {
            let value = Array(text.utf8)[...]
            let token = tokens.date(value, try #require(TokenForm.date(value)))
            #expect(TokenForm.isDate(token[...]) && !TokenForm.isDate(value), "\(text)")
        }
        let long = Array(String(repeating: "x", count: 300).utf8)[...]
        #expect(tokens.text(long).count == 128 && TokenForm.isText(tokens.text(long)[...]))
        #expect(tokens.text(long) == tokens.text(long) && tokens.text(long) != ValueTokens().text(long))
    }

    @Test("structure stays: names of two messages, route words, types, equality, and valid syntax")
    func structure() throws {
        let directory = try TemporaryDirectory()
        let body = { (id: Int) in
            Array(
                #"{"zookeeper": "anna", "again": "anna", "id": \#(id), "ok": true, "on": "2026-01-31", "none": null}"#
                    .utf8
            )
        }
        let compressed = try #require(ContentEncoder.encode(body(4711), codings: ["gzip"]))
        let type = "Content-Type: application/json\r\nDate: Sat, 28 Nov 2026 10:00:00 GMT\r\n"
        let copy = try Self.copied(
            [
                try Self.exchange(
                    2,
                    "/api/users/anna/orders?page=2",
                    answer: type + "Content-Encoding: gzip\r\n",
                    compressed
                ),
                try Self.exchange(3, "/api/users/anna/orders?onlyHere=2", answer: type, body(4712)),
            ],
            in: directory
        )
        let first = try JSONValue(parsing: Array(copy.bodies[0].utf8))
        guard case .object(let members) = first else {
            throw DocumentFailure(path: "", expected: "an object", found: "")
        }
        #expect(Set(members.keys) == ["zookeeper", "again", "id", "ok", "on", "none"])
        #expect(
            members["zookeeper"] == members["again"] && members["ok"] == .boolean(true)
                && members["none"] == .null
        )
        guard case .integer(let id)? = members["id"], case .string(let day)? = members["on"] else {
            throw DocumentFailure(path: "", expected: "a number and a date", found: "")
        }
        #expect((1000...9999).contains(id) && day.wholeMatch(of: /21\d\d-\d\d-\d\d/) != nil)
        #expect(copy.records[0].path.wholeMatch(of: /\/api\/users\/str_[0-9a-f]{12}\/orders\?page=\d/) != nil)
        #expect(copy.records[1].path.contains("/orders?name_"))
        #expect(
            copy.records[0].path.split(separator: "/")[2] == copy.records[1].path.split(separator: "/")[2]
        )
        let fields = try #require(copy.records[0].response?.fields)
        #expect(
            fields.first("date") == "Sat, 28 Nov 2026 10:00:00 GMT" && !fields.contains("content-encoding")
        )
    }

    @Test("the user's names and paths stay, and hidden hosts occur nowhere")
    func choices() throws {
        let directory = try TemporaryDirectory()
        var options = StructureRedaction.Options()
        options.names = ["onlyHere"]
        options.paths = ["/zoo/*/visits"]
        options.hidesHosts = true
        let copy = try Self.copied(
            [try Self.exchange(2, "/zoo/7/visits?onlyHere=1", "Referer: https://shop.test/a\r\n")],
            options,
            in: directory
        )
        #expect(copy.records[0].path.wholeMatch(of: /\/zoo\/\d\/visits\?onlyHere=\d/) != nil)
        #expect(copy.bytes.firstRange(of: Array("shop.test".utf8)) == nil)
        #expect(copy.records[0].authority.host.description.hasPrefix("host-"))
    }

    @Test("an asterisk in a path of the user keeps words, and no parameters and no other texts")
    func widened() throws {
        let directory = try TemporaryDirectory()
        let path = "/zoo-12/zoo;id=\(Self.secret)/zoo=\(Self.secret)"
        let fields = "Authorization: <zoo\(Self.secret)>\r\nETag: \"<zoo\(Self.secret)>\"\r\n"
        var options = StructureRedaction.Options()
        options.paths = ["/zoo*"]
        let copy = try Self.copied([try Self.exchange(2, path, fields)], options, in: directory)
        #expect(copy.records.first?.path.hasPrefix("/zoo-12/str_") == true)
        #expect(Data(copy.bytes).range(of: Data(Self.secret.utf8)) == nil)
    }

    @Test("the proof finds a value that was planted in any column, and in free space")
    func planted() throws {
        let directory = try TemporaryDirectory()
        let body = #"{"zookeeper": "anna"}"#
        let type = "Content-Type: application/json\r\n"
        _ = try Self.copied(
            [
                try Self.exchange(2, "/a", type, body, answer: type, Array(body.utf8)),
                try Self.exchange(3, "/a", type, body, answer: type, Array(body.utf8)),
            ],
            in: directory
        )
        let clean = directory.file("out.sqlite")
        var proof = CaptureProof(StructureRedaction.Options())
        #expect(proof.findings(in: clean) == [])
        for (table, columns) in try RedactedCapture.schema() {
            let known = try #require(RedactedCapture.columns(table), "\(table) has no rule")
            #expect(known.map(\.name) == columns, "\(table)")
            for (column, type) in columns.flatMap({ [($0, "BLOB"), ($0, "TEXT")] }) {
                let file = directory.file("planted.sqlite")
                try? FileManager.default.removeItem(atPath: file)
                try FileManager.default.copyItem(atPath: clean, toPath: file)
                let db = try Database(path: file)
                try db.execute("PRAGMA journal_mode = DELETE")
                let value = "CAST('\(Self.secret)' AS \(type))"
                let isEmpty = try db.number(table, "SELECT count(*) FROM \(table)") == 0
                let values = columns.map { $0 == column ? value : "1" }.joined(separator: ", ")
                do {
                    try db.execute(
                        isEmpty
                            ? "INSERT INTO \(table) VALUES (\(values))"
                            : "UPDATE \(table) SET \(column) = \(value)"
                    )
                } catch {
                    // A key that is a number takes no other value.
                    #expect(
                        ["id", "revision", "value", "name"].contains(column),
                        "\(table).\(column): \(error)"
                    )
                    continue
                }
                db.close()
                var proof = CaptureProof(StructureRedaction.Options())
                #expect(!proof.findings(in: file).isEmpty, "\(table).\(column) as \(type)")
            }
        }
        for sql in ["DELETE FROM exchange WHERE id > 2", "CREATE TABLE more(x)", "CREATE VIEW v AS SELECT 1"]
        {
            let file = directory.file("changed.sqlite")
            try? FileManager.default.removeItem(atPath: file)
            try FileManager.default.copyItem(atPath: clean, toPath: file)
            let db = try Database(path: file)
            try db.execute(sql)
            db.close()
            var proof = CaptureProof(StructureRedaction.Options())
            #expect(!proof.findings(in: file).isEmpty, "\(sql)")
        }
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: clean)))
        let gap = try #require(Data(bytes).range(of: Data(count: 4000)))
        bytes.replaceSubrange(gap.lowerBound + 100..<gap.lowerBound + 116, with: Array(Self.secret.utf8))
        let file = directory.file("gap.sqlite")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        var gapProof = CaptureProof(StructureRedaction.Options())
        #expect(gapProof.findings(in: file).contains { $0.fault == "bytes in free space" })
    }
}
