import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Ways to open a tunnel in memory.
enum Tunnels {
    /// One world for all tests: its CAs are made once.
    private static let shared = Result { try TestWorld() }

    static var world: TestWorld { get throws { try shared.get() } }

    /// A tunnel to `host` whose TLS is terminated on both sides, at rest before the first request.
    static func intercepted(
        chunk: Int = 4096,
        policy: ProxyPolicy? = nil,
        keepsBodies: Bool = true,
        protocols: [String] = ["http/1.1"],
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        server engine: TLSEngine? = nil,
        host: String = "www.example.com"
    ) throws -> StackHarness {
        let world = try world
        let server = TestPeer(tls: try engine ?? world.server(for: host))
        let harness = try connected(chunk: chunk, policy: policy, keepsBodies: keepsBodies, host: host) { _ in
            .connect(server)
        }
        harness.client.secure(with: try world.client(for: host, protocols: protocols, versions: versions))
        harness.pump()
        return harness
    }

    /// A tunnel whose CONNECT was answered.
    static func connected(
        chunk: Int = 4096,
        policy: ProxyPolicy? = nil,
        environment: TunnelEnvironment? = nil,
        keepsBodies: Bool = true,
        host: String = "www.example.com",
        onDial: @escaping (DialTarget) -> StackHarness.Answer
    ) throws -> StackHarness {
        let harness = try StackHarness(
            try world,
            policy: policy,
            environment: environment,
            keepsBodies: keepsBodies
        )
        harness.chunk = chunk
        harness.onDial = onDial
        harness.client.send("CONNECT \(host):443 HTTP/1.1\r\nHost: \(host):443\r\n\r\n")
        harness.pump()
        #expect(harness.client.text == "HTTP/1.1 200 Connection Established\r\n\r\n")
        harness.client.clear()
        return harness
    }

    /// A client that speaks plain HTTP to the proxy; every dial reaches `server`.
    static func plain(
        chunk: Int = 4096,
        policy: ProxyPolicy? = nil,
        keepsBodies: Bool = true,
        server: TestPeer = TestPeer()
    ) throws -> StackHarness {
        let harness = try StackHarness(try world, policy: policy, keepsBodies: keepsBodies)
        harness.chunk = chunk
        harness.onDial = { _ in .connect(server) }
        return harness
    }

    /// An intercepted tunnel or a plain connection, as the argument says.
    static func any(
        isTLS: Bool,
        chunk: Int = 4096,
        policy: ProxyPolicy? = nil,
        keepsBodies: Bool = true
    ) throws -> StackHarness {
        isTLS
            ? try intercepted(chunk: chunk, policy: policy, keepsBodies: keepsBodies)
            : try plain(chunk: chunk, policy: policy, keepsBodies: keepsBodies)
    }
}

extension StackHarness {
    /// The start of a request line for a path at www.example.com.
    func target(_ path: String, isTLS: Bool) -> String { isTLS ? path : "http://www.example.com\(path)" }

    /// Everything is over, as ``checkEnd(of:sourceLocation:)`` wants it.
    func checkEnd(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(isClosed, sourceLocation: sourceLocation)
        PinholeProxyTests.checkEnd(of: records, sourceLocation: sourceLocation)
    }

    /// Every exchange has an outcome, a number of its own, and timings in their order.
    func checkExchanges(sourceLocation: SourceLocation = #_sourceLocation) {
        check(exchanges, sourceLocation: sourceLocation)
    }
}

/// What every end must leave behind: the flow is closed and comes last, each exchange ended once.
func checkEnd(of records: [FlowEvent], sourceLocation: SourceLocation = #_sourceLocation) {
    guard case .flow(let last)? = records.last else {
        Issue.record("the last record is no flow", sourceLocation: sourceLocation)
        return
    }
    #expect(last.closed != nil && last.outcome != nil, sourceLocation: sourceLocation)
    let exchanges = records.compactMap { event -> ExchangeRecord? in
        if case .exchange(let record) = event, record.outcome != nil { record } else { nil }
    }
    check(exchanges, sourceLocation: sourceLocation)
    #expect(last.exchanges == exchanges.count, sourceLocation: sourceLocation)
}

private func check(_ exchanges: [ExchangeRecord], sourceLocation: SourceLocation) {
    #expect(Set(exchanges.map(\.id)).count == exchanges.count, sourceLocation: sourceLocation)
    for exchange in exchanges {
        #expect(exchange.outcome != nil, sourceLocation: sourceLocation)
        let timings = exchange.timings
        let moments = [timings.started, timings.responseStarted ?? timings.started, timings.ended]
            .compactMap { $0 }
        #expect(moments.count == 3 && moments == moments.sorted(), sourceLocation: sourceLocation)
        if let requestEnded = timings.requestEnded, let ended = timings.ended {
            #expect(
                timings.started <= requestEnded && requestEnded <= ended,
                sourceLocation: sourceLocation
            )
        }
    }
}
