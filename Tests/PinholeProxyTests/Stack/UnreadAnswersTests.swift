import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Clients that send requests and read none of the answers that the proxy gives itself.
@Suite("Unread answers")
struct UnreadAnswersTests {
    /// Requests, so many that the shortest of the answers are more than the mark.
    private static let count = 2000
    /// What may wait: the mark, and one answer beyond it.
    private static let bound = Limits().outputHighWater + (64 << 10)

    private static func policy(_ rules: String) throws -> ProxyPolicy {
        var policy = try Tunnels.world.policy()
        let set = try RuleSet(JSONValue(parsing: Array("[\(rules)]".utf8)), path: "rules")
        policy.rules = RuleBook(set)
        return policy
    }

    private static let mock =
        #"{"when": "path == /mock", "do": "mock", "body": "\#(String(repeating: "m", count: 20_000))"}"#

    private func answers(_ text: String, _ status: Int) -> Int {
        text.split(separator: "HTTP/1.1 \(status) ", omittingEmptySubsequences: false).count - 1
    }

    @Test("the next request waits while the answers of a rule are not read", arguments: [false, true])
    func mocked(isTLS: Bool) throws {
        let harness = try Tunnels.any(isTLS: isTLS, policy: Self.policy(Self.mock))
        harness.client.isReading = false
        let target = harness.target("/mock", isTLS: isTLS)
        let request = "GET \(target) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        harness.client.send(String(repeating: request, count: Self.count))
        #expect(harness.pump())
        #expect(harness.pendingClientOutput < Self.bound)
        #expect(harness.exchanges.count < 20)
        harness.client.isReading = true
        #expect(harness.pump())
        #expect(answers(harness.client.text, 200) == Self.count)
        #expect(harness.exchanges.count == Self.count)
    }

    @Test("the next request waits while pages of the proxy are not read", arguments: ["", "wrong/"])
    func pages(path: String) throws {
        let harness = try Tunnels.plain()
        harness.client.isReading = false
        let request = "GET http://pinhole.test/\(path) HTTP/1.1\r\nHost: pinhole.test\r\n\r\n"
        harness.client.send(String(repeating: request, count: Self.count))
        #expect(harness.pump())
        #expect(harness.pendingClientOutput < Self.bound)
        #expect(harness.exchanges.count < Self.count)
        harness.client.isReading = true
        #expect(harness.pump())
        #expect(answers(harness.client.text, path.isEmpty ? 200 : 404) == Self.count)
    }

    @Test("the next request waits while pages about servers are not read")
    func unreachable() throws {
        let harness = try StackHarness(try Tunnels.world)
        harness.client.isReading = false
        let request = "GET http://www.example.com/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        harness.client.send(String(repeating: request, count: Self.count))
        #expect(harness.pump())
        #expect(harness.pendingClientOutput < Self.bound)
        #expect(harness.dialed.count < Self.count)
        harness.client.isReading = true
        #expect(harness.pump())
        #expect(answers(harness.client.text, 502) == Self.count)
    }

    @Test("a client of HTTP/1 before a server of HTTP/2 is held back in the same way")
    func translated() throws {
        let rules = try Self.policy(Self.mock).rules
        let harness = try ConversationHarness(client: nil, server: ConversationHarness.Peer(.server)) {
            $0.rules = rules
        }
        harness.client.isReading = false
        let request = "GET /mock HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n"
        harness.client.sent.append(String(repeating: request, count: Self.count))
        harness.pump()
        #expect(harness.stack.client.pendingOutput < Self.bound)
        #expect(harness.exchanges.count < 20)
        harness.client.isReading = true
        harness.pump()
        #expect(answers(harness.client.text, 200) == Self.count)
    }

    // MARK: Content that is read as it is sent

    /// A file that a rule answers with, as whoever is asked gives it.
    private final class File {
        let bytes = [UInt8]((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

        func answer() -> ExchangeDecision {
            var answer = Answer(status: 200, body: [], reason: "the rule “file” answered")
            let bytes = bytes
            answer.content = AnswerContent(length: bytes.count) { range in Array(bytes[range]) }
            return .answer(answer)
        }
    }

    private static let file = #"{"name": "file", "when": "path == /file", "do": "mapLocal", "file": "/f"}"#

    @Test(
        "content from a file is read as the client takes it, and the next request waits",
        arguments: [false, true]
    )
    func content(isTLS: Bool) throws {
        let file = File()
        let harness = try Tunnels.any(isTLS: isTLS, policy: Self.policy(Self.file))
        harness.onConsult = { if case .local = $0 { file.answer() } else { .proceed } }
        harness.client.isReading = false
        let target = harness.target("/file", isTLS: isTLS)
        let request = "GET \(target) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        let head = "HEAD \(target) HTTP/1.1\r\nHost: www.example.com\r\n\r\n"
        harness.client.send(request + head + request)
        #expect(harness.pump())
        #expect(harness.pendingClientOutput < Self.bound)
        #expect(harness.exchanges.isEmpty)
        harness.client.isReading = true
        #expect(harness.pump())
        #expect(harness.exchanges.map(\.method) == ["GET", "HEAD", "GET"])
        #expect(answers(harness.client.text, 200) == 3)
        let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8)
        #expect(harness.client.received == whole + file.bytes + whole + whole + file.bytes)
        let first = try #require(harness.exchanges.first)
        #expect(first.response?.body.isComplete == true && first.response?.body.length == 1_000_000)
        #expect(harness.body(of: first, .response) == file.bytes)
        #expect(first.outcome == .answeredByProxy("the rule “file” answered"))
    }

    @Test("content that is not there any more breaks the answer off, which the client can tell")
    func lost() throws {
        let harness = try Tunnels.plain(policy: Self.policy(Self.file))
        harness.onConsult = { question in
            guard case .local = question else { return .proceed }
            var answer = Answer(status: 200, body: [], reason: "the rule “file” answered")
            answer.content = AnswerContent(length: 1_000_000) { range in
                range.lowerBound == 0 ? [UInt8](repeating: 1, count: range.count) : nil
            }
            return .answer(answer)
        }
        harness.client.send("GET http://www.example.com/file HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
        #expect(harness.pump())
        #expect(harness.isClosed && harness.wasReset)
        #expect(harness.exchanges.first?.response?.body.isComplete == false)
        harness.checkEnd()
    }

    @Test("a hundred unread streams hold one piece of the file each")
    func streams() throws {
        let file = File()
        let rules = try Self.policy(Self.file).rules
        let harness = try ConversationHarness(client: .client, server: ConversationHarness.Peer(.server)) {
            $0.rules = rules
        }
        harness.onConsult = { if case .local = $0 { file.answer() } else { .proceed } }
        harness.client.releases = false
        for _ in 0..<100 { _ = try harness.client.session?.request(.request("/file"), endsStream: true) }
        harness.pump()
        #expect(!harness.exchanges.contains { $0.outcome != nil })
        let waiting = harness.stack.queued
        #expect(waiting > 0 && waiting < 100 * (128 << 10))
        harness.client.releases = true
        for stream in harness.client.session?.streams ?? [] {
            var piece = ByteQueue()
            let count = harness.client.session?.take(from: stream, into: &piece) ?? 0
            harness.client.bodies[stream, default: []] += piece.prefix()
            harness.client.session?.release(count, on: stream)
        }
        harness.pump()
        #expect(harness.exchanges.count { $0.outcome != nil } == 100)
        #expect(harness.client.bodies.values.allSatisfy { $0 == file.bytes })
        let left = harness.stack.queued
        #expect(left == 0)
    }
}
