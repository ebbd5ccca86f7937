import Foundation
import PinholeFilter
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite(
    "WebSocket",
    .serialized,
    .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python")
)
struct WebSocketTests {
    /// Which packages speak, and how messages are compressed.
    struct Pair: Sendable, CustomTestStringConvertible {
        var client: String
        var server: String
        var compression: String
        var isLarge = false
        var testDescription: String {
            "\(client) to \(server), compression \(compression)\(isLarge ? ", 16 MiB" : "")"
        }
    }

    private static let packages = ["websockets", "wsproto"]
    private static let pairs =
        packages.flatMap { client in
            packages.flatMap { server in
                ["none", "takeover", "reset"].map { Pair(client: client, server: server, compression: $0) }
            }
        } + [
            Pair(client: "websockets", server: "wsproto", compression: "none", isLarge: true),
            Pair(client: "wsproto", server: "websockets", compression: "takeover", isLarge: true),
        ]

    /// One connection, as conformance.py tells it.
    private struct Told: Decodable {
        var client: [WebSocketServers.Told]
        var server: [WebSocketServers.Told]
        var code: UInt16
        var reason: String?
        var closer: String
    }

    @Test("messages of two WebSocket programs pass unchanged and are recorded", arguments: pairs)
    func conformance(pair: Pair) async throws {
        let made = try WebSocketServers.identity()
        var setup = Stage.Setup()
        setup.serverRoots = [made.root]
        try await Stage.run(setup) { stage in
            let words = [
                "--client", pair.client, "--server", pair.server, "--compression", pair.compression,
            ]
            let lines = try await WebSocketServers.run(
                "conformance.py",
                words + (pair.isLarge ? ["--large"] : []),
                made.identity,
                stage
            )
            let told = try lines.map { try JSONDecoder().decode(Told.self, from: $0) }
            #expect(told.count == 9)
            let reader = try await stage.capture()
            let exchanges = try reader.exchanges(order: .oldestFirst, limit: 100)
            try #require(exchanges.count == told.count)
            for (exchange, told) in zip(exchanges, told) {
                let entries = try WebSocketServers.entries(of: exchange.id, reader)
                #expect(exchange.notes.contains(.webSocket) && !exchange.notes.contains(.webSocketBroken))
                #expect(exchange.outcome != nil && exchange.messages == Int64(entries.count))
                #expect(WebSocketServers.told(entries, from: .client) == told.client)
                #expect(WebSocketServers.told(entries, from: .server) == told.server)
                #expect(entries.allSatisfy { $0.trouble == nil && $0.message.notes.isEmpty })
                Self.checkClose(entries, told)
            }
            try Self.checkFirst(try WebSocketServers.entries(of: exchanges[0].id, reader), pair)
        }
    }

    private static func checkClose(_ entries: [WebSocketTranscript.Entry], _ told: Told) {
        let close = entries.first { $0.message.kind == .close }?.message
        #expect(close?.sender.rawValue == told.closer && close?.closeCode == told.code)
        if let reason = told.reason { #expect(close?.closeReason ?? "" == reason) }
    }

    /// The conversation has fragments, control frames, and where it was agreed upon compressed messages.
    private static func checkFirst(_ entries: [WebSocketTranscript.Entry], _ pair: Pair) throws {
        let messages = entries.map(\.message)
        for side in [Side.client, .server] {
            let ofSide = messages.filter { $0.sender == side }
            #expect(ofSide.contains { $0.kind == .pong } && ofSide.contains { $0.kind == .close })
            #expect(ofSide.contains { $0.frames > 1 })
            #expect(ofSide.contains(where: \.isCompressed) == (pair.compression != "none"))
        }
        #expect(messages.contains { $0.kind == .ping && $0.length == 125 })
        #expect(messages.map(\.started) == messages.map(\.started).sorted())
        #expect(messages.allSatisfy { $0.isComplete && !$0.isTruncated })
    }

    /// What the server makes of a fault, as faults.py tells it.
    private struct Fault: Decodable {
        var fault: String
        var code: Int?
    }

    @Test(
        "frames that break the protocol are forwarded unchanged and recorded with the fault",
        arguments: packages
    )
    func faults(server: String) async throws {
        let made = try WebSocketServers.identity()
        var setup = Stage.Setup()
        setup.serverRoots = [made.root]
        try await Stage.run(setup) { stage in
            let lines = try await WebSocketServers.run(
                "faults.py",
                ["--server", server],
                made.identity,
                stage
            )
            let faults = try lines.map { try JSONDecoder().decode(Fault.self, from: $0) }
            #expect(faults.count == 15)
            try await stage.expectAlive()
            let reader = try await stage.capture()
            for fault in faults { try Self.check(fault, reader) }
        }
    }

    private static func check(_ fault: Fault, _ reader: CaptureReader) throws {
        let filter = ExchangeFilter(Filter(.text(.url, .contains("/\(fault.fault)"))))
        let exchange = try #require(try reader.exchanges(filter, limit: 1).first, "\(fault)")
        #expect(exchange.outcome != nil && exchange.status == 101)
        let messages = try WebSocketServers.entries(of: exchange.id, reader).map(\.message)
        let unread = messages.first { $0.sender == .client && $0.kind == .unread }
        switch fault.fault {
        case "invalidText":
            #expect(fault.code == 1007)
            #expect(messages.first?.notes == [.invalidText] && messages.first?.isComplete == true)
            #expect(!exchange.notes.contains(.webSocketBroken) && messages.last?.closeCode == 1007)
        case "abruptInMessage", "abruptInFrame":
            #expect(messages.first?.isComplete == false && messages.first?.length ?? 0 > 0)
            #expect(!exchange.notes.contains(.webSocketBroken))
        case "abruptInHeader":
            #expect(unread?.inline == [0x82] && !exchange.notes.contains(.webSocketBroken))
        default:
            #expect(
                fault.fault == "abruptBadLength"
                    || fault.code == (fault.fault == "badCloseReason" ? 1007 : 1002)
            )
            #expect(exchange.notes.contains(.webSocketBroken), "\(fault)")
            #expect(unread?.detail?.contains("RFC 6455 §") == true && unread?.length ?? 0 > 0, "\(fault)")
        }
    }
}
