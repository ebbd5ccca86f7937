import PinholeLock
import PinholeWire
import Testing

@testable import PinholeClient
@testable import PinholeLab

@Suite("Client, bodies in pieces")
struct ClientRequestTests {
    /// Fetches a path of the origin, with its body in pieces.
    private static func fetched(
        _ path: String,
        _ change: @Sendable (inout ClientSettings) -> Void = { _ in }
    ) async throws -> (outcome: FetchOutcome, pieces: [UInt8]) {
        let pieces = Lock([UInt8]())
        let outcome = Lock(FetchOutcome?.none)
        try await ClientStage.run { stage in
            var settings = try stage.settings()
            change(&settings)
            var request = ClientRequest(try stage.url(path))
            request.takeBody = { bytes in pieces.withLock { $0 += bytes } }
            let found = try await PinholeClient(settings).fetch(request)
            outcome.withLock { $0 = found }
        }
        return (try #require(outcome.withLock { $0 }), pieces.withLock { $0 })
    }

    @Test("the body of a successful answer comes in pieces, without a limit, and the response has none")
    func pieces() async throws {
        let (outcome, pieces) = try await Self.fetched("/json") { $0.body = .whole(atMost: 1) }
        #expect(outcome.response?.head.status == 200, "\(outcome)")
        #expect(outcome.response?.body.isEmpty == true)
        #expect(String(decoding: pieces, as: UTF8.self).contains("teapot"))
    }

    @Test("an answer with an error status keeps its body")
    func refusal() async throws {
        let (outcome, pieces) = try await Self.fetched("/nowhere")
        #expect(outcome.response?.head.status == 404, "\(outcome)")
        #expect(pieces.isEmpty)
    }
}
