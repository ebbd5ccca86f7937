import Foundation
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

/// Mutated messages: no trap, bounded memory, a typed error, and the same result however they are cut.
///
/// `PINHOLE_FUZZ_ROUNDS` makes it longer, `PINHOLE_FUZZ_SEED` different.
@Suite("HTTP1Fuzz")
struct HTTP1FuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let rounds = environment["PINHOLE_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 1500
    static let seed = environment["PINHOLE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

    private static let requests = [
        "GET /a?b HTTP/1.1\r\nHost: example.com\r\nAccept: */*\r\nConnection: keep-alive, X-Own\r\nX-Own: 1\r\n\r\n",
        "POST http://a:80/ HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        """
        PUT / HTTP/1.1\r\nHost: [::1]:8080\r\nTransfer-Encoding: chunked\r\n\r\n\
        5;a=b\r\nhello\r\n1;c="d"\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n
        """,
        "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nProxy-Authorization: Basic eA==\r\n\r\n",
        "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "OPTIONS * HTTP/1.0\r\nTE: trailers\r\nConnection: TE\r\n\r\n",
    ]
    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nAlt-Svc: h3\r\n\r\nhello",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.0 404 Not Found\r\nConnection: close\r\n\r\nuntil the end",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\nETag: \"x\"\r\n\r\n",
        "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        "http/1.1  200 O\rK\nA : b\r\n c\r\nB\u{fc}: d\r\nContent-Length: 3, 3\n\nabc",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: identity, chunked\r\nTransfer-Encoding: chunked\r\n\r\n3 \nabc\n0\nX: y\n z\n\n",
    ]
    private static let pieces = [
        "\r\n", "\n", "\r", "\0", " ", "\t", ":", ",", ";", "0", "9", "f", "\r\n\r\n",
        "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "Connection: close\r\n", "HTTP/1.0", "\u{fc}",
        "\u{7f}", "0\r\n",
        "Connection: Host, TE, X-Own\r\n", "7fffffffffffffff", "18446744073709551616", "http://", "/", "?",
        "#",
    ]
    /// Without CONNECT, whose answers may carry framing fields that are ignored and not forwarded.
    private static let methods = ["GET", "HEAD", "GET", "POST", "GET", "GET"]

    private static func mutated(_ corpus: [String], _ random: inout SeededRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            bytes += Array((corpus.randomElement(using: &random) ?? "").utf8)
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, index + Int.random(in: 1...12, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
            case 3: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
            case 4: bytes.removeSubrange(index...)
            default:
                bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: index)
            }
        }
        return bytes
    }

    @Test("reads mutated messages the same however they are cut", arguments: [false, true])
    func reading(isResponse: Bool) throws {
        var random = SeededRandom(seed: Self.seed)
        for round in 0..<Self.rounds {
            let bytes = Self.mutated(isResponse ? Self.responses : Self.requests, &random)
            let methods = isResponse ? Self.methods : nil
            let whole = ReaderRun(bytes, chunk: max(bytes.count, 1), methods: methods)
            for chunk in [1, Int.random(in: 2...20, using: &random)] {
                let run = ReaderRun(bytes, chunk: chunk, methods: methods)
                try #require(
                    run.items == whole.items && run.failure == whole.failure,
                    "seed \(Self.seed), round \(round), chunk \(chunk): \(HTTP1Failure.excerpt(bytes))"
                )
            }
            for head in whole.requests { try Self.checkForwarding(of: head) }
            for head in whole.responses { try Self.checkForwarding(of: head) }
        }
    }

    /// What the reader accepts, the writer can write, and the next reader sees the same message in it.
    private static func checkForwarding(of head: RequestHead) throws {
        var output = ByteQueue()
        try HTTP1Writer.write(request: head, host: "added", into: &output)
        let once = output.prefix()
        let run = ReaderRun(once, chunk: 4096)
        let again = try #require(run.requests.first, "\(run.failure?.detail ?? "")")
        #expect(again.method == head.method && again.framing == head.framing && again.version == head.version)
        #expect(head.method == "CONNECT" || again.target.path == head.target.path)
        #expect(again.upgrade == head.upgrade)
        output.removeAll()
        try HTTP1Writer.write(request: again, into: &output)
        #expect(output.prefix() == once)
    }

    private static func checkForwarding(of head: ResponseHead) throws {
        var output = ByteQueue()
        let closing = head.framing == .untilClose
        try HTTP1Writer.write(response: head, closing: closing, into: &output)
        let once = output.prefix()
        let method = head.framing == .none && head.status >= 200 ? "HEAD" : "GET"
        let run = ReaderRun(once, chunk: 4096, methods: [method])
        let again = try #require(run.responses.first, "\(run.failure?.detail ?? "")")
        #expect(again.notes.isEmpty, "what is sent on needs no second reading: \(again.notes)")
        #expect(again.status == head.status && again.framing == head.framing && again.reason == head.reason)
        output.removeAll()
        try HTTP1Writer.write(response: again, closing: closing, into: &output)
        #expect(output.prefix() == once)
    }

    @Test("reads noise without a trap")
    func noise() {
        var random = SeededRandom(seed: Self.seed)
        for _ in 0..<Self.rounds {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(ReaderRun(bytes, chunk: 5).ends == 0)
            _ = ReaderRun(Array("HTTP/1.1 200\r\n".utf8) + bytes, chunk: 5, methods: ["GET"])
            _ = ClientHello.peek(bytes[...])
            _ = ClientHello.peek([22, 3, 1, 0, 70, 1, 0, 0, 66] + bytes)
        }
    }

    @Test("a long head that arrives byte by byte takes linear work")
    func linear() throws {
        var reader = HTTP1Reader(reading: .requests, limits: Limits())
        var input = ByteQueue()
        let head = "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 200_000))\r\n\r\n"
        // Quadratic work would be 20 billion looks, which no test run survives.
        for byte in head.utf8.dropLast() {
            input.append(byte)
            #expect(try reader.next(&input) == nil)
        }
        input.append(0x0a)
        #expect(try reader.next(&input) != nil)
    }
}
