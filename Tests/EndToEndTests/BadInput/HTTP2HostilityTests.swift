import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Peers that break the rules of HTTP/2, over real sockets, on both sides of the proxy.
@Suite(
    "HTTP/2 hostility",
    .serialized,
    .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python")
)
struct HTTP2HostilityTests {
    /// What the cases of both programs tell.
    private protocol Played: Decodable, Sendable {
        var section: String { get }
        var `case`: String { get }
        var expected: String { get }
        var got: String { get }
        /// The client's.
        var port: Int { get }
        /// In KiB.
        var growth: Int { get }
    }

    /// A case of hostile_client.py.
    private struct ClientCase: Played {
        var section: String
        var `case`: String
        var expected: String
        var got: String
        var port: Int
        var isNeighbourWhole: Bool
        var otherResets: [Int]
        var growth: Int
    }

    /// A case of hostile_server.py.
    private struct ServerCase: Played {
        var section: String
        var `case`: String
        var expected: String
        var got: String
        var port: Int
        var neighbour: String
        var victim: String
        var growth: Int
    }

    /// What peers may make the proxy grow by: 100 streams that nobody reads hold 64 MiB.
    private static let growth = 96 << 10

    /// The flow of a client, and its exchanges.
    private struct Record {
        var flow: FlowRecord
        var exchanges: [ExchangeRecord]

        /// For a failed test: how all of it ended.
        var ends: String { "\(flow.outcome.map { "\($0)" } ?? "open"), \(exchanges.map(\.outcome))" }

        /// What is said of exchanges that a side broke off.
        func details(of side: Side) -> [String] {
            exchanges.compactMap {
                if case .aborted(by: side, let detail) = $0.outcome { detail } else { nil }
            }
        }

        /// What is said of exchanges that the proxy answered.
        var reasons: [String] {
            exchanges.compactMap { if case .answeredByProxy(let reason) = $0.outcome { reason } else { nil } }
        }
    }

    /// What the capture has of tunnels to `host`, by the clients' ports, oldest first.
    ///
    /// On the loopback Linux gives a port out again after a second (tcp_tw_reuse), so several clients have the same.
    private static func records(_ stage: Stage, _ host: String) async throws -> [Int: [Record]] {
        try await stage.expectAlive()
        let reader = try await stage.capture()
        let exchanges = Dictionary(grouping: try reader.exchanges(limit: .max), by: \.flow)
        let flows = try reader.flows(limit: .max).filter { $0.authority?.hasPrefix("\(host):") == true }
            .sorted { $0.id.rawValue < $1.id.rawValue }
        for flow in flows {
            #expect(flow.closed != nil && flow.outcome != nil)
            #expect(exchanges[flow.id, default: []].allSatisfy { $0.outcome != nil })
        }
        let records = flows.map { Record(flow: $0, exchanges: exchanges[$0.id] ?? []) }
        return Dictionary(grouping: records) { record in
            record.flow.client.split(separator: ":").last.flatMap { Int($0) } ?? 0
        }
    }

    /// Plays the cases of a program and checks what all of them have in common; `check` gets each with its record
    /// and the words of what was expected.
    private static func play<Case: Played>(
        _ program: String,
        count: Int,
        _ check: @Sendable (Case, Record, [Substring], Comment) -> Void
    ) async throws {
        let host = "hostile.example.test"
        try await HTTP2Programs.run(
            program,
            host: host
        ) { (stage, cases: [Case]) in
            #expect(cases.count == count)
            var records = try await Self.records(stage, host)
            for played in cases {
                let name = Comment(rawValue: "§\(played.section) \(played.case): \(played)")
                #expect(played.got == played.expected, name)
                #expect(Sanitizer.isPresent || played.growth < Self.growth, name)
                guard let record = records[played.port]?.first else {
                    Issue.record(name)
                    continue
                }
                records[played.port]?.removeFirst()
                check(played, record, played.expected.split(separator: " "), name)
            }
        }
    }

    @Test("of a client: the right code, a clear record, and other streams go on")
    func client() async throws {
        try await Self.play("hostile_client.py", count: 97) { (played: ClientCase, record, words, name) in
            if words.first == "connection" {
                #expect(!played.isNeighbourWhole, name)
                #expect(record.flow.outcome?.kind == .refused && record.flow.outcome?.fault == .client, name)
                #expect(record.flow.outcome?.detail.contains(words[1]) == true, name)
                #expect(record.details(of: .client).contains { $0.contains(words[1]) }, name)
            } else if words.first != "gone" {
                #expect(played.isNeighbourWhole && record.flow.outcome?.kind != .refused, name)
            }
            if words.first == "stream" {
                #expect(played.otherResets == [], name)
                #expect(record.details(of: .client).count == 1, name)
            }
        }
    }

    @Test("of a server: the right code, a clear answer, and other streams go on")
    func server() async throws {
        try await Self.play("hostile_server.py", count: 66) { (played: ServerCase, record, words, name) in
            switch words[0] {
            case "connection":
                #expect(played.neighbour == "502", name)
                // The victim's answer was whole before the frame that broke the rule.
                let isAnswered = played.case.hasSuffix(" after the end")
                #expect(
                    (isAnswered ? ["200"] : ["502", "reset INTERNAL_ERROR"]).contains(played.victim),
                    name
                )
                let said = record.reasons + record.details(of: .server)
                #expect(said.count == (isAnswered ? 1 : 2) && said.allSatisfy { $0.contains(words[1]) }, name)
            case "stream", "reset":
                #expect(played.neighbour == "200" && played.victim == "reset \(words[1])", name)
                #expect(record.details(of: .server).count == 1, "\(name): \(record.ends)")
            case "nothing":
                #expect(played.neighbour == "200" && played.victim == "200", name)
                #expect(record.exchanges.allSatisfy { $0.outcome == .completed }, name)
            default: #expect(played.neighbour == "nothing" && played.victim == "nothing", name)
            }
        }
    }
}
