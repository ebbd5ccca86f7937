import Glibc
import PinholeCrypto
import PinholeFilter
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeStore
import PinholeWire

/// A benchmark of one engine, or of a stack of engines, in memory.
struct EngineCase: Sendable {
    /// The name of the case on the command line.
    let name: String
    /// A description of one round.
    let title: String
    /// The number of rounds for a stable average.
    let rounds: Int
    /// Runs the given number of rounds.
    let run: @Sendable (Int) throws -> Void

    /// The cases, the small ones first.
    static let all = [
        EngineCase(
            name: "reader",
            title: "HTTP/1: read a request and its response",
            rounds: 1000,
            run: { try read($0) }
        ),
        EngineCase(
            name: "writer",
            title: "HTTP/1: write both heads onward",
            rounds: 1000,
            run: { try write($0) }
        ),
        EngineCase(
            name: "tls",
            title: "TLS: encrypt 1 KiB and decrypt it",
            rounds: 1000,
            run: { try encrypt($0) }
        ),
        EngineCase(
            name: "exchange",
            title: "tunnel: one exchange without TLS",
            rounds: 500,
            run: { try exchange($0) }
        ),
        EngineCase(
            name: "ruled",
            title: "tunnel: one exchange without TLS, ten rules that match other requests",
            rounds: 500,
            run: { try exchangeRuled($0) }
        ),
        EngineCase(
            name: "intercepted",
            title: "tunnel: one exchange, TLS on both sides (peers included)",
            rounds: 500,
            run: { try intercepted($0) }
        ),
        EngineCase(
            name: "streams",
            title: "tunnel: one exchange of HTTP/2, without TLS (peers included)",
            rounds: 500,
            run: { try exchangeStreams($0) }
        ),
        EngineCase(
            name: "connect",
            title: "tunnel: CONNECT, both handshakes, one exchange (peers included)",
            rounds: 20,
            run: { try connect($0) }
        ),
        EngineCase(
            name: "mint",
            title: "certificates: a leaf for a host that is new",
            rounds: 200,
            run: { try mint($0) }
        ),
        EngineCase(
            name: "capture",
            title: "capture: write the record of one exchange",
            rounds: 1000,
            run: capture
        ),
        EngineCase(
            name: "flow",
            title: "capture: write the record of one flow, with both handshakes",
            rounds: 500,
            run: { try flows($0) }
        ),
        EngineCase(
            name: "flows",
            title: "capture: write the record of one flow, and read it",
            rounds: 500,
            run: { try flows($0, isRead: true) }
        ),
    ]

    private static func read(_ rounds: Int) throws {
        var requests = HTTP1Reader(reading: .requests, limits: Limits())
        var responses = HTTP1Reader(reading: .responses, limits: Limits())
        var input = ByteQueue()
        for _ in 0..<rounds {
            input.append(Messages.request)
            try drain(&requests, &input)
            responses.expectResponse(toMethod: "GET")
            input.append(Messages.response)
            try drain(&responses, &input)
        }
    }

    private static func drain(_ reader: inout HTTP1Reader, _ input: inout ByteQueue) throws {
        while let element = try reader.next(&input) {
            if case .body(let count) = element { input.consume(count) }
        }
    }

    private static func write(_ rounds: Int) throws {
        let (request, response) = try Messages.heads()
        var output = ByteQueue()
        for _ in 0..<rounds {
            try HTTP1Writer.write(request: request, into: &output)
            try HTTP1Writer.write(response: response, closing: false, into: &output)
            output.removeAll()
        }
    }

    private static func encrypt(_ rounds: Int) throws {
        let world = try MemoryWorld()
        let client = try world.client()
        let server = try world.server()
        var toServer = ByteQueue()
        var toClient = ByteQueue()
        for _ in 0..<4 {
            _ = client.handshake(&toClient, &toServer)
            _ = server.handshake(&toServer, &toClient)
        }
        var plain = ByteQueue()
        var decrypted = ByteQueue()
        let body = [UInt8](repeating: 0x61, count: 1024)
        for _ in 0..<rounds {
            plain.append(body)
            try server.encrypt(&plain, count: plain.count, into: &toClient)
            _ = client.decrypt(&toClient, into: &decrypted, limit: 1 << 16, output: &toServer)
            precondition(decrypted.count == body.count, "the record arrived")
            decrypted.removeAll()
        }
    }

    private static func exchange(_ rounds: Int) throws {
        let tunnel = try MemoryTunnel(MemoryWorld(), isSecure: false)
        for _ in 0..<rounds { try tunnel.exchange(Messages.absoluteRequest, Messages.response) }
    }

    private static func exchangeRuled(_ rounds: Int) throws {
        var rules: [Rule] = []
        for number in 0..<10 {
            let filter = try Filter("host == api\(number).example.com & path startswith /v\(number)/")
            rules.append(Rule(name: "\(number)", filter: filter, action: .block(.status(403))))
        }
        let tunnel = try MemoryTunnel(MemoryWorld(rules: RuleSet(rules)), isSecure: false)
        for _ in 0..<rounds { try tunnel.exchange(Messages.absoluteRequest, Messages.response) }
    }

    private static func intercepted(_ rounds: Int) throws {
        let tunnel = try MemoryTunnel(MemoryWorld(), isSecure: true)
        for _ in 0..<rounds { try tunnel.exchange(Messages.request, Messages.response) }
    }

    private static func exchangeStreams(_ rounds: Int) throws {
        let tunnel = try MemoryStreams(MemoryWorld())
        let body = [UInt8](repeating: 0x61, count: 1024)
        for _ in 0..<rounds {
            try tunnel.exchange(Messages.streamRequest, Messages.streamResponse, body)
        }
    }

    private static func connect(_ rounds: Int) throws {
        let world = try MemoryWorld()
        for _ in 0..<rounds {
            let tunnel = try MemoryTunnel(world, isSecure: true)
            try tunnel.exchange(Messages.request, Messages.response)
        }
    }

    private static func mint(_ rounds: Int) throws {
        let world = try MemoryWorld()
        for number in 0..<rounds {
            let request = LeafRequest(names: [try Host("host\(number).example.com")], fault: nil)
            _ = try world.minter.mint(request, now: world.now)
        }
    }

    private static func capture(_ rounds: Int) throws {
        try record(rounds) { .exchange(Messages.record($0)) }
    }

    private static func flows(_ rounds: Int, isRead: Bool = false) throws {
        try record(rounds) {
            .flow(Messages.flow($0))
        } thenRead: { path in
            guard isRead else { return }
            let flows = try CaptureReader(path: path).flows(limit: rounds)
            precondition(flows.count == rounds, "all flows are read")
        }
    }

    /// Records events one by one into a capture that is removed after its use.
    private static func record(
        _ rounds: Int,
        _ event: (Int) -> FlowEvent,
        thenRead read: (_ path: String) throws -> Void = { _ in }
    ) throws {
        let path = "/tmp/engine-cost.\(getpid()).sqlite"
        defer { for suffix in ["", "-wal", "-shm", "-lock"] { unlink(path + suffix) } }
        let store = try CaptureStore.open(.init(path: path), now: Timestamp(seconds: 1_000_000_000))
        for number in 1...rounds { store.record([event(number)]) }
        store.close()
        try read(path)
    }
}
