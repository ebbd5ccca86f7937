import PinholeModel
import PinholeStore
import Testing

@Suite("Smuggling", .serialized)
struct SmugglingTests {
    /// Field lines and bodies that two parsers may read differently; `$H` is the Host line.
    private static let ambiguous: [String] = [
        "POST $T HTTP/1.1\r\n$HContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST $T HTTP/1.1\r\n$HTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
        "POST $T HTTP/1.1\r\n$HContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
        "POST $T HTTP/1.1\r\n$HContent-Length: 4, 5\r\n\r\nabcde",
        "POST $T HTTP/1.1\r\n$HContent-Length: +4\r\n\r\nabcd",
        "POST $T HTTP/1.1\r\n$HContent-Length: -4\r\n\r\nabcd",
        "POST $T HTTP/1.1\r\n$HContent-Length: 0x4\r\n\r\nabcd",
        "POST $T HTTP/1.1\r\n$HContent-Length: 4 4\r\n\r\nabcd",
        "POST $T HTTP/1.1\r\n$HContent-Length:\r\n\r\n",
        "POST $T HTTP/1.1\r\n$HContent-Length: 99999999999999999999\r\n\r\n",
        "POST $T HTTP/1.1\r\n$HContent-Length : 4\r\n\r\nabcd",
        "POST $T HTTP/1.1\r\n$HTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "POST $T HTTP/1.1\r\n$HTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "POST $T HTTP/1.1\r\n$HTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST $T HTTP/1.1\r\n$HTransfer-Encoding: \u{b}chunked\r\n\r\n0\r\n\r\n",
        "POST $T HTTP/1.0\r\n$HTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST $T HTTP/1.1\r\n$HTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
        "GET $T HTTP/1.1\r\n$HX: a\r\n folded\r\n\r\n",
        "GET $T HTTP/1.1\r\n$HX: a\u{0}b\r\n\r\n",
        "GET $T HTTP/1.1\r\n$HX: a\rb\r\n\r\n",
        "GET $T HTTP/1.1\r\n$HX: a\nContent-Length: 4\r\n\r\nabcd",
        "GET $T HTTP/1.1\r\n$H\u{0}X: a\r\n\r\n",
        "GET $T HTTP/1.1\r\n$HX y: a\r\n\r\n",
        "GET $T HTTP/1.1\r\n$H: a\r\n\r\n",
        "GET $T HTTP/1.1\r\n$Hnothing\r\n\r\n",
        "GET $T HTTP/1.1\r\n$HHost: other.example.test\r\n\r\n",
        "GET $T HTTP/1.1\r\n\r\n",
        "GET $T  HTTP/1.1\r\n$H\r\n",
        "GET\u{b}$T HTTP/1.1\r\n$H\r\n",
        "G(T $T HTTP/1.1\r\n$H\r\n",
    ]

    /// Chunked bodies that are wrong only after the head was sent on.
    private static let brokenChunks: [String] = [
        "4\nabcd\r\n0\r\n\r\n",
        "4\r\nabcde\r\n0\r\n\r\n",
        "g\r\n",
        "-1\r\n",
        "0x4\r\nabcd\r\n0\r\n\r\n",
        "4 \r\r\nabcd\r\n0\r\n\r\n",
        "10000000000000000\r\n",
        "4;\u{0}\r\nabcd\r\n0\r\n\r\n",
        "\r\nabcd\r\n0\r\n\r\n",
        "0\r\nX y: 1\r\n\r\n",
    ]

    private static func fill(_ text: String, target: String, host: String) -> [UInt8] {
        let lines: [(String, String)] = [("$T", target), ("$H", "Host: \(host)\r\n")]
        return lines.reduce(Array(text.utf8)) { bytes, pair in
            String(decoding: bytes, as: UTF8.self).components(pair.0).joined(pair.1)
        }
    }

    @Test("an ambiguous request is refused with 400 and never forwarded", arguments: [true, false])
    func ambiguous(isSecure: Bool) async throws {
        try await Stage.run { stage in
            for text in Self.ambiguous {
                let response = try await blocking {
                    let client = try isSecure ? stage.tunnel() : Connection(to: stage.port)
                    let host = isSecure ? "shop.example.test" : "shop.example.test:\(stage.plainPort)"
                    let target = isSecure ? "/echo" : "http://\(host)/echo"
                    try client.send(Self.fill(text, target: target, host: host))
                    return try client.readResponse()
                }
                #expect(response.status == 400, "\(text.debugDescription) was answered with \(response)")
            }
            try await stage.expectAlive()
            let exchanges = try await stage.capture().exchanges(limit: 1000)
            #expect(exchanges.filter { $0.status == 200 }.map(\.path) == ["/json"])
        }
    }

    @Test("a chunk that is none ends both connections, and the server never sees a whole request")
    func chunks() async throws {
        try await Stage.run { stage in
            for body in Self.brokenChunks {
                let rest = try await blocking {
                    let client = try stage.tunnel()
                    try client.send(
                        "POST /echo HTTP/1.1\r\nHost: shop.example.test\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
                    )
                    return String(decoding: try client.readToEnd(), as: UTF8.self)
                }
                #expect(!rest.hasPrefix("HTTP/1.1 200"), "\(body.debugDescription) was answered with \(rest)")
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}

extension String {
    /// The parts between occurrences of `separator`.
    fileprivate func components(_ separator: String) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        let mark = Array(separator.utf8)
        var rest = Array(utf8)[...]
        while !rest.isEmpty {
            if rest.starts(with: mark) {
                rest = rest.dropFirst(mark.count)
                parts.append([])
            } else {
                parts[parts.count - 1].append(rest.removeFirst())
            }
        }
        return parts
    }
}

extension [[UInt8]] {
    /// The parts with `separator` between them.
    fileprivate func joined(_ separator: String) -> [UInt8] {
        [UInt8](self.joined(separator: [UInt8](separator.utf8)))
    }
}
