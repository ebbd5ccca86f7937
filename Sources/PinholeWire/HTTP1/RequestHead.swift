package import PinholeModel

/// The head of a request: request line and fields (RFC 9112 §3).
///
/// It does not change: one that differs is made anew. So it is shared on its way from reader to record,
/// and handing it on costs one reference count instead of eight.
package final class RequestHead: Sendable {
    /// The bytes as they were received, from the request line to the empty line; empty for a head
    /// that was made here.
    package let raw: [UInt8]
    /// The method, as it came; methods are case-sensitive.
    package let method: String
    /// The target.
    package let target: RequestTarget
    /// The target as it came; bytes that are no UTF-8 are U+FFFD here and are kept in `raw` or ``exactPath``.
    package let rawTarget: String
    /// The path of a head that was made here, where text does not tell its bytes.
    let exactPath: [UInt8]?
    /// The version.
    package let version: HTTPVersion
    /// The field lines, byte for byte.
    package let fields: HeaderFields
    /// How the end of the body is found.
    package let framing: BodyFraming
    /// What the Host field says; `nil` where HTTP/1.0 has none.
    package let host: HostField?

    /// Creates a head that was not received.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The target; `rawTarget` follows from it.
    ///   - version: The version.
    ///   - fields: The field lines, Host and framing fields included.
    ///   - framing: How the end of the body is found; must agree with the fields.
    ///   - exactPath: The bytes of a target in origin-form that is no UTF-8.
    package init(
        method: String,
        target: RequestTarget,
        version: HTTPVersion = .http11,
        fields: HeaderFields,
        framing: BodyFraming = .none,
        exactPath: [UInt8]? = nil
    ) {
        raw = []
        self.exactPath = exactPath
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.framing = framing
        rawTarget =
            switch target {
            case .origin(let path): path
            case .absolute(let scheme, let authority, let path):
                "\(scheme.rawValue)://\(authority.text(defaultPort: scheme.defaultPort))\(path == "*" ? "" : path)"
            case .authority(let authority): authority.description
            case .asterisk: "*"
            }
        host = fields.indices.first { fields.isNamed("host", at: $0) }
            .flatMap { try? HostField(fields.value(at: $0)) }
    }

    init(line: RequestLine, raw: [UInt8], fields: HeaderFields, framing: BodyFraming, host: HostField?) {
        self.raw = raw
        exactPath = nil
        method = line.method
        target = line.target
        rawTarget = line.rawTarget
        version = line.version
        self.fields = fields
        self.framing = framing
        self.host = host
    }

    /// The same request as a rule changed it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path and query; `nil` leaves the target as it came, byte for byte.
    ///   - fields: The field lines.
    ///   - framing: How the end of the body is found, where the fields say so otherwise than those that came.
    /// - Returns: The head that is sent on.
    package func changed(
        method: String,
        path: String?,
        fields: HeaderFields,
        framing: BodyFraming? = nil
    ) -> RequestHead {
        if let path {
            let target: RequestTarget = path == "*" ? .asterisk : .origin(path)
            return RequestHead(
                method: method,
                target: target,
                version: version,
                fields: fields,
                framing: framing ?? self.framing
            )
        }
        return RequestHead(self, method: method, fields: fields, framing: framing ?? self.framing)
    }

    private init(
        _ original: RequestHead,
        method: String,
        fields: HeaderFields,
        framing: BodyFraming,
        host: HostField? = nil
    ) {
        raw = original.raw
        exactPath = original.exactPath
        self.method = method
        target = original.target
        rawTarget = original.rawTarget
        version = original.version
        self.fields = fields
        self.framing = framing
        self.host = host ?? original.host
    }

    /// The same request with another Host, in its place; one without Host gets it at the end.
    package func replacingHost(_ text: String) -> RequestHead {
        var changed = fields
        changed.replace("host", by: text)
        if !changed.contains("host") { changed.append("Host", text) }
        return RequestHead(
            self,
            method: method,
            fields: changed,
            framing: framing,
            host: try? HostField(Array(text.utf8)[...])
        )
    }

    /// The path and query as text that tells every byte: where they are no UTF-8, bytes beyond ASCII are
    /// percent-encoded.
    package var textualPath: String {
        OriginForm.exactTarget(of: self).map { $0.textualPath } ?? target.path
    }

    /// The server that is meant: by the target where it names one, else by Host.
    ///
    /// - Parameter scheme: The scheme under which the request came, for the port that Host leaves out.
    /// - Returns: The authority; `nil` for an HTTP/1.0 request in origin-form without Host.
    package func authority(for scheme: Scheme) -> Authority? {
        switch target {
        case .absolute(_, let authority, _), .authority(let authority): authority
        case .origin, .asterisk: host?.authority(for: scheme)
        }
    }

    /// Whether the client wants the connection to stay open (RFC 9112 §9.3).
    package var isKeepAlive: Bool {
        Persistence.isKeepAlive(version, fields)
    }

    /// Whether the client waits for 100 (Continue); ignored in HTTP/1.0 (RFC 9110 §10.1.1).
    package var expectsContinue: Bool {
        version == .http11 && framing.hasBody && fields.list("expect", contains: "100-continue")
    }

    /// Whether the client asks to switch protocols.
    ///
    /// `h2c` does not count: RFC 9113 §3.1 made it obsolete, and a server that accepted it would
    /// lead the exchange out of sight. Such a request is forwarded without Upgrade.
    package var upgrade: Bool {
        version == .http11 && fields.contains("upgrade") && fields.list("connection", contains: "upgrade")
            && !fields.list("upgrade", contains: "h2c")
    }
}

extension RequestHead: Equatable {
    /// Whether both say the same in the same bytes.
    package static func == (left: RequestHead, right: RequestHead) -> Bool {
        left === right
            || left.raw == right.raw && left.method == right.method && left.target == right.target
                && left.rawTarget == right.rawTarget && left.exactPath == right.exactPath
                && left.version == right.version
                && left.fields == right.fields && left.framing == right.framing && left.host == right.host
    }
}
