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
        let accounts = try [(false, false), (false, true), (true, false), (true, true)].map { pair in
            try tell(story, client: pair.0, server: pair.1)
        }
        for account in accounts.dropFirst() { #expect(account == accounts[0]) }
        #expect(!accounts[0].outcome.isEmpty)
        #expect(accounts[0].request.hasPrefix(story.body))
        if !story.rules.isEmpty { #expect(!accounts[0].rules.isEmpty) }
    }

    @Test("remember for the response what chance said of the request")
    func chance() throws {
        // The first draw of this seed acts, and the second does not.
        let rule = #"{"do": "noCaching", "chance": 0.5, "seed": 4}"#
        for pair in [(false, false), (false, true), (true, false), (true, true)] {
            let account = try tell(Story(title: "chance", rules: rule), client: pair.0, server: pair.1)
            #expect(account.rules.count == 2, "\(pair): \(account.rules)")
        }
    }

    // MARK: One telling

    private func tell(_ story: Story, client isHTTP2: Bool, server speaksHTTP2: Bool) throws -> Account {
        let peer = ConversationHarness.Peer(speaksHTTP2 ? .server : nil)
        let set = try RuleSet(JSONValue(parsing: Array("[\(story.rules)]".utf8)), path: "rules")
        let rules = RuleBook(set)
        let harness = try ConversationHarness(client: isHTTP2 ? .client : nil, server: peer) {
            $0.rules = rules
        }
        let stage = ServerOfStory(story.server)
        peer.react = { peer, event in stage.react(peer, event) }
        peer.reactToText = { peer in stage.react(peer, isHead: story.method == "HEAD") }
        let stream = try ask(story, harness)
        harness.pump()
        if stage.hasHungUp {
            harness.stack.linkEnded(LinkID.first, .orderly, at: harness.now)
            harness.pump()
        }
        if case .answersEarly = story.server { try finishEarly(story, harness, stream) }
        return try account(of: harness, stream)
    }

    /// Sends the request, all of it but where the server answers early.
    private func ask(_ story: Story, _ harness: ConversationHarness) throws -> HTTP2StreamID? {
        let isWhole = if case .answersEarly = story.server { false } else { true }
        guard let session = harness.client.session else {
            var text = "\(story.method) /a HTTP/1.1\r\nHost: www.example.com:443\r\n"
            if story.trailers {
                text += "Transfer-Encoding: chunked\r\n\r\n"
                text +=
                    "\(String(story.body.utf8.count, radix: 16))\r\n\(story.body)\r\n0\r\nX-End: 1\r\n\r\n"
            } else if story.method == "POST" {
                let length = story.body.utf8.count + (isWhole ? 0 : 4)
                text += "Content-Length: \(length)\r\n\r\n\(story.body)"
            } else {
                text += "\r\n"
            }
            harness.client.sent.append(text)
            return nil
        }
        var fields = HeaderFields()
        fields.append(":method", story.method)
        fields.append(":scheme", "http")
        fields.append(":authority", "www.example.com:443")
        fields.append(":path", "/a")
        if story.method == "POST", !story.trailers {
            fields.append("content-length", String(story.body.utf8.count + (isWhole ? 0 : 4)))
        }
        let stream = try session.request(fields, tag: 0, endsStream: story.method != "POST")
        guard story.method == "POST" else { return stream }
        var body = ByteQueue(Array(story.body.utf8))
        session.send(body.count, from: &body, on: stream)
        var trailers = HeaderFields()
        trailers.append("x-end", "1")
        if isWhole { try session.finish(stream, trailers: story.trailers ? trailers : nil) }
        return stream
    }

    /// The body of the response in what a client of HTTP/1 got, as far as it came.
    private func body(of text: String, _ method: String) throws -> [UInt8] {
        var reader = HTTP1Reader(reading: .responses, limits: Limits())
        reader.expectResponse(toMethod: method)
        var input = ByteQueue(Array(text.utf8))
        var body: [UInt8] = []
        while let element = try reader.next(&input) {
            switch element {
            case .body(let count):
                body += input.prefix(count)
                input.consume(count)
            case .framing(let count), .reframed(let count, _): input.consume(count)
            case .response(let head) where head.isInformational: reader.expectResponse(toMethod: method)
            case .end: return body
            case .request, .response, .trailers: break
            }
        }
        return body
    }

    private func finishEarly(
        _ story: Story,
        _ harness: ConversationHarness,
        _ stream: HTTP2StreamID?
    ) throws {
        if let stream, let session = harness.client.session {
            var body = ByteQueue(Array("rest".utf8))
            session.send(4, from: &body, on: stream)
            try session.finish(stream)
        } else {
            harness.client.sent.append("rest")
        }
        harness.pump()
    }

    private func account(of harness: ConversationHarness, _ stream: HTTP2StreamID?) throws -> Account {
        let record = try #require(harness.exchanges.last)
        #expect(harness.exchanges.count == 1)
        let received =
            try stream.map { harness.client.bodies[$0] ?? [] } ?? body(of: harness.client.text, record.method)
        return Account(
            status: record.status,
            received: String(decoding: received, as: UTF8.self),
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

    private func fields(_ pairs: (String, String)...) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in pairs { fields.append(name, value) }
        return fields
    }

    /// Answers a request of HTTP/2.
    func react(_ peer: ConversationHarness.Peer, _ event: HTTP2Event) {
        switch (event, server) {
        case (.data(let stream, _), .answersEarly), (.ended(let stream), _):
            guard !hasAnswered, let session = peer.session else { return }
            hasAnswered = true
            do {
                try answer(session, stream)
            } catch {
                Issue.record("the server failed: \(error)")
            }
        default: break
        }
    }

    private func answer(_ session: HTTP2Session, _ stream: HTTP2StreamID) throws {
        if case .closes = server {
            hasHungUp = true
            return
        }
        if case .informs = server {
            try session.inform(fields((":status", "103"), ("link", "</a>")), on: stream)
        }
        var head = fields((":status", String(status)))
        if case .breaksOff = server { head.append("content-length", "9") }
        try session.respond(head, on: stream, endsStream: body.isEmpty)
        guard !body.isEmpty else { return }
        var queue = ByteQueue(Array(body.utf8))
        session.send(queue.count, from: &queue, on: stream)
        if case .breaksOff = server {
            hasHungUp = true
            return
        }
        let hasTrailers = if case .addsTrailers = server { true } else { false }
        try session.finish(stream, trailers: hasTrailers ? fields(("x-sum", "1")) : nil)
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
