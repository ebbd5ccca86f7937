import Foundation
import PinholeCrypto
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Captures as files of packets, and what Wireshark reads in them.
@Suite(
    "Packets",
    .serialized,
    .enabled(if: Executable.testPython != nil && Executable.find("tshark") != nil, "make test installs them")
)
struct PacketTests {
    /// The interfaces of a file.
    private enum Interface: Int {
        case decrypted, clientAndProxy, proxyAndServer
    }

    /// Reads a file with tshark.
    ///
    /// The contents of a connection decide about its protocol here.
    /// Wireshark would else ask its list of ports, which has some that the kernel chooses (44818 is EtherNet/IP's).
    private static func read(_ file: String, _ words: [String]) async throws -> String {
        let fixed = ["-n", "-r", file, "-o", "tcp.try_heuristic_first:TRUE"]
        let result = try await ProcessRunner.run(Invocation("tshark", fixed + words))
        try #require(result.isSuccess, "\(result)")
        return result.text
    }

    /// What tshark says of the packets that a filter selects: a list of values for each field.
    private static func fields(
        _ file: String,
        _ filter: String,
        _ names: [String],
        on interface: Interface = .decrypted
    ) async throws -> [[[String]]] {
        let filter = "frame.interface_id == \(interface.rawValue) && (\(filter))"
        let text = try await read(file, ["-Y", filter, "-T", "fields"] + names.flatMap { ["-e", $0] })
        return text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { value in
                value.split(separator: ",").map(String.init)
            }
        }
    }

    /// Makes traffic of every kind through one proxy.
    private static func makeTraffic(
        _ check: (Stage, CaptureReader, _ file: String) async throws -> Void
    ) async throws {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let streams = try OriginAuthorityMaker.make(try Authority("streams.example.test:443").host, now: now)
        let sockets = try WebSocketServers.identity()
        var setup = Stage.Setup()
        setup.serverRoots = [streams.root, sockets.root]
        setup.arguments = ["--keep-packets"]
        try await Stage.run(setup) { stage in
            try await blocking {
                for path in ["/json", "/bytes/300000", "/echo?a=%20b"] { _ = try stage.get(path) }
                let plain = try Connection(to: stage.port)
                try plain.send(
                    "POST http://shop.example.test:\(stage.plainPort)/echo HTTP/1.1\r\nHost: shop.example.test\r\nContent-Length: 5\r\n\r\nhello"
                )
                _ = try plain.readResponse()
            }
            _ = try await StreamTests.run("grpc_calls.py", ["notes.pb"], streams.identity, stage)
            _ = try await StreamTests.run("event_stream.py", ["1"], streams.identity, stage)
            let words = ["--client", "websockets", "--server", "websockets", "--compression", "takeover"]
            _ = try await WebSocketServers.run("conformance.py", words, sockets.identity, stage)
            let reader = try await stage.capture()
            let file = stage.directory.file("all.pcapng")
            let result = try await ProcessRunner.run(
                Invocation(
                    try #require(Executable.pinhole),
                    ["flows", "export", "--pcapng", file, "--capture", stage.capturePath],
                    directory: stage.directory.path
                )
            )
            try #require(result.isSuccess, "\(result)")
            try await check(stage, reader, file)
        }
    }

    @Test("tshark reads the same methods, paths, statuses, lengths and messages as were recorded")
    func mixed() async throws {
        try await Self.makeTraffic { stage, reader, file in
            let exchanges = try reader.exchanges(order: .oldestFirst, limit: 1000)
            #expect(exchanges.count > 60)
            let recorded = exchanges.map { "\($0.method) \($0.path)" }.sorted()
            #expect(try await Self.requests(file, on: .decrypted) == recorded)
            // What both sides of the proxy sent is decrypted by the secrets in the file.
            #expect(try await Self.requests(file, on: .proxyAndServer) == recorded)
            // Behind a CONNECT, Wireshark takes the whole connection of a WebSocket for frames, its request included.
            let client = try await Self.requests(file, on: .clientAndProxy)
            #expect(client == recorded.filter { $0 != "GET /socket" })

            let answers = try await Self.fields(
                file,
                "http.response || http2.headers.status",
                ["http.response.code", "http2.headers.status"]
            )
            let statuses = answers.flatMap { $0[0] + $0[1] }
            #expect(statuses.sorted() == exchanges.compactMap(\.status).map(String.init).sorted())

            try await Self.checkStreams(file, reader, exchanges)
            try await Self.checkPlain(file, stage, exchanges)
            try await Self.checkMessages(file, reader, exchanges)
        }
    }

    /// The methods and paths of the requests on an interface, without the opening of tunnels.
    private static func requests(_ file: String, on interface: Interface) async throws -> [String] {
        let names = ["http.request.method", "http.request.uri", "http2.headers.method", "http2.headers.path"]
        let lines = try await fields(file, "http.request || http2.headers.method", names, on: interface)
        let pairs = lines.flatMap { line in zip(line[0] + line[2], line[1] + line[3]) }
        return pairs.filter { method, _ in method != "CONNECT" }
            .map { method, path in "\(method) \(path.replacing(/^http:\/\/[^\/]*/, with: ""))" }.sorted()
    }

    /// Compares the bytes of the DATA frames with the recorded bodies of gRPC.
    private static func checkStreams(
        _ file: String,
        _ reader: CaptureReader,
        _ exchanges: [ExchangeRecord]
    ) async throws {
        let frames = try await fields(
            file,
            "http2",
            ["tcp.stream", "http2.streamid", "http2.type", "http2.length"]
        )
        var lengths: [String: Int64] = [:]
        for frame in frames {
            for ((stream, kind), length) in zip(zip(frame[1], frame[2]), frame[3]) where kind == "0" {
                lengths["\(frame[0]) \(stream)", default: 0] += Int64(length) ?? -1
            }
        }
        var recorded: [Int64] = []
        for exchange in exchanges {
            let record = try #require(try reader.exchange(exchange.id))
            guard record.requestVersion == "HTTP/2" else { continue }
            let answered: Int64 = record.response?.body.capturedLength ?? 0
            recorded.append(record.request.body.capturedLength + answered)
        }
        recorded.removeAll { $0 == 0 }
        #expect(!recorded.isEmpty && lengths.values.filter { $0 > 0 }.sorted() == recorded.sorted())
        let messages = try await fields(file, "grpc.message_length", ["grpc.message_length"])
        #expect(messages.count > 50)
    }

    /// Compares the sizes of the bodies that tshark saves with the recorded bodies of HTTP/1.
    private static func checkPlain(
        _ file: String,
        _ stage: Stage,
        _ exchanges: [ExchangeRecord]
    ) async throws {
        let folder = stage.directory.file("objects")
        _ = try await read(file, ["-q", "--export-objects", "http,\(folder)"])
        let sizes = try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
            let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return Int64(facts[.size] as? Int ?? -1)
        }
        let recorded = exchanges.filter { $0.authority.host.description == "shop.example.test" }
            .flatMap { exchange -> [Int64] in
                [exchange.request.body.length, exchange.response?.body.length ?? 0]
            }
        #expect(recorded.contains(300_000) && Set(recorded.filter { $0 > 0 }).isSubset(of: sizes))
    }

    /// Compares the frames of WebSockets with the recorded messages.
    private static func checkMessages(
        _ file: String,
        _ reader: CaptureReader,
        _ exchanges: [ExchangeRecord]
    ) async throws {
        // RFC 6455 §5.2: 126 and 127 say that the length itself follows.
        let frames = try await fields(
            file,
            "websocket",
            [
                "websocket.payload_length", "websocket.payload_length_ext_16",
                "websocket.payload_length_ext_64",
            ]
        )
        let lengths = frames.flatMap { $0[0].filter { $0 != "126" && $0 != "127" } + $0[1] + $0[2] }
            .compactMap { Int64($0) }
        let recorded = try exchanges.filter { $0.notes.contains(.webSocket) }
            .flatMap { try reader.messages(of: $0.id, limit: 1000) }
        #expect(!recorded.isEmpty && lengths.sorted() == recorded.map(\.length).sorted())
    }
}
