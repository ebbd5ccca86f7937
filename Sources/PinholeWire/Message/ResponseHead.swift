package import PinholeModel

/// The head of a response of any version: status line and fields (RFC 9112 §4), or `:status` and fields (RFC
/// 9113 §8.3.2).
///
/// A head is immutable, like ``RequestHead``.
package final class ResponseHead: Sendable {
    /// The received bytes, from the status line to the empty line; empty for a head that was created here.
    ///
    /// An HTTP/2 head has none until a rule changes it. From then on, this is the record of the received head.
    package let raw: [UInt8]
    /// The status, 100 to 999.
    package let status: Int
    /// The status that was received.
    ///
    /// The status differs from ``status`` if a rule changed it.
    package let receivedStatus: Int
    /// The reason phrase as text; it may be empty.
    package let reason: String
    /// The version of HTTP that the response came in.
    package let version: HTTPVersion
    /// The field lines, byte for byte.
    ///
    /// For HTTP/2 they include `:status`.
    package let fields: HeaderFields
    /// The way to find the end of the body.
    package let framing: BodyFraming
    /// The rules of HTTP/1 that the received head broke; ``fields`` has been corrected, and ``raw`` has not.
    ///
    /// A head that was changed on its way has none.
    package let notes: [ExchangeNote]
    /// Whether the head can be written as it came: ``fields`` are the lines of ``raw``, and a reader has checked all of it.
    let isVerbatim: Bool

    /// Creates a head that was not received.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - reason: The reason phrase.
    ///   - version: The version.
    ///   - fields: The field lines, framing fields included.
    ///   - framing: The way to find the end of the body; it must agree with the fields.
    package init(
        status: Int,
        reason: String,
        version: HTTPVersion = .http11,
        fields: HeaderFields,
        framing: BodyFraming
    ) {
        raw = []
        notes = []
        isVerbatim = false
        self.status = status
        receivedStatus = status
        self.reason = reason
        self.version = version
        self.fields = fields
        self.framing = framing
    }

    /// Creates the head that a reader has read and checked.
    init(
        line: StatusLine,
        raw: [UInt8],
        fields: HeaderFields,
        framing: BodyFraming,
        notes: [ExchangeNote],
        isVerbatim: Bool = false
    ) {
        self.raw = raw
        self.notes = notes
        self.isVerbatim = isVerbatim
        status = line.status
        receivedStatus = line.status
        reason = line.reason(in: fields.slice(0..<fields.byteCount))
        version = line.version
        self.fields = fields
        self.framing = framing
    }

    /// Creates the head of a received message with the bytes `raw`, which are empty for HTTP/2.
    init(
        status: Int,
        version: HTTPVersion,
        raw: [UInt8] = [],
        fields: HeaderFields,
        framing: BodyFraming
    ) {
        self.raw = raw
        notes = []
        isVerbatim = false
        self.status = status
        receivedStatus = status
        reason = ReasonPhrase.of(status)
        self.version = version
        self.fields = fields
        self.framing = framing
    }

    private init(
        _ original: ResponseHead,
        status: Int? = nil,
        fields: HeaderFields,
        framing: BodyFraming
    ) {
        raw = original.recorded
        notes = []
        isVerbatim = false
        self.status = status ?? original.status
        receivedStatus = original.receivedStatus
        reason = status.map(ReasonPhrase.of) ?? original.reason
        version = original.version
        self.fields = fields
        self.framing = framing
    }

    /// The same response after a rule changed it.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The field lines, framing fields included.
    ///   - framing: The way to find the end of the body; it must agree with the fields.
    /// - Returns: The head to forward. Its `raw` keeps the received head.
    package func changed(status: Int, fields: HeaderFields, framing: BodyFraming) -> ResponseHead {
        ResponseHead(
            self,
            status: status == self.status ? nil : status,
            fields: version == .http2 ? fields.lines(ofStatus: status) : fields,
            framing: framing
        )
    }

    /// The same head without Alt-Svc, which would lead the client past the proxy (RFC 7838 §3).
    ///
    /// - Returns: The head; `nil` if there is no such field. Its `raw` keeps the received head.
    package func withoutAltSvc() -> ResponseHead? {
        guard fields.contains("alt-svc") else { return nil }
        var fields = fields
        fields.removeAll(named: "alt-svc")
        return ResponseHead(self, fields: fields, framing: framing)
    }

    /// The same head for a client without chunks (HTTP/1.0).
    ///
    /// The end of the connection ends the body.
    package func withoutChunks() -> ResponseHead {
        var fields = fields
        fields.removeAll(named: "transfer-encoding")
        return ResponseHead(self, fields: fields, framing: .untilClose)
    }

    /// The range of the start line in ``raw``, its CRLF included.
    var startLine: Range<Int> { 0..<(fields.isEmpty ? raw.count - 2 : fields.lineRange(at: 0).lowerBound) }

    /// Whether the connection to the server can take another request (RFC 9112 §9.3).
    ///
    /// After an answer that broke a rule, the place where the next one begins is not certain enough. A malformed status
    /// line says nothing about that place.
    package var isKeepAlive: Bool {
        if version == .http2 { return true }
        return framing != .untilClose && Persistence.isKeepAlive(version, fields)
            && notes.allSatisfy { $0 == .answerStatusLine }
    }

    /// Whether this is an interim response, which another response follows.
    ///
    /// 101 ends the exchange.
    package var isInformational: Bool { status < 200 && status != 101 }

    /// Whether the status says that the request was carried out (RFC 9110 §15.3).
    package var isSuccess: Bool { 200..<300 ~= status }

    /// The length of the body; `nil` if the head does not state it.
    package var contentLength: Int64? {
        if case .length(let length) = framing { return length }
        return version == .http2 ? fields.contentLength : nil
    }

    /// Whether Upgrade is kept: in the switch itself (101), and in the demand for a switch (426).
    package var upgrade: Bool { status == 101 || status == 426 }
}

extension ResponseHead: Equatable {
    /// Whether both heads have the same content in the same bytes.
    package static func == (left: ResponseHead, right: ResponseHead) -> Bool {
        left === right
            || left.raw == right.raw && left.status == right.status && left.reason == right.reason
                && left.version == right.version && left.fields == right.fields
                && left.framing == right.framing
    }
}
