import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Rules on messages, and messages of the control API, with programs of others on both sides.
@Suite(
    "WebSocket rules",
    .serialized,
    .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python")
)
struct WebSocketRulesTests {
    private static let rules = #"""
        {"rules": [
          {"name": "secrets", "do": "dropMessage", "from": "client", "find": "^secret", "when": "path == /socket"},
          {"name": "costs", "do": "rewriteMessage", "from": "server", "find": "costs (\\d)$", "with": "costs ${1}00"},
          {"name": "hello", "do": "injectMessage", "to": "client", "text": "hello of the rule"},
          {"name": "ask", "do": "injectMessage", "to": "server", "text": "asked by the rule",
           "after": {"from": "client", "find": "^question$"}},
          {"name": "elsewhere", "do": "dropMessage", "when": "path == /other"}
        ]}
        """#

    private struct Told: Decodable { var got: Int }

    @Test(
        "drop, change and send messages, whatever compresses them",
        arguments: ["websockets", "wsproto", "streams"],
        ["none", "takeover", "reset"]
    )
    func rules(package: String, compression: String) async throws {
        let made = try WebSocketServers.identity()
        var setup = Stage.Setup()
        setup.serverRoots = [made.root]
        setup.configuration = Self.rules
        // In streams of HTTP/2 (RFC 8441) both sides are by the same packages.
        let other = ["websockets": "wsproto", "wsproto": "websockets"][package] ?? package
        try await Stage.run(setup) { stage in
            let console = try await stage.process.line(from: .errorOutput) {
                $0.contains("pinhole: console ")
            }
            let url = try #require(console.firstMatch(of: /http:\/\/[0-9.:]+\/\?token=[A-Za-z0-9_-]+/))
            let lines = try await WebSocketServers.run(
                "rules.py",
                [
                    "--client", package, "--server", other, "--compression", compression, "--console",
                    String(url.output),
                ],
                made.identity,
                stage
            )
            let told = try JSONDecoder().decode(Told.self, from: try #require(lines.first))
            #expect(told.got == 18)
            let reader = try await stage.capture()
            let exchange = try #require(try reader.exchanges(limit: 10).first)
            #expect(exchange.outcome == .completed && !exchange.notes.contains(.webSocketBroken))
            let inHTTP2 = try reader.flow(exchange.flow)?.serverHandshake?.applicationProtocol == "h2"
            #expect(inHTTP2 == (package == "streams") && (exchange.method == "CONNECT") == inHTTP2)
            let record = try #require(try reader.exchange(exchange.id))
            #expect(record.rules.map(\.rule) == ["secrets", "costs", "hello", "ask"])
            let entries = try WebSocketServers.entries(of: exchange.id, reader)
            #expect(entries.allSatisfy { $0.trouble == nil })
            let dropped = entries.filter { $0.message.notes == [.dropped] }
            #expect(dropped.count == 5 && dropped.filter { $0.message.sender == .client }.count == 2)
            #expect(dropped.first?.message.detail == "by the rule “secrets”")
            let own = entries.filter { $0.message.notes == [.injected] }
            #expect(own.count == 7, "\(own.map(\.message.detail))")
            #expect(entries.contains { $0.message.isCompressed } == (compression != "none"))
        }
    }
}
