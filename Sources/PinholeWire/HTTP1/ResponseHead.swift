package import PinholeModel

/// The head of a response: status line and fields (RFC 9112 §4).
package struct ResponseHead: Sendable, Equatable {
    /// The bytes as they were received, from the status line to the empty line; empty for a head
    /// that was made here.
    package var raw: [UInt8]
    /// The status, 100 to 999.
    package var status: Int
    /// The reason phrase, as text; may be empty.
    package var reason: String
    /// The version.
    package var version: HTTPVersion
    /// The field lines, byte for byte.
    package var fields: HeaderFields
    /// How the end of the body is found.
    package var framing: BodyFraming

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
        self.reason = reason
        self.version = version
        self.fields = fields
        self.framing = framing
    }

    init(line: StatusLine, raw: [UInt8], fields: HeaderFields, framing: BodyFraming) {
        self.raw = raw
        status = line.status
        reason = line.reason
        version = line.version
        self.fields = fields
        self.framing = framing
    }

    /// Removes the Alt-Svc fields, which would lead the client past the proxy (RFC 7838 §3).
    ///
    /// - Returns: Whether there was one. What was received stays in `raw`.
    package mutating func removeAltSvc() -> Bool {
        guard fields.contains("alt-svc") else { return false }
        fields.removeAll(named: "alt-svc")
        return true
    }

    /// Whether the server leaves the connection open after this response (RFC 9112 §9.3).
    package var isKeepAlive: Bool {
        framing != .untilClose && Persistence.isKeepAlive(version, fields)
    }

    /// Whether this is an interim response, after which another one follows; 101 ends the exchange.
    package var isInformational: Bool { status < 200 && status != 101 }

    /// Whether Upgrade means something here: the switch itself, or the demand to ask for one.
    package var upgrade: Bool { status == 101 || status == 426 }
}
