import PinholeCrypto
import PinholeHTTP2
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeTrust
import PinholeWire
import Testing

@testable import PinholeClient
@testable import PinholeLab

@Suite("Client, HTTP/2")
struct ServerConnectionHTTP2Tests {
    private static let world = Result { try LabWorld() }

    private static func fields(_ pairs: (String, String)...) -> HeaderFields {
        var fields = HeaderFields()
        for (name, value) in pairs { fields.append(name, value) }
        return fields
    }

    /// Fetches from a server that does what `answer` says.
    private func fetch(
        method: String = "GET",
        body: [UInt8] = [],
        fields: [(name: String, value: String)] = [],
        agreeing applicationProtocol: String? = "h2",
        delegate: ClientDelegate = ClientDelegate(),
        _ change: (inout ClientSettings) -> Void = { _ in },
        greeting: @escaping @Sendable (HTTP2Session, Int) -> Void = { _, _ in },
        answer: @escaping StreamServer.Answer
    ) async throws -> (outcome: FetchOutcome, connections: Int) {
        let world = try Self.world.get()
        let server = try StreamServer(
            world.identity,
            agreeing: applicationProtocol,
            greeting: greeting,
            answer
        )
        var settings = ClientSettings(
            anchors: world.deviceRoots,
            evaluator: ChainVerifier(),
            defaultPolicy: SystemPolicy(),
            reading: .whole(atMost: 4 << 20)
        )
        settings.overrides = [try Resolver.Override("*:*:127.0.0.1")]
        settings.protocols = [.http2, .http11]
        settings.waitLong()
        change(&settings)
        let url = try ClientURL("https://\(world.host):\(server.port)/a?b")
        let request = ClientRequest(url, method: method, fields: fields, body: body)
        let outcome = try await PinholeClient(settings, delegate: delegate).fetch(request)
        return (outcome, server.connectionCount)
    }

    private static func isLast(_ event: HTTP2Event) -> HTTP2StreamID? {
        guard case .ended(let stream) = event else { return nil }
        return stream
    }

    private static func say(
        _ text: String,
        _ session: HTTP2Session,
        _ stream: HTTP2StreamID,
        status: String = "200"
    ) throws {
        try session.respond(fields((":status", status)), on: stream, endsStream: false)
        var bytes = ByteQueue(Array(text.utf8))
        session.send(bytes.count, from: &bytes, on: stream)
        try session.finish(stream)
    }

    @Test("a request follows the rules of HTTP/2, and the response has no pseudo-header fields")
    func exchange() async throws {
        let heads = Recorder<HeaderFields>()
        let (outcome, _) = try await fetch(fields: [("X-One", "1"), ("Connection", "close")]) {
            event,
            session,
            _ in
            if case .request(let stream, let fields, true) = event {
                heads.note(fields)
                try session.inform(Self.fields((":status", "103"), ("link", "</x>")), on: stream)
                try Self.say("hello", session, stream)
            }
            return true
        }
        let head = try #require(heads.values.first)
        #expect(
            head.pairs.map(\.name) == [
                ":method", ":scheme", ":authority", ":path", "user-agent", "accept", "x-one",
            ]
        )
        #expect(head.first(":path") == "/a?b")
        #expect(head.first(":authority")?.hasPrefix("api.pinned.test:") == true)
        #expect(outcome.text == "hello", "\(outcome)")
        #expect(outcome.response?.head.fields.isEmpty == true)
        #expect(outcome.response.map { String(decoding: $0.rawHead, as: UTF8.self) } == "HTTP/2 200\r\n\r\n")
        let statuses = outcome.story.steps.compactMap { step -> Int? in
            guard case .response(let head) = step else { return nil }
            return head.status
        }
        #expect(statuses == [103, 200])
    }

    @Test("a Host header of the request names the server; an invalid Host header is refused")
    func ownHost() async throws {
        let heads = Recorder<HeaderFields>()
        let answer: StreamServer.Answer = { event, session, _ in
            if case .request(let stream, let fields, _) = event {
                heads.note(fields)
                try Self.say("", session, stream)
            }
            return true
        }
        let (outcome, _) = try await fetch(fields: [("Host", "inside:81")], answer: answer)
        #expect(outcome.response != nil)
        #expect(heads.values.map { $0.first(":authority") } == ["inside:81"])
        let (refused, _) = try await fetch(fields: [("Host", "a b")], answer: answer)
        #expect(refused.failure?.code == .badURL)
    }

    @Test("long bodies pass in both directions, followed by trailers")
    func bodies() async throws {
        let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let received = Lock([UInt8]())
        let (outcome, count) = try await fetch(method: "POST", body: sent) { event, session, _ in
            switch event {
            case .data(let stream, let count):
                var bytes = ByteQueue()
                session.take(upTo: count, from: stream, into: &bytes)
                received.withLock { $0 += bytes.slice() }
                session.release(count, on: stream)
            case .ended(let stream):
                try session.respond(Self.fields((":status", "200")), on: stream, endsStream: false)
                var bytes = ByteQueue(received.withLock { $0 })
                session.send(bytes.count, from: &bytes, on: stream)
                try session.finish(stream, trailers: Self.fields(("x-sum", "7")))
            default: break
            }
            return true
        }
        #expect(outcome.response?.body == sent)
        #expect(outcome.response?.trailers.first("x-sum") == "7")
        #expect(count == 1)
    }

    @Test("an answer before the end of the request is whole; the rest is not sent")
    func early() async throws {
        let (outcome, _) = try await fetch(method: "PUT", body: Array(repeating: 1, count: 1 << 20)) {
            event,
            session,
            _ in
            if case .request(let stream, _, false) = event {
                try Self.say("too much", session, stream, status: "413")
            }
            return true
        }
        #expect(outcome.response?.head.status == 413, "\(outcome)")
        #expect(outcome.text == "too much")
    }

    @Test("authentication goes on over the same connection")
    func authentication() async throws {
        let delegate = ClientDelegate(task: { challenge in
            challenge.serverTrust == nil
                ? .useCredential(Credential(user: "a", password: "b")) : .performDefaultHandling
        })
        let (outcome, count) = try await fetch(delegate: delegate) { event, session, _ in
            guard case .request(let stream, let fields, _) = event else { return true }
            if fields.first("authorization") == "Basic YTpi" {
                try Self.say("inside", session, stream)
            } else {
                let asked = Self.fields((":status", "401"), ("www-authenticate", "Basic realm=\"x\""))
                try session.respond(asked, on: stream, endsStream: true)
            }
            return true
        }
        #expect(outcome.text == "inside", "\(outcome)")
        #expect(count == 1)
    }

    // MARK: What servers refuse

    @Test(
        "a stream that was refused unprocessed is sent again on a new connection",
        arguments: ["GET", "POST"]
    )
    func refused(method: String) async throws {
        let (outcome, count) = try await fetch(method: method, body: method == "POST" ? [1, 2] : []) {
            event,
            session,
            number in
            if case .request(let stream, _, _) = event, number < 2 { session.reset(stream, .refusedStream) }
            if let stream = Self.isLast(event), number == 2 { try Self.say("at last", session, stream) }
            return true
        }
        #expect(outcome.text == "at last", "\(outcome)")
        #expect(count == 3)
        #expect(outcome.notes.count == 2)
    }

    @Test(
        "a request after the last stream of a GOAWAY is sent again on a new connection",
        arguments: ["GET", "POST"]
    )
    func leftOut(method: String) async throws {
        let answer: StreamServer.Answer = { event, session, number in
            if case .request(let stream, _, _) = event, number == 1 { try Self.say("new", session, stream) }
            return true
        }
        let (outcome, count) = try await fetch(
            method: method,
            greeting: { session, number in if number == 0 { session.goAway() } },
            answer: answer
        )
        #expect(outcome.text == "new", "\(outcome)")
        #expect(count == 2)
    }

    @Test("no more than three times")
    func refusedForEver() async throws {
        let (outcome, count) = try await fetch { event, session, _ in
            if case .request(let stream, _, _) = event { session.reset(stream, .refusedStream) }
            return true
        }
        #expect(outcome.failure?.code == .networkConnectionLost, "\(outcome)")
        #expect(count == 3)
    }

    @Test("a stream that is reset with another code fails, and is not sent again")
    func reset() async throws {
        let (outcome, count) = try await fetch { event, session, _ in
            if case .request(let stream, _, _) = event { session.reset(stream, .internalError) }
            return true
        }
        #expect(outcome.failure?.code == .networkConnectionLost, "\(outcome)")
        #expect(outcome.failure?.detail.contains("INTERNAL_ERROR (0x2)") == true)
        #expect(count == 1)
    }

    @Test("a client that wants HTTP/1.1 gets it, if it was offered")
    func wantsHTTP11() async throws {
        let answer: StreamServer.Answer = { event, session, _ in
            if case .request(let stream, _, _) = event { session.reset(stream, .http11Required) }
            return true
        }
        let (outcome, count) = try await fetch(answer: answer)
        // The second time h2 is not offered, and this server speaks nothing else.
        #expect(outcome.failure?.code == .secureConnectionFailed, "\(outcome)")
        #expect(count == 2)
        let offers = outcome.story.steps.compactMap { step -> [String]? in
            guard case .clientHello(let hello, _) = step else { return nil }
            return hello.applicationProtocols
        }
        #expect(offers == [["h2", "http/1.1"], ["http/1.1"]])
        let (only, again) = try await fetch({ $0.protocols = [.http2] }, answer: answer)
        #expect(only.failure?.detail.contains("HTTP_1_1_REQUIRED") == true, "\(only)")
        #expect(again == 1)
    }

    @Test("a server that sends GOAWAY and closes is reported", arguments: [true, false])
    func goAway(hasProcessed: Bool) async throws {
        let (outcome, count) = try await fetch(method: "POST") { event, session, number in
            guard case .request(let stream, _, _) = event else { return true }
            guard number == 0 else {
                try Self.say("new", session, stream)
                return true
            }
            if hasProcessed {
                try session.respond(Self.fields((":status", "200")), on: stream, endsStream: false)
            }
            session.goAway(.enhanceYourCalm, debugData: Array("slow down".utf8))
            return false
        }
        #expect(outcome.failure?.code == .networkConnectionLost, "\(outcome)")
        #expect(
            outcome.failure?.detail.contains("ENHANCE_YOUR_CALM (0xb), “slow down”") == true,
            "\(outcome)"
        )
        #expect(count == 1)
    }

    @Test("the next request after GOAWAY uses a new connection")
    func draining() async throws {
        let (outcome, count) = try await fetch { event, session, number in
            guard case .request(let stream, _, _) = event else { return true }
            guard number == 0 else {
                try Self.say("new", session, stream)
                return true
            }
            session.goAway()
            try session.respond(
                Self.fields((":status", "302"), ("location", "/b")),
                on: stream,
                endsStream: true
            )
            return true
        }
        #expect(outcome.text == "new", "\(outcome)")
        #expect(count == 2)
    }

    @Test("an answer that breaks the rules is none")
    func malformed() async throws {
        let (short, _) = try await fetch { event, session, _ in
            if case .request(let stream, _, _) = event {
                let head = Self.fields((":status", "200"), ("content-length", "10"))
                try session.respond(head, on: stream, endsStream: false)
                var bytes = ByteQueue([1])
                session.send(1, from: &bytes, on: stream)
                try session.finish(stream)
            }
            return true
        }
        #expect(short.failure?.code == .badServerResponse, "\(short)")
        let (endless, _) = try await fetch { event, session, _ in
            if case .request(let stream, _, _) = event {
                for _ in 0...20 { try session.inform(Self.fields((":status", "103")), on: stream) }
            }
            return true
        }
        #expect(endless.failure?.code == .badServerResponse, "\(endless)")
        let talks: StreamServer.Answer = { event, session, _ in
            if case .request(let stream, _, _) = event { try Self.say("12345", session, stream) }
            return true
        }
        let (long, _) = try await fetch({ $0.body = .whole(atMost: 4) }, answer: talks)
        #expect(long.failure?.code == .dataLengthExceedsMaximum, "\(long)")
        let (cut, _) = try await fetch({ $0.body = .beginning(4) }, answer: talks)
        let response = try cut.result.get()
        #expect(response.isCut && response.body == Array("1234".utf8))
    }

    @Test("without an ALPN answer, HTTP/1.1 is used, unless only HTTP/2 was offered")
    func withoutAgreement() async throws {
        let silent: StreamServer.Answer = { _, _, _ in true }
        let (only, _) = try await fetch(agreeing: nil, { $0.protocols = [.http2] }, answer: silent)
        #expect(only.failure?.check == "ALPN", "\(only)")
        try await ClientStage.run { stage in
            let outcome = try await stage.fetch("/json") { $0.protocols = [.http2, .http11] }
            #expect(outcome.text.contains("teapot"), "\(outcome)")
        }
    }
}
