package import PinholeModel

/// The head of a request of either version: request line and fields (RFC 9112 §3), or pseudo-fields and fields
/// (RFC 9113 §8.3.1).
///
/// Order, case and bytes of what came stay, so a head that nothing changes goes on as it came. The head is translated
/// only where the two sides speak different versions.
///
/// It does not change: one that differs is made anew. So it is shared on its way from reader to record,
/// and handing it on costs one reference count instead of eight.
package final class RequestHead: Sendable {
    /// The bytes as they were received, from the request line to the empty line; empty for a head
    /// that was made here, and for one of HTTP/2.
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
    /// The field lines, byte for byte; of HTTP/2 with the pseudo-fields, in the order in which they came.
    package let fields: HeaderFields
    /// How the end of the body is found.
    package let framing: BodyFraming
    /// The host of the Host field; `nil` where HTTP/1.0 has none, and for HTTP/2.
    package let host: HostField?
    /// The names that only HTTP/2 tells beside the fields; `nil` for HTTP/1.
    let stream: StreamNames?

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
        stream = nil
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
        stream = nil
    }

    /// Creates a head of HTTP/2.
    init(method: String, stream: StreamNames, fields: HeaderFields, framing: BodyFraming) {
        raw = []
        self.method = method
        let path = stream.path ?? ""
        exactPath = path.utf8.contains(0xef) ? fields.pathBytes : nil
        target =
            if let authority = stream.authority, stream.path == nil {
                .authority(authority)
            } else {
                path == "*" ? .asterisk : .origin(path)
            }
        rawTarget = path
        version = .http2
        self.fields = fields
        self.framing = framing
        host = nil
        self.stream = stream
    }

    /// The same request as a rule changed it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - scheme: The scheme, which only HTTP/2 states.
    ///   - authority: The server that the request names; `nil` leaves that.
    ///   - path: The path and query; `nil` leaves the target as it came, byte for byte.
    ///   - fields: The field lines; pseudo-fields among them are written anew.
    ///   - framing: How the end of the body is found; `nil` where that is as it came.
    /// - Returns: The head that is sent on.
    /// - Throws: ``StreamHeadFailure`` for a request of HTTP/2 that no server can be asked.
    package func changed(
        method: String,
        scheme: Scheme,
        authority: String?,
        path: String?,
        fields: HeaderFields,
        framing: BodyFraming? = nil
    ) throws(StreamHeadFailure) -> RequestHead {
        let framing = framing ?? self.framing
        if version == .http2 {
            let lines = streamLines(method: method, scheme: scheme, authority, path: path, fields)
            return try RequestHead(streamFields: lines, framing: framing)
        }
        var fields = fields
        var host: HostField?
        if let authority {
            host = try? HostField(Array(authority.utf8)[...])
            if fields.contains("host") {
                fields.replace("host", by: authority)
            } else {
                fields.append("Host", authority)
            }
        }
        guard let path else {
            return RequestHead(self, method: method, fields: fields, framing: framing, host: host)
        }
        return RequestHead(
            method: method,
            target: path == "*" ? .asterisk : .origin(path),
            version: version,
            fields: fields,
            framing: framing
        )
    }

    /// The same request for a server that goes by other names.
    ///
    /// - Parameters:
    ///   - host: The name of the server; `nil` for the name that the client wrote.
    ///   - scheme: The scheme that is spoken with it.
    /// - Returns: The request; `nil` where nothing differs, and for a CONNECT, which names no scheme.
    package func replacing(host: String?, scheme: Scheme) -> RequestHead? {
        guard version != .http2 else {
            guard self.scheme != nil, stream?.path != nil else { return nil }
            return try? changed(
                method: method,
                scheme: scheme,
                authority: host,
                path: target.path,
                fields: fields
            )
        }
        guard let host else { return nil }
        return try? changed(method: method, scheme: scheme, authority: host, path: nil, fields: fields)
    }

    /// The same request with one more field at the end.
    package func adding(_ name: String, _ value: String) -> RequestHead {
        var lines = fields
        lines.append(version == .http2 ? name.lowercased() : name, value)
        return RequestHead(self, method: method, fields: lines, framing: framing)
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
        stream = original.stream
    }

    /// The path and query as text that tells every byte: where they are no UTF-8, bytes beyond ASCII are
    /// percent-encoded.
    package var textualPath: String {
        OriginForm.exactTarget(of: self).map { $0.textualPath } ?? target.path
    }

    /// The scheme that the request states; `nil` where it states none, as most of HTTP/1 do.
    package var scheme: Scheme? {
        if case .absolute(let scheme, _, _) = target { return scheme }
        return stream?.scheme
    }

    /// The protocol that an extended CONNECT asks for, such as `websocket` (RFC 8441 §4).
    package var protocolName: String? { stream?.protocolName }

    /// The length of the body, where the head states it.
    package var contentLength: Int64? {
        if case .length(let length) = framing { return length }
        return version == .http2 ? fields.contentLength : nil
    }

    /// The server that is meant: by the target or `:authority` where it names one, else by Host.
    ///
    /// - Parameter scheme: The scheme under which the request came, for the port that Host leaves out.
    /// - Returns: The authority; `nil` for an HTTP/1.0 request in origin-form without Host.
    package func authority(for scheme: Scheme) -> Authority? {
        switch target {
        case .absolute(_, let authority, _), .authority(let authority): authority
        case .origin, .asterisk: stream?.authority ?? host?.authority(for: scheme)
        }
    }

    /// Whether the client wants the connection to stay open (RFC 9112 §9.3).
    package var isKeepAlive: Bool {
        version == .http2 || Persistence.isKeepAlive(version, fields)
    }

    /// Whether the client waits for 100 (Continue); ignored in HTTP/1.0 (RFC 9110 §10.1.1).
    package var expectsContinue: Bool {
        version != .http10 && framing.hasBody && fields.list("expect", contains: "100-continue")
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
                && left.stream == right.stream
    }
}
