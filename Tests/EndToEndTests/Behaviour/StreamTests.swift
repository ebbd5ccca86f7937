import Foundation
import PinholeCrypto
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Programs that stream through the proxy in lock-step, and what the capture and the command say of it.
@Suite(
    "Streams",
    .serialized,
    .enabled(if: Executable.testPython != nil, "make test prepares the packages for Python")
)
struct StreamTests {
    /// What `pinhole flows show --json` says of an exchange.
    private struct Shown: Decodable {
        struct Stream: Decodable {
            struct Event: Decodable {
                var type: String
                var data: String?
                var id: String?
            }
            struct Note: Decodable, Equatable {
                var text: String?
                var number: Int?
                var someReadings: [Int]?
                var kind: String?
                var counts: [String: String]?
                var at: String?
                var raw: String?
            }
            struct Message: Decodable {
                var sender: String
                var kind: String
                var milliseconds: Double
                var isComplete: Bool
                var compression: String?
                var event: Event?
                var json: [String: Int]?
                var protobuf: Note?
                var text: String?
            }
            struct Status: Decodable {
                struct Details: Decodable {
                    struct Detail: Decodable {
                        var typeURL: String
                        var protobuf: Note?
                    }
                    var code: Int
                    var message: String
                    var details: [Detail]
                }
                var name: String?
                var message: String?
                var details: Details?
            }
            var messages: [Message]
            var leftOut: Int
            var troubles: [String]
            var grpcStatus: Status?
        }
        var stream: Stream?
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Clients")

    /// Runs a program of Tests/Clients that is server and client, through the proxy of a stage.
    private static func run(
        _ program: String,
        _ words: [String],
        isSecure: Bool = true,
        _ check: (Stage, String) async throws -> Void
    ) async throws {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let made = try OriginAuthorityMaker.make(try Authority("streams.example.test:443").host, now: now)
        var setup = Stage.Setup()
        setup.serverRoots = [made.root]
        try await Stage.run(setup) { stage in
            try await check(stage, try await run(program, words, isSecure ? made.identity : nil, stage))
        }
    }

    /// Runs a program through the proxy of a stage, and returns what it printed.
    static func run(
        _ program: String,
        _ words: [String],
        _ identity: Identity?,
        _ stage: Stage
    ) async throws -> String {
        var words = [folder.appendingPathComponent(program).path, "streams.example.test"] + words
        if let identity {
            words.append(try stage.directory.write(identity.chain.map(\.pem).joined(), to: "chain.pem"))
            words.append(try stage.directory.write(try identity.key.pem, to: "key.pem"))
        }
        let result = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.testPython),
                words,
                environment: [
                    "HTTPS_PROXY": "http://127.0.0.1:\(stage.port)", "NO_PROXY": "", "no_proxy": "",
                    "PINHOLE_CLIENT_CA": stage.authorityPath, "PYTHONDONTWRITEBYTECODE": "1",
                ],
                directory: stage.directory.path
            )
        )
        try #require(result.isSuccess, "\(result)")
        return result.text
    }

    private static func show(
        _ id: ExchangeID,
        _ stage: Stage,
        _ words: [String] = []
    ) async throws -> Shown.Stream {
        let result = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.pinhole),
                ["flows", "show", "\(id.rawValue)", "--json", "--capture", stage.capturePath] + words,
                directory: stage.directory.path
            )
        )
        try #require(result.isSuccess, "\(result)")
        let shown = try JSONDecoder().decode(Shown.self, from: Data(result.output))
        return try #require(shown.stream)
    }

    @Test(
        "each event and each line reaches the client before the next one is sent, and has its time",
        arguments: ["1", "2"]
    )
    func events(version: String) async throws {
        try await Self.run("event_stream.py", [version]) { stage, told in
            #expect(told == "5 5 5\n")
            let reader = try await stage.capture()
            let exchanges = try reader.exchanges(order: .oldestFirst, limit: 9)
            #expect(exchanges.map(\.path) == ["/events", "/lines", "/pauses"])
            #expect(exchanges.allSatisfy { $0.outcome == .completed })
            let record = try #require(try reader.exchange(exchanges[0].id))
            let startLine = String(decoding: record.response?.head.prefix(6) ?? [], as: UTF8.self)
            #expect(startLine == "HTTP/\(version)")
            let events = try await Self.show(exchanges[0].id, stage)
            #expect(events.messages.count == 6)
            let ticks = events.messages.compactMap(\.event).filter { $0.type == "tick" }
            #expect(ticks.map(\.data) == (0..<5).map { "first \($0)\nsecond" })
            #expect(ticks.map(\.id) == (0..<5).map { "\($0)" })
            let lines = try await Self.show(exchanges[1].id, stage)
            #expect(lines.messages.map(\.json) == (0..<5).map { ["line": $0] })
            for stream in [events, lines] {
                #expect(stream.messages.allSatisfy { $0.sender == "server" && $0.isComplete })
                let times = stream.messages.map(\.milliseconds)
                // Lock-step: each one went to the client and back before the next.
                #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
                #expect(Set(times).count >= 4, "\(times)")
            }
            let pauses = try await Self.show(exchanges[2].id, stage)
            #expect(pauses.messages.count >= 4 && pauses.messages.allSatisfy { $0.kind == "piece" })
            #expect(pauses.messages.compactMap(\.text).joined().hasSuffix(#", {"row": 4}]}"#))
            #expect((pauses.messages.last?.milliseconds ?? 0) >= 600)
        }
    }

    /// What `pinhole flows export --har - --proto` writes.
    private struct Archive: Decodable {
        struct Log: Decodable {
            struct Entry: Decodable {
                enum CodingKeys: String, CodingKey {
                    case stream = "_stream"
                }
                var stream: Shown.Stream?
            }
            var entries: [Entry]
        }
        var log: Log
    }

    private static func checkExport(_ stage: Stage, _ note: Shown.Stream.Note) async throws {
        let result = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.pinhole),
                [
                    "flows", "export", "--har", "-", "--capture", stage.capturePath, "--proto",
                    stage.directory.file("notes.pb"),
                ],
                directory: stage.directory.path
            )
        )
        try #require(result.isSuccess, "\(result)")
        let archive = try JSONDecoder().decode(Archive.self, from: Data(result.output))
        #expect(archive.log.entries.count == 59 && archive.log.entries.allSatisfy { $0.stream != nil })
        #expect(archive.log.entries.first?.stream?.messages.map(\.protobuf) == [note, note])
    }

    @Test("calls of gRPC of every kind pass, with metadata, trailers and errors", arguments: [true, false])
    func calls(isSecure: Bool) async throws {
        try await Self.run("grpc_calls.py", ["notes.pb"], isSecure: isSecure) { stage, told in
            #expect(told == "unary up down both large compressed fail missing late many\n")
            let reader = try await stage.capture()
            let exchanges = try reader.exchanges(order: .oldestFirst, limit: 100)
            #expect(exchanges.count == 59)
            #expect(exchanges.allSatisfy { $0.scheme == (isSecure ? .https : .http) })
            // Where the client waits no longer, it may have gone before the server says so.
            let answered = exchanges.filter { !$0.path.hasSuffix("/Wait") }
            #expect(answered.count == 58 && answered.allSatisfy { $0.status == 200 })
            let found = { (place: Int) in
                try await Self.show(
                    exchanges[place].id,
                    stage,
                    ["--proto", stage.directory.file("notes.pb")]
                )
            }
            let unary = try await found(0)
            var note = Shown.Stream.Note(
                text: "tea",
                number: -7,
                someReadings: [-1, 2, -300],
                kind: "URGENT"
            )
            note.counts = ["cups": "1099511627776"]
            note.at = "2026-01-31T12:00:00.125Z"
            note.raw = "/wA="
            #expect(unary.messages.map(\.protobuf) == [note, note])
            #expect(unary.messages.map(\.sender) == ["client", "server"])
            #expect(unary.grpcStatus?.name == "OK")
            let both = try await found(3)
            #expect(both.messages.map(\.sender) == (0..<5).flatMap { _ in ["client", "server"] })
            #expect(both.messages.map { $0.protobuf?.text }.prefix(2) == ["both 0", "again both 0"])
            #expect(try await found(1).messages.count == 6)
            #expect(try await found(2).messages.count == 6)
            #expect(try await found(5).messages.first?.compression == "gzip")
            let failed = try await found(6)
            #expect(failed.grpcStatus?.name == "FAILED_PRECONDITION")
            #expect(failed.grpcStatus?.message == "nö: 50% of\nit")
            let details = try #require(failed.grpcStatus?.details)
            #expect(details.code == 9 && details.message == "gone")
            #expect(details.details.map(\.typeURL) == ["type.googleapis.com/pinhole.test.Note"])
            #expect(details.details.first?.protobuf == Shown.Stream.Note(text: "why", number: 1))
            try await Self.checkExport(stage, note)
            #expect(try await found(7).grpcStatus?.name == "UNIMPLEMENTED")
            let record = try #require(try reader.exchange(exchanges[0].id))
            let trailers = HeaderFields(section: record.response?.trailers ?? [])
            #expect(trailers.first("x-last") == "three" && trailers.first("x-last-bin") == "AP8")
            #expect(record.response?.fields.all("x-first").joined(separator: ", ") == "one, two")
        }
    }
}
