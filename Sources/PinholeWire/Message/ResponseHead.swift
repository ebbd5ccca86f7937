package import PinholeModel

/// The head of a response of either version: status line and fields (RFC 9112 §4), or `:status` and fields
/// (RFC 9113 §8.3.2).
///
/// It does not change, as ``RequestHead`` does not.
package final class ResponseHead: Sendable {
    /// The bytes as they were received, from the status line to the empty line; empty for a head
    /// that was made here.
    ///
    /// A head of HTTP/2 has none until a rule changes it; then they are the bytes that are recorded.
    package let raw: [UInt8]
    /// The status, 100 to 999.
    package let status: Int
    /// The status that was received, where a rule has changed it.
    package let receivedStatus: Int
    /// The reason phrase, as text; may be empty.
    package let reason: String
    /// The version.
    package let version: HTTPVersion
    /// The field lines, byte for byte; of HTTP/2 with `:status`.
    package let fields: HeaderFields
    /// How the end of the body is found.
    package let framing: BodyFraming

    /// Creates a head that was not received.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - reason: The reason phrase.
    ///   - version: The version.
    ///   - fields: The field lines, framing fields included.
    ///   - framing: How the end of the body is found; must agree with the fields.
    package init(
        status: Int,
        reason: String,
        version: HTTPVersion = .http11,
        fields: HeaderFields,
        framing: BodyFraming
    ) {
        raw = []
        self.status = status
        receivedStatus = status
        self.reason = reason
        self.version = version
        self.fields = fields
        self.framing = framing
    }

    init(line: StatusLine, raw: [UInt8], fields: HeaderFields, framing: BodyFraming) {
        self.raw = raw
        status = line.status
        receivedStatus = line.status
        reason = line.reason
        version = line.version
        self.fields = fields
        self.framing = framing
    }

    /// Creates the head of a message that came as `raw`, which is empty for a head of HTTP/2.
    init(
        status: Int,
        version: HTTPVersion,
        raw: [UInt8] = [],
        fields: HeaderFields,
        framing: BodyFraming
    ) {
        self.raw = raw
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
        self.status = status ?? original.status
        receivedStatus = original.receivedStatus
        reason = status.map(ReasonPhrase.of) ?? original.reason
        version = original.version
        self.fields = fields
        self.framing = framing
    }

    /// The same response as a rule changed it.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The field lines, framing fields included.
    ///   - framing: How the end of the body is found; must agree with the fields.
    /// - Returns: The head that is sent on. What was received stays in `raw`.
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
    /// - Returns: The head; `nil` when there is no such field. What was received stays in `raw`.
    package func withoutAltSvc() -> ResponseHead? {
        guard fields.contains("alt-svc") else { return nil }
        var fields = fields
        fields.removeAll(named: "alt-svc")
        return ResponseHead(self, fields: fields, framing: framing)
    }

    /// The same head for a client that knows no chunks (HTTP/1.0): the body ends at the close.
    package func withoutChunks() -> ResponseHead {
        var fields = fields
        fields.removeAll(named: "transfer-encoding")
        return ResponseHead(self, fields: fields, framing: .untilClose)
    }

    /// Whether the server leaves the connection open after this response (RFC 9112 §9.3).
    package var isKeepAlive: Bool {
        version == .http2 || framing != .untilClose && Persistence.isKeepAlive(version, fields)
    }

    /// Whether this is an interim response, after which another one follows; 101 ends the exchange.
    package var isInformational: Bool { status < 200 && status != 101 }

    /// The length of the body, where the head states it.
    package var contentLength: Int64? {
        if case .length(let length) = framing { return length }
        return version == .http2 ? fields.contentLength : nil
    }

    /// Whether Upgrade means something here: the switch itself, or the demand to ask for one.
    package var upgrade: Bool { status == 101 || status == 426 }
}

extension ResponseHead: Equatable {
    /// Whether both say the same in the same bytes.
    package static func == (left: ResponseHead, right: ResponseHead) -> Bool {
        left === right
            || left.raw == right.raw && left.status == right.status && left.reason == right.reason
                && left.version == right.version && left.fields == right.fields
                && left.framing == right.framing
    }
}
