import Foundation
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// Listeners that are a port of a server: what comes goes there, as in a tunnel.
@Suite("Forwarded ports", .serialized)
struct ForwardedPortTests {
    /// A stage whose second listener is the port of the origin that `port` tells.
    private static func setup(_ port: @escaping @Sendable (Origin) -> UInt16) -> Stage.Setup {
        .before { "reverse:tcp://shop.example.test:\(port($0))" }
    }

    @Test(
        "TLS is intercepted for every name",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed"),
        arguments: ["--http1.1", "--http2"]
    )
    func intercepted(version: String) async throws {
        try await Stage.run(Self.setup { $0.secureAddress.port }) { stage in
            let port = try await stage.portBeforeServer()
            let server = "shop.example.test:\(stage.securePort)"
            for front in ["127.0.0.1", "front.test", "shop.example.test"] {
                let text = try await stage.askDirectly(
                    version,
                    "--resolve",
                    "\(front):\(port):127.0.0.1",
                    "https://\(front):\(port)/json"
                )
                #expect(text.contains("teapot") && text.hasSuffix(" 200"), "\(front): \(text)")
            }
            let capture = try await stage.capture()
            #expect(
                try capture.exchanges(limit: 10).map(\.url)
                    == Array(repeating: "https://\(server)/json", count: 3)
            )
            for flow in try capture.flows(limit: 10) {
                #expect(flow.authority == server && flow.treatment == .intercepted)
                #expect(flow.listenerKind == .reverse)
            }
        }
    }

    @Test(
        "plain HTTP is read, and the server sees the Host that the client wrote",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed")
    )
    func plain() async throws {
        try await Stage.run(Self.setup { $0.plainAddress.port }) { stage in
            let port = try await stage.portBeforeServer()
            let text = try await stage.askDirectly("-d", "ping", "http://127.0.0.1:\(port)/echo")
            #expect(text.contains("\"127.0.0.1:\(port)\"") && text.hasSuffix(" 200"), "\(text)")
            let exchanges = try await stage.capture().exchanges(limit: 10)
            #expect(exchanges.map(\.url) == ["http://shop.example.test:\(stage.plainPort)/echo"])
        }
    }

    @Test("bytes that are neither TLS nor HTTP are relayed, whichever side sends first")
    func others() async throws {
        let raw = try RawServer { connection, _ in
            try connection.send("220 ready\r\n")
            let line = try connection.read(through: "\r\n")
            try connection.send("you said " + String(decoding: line, as: UTF8.self))
        }
        try await Stage.run(Self.setup { _ in raw.port }) { stage in
            let port = try await stage.portBeforeServer()
            let answer = try await blocking {
                let connection = try Connection(to: port)
                let greeting = try connection.read(through: "\r\n")
                try connection.send("HELO me\r\n")
                return try String(decoding: greeting + connection.read(through: "\r\n"), as: UTF8.self)
            }
            #expect(answer == "220 ready\r\nyou said HELO me\r\n")
            let flow = try #require(try await stage.capture().flows(limit: 10).first)
            #expect(flow.treatment == .opaque && flow.authority == "shop.example.test:\(raw.port)")
            #expect(flow.bytesFromClient == 9 && flow.bytesFromServer == 29, "\(flow)")
        }
    }

    @Test(
        "a request to a closed port gets a page with the reason",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed")
    )
    func gone() async throws {
        let refusing = try RawServer.refusing()
        try await Stage.run(Self.setup { _ in refusing.port }) { stage in
            let port = try await stage.portBeforeServer()
            let text = try await stage.askDirectly("http://127.0.0.1:\(port)/")
            #expect(text.hasSuffix(" 502") && text.contains("shop.example.test"), "\(text)")
            try await stage.expectAlive()
        }
    }
}
