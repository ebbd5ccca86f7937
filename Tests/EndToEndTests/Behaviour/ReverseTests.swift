import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// Listeners that stand before a server, with curl as its client.
@Suite("Reverse", .serialized)
struct ReverseTests {
    /// A stage whose proxy stands before the origin, too.
    private static func setup(_ mode: String, _ scheme: String, _ more: String = "") -> Stage.Setup {
        .before(more) { origin in
            let port = (scheme == "https" ? origin.secureAddress : origin.plainAddress).port
            return "\(mode):\(scheme)://shop.example.test:\(port)"
        }
    }

    @Test(
        "sends all of a long upload over HTTP/2 to a server of HTTP/1.1 that is slow to read it",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed")
    )
    func upload() async throws {
        let length = 12_000_000
        let raw = try RawServer { connection, _ in
            _ = try connection.read(through: "\r\n\r\n")
            var others = 0
            for _ in 0..<length / 60_000 {
                // Slower than it comes: each byte is looked at.
                for byte in try connection.read(60_000) where byte != 0x61 { others += 1 }
            }
            let answer = others == 0 ? "all" : "bad"
            try connection.send(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\n\(answer)"
            )
        }
        let files = try TemporaryDirectory()
        try files.write(String(repeating: "a", count: length), to: "upload")
        try await Stage.run(.before { _ in "reverse:http://127.0.0.1:\(raw.port)" }) { stage in
            let url = "https://127.0.0.1:\(try await stage.portBeforeServer())/x"
            for _ in 1...6 {
                let answer = try await stage.askDirectly("--http2", "-T", "\(files.path)/upload", url)
                #expect(answer == "all 200")
            }
        }
    }

    @Test("allows WebSockets in its first SETTINGS if its server does", arguments: [true, false])
    func extendedConnect(isAllowed: Bool) async throws {
        // SETTINGS_ENABLE_CONNECT_PROTOCOL is 8 (RFC 8441 §3).
        let entry: [UInt8] = isAllowed ? [0, 8, 0, 0, 0, 1] : []
        let raw = try RawServer { connection, _ in
            try connection.send([0, 0, UInt8(entry.count), 4, 0, 0, 0, 0, 0] + entry)
            _ = try connection.readToEnd()
        }
        try await Stage.run(.before { _ in "reverse:h2c://127.0.0.1:\(raw.port)" }) { stage in
            let port = try await stage.portBeforeServer()
            let first = try await blocking {
                let client = try Connection(to: port)
                try client.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
                let head = try client.read(9)
                #expect(head[3] == 4)
                let settings = try client.read(Int(head[1]) << 8 | Int(head[2]))
                client.close()
                return settings
            }
            let entries = stride(from: 0, to: first.count, by: 6).map { Array(first[$0..<$0 + 6]) }
            #expect(entries.contains([0, 8, 0, 0, 0, 1]) == isAllowed, "\(entries)")
            await stage.stop()
        }
    }

    @Test(
        "takes TLS and plain HTTP, and asks the server in its scheme",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed"),
        arguments: [
            ("https", "--http1.1"), ("https", "--http2"), ("http", "--http1.1"), ("http", "--http2"),
        ]
    )
    func asks(scheme: String, version: String) async throws {
        try await Stage.run(Self.setup("reverse", scheme)) { stage in
            let port = try await stage.portBeforeServer()
            let origin = scheme == "https" ? stage.securePort : stage.plainPort
            for front in ["https://127.0.0.1:\(port)", "http://127.0.0.1:\(port)"] {
                let text = try await stage.askDirectly(version, "-d", "ping", "\(front)/echo?a=1")
                #expect(text.hasSuffix(" 200"), "\(text)")
                #expect(text.contains("\"shop.example.test:\(origin)\""), "\(text)")
                #expect(text.contains("/echo?a=1"))
            }
            let named = try await stage.askDirectly(
                version,
                "--resolve",
                "front.test:\(port):127.0.0.1",
                "https://front.test:\(port)/json"
            )
            #expect(named.contains("teapot"), "\(named)")
            let capture = try await stage.capture()
            let exchanges = try capture.exchanges(limit: 10)
            #expect(exchanges.count == 3)
            #expect(exchanges.allSatisfy { $0.url.hasPrefix("\(scheme)://shop.example.test:\(origin)/") })
            #expect(try capture.flows(limit: 10).allSatisfy { $0.listenerKind == .reverse })
        }
    }

    @Test(
        "lets the server see the client's own Host where that is wanted, and obeys rules",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed")
    )
    func keepsHost() async throws {
        let rules =
            #", "rules": [{"do": "mock", "when": "~d shop.example.test & path == /tea", "status": 418}]"#
        try await Stage.run(Self.setup("reverse-keep-host", "https", rules)) { stage in
            let port = try await stage.portBeforeServer()
            let text = try await stage.askDirectly("http://127.0.0.1:\(port)/echo")
            #expect(text.contains("\"127.0.0.1:\(port)\""), "\(text)")
            #expect(try await stage.askDirectly("http://127.0.0.1:\(port)/tea") == " 418")
        }
    }

    @Test("refuses CONNECT with 405, while the proxy listener beside it works")
    func others() async throws {
        try await Stage.run(Self.setup("reverse", "https")) { stage in
            let port = try await stage.portBeforeServer()
            let answer = try await blocking {
                let connection = try Connection(to: port)
                try connection.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
                return try connection.readResponse()
            }
            #expect(answer.status == 405)
            try await stage.expectAlive()
        }
    }

    @Test(
        "presents the configured certificate, and warns if it has expired",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed"),
        arguments: [false, true]
    )
    func given(isExpired: Bool) async throws {
        let certificates = #", "proxy": {"certificates": [{"file": "chain.pem", "keyFile": "key.pem"}]}"#
        var setup = Self.setup("reverse", "https")
        let prepare = setup.prepare
        setup.prepare = { origin, directory in
            try prepare?(origin, directory)
            let name = isExpired ? VirtualHost.expired : VirtualHost.shop
            let now = LoopClock().now()
            let host = try #require(VirtualHost.standard(now: now).first { $0.name == name })
            let identity = try origin.authority.identity(for: host, now: now)
            try directory.write(identity.chain.map(\.pem).joined(), to: "chain.pem")
            try directory.write(identity.key.pem, to: "key.pem")
            let text = String(decoding: try directory.read("reverse.json"), as: UTF8.self)
            let listen = text.dropFirst(#"{"proxy": {"#.count)
            let given = certificates.dropFirst(#", "proxy": {"#.count).dropLast()
            try directory.write(#"{"proxy": {"# + given + ", " + listen, to: "reverse.json")
        }
        try await Stage.run(setup) { stage in
            let port = try await stage.portBeforeServer()
            let words = [
                "--cacert", stage.directory.file("servers.pem"), "--resolve",
                "shop.example.test:\(port):127.0.0.1",
                "https://shop.example.test:\(port)/json",
            ]
            let result = try await ProcessRunner.run(Invocation("curl", ["-sS", "--noproxy", "*"] + words))
            #expect(result.isSuccess != isExpired, "\(result)")
            if !isExpired { #expect(result.text.contains("teapot"), "\(result)") }
            guard isExpired else { return }
            _ = try await stage.process.line(from: .errorOutput) {
                $0.contains("warning: the listener's certificate") && $0.contains("expired on")
            }
        }
    }

    @Test("a server whose certificate is bad gets no request")
    func badCertificate() async throws {
        var setup = Self.setup("reverse", "https")
        let prepare = setup.prepare
        setup.prepare = { origin, directory in
            try prepare?(origin, directory)
            let path = directory.file("reverse.json")
            let text = String(decoding: try directory.read("reverse.json"), as: UTF8.self)
            try text.replacing("shop.example.test", with: "other.test").write(
                toFile: path,
                atomically: true,
                encoding: .utf8
            )
        }
        try await Stage.run(setup) { stage in
            let port = try await stage.portBeforeServer()
            let text = try await stage.askDirectly("http://127.0.0.1:\(port)/json")
            #expect(text.hasSuffix(" 502") && !text.contains("teapot"), "\(text)")
        }
    }
}
