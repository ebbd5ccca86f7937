import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeClient
@testable import PinholeLab

/// An origin and clients that trust it.
struct ClientStage {
    let origin: Origin
    let now = LoopClock().now()

    /// Starts an origin, runs `body`, ends the origin.
    static func run(
        routes: OriginRoutes = .standard,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (ClientStage) async throws -> Void
    ) async throws {
        let origin = try await Origin.start(routes: routes)
        defer { origin.stop() }
        try await body(ClientStage(origin: origin))
    }

    /// Settings that trust the origin's root, and lead every name to this machine.
    func settings() throws -> ClientSettings {
        var settings = ClientSettings(
            anchors: [origin.authority.root.facts],
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(),
            reading: .whole(atMost: 1 << 20)
        )
        settings.overrides = [try Resolver.Override("*:*:127.0.0.1")]
        settings.waitLong()
        return settings
    }

    /// A URL of the origin over HTTPS.
    func url(_ path: String, _ host: Host = VirtualHost.shop) throws -> ClientURL {
        try ClientURL(origin.url(host, path))
    }

    /// Fetches once with a client of its own.
    func fetch(
        _ path: String,
        _ host: Host = VirtualHost.shop,
        delegate: ClientDelegate = ClientDelegate(),
        _ change: (inout ClientSettings) throws -> Void = { _ in }
    ) async throws -> FetchOutcome {
        var settings = try settings()
        try change(&settings)
        return try await PinholeClient(settings, delegate: delegate).fetch(try url(path, host))
    }

    /// The pin of a host's leaf.
    func pin(_ host: Host = VirtualHost.shop) throws -> Pin {
        let digest = try #require(Base64.decode(origin.pin(of: host).utf8))
        return try #require(Pin(digest: digest))
    }

    /// A pin that nothing has.
    static func wrongPin() throws -> Pin { try #require(Pin(digest: Array(repeating: 7, count: 32))) }
}

extension ClientSettings {
    /// Lets no deadline pass: with hundreds of tests side by side a task may wait for half a minute.
    mutating func waitLong() { wait(atMost: Patience.limit) }
}

extension FetchOutcome {
    /// What came; `nil` where nothing did.
    var response: ClientResponse? { try? result.get() }
    /// Why nothing came.
    var failure: ClientFailure? {
        guard case .failure(let failure) = result else { return nil }
        return failure
    }
    /// The body as text.
    var text: String { String(decoding: response?.body ?? [], as: UTF8.self) }
    /// The challenges and who was asked.
    var challenges: [(challenge: AuthenticationChallenge, level: ClientDelegate.Level?)] {
        story.steps.compactMap { step in
            guard case .challenge(let challenge, let level) = step else { return nil }
            return (challenge, level)
        }
    }
    /// Whether each handshake resumed a session.
    var resumptions: [Bool] {
        story.steps.compactMap { step in
            guard case .handshake(_, _, _, let isResumed) = step else { return nil }
            return isResumed
        }
    }
    /// The methods and targets that were asked for.
    var requests: [String] {
        story.steps.compactMap { step in
            guard case .request(let method, let target, _) = step else { return nil }
            return "\(method) \(target)"
        }
    }
    /// The notes.
    var notes: [String] {
        story.steps.compactMap { step in
            guard case .note(let text) = step else { return nil }
            return text
        }
    }
}

/// Counts, and hands out what was noted.
final class Recorder<Value: Sendable>: Sendable {
    private let noted = Lock<[Value]>([])

    /// Notes a value.
    ///
    /// - Returns: How many there were before.
    @discardableResult
    func note(_ value: Value) -> Int {
        noted.withLock { noted in
            noted.append(value)
            return noted.count - 1
        }
    }

    var values: [Value] { noted.withLock { $0 } }
}
