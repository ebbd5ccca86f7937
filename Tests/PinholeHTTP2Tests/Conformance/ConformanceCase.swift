import PinholeModel
import Testing

@testable import PinholeHTTP2

/// One rule of an RFC: what the peer does, and what must come of it.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// What must come of it.
    enum Outcome: Sendable {
        /// GOAWAY with the code.
        case connection(HTTP2ErrorCode)
        /// RST_STREAM with the code; the connection lives.
        case stream(UInt32, HTTP2ErrorCode)
        /// Nothing at all; the connection lives.
        case ignored
        /// This event among others, and no error; the connection lives.
        case event(HTTP2Event)
        /// This event among others, and no error; the library answers no PING any more, as it may.
        case lastEvent(HTTP2Event)
        /// This frame in the output, and no error; the connection lives.
        case answer(type: UInt8, flags: UInt8, stream: UInt32)
        /// No error yet: the peer has not finished what it says.
        case waits
    }

    /// What happens, one after the other.
    enum Step: Sendable {
        case peer([UInt8])
        case engine(@Sendable (HTTP2Session) throws -> Void)
    }

    let section: String
    let rule: String
    let role: HTTP2Session.Role
    /// Whether the connection is opened first.
    let opens: Bool
    let settings: HTTP2Settings?
    let steps: [Step]
    let outcome: Outcome

    var testDescription: String { "\(role) §\(section): \(rule)" }

    /// A case against an engine that is the server.
    static func server(
        _ section: String,
        _ rule: String,
        opens: Bool = true,
        settings: HTTP2Settings? = nil,
        _ steps: [Step],
        _ outcome: Outcome
    ) -> ConformanceCase {
        ConformanceCase(
            section: section,
            rule: rule,
            role: .server,
            opens: opens,
            settings: settings,
            steps: steps,
            outcome: outcome
        )
    }

    /// A case against an engine that is the client; stream 1 carries its request.
    static func client(
        _ section: String,
        _ rule: String,
        opens: Bool = true,
        request: HeaderFields = .get(),
        endsStream: Bool = true,
        _ steps: [Step],
        _ outcome: Outcome
    ) -> ConformanceCase {
        let asks = Step.engine { _ = try $0.request(request, endsStream: endsStream) }
        return ConformanceCase(
            section: section,
            rule: rule,
            role: .client,
            opens: opens,
            settings: nil,
            steps: opens ? [asks] + steps : steps,
            outcome: outcome
        )
    }

    /// Plays the case, the bytes in pieces of `chunk`.
    func play(chunk: Int) throws {
        let peer = HandMadePeer(role, settings: settings, chunk: chunk)
        if opens { peer.open() }
        for step in steps {
            switch step {
            case .peer(let bytes): peer.feed(bytes)
            case .engine(let act): try act(peer.session)
            }
            peer.collect()
        }
        judge(peer)
    }

    private func judge(_ peer: HandMadePeer) {
        let name = Comment(rawValue: testDescription)
        if case .connection(let code) = outcome {
            #expect(peer.goAway == code, name)
            #expect(peer.session.failure?.code == code, name)
            #expect(peer.events.contains { if case .failed = $0 { true } else { false } }, name)
            #expect(peer.session.isFinished, name)
            return
        }
        #expect(peer.session.failure == nil, name)
        switch outcome {
        case .stream(let stream, let code): #expect(peer.resets == [stream: code], name)
        case .ignored, .waits, .connection: #expect(peer.resets == [:], name)
        case .event(let event), .lastEvent(let event):
            #expect(HTTP2Pair.joined(peer.events).contains(event), name)
            #expect(peer.resets == [:], name)
        case .answer(let type, let flags, let stream):
            #expect(
                peer.frames.contains { $0.type == type && $0.flags == flags && $0.stream == stream },
                name
            )
            #expect(peer.resets == [:], name)
        }
        switch outcome {
        case .waits, .lastEvent: break
        case .stream, .ignored, .event, .answer, .connection: #expect(peer.isAlive(), name)
        }
    }
}

extension HTTP2Event {
    /// A request on stream 1 with the fields that the tests send.
    static func request(
        _ fields: HeaderFields = .get(),
        endsStream: Bool = true
    ) -> HTTP2Event { .request(HTTP2StreamID(rawValue: 1), fields, endsStream: endsStream) }

    /// An event of stream 1.
    static let ended = HTTP2Event.ended(HTTP2StreamID(rawValue: 1))
}
