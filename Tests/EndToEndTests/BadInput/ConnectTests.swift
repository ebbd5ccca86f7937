import PinholeLab
import Testing

@Suite("Bad CONNECT", .serialized)
struct ConnectTests {
    /// What is no CONNECT that could be followed, and no other request either.
    private static let malformed: [String] = [
        "CONNECT\r\n\r\n",
        "CONNECT \r\n\r\n",
        "CONNECT  HTTP/1.1\r\nHost: a\r\n\r\n",
        "CONNECT shop.example.test HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT shop.example.test: HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT shop.example.test:0 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT shop.example.test:65536 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT shop.example.test:99999999999999999999 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT shop.example.test:-1 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT shop.example.test:+443 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT shop.example.test:4 43 HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT shop.example.test:https HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "CONNECT :443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT [::1 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT [::1]443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT [::1%25eth0]:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT ::1:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT user@shop.example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT user:secret@shop.example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT https://shop.example.test:443/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop.example.test:443/path HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop.example.test:443?a HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop.example.test:443#a HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT /shop.example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT * HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT sh%6fp.example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop..example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop.exa\u{0}mple.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop.exa\tmple.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT caf\u{e9}.example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT \(String(repeating: "a", count: 64)).test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT \(String(repeating: "a.", count: 200))test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.1 \r\nHost: x\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.x\r\nHost: x\r\n\r\n",
        "CONNECT shop.example.test:443 http/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop.example.test:443\r\nHost: x\r\n\r\n",
        " CONNECT shop.example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT\tshop.example.test:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.1\r\nHost : x\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.1\r\n Host: x\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.1\r\nno colon\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.1\r\nA: b\u{0}\r\n\r\n",
        "CONNECT shop.example.test:443 HTTP/1.1\r\nA: b\rc\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET ftp://shop.example.test/ HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "GET http:///path HTTP/1.1\r\nHost: shop.example.test\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "GIBBERISH\r\n\r\n",
    ]

    @Test("a malformed CONNECT is answered with 400 and a reason, and no server is dialed")
    func malformed() async throws {
        try await Stage.run { stage in
            for request in Self.malformed {
                let (response, isEnded) = try await blocking {
                    let client = try Connection(to: stage.port)
                    try client.send(request)
                    let response = try client.readResponse()
                    return (response, try client.readToEnd().isEmpty)
                }
                #expect(
                    response.status == 400,
                    "\(request.debugDescription) was answered with \(response.head)"
                )
                #expect(response.field("content-type")?.hasPrefix("text/plain") == true)
                #expect(!response.text.isEmpty)
                #expect(isEnded)
            }
            #expect(stage.origin.acceptedCount == 0)
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a version that is not spoken is answered with 505 or 400")
    func versions() async throws {
        try await Stage.run { stage in
            for version in ["HTTP/2.0", "HTTP/0.9", "HTTP/3"] {
                let status = try await blocking {
                    let client = try Connection(to: stage.port)
                    try client.send("CONNECT shop.example.test:443 \(version)\r\nHost: x\r\n\r\n")
                    return try client.readResponse().status
                }
                #expect([400, 505].contains(status), "\(version): \(status)")
            }
            try await stage.expectAlive()
            await stage.stop()
        }
    }

    @Test("a CONNECT that is cut off at any byte leaves nothing behind")
    func cutOff() async throws {
        try await Stage.run { stage in
            let head = Array("CONNECT \(stage.authority) HTTP/1.1\r\nHost: \(stage.authority)\r\n\r\n".utf8)
            try await blocking {
                for count in 0..<head.count {
                    let client = try Connection(to: stage.port)
                    try client.send(Array(head.prefix(count)))
                    if count.isMultiple(of: 2) {
                        client.finishSending()
                        _ = try client.readToEnd()
                    } else {
                        client.reset()
                    }
                }
            }
            #expect(stage.origin.acceptedCount == 0)
            try await stage.expectAlive()
            await stage.stop()
        }
    }
}
