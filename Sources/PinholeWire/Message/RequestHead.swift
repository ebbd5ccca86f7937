package import PinholeModel

/// The head of a request of any version: request line and fields (RFC 9112 §3), or pseudo-fields and fields
/// (RFC 9113 §8.3.1).
///
/// The order, case and bytes of the received fields are kept, so an unchanged head is forwarded as it was
/// received. The head is translated only if the two sides speak different versions.
///
/// A head is immutable; a change makes a new one. So it can be shared on its way from the reader to the
/// record, and passing it on costs one reference count instead of eight.
package final class RequestHead: Sendable {
    /// The received bytes, from the request line to the empty line; empty for an HTTP/2 head and for a head
    /// that was created here.
    package let raw: [UInt8]
    /// The method as received; methods are case-sensitive.
    package let method: String
    /// The request target (RFC 9112 §3.2).
    package let target: RequestTarget
    /// The target as received.
    ///
    /// Bytes that are not UTF-8 become U+FFFD here; `raw` or ``exactPath`` keeps them.
    package let rawTarget: String
    /// The bytes of the path if the text does not represent them exactly, for an HTTP/2 head or one created
    /// here; otherwise `nil`.
    let exactPath: [UInt8]?
    /// The version of HTTP that the request came in.
    package let version: HTTPVersion
    /// The field lines, byte for byte.
    ///
    /// For HTTP/2 they include the pseudo-fields, in the received order.
    package let fields: HeaderFields
    /// The way to find the end of the body.
    package let framing: BodyFraming
    /// The host of the Host field; `nil` for an HTTP/1.0 request without Host, and for HTTP/2.
    package let host: HostField?
    /// The pseudo-fields of HTTP/2; `nil` for HTTP/1.
    let stream: StreamNames?
    /// Whether the head can be written as it came: ``fields`` are the lines of ``raw``, and a reader has checked all of it.
    let isVerbatim: Bool

    /// Creates a head that was not received.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The target; `rawTarget` follows from it.
    ///   - version: The version.
    ///   - fields: The field lines, Host and framing fields included.
    ///   - framing: The way to find the end of the body; it must agree with the fields.
    ///   - exactPath: The bytes of a target in origin-form that is not UTF-8.
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
        isVerbatim = false
    }

    /// Creates the head that a reader has read and checked.
    init(
        line: RequestLine,
        target: RequestTarget?,
        raw: [UInt8],
        fields: HeaderFields,
        framing: BodyFraming,
        host: HostField?,
        isVerbatim: Bool
    ) {
        self.raw = raw
        exactPath = nil
        method = line.method(in: raw[...])
        let rawTarget = line.rawTarget(in: raw[...])
        self.rawTarget = rawTarget
        self.target = target ?? .origin(rawTarget)
        version = line.version
        self.fields = fields
        self.framing = framing
        self.host = host
        stream = nil
        self.isVerbatim = isVerbatim
    }

    /// Creates a head of HTTP/2.
    init(method: String, stream: StreamNames, fields: HeaderFields, framing: BodyFraming) {
        raw = []
        self.method = method
        let path = stream.path ?? ""
        exactPath = Grammar.contains(0xef, in: path) ? fields.pathBytes : nil
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
        isVerbatim = false
    }

    /// The same request after a rule changed it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - scheme: The scheme, which is used only for HTTP/2.
    ///   - authority: The new server; `nil` to keep the server.
    ///   - path: The new path and query; `nil` to keep the target, byte for byte.
    ///   - fields: The field lines; pseudo-fields among them are replaced.
    ///   - framing: The way to find the end of the body; `nil` to keep it.
    /// - Returns: The head to forward.
    /// - Throws: ``StreamHeadFailure`` for an HTTP/2 request that cannot be sent to any server.
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
            var last = LastStreamServer()
            return try RequestHead(streamFields: lines, framing: framing, after: &last)
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

    /// The same request for a server with another name.
    ///
    /// - Parameters:
    ///   - host: The name of the server; `nil` for the name that the client used.
    ///   - scheme: The scheme of the request to the server.
    /// - Returns: The request; `nil` if nothing differs, and for a CONNECT over HTTP/2, which names no scheme.
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
        isVerbatim = false
    }

    /// The path and query as text without loss.
    ///
    /// If they are not UTF-8, bytes beyond ASCII are percent-encoded.
    package var textualPath: String {
        OriginForm.exactTarget(of: self).map { $0.textualPath } ?? target.path
    }

    /// The range of the start line in ``raw``, its CRLF included.
    var startLine: Range<Int> { 0..<(fields.isEmpty ? raw.count - 2 : fields.lineRange(at: 0).lowerBound) }

    /// The scheme that the request states; `nil` if it states none, as most HTTP/1 requests do.
    package var scheme: Scheme? {
        if case .absolute(let scheme, _, _) = target { return scheme }
        return stream?.scheme
    }

    /// The protocol of an extended CONNECT, such as `websocket` (RFC 8441 §4); `nil` for other requests.
    package var protocolName: String? { stream?.protocolName }

    /// The length of the body; `nil` if the head does not state it.
    package var contentLength: Int64? {
        if case .length(let length) = framing { return length }
        return version == .http2 ? fields.contentLength : nil
    }

    /// Returns the server that the request is for.
    ///
    /// The target or `:authority` counts first, then Host.
    ///
    /// - Parameter scheme: The scheme of the request, for the default port.
    /// - Returns: The authority; `nil` for an HTTP/1.0 request in origin-form without Host.
    package func authority(for scheme: Scheme) -> Authority? {
        switch target {
        case .absolute(_, let authority, _), .authority(let authority): authority
        case .origin, .asterisk: stream?.authority ?? host?.authority(for: scheme)
        }
    }

    /// Whether Host names another server than a target in absolute-form (RFC 9112 §3.2.2).
    ///
    /// The target alone decides where the request goes.
    package var hasForeignHost: Bool {
        guard case .absolute(let scheme, let authority, _) = target, let host else { return false }
        return host.authority(for: scheme) != authority
    }

    /// Whether the client wants the connection to stay open (RFC 9112 §9.3).
    package var isKeepAlive: Bool {
        version == .http2 || Persistence.isKeepAlive(version, fields)
    }

    /// Whether the client waits for 100 (Continue).
    ///
    /// The expectation is ignored in HTTP/1.0 (RFC 9110 §10.1.1).
    package var expectsContinue: Bool {
        version != .http10 && framing.hasBody && fields.list("expect", contains: "100-continue")
    }

    /// Whether the client asks to switch protocols.
    ///
    /// `h2c` does not count: RFC 9113 §3.1 made it obsolete, and after such a switch the proxy could not
    /// follow the exchange. The request is forwarded without Upgrade.
    package var upgrade: Bool {
        version == .http11 && fields.contains("upgrade") && fields.list("connection", contains: "upgrade")
            && !fields.list("upgrade", contains: "h2c")
    }
}

extension RequestHead: Equatable {
    /// Whether both heads have the same content in the same bytes.
    package static func == (left: RequestHead, right: RequestHead) -> Bool {
        left === right
            || left.raw == right.raw && left.method == right.method && left.target == right.target
                && left.rawTarget == right.rawTarget && left.exactPath == right.exactPath
                && left.version == right.version
                && left.fields == right.fields && left.framing == right.framing && left.host == right.host
                && left.stream == right.stream
    }
}
