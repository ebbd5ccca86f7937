import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The answer to one request of HTTP/2, as far as it has come.
///
/// A reception takes the events of a session until the answer is whole, and has no part in what is sent meanwhile.
struct StreamReception {
    /// The server's word on sending the request again.
    enum Refusal {
        /// The server has not processed the request, so even one that is not idempotent may be repeated (RFC 9113
        /// §8.7).
        case unprocessed
        /// The server answers this request only over HTTP/1.1.
        case wantsHTTP11
    }

    /// The stream of the request.
    let stream: HTTP2StreamID
    /// The final head; `nil` if it has not come yet.
    private(set) var head: ResponseHead?
    /// The bytes of the body that have come.
    private(set) var body: BoundedBody
    /// The fields behind the body.
    private(set) var trailers = HeaderFields()
    /// Whether the answer is complete.
    private(set) var isWhole = false
    /// Whether any part of the answer has come.
    private(set) var hasBegun = false
    /// The server's word on sending the request again; `nil` if it said nothing.
    private(set) var refusal: Refusal?
    /// The reason why the server takes no more requests; `nil` while it does.
    private(set) var goAway: String?
    private var interimCount = 0
    private let takeBody: (@Sendable ([UInt8]) -> Void)?

    init(
        of stream: HTTP2StreamID,
        reading bound: ClientSettings.BodyBound,
        takeBody: (@Sendable ([UInt8]) -> Void)? = nil
    ) {
        self.stream = stream
        body = BoundedBody(bound)
        self.takeBody = takeBody
    }

    /// Takes an event.
    ///
    /// - Parameters:
    ///   - event: The event of the connection.
    ///   - session: The connection, which holds the bytes of bodies.
    /// - Returns: The head of an interim response, if the event was one.
    /// - Throws: ``ClientFailure`` if no answer can come any more.
    mutating func take(
        _ event: HTTP2Event,
        from session: HTTP2Session
    ) throws(ClientFailure) -> ResponseHead? {
        switch event {
        case .informational(stream, let fields): return try interim(fields)
        case .response(stream, let fields, _):
            hasBegun = true
            head = try Self.head(fields)
        case .data(stream, let count): try take(count, from: session)
        case .trailers(stream, let fields): trailers = fields
        case .ended(stream): isWhole = true
        case .reset(stream, let code, let origin, let detail): try reset(code, origin, detail)
        case .refused(stream):
            refusal = .unprocessed
            throw .lost("the server refused the stream unseen (REFUSED_STREAM)", during: Self.place)
        case .goAway(_, let code, let debug):
            let text = debug.isEmpty ? "" : ", \(HTTP1Failure.excerpt(debug))"
            goAway = "the server takes no more requests on the connection (GOAWAY, \(code)\(text))"
        case .failed(let failure):
            throw ClientFailure(.badServerResponse, check: "HTTP/2", failure.description)
        // Events of earlier streams, or of none.
        case .informational, .response, .data, .trailers, .ended, .reset, .refused, .request, .requestRefused,
            .streamDeclined, .closed, .drained, .settings, .extensionFrame:
            break
        }
        return nil
    }

    private static let place = "while a response was awaited"

    private mutating func interim(_ fields: HeaderFields) throws(ClientFailure) -> ResponseHead {
        hasBegun = true
        interimCount += 1
        guard interimCount <= ServerConnection.mostInterim else { throw .endlessInterim }
        return try Self.head(fields)
    }

    private mutating func take(_ count: Int, from session: HTTP2Session) throws(ClientFailure) {
        let pieces = head?.isSuccess == true ? takeBody : nil
        var bytes = ByteQueue()
        session.take(upTo: count, from: stream, into: &bytes)
        if let pieces { pieces(Array(bytes.slice())) } else { try body.take(bytes.slice()) }
        // The exchange resets the stream, so the rest of the body is not read.
        if body.isCut { isWhole = true }
        session.release(bytes.count, on: stream)
    }

    private mutating func reset(
        _ code: HTTP2ErrorCode,
        _ origin: HTTP2Event.ResetOrigin,
        _ detail: String
    ) throws(ClientFailure) {
        // RFC 9113 §8.1: a complete answer is valid; the server only does not want the rest of the request.
        guard !isWhole else { return }
        guard origin == .peer else {
            throw ClientFailure(.badServerResponse, check: "HTTP/2", detail)
        }
        if code == .http11Required { refusal = .wantsHTTP11 }
        throw .lost("the server reset the stream: \(code)", during: Self.place)
    }

    /// A head of HTTP/2 as the client hands it out: without pseudo-fields, and with the standard's own phrase.
    private static func head(_ fields: HeaderFields) throws(ClientFailure) -> ResponseHead {
        let head: ResponseHead
        do throws(StreamHeadFailure) {
            head = try ResponseHead(stream: fields, endsStream: false)
        } catch {
            throw ClientFailure(.badServerResponse, check: "HTTP/2", error.detail)
        }
        var plain = fields
        plain.remove(at: fields.indices.filter { fields.isPseudo(at: $0) })
        return ResponseHead(
            status: head.status,
            reason: ReasonPhrase.of(head.status),
            fields: plain,
            framing: head.contentLength.map(BodyFraming.length) ?? .none
        )
    }
}
