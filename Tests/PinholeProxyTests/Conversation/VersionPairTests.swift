import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// The same story over all four pairs of versions: the same record, the same rules acting, the same message to the user.
@Suite("Pairs of versions")
struct VersionPairTests {
    /// How a server behaves.
    enum Server: Sendable {
        /// Answers with this status and this body, as soon as the request is whole.
        case answers(Int, String)
        /// Answers before the request is whole.
        case answersEarly
        /// Says something in between, then answers.
        case informs
        /// Answers with trailers.
        case addsTrailers
        /// Closes the connection instead of an answer.
        case closes
        /// Closes the connection within its answer.
        case breaksOff
    }

    /// A request, rules, and how the server behaves.
    struct Story: Sendable, CustomTestStringConvertible {
        var title: String
        var rules = ""
        var method = "GET"
        var body = ""
        var trailers = false
        var server = Server.answers(200, "hello")
        var testDescription: String { title }
    }

    /// The parts of a story that no version may change.
    struct Account: Equatable {
        var status: Int?
        var received: String
        var method: String
        var url: String
        var outcome: String
        var notes: [ExchangeNote]
        var rules: [RuleHit]
        var request: String
        var isRequestComplete: Bool
        var response: String
        var isResponseComplete: Bool
        var hasTrailers: [Bool]
    }

    static let stories = [
        Story(title: "a page"),
        Story(title: "an upload", method: "POST", body: "what I have", server: .answers(200, "got it")),
        Story(title: "an answer without content", server: .answers(204, "")),
        Story(title: "the head of a page", method: "HEAD", server: .answers(200, "")),
        Story(title: "an error of the server", server: .answers(503, "later")),
        Story(
            title: "trailers on both sides",
            method: "POST",
            body: "sum",
            trailers: true,
            server: .addsTrailers
        ),
        Story(title: "an interim response", server: .informs),
        Story(title: "an early answer", method: "POST", body: "half", server: .answersEarly),
        Story(title: "a rule that answers", rules: #"{"do": "mock", "status": 201, "body": "mocked"}"#),
        Story(
            title: "a rule that answers an upload",
            rules: #"{"do": "mock", "status": 201, "body": "mocked"}"#,
            method: "POST",
            body: "what I have"
        ),
        Story(title: "a rule that blocks", rules: #"{"do": "block", "with": 451}"#),
        Story(title: "a rule that sets a field", rules: #"{"do": "rewriteRequest", "set": ["X-Rule: 1"]}"#),
        Story(title: "a rule that changes the status", rules: #"{"do": "rewriteResponse", "status": 418}"#),
        Story(
            title: "a rule that leads to a server that is not there",
            rules: #"{"do": "mapRemote", "to": "http://b.test:1/"}"#
        ),
        Story(title: "a server that closes instead of an answer", method: "POST", body: "x", server: .closes),
        Story(title: "a response that breaks off", server: .breaksOff),
    ]

    @Test("have the same account of a story", arguments: stories)
    func same(story: Story) throws {
        let accounts = try VersionPair.all.map { try tell(story, $0) }
        for account in accounts.dropFirst() { #expect(account == accounts[0]) }
        #expect(!accounts[0].outcome.isEmpty)
        #expect(accounts[0].request.hasPrefix(story.body))
        if !story.rules.isEmpty { #expect(!accounts[0].rules.isEmpty) }
    }

    @Test(
        "draw the chance of a rule once for a request and its response",
        arguments: VersionPair.all
    )
    func chance(pair: VersionPair) throws {
        // The first draw of this seed acts, and the second does not.
        let rule = #"{"do": "noCaching", "chance": 0.5, "seed": 4}"#
        let account = try tell(Story(title: "chance", rules: rule), pair)
        #expect(account.rules.count == 2, "\(account.rules)")
    }

    // MARK: One telling

    private func tell(_ story: Story, _ pair: VersionPair) throws -> Account {
        let peer = ConversationHarness.Peer(pair.server)
        let set = try RuleSet(JSONValue(parsing: Array("[\(story.rules)]".utf8)), path: "rules")
        let rules = RuleBook(set)
        let harness = try ConversationHarness(pair, server: peer) { $0.rules = rules }
        let stage = ServerOfStory(story.server)
        peer.react = { peer, event in stage.react(peer, event) }
        peer.reactToText = { peer in stage.react(peer, isHead: story.method == "HEAD") }
        let stream = try ask(story, harness)
        if stage.hasHungUp {
            harness.stack.linkEnded(LinkID.first, .orderly, at: harness.now)
            harness.pump()
        }
        if case .answersEarly = story.server { try finishEarly(harness, stream) }
        return try account(of: harness, stream)
    }

    /// Sends the request, all of it but where the server answers early.
    private func ask(_ story: Story, _ harness: ConversationHarness) throws -> HTTP2StreamID? {
        let isWhole = if case .answersEarly = story.server { false } else { true }
        let length = BodyFraming.length(Int64(story.body.utf8.count + (isWhole ? 0 : 4)))
        return try harness.ask(
            story.method,
            body: [story.body],
            framing: story.trailers ? .chunked : story.method == "POST" ? length : .none,
            trailers: story.trailers ? ["X-End": "1"] : nil,
            ends: isWhole
        )
    }

    private func finishEarly(_ harness: ConversationHarness, _ stream: HTTP2StreamID?) throws {
        if let stream, let session = harness.client.session {
            harness.client.send("rest".utf8, on: stream)
            try session.finish(stream)
        } else {
            harness.client.sent.append("rest")
        }
        harness.pump()
    }

    private func account(of harness: ConversationHarness, _ stream: HTTP2StreamID?) throws -> Account {
        let record = try #require(harness.exchanges.last)
        #expect(harness.exchanges.count == 1)
        return Account(
            status: record.status,
            received: try harness.response(stream)?.body ?? "",
            method: record.method,
            url: record.url,
            outcome: record.outcome.map { "\($0)" } ?? "",
            notes: record.notes,
            rules: record.rules,
            request: String(decoding: record.request.body.inline, as: UTF8.self),
            isRequestComplete: record.request.body.isComplete,
            response: String(decoding: record.response?.body.inline ?? [], as: UTF8.self),
            isResponseComplete: record.response?.body.isComplete ?? false,
            hasTrailers: [!record.request.trailers.isEmpty, !(record.response?.trailers.isEmpty ?? true)]
        )
    }
}

/// The server of a story, in either version.
private final class ServerOfStory {
    private let server: VersionPairTests.Server
    /// Whether the connection is to be closed.
    private(set) var hasHungUp = false
    private var hasAnswered = false

    init(_ server: VersionPairTests.Server) { self.server = server }

    private var status: Int { if case .answers(let status, _) = server { status } else { 200 } }

    private var body: String {
        switch server {
        case .answers(_, let body): body
        case .answersEarly, .informs, .addsTrailers, .breaksOff: "hello"
        case .closes: ""
        }
    }

    /// Answers a request of HTTP/2.
    func react(_ peer: ConversationHarness.Peer, _ event: HTTP2Event) {
        switch (event, server) {
        case (.data(let stream, _), .answersEarly), (.ended(let stream), _):
            guard !hasAnswered else { return }
            hasAnswered = true
            #expect(throws: Never.self) { try answer(peer, stream) }
        default: break
        }
    }

    private func answer(_ peer: ConversationHarness.Peer, _ stream: HTTP2StreamID) throws {
        if case .closes = server {
            hasHungUp = true
            return
        }
        if case .informs = server {
            try peer.session?.inform([":status": "103", "link": "</a>"], on: stream)
        }
        var head: HeaderFields = [":status": String(status)]
        if case .breaksOff = server {
            head.append("content-length", "9")
            hasHungUp = true
        }
        let hasTrailers = if case .addsTrailers = server { true } else { false }
        try peer.respond(
            head,
            body.utf8,
            trailers: hasTrailers ? ["x-sum": "1"] : nil,
            ends: !hasHungUp,
            on: stream
        )
    }

    /// Answers a request of HTTP/1, once all of it is there.
    func react(_ peer: ConversationHarness.Peer, isHead: Bool) {
        guard !hasAnswered, let split = peer.text.firstRange(of: "\r\n\r\n") else { return }
        let head = peer.text[..<split.lowerBound].lowercased()
        let rest = peer.text[split.upperBound...]
        if case .answersEarly = server {
            guard !rest.isEmpty else { return }
        } else if head.contains("transfer-encoding: chunked") {
            guard rest.contains("\r\n0\r\n"), rest.hasSuffix("\r\n\r\n") else { return }
        } else if let length = head.split(separator: "content-length: ").dropFirst().first {
            guard rest.utf8.count == Int(length.prefix { $0.isNumber }) else { return }
        }
        hasAnswered = true
        answer(peer)
    }

    private func answer(_ peer: ConversationHarness.Peer) {
        switch server {
        case .closes: hasHungUp = true
        case .breaksOff:
            peer.sent.append("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
            hasHungUp = true
        case .addsTrailers:
            peer.sent.append(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n"
            )
        case .answers, .answersEarly, .informs:
            if case .informs = server { peer.sent.append("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") }
            let length = status == 204 ? "" : "Content-Length: \(body.utf8.count)\r\n"
            peer.sent.append("HTTP/1.1 \(status) Said\r\n\(length)\r\n\(body)")
        }
    }
}
