package import PinholeModel

/// The head of a request as HTTP/2 carries it: pseudo-fields, then fields (RFC 9113 §8.3.1).
///
/// It is what exchanges of HTTP/2 are decided by; a request of HTTP/1 is translated into one where the
/// other side speaks HTTP/2. It does not change, so handing it on costs one reference count.
package final class StreamRequestHead: Sendable {
    /// All fields as they came, pseudo-fields included, in their order; names in lower case.
    package let fields: HeaderFields
    /// The method.
    package let method: String
    /// The scheme; `nil` for CONNECT.
    package let scheme: String?
    /// The server that is meant, by `:authority` or else by Host; `nil` where neither names one.
    package let authority: Authority?
    /// The path and query, `*` for the server as a whole; `nil` for CONNECT.
    ///
    /// Bytes that are no UTF-8 are U+FFFD here; they go on as they came.
    package let path: String?
    /// The protocol that an extended CONNECT asks for, such as `websocket` (RFC 8441 §4).
    package let protocolName: String?
    /// The length that Content-Length states.
    package let contentLength: Int64?

    /// Reads a head that came from a peer.
    ///
    /// - Parameter fields: The fields, pseudo-fields included.
    /// - Throws: ``StreamHeadFailure`` for what no server can be asked.
    package init(_ fields: HeaderFields) throws(StreamHeadFailure) {
        self.fields = fields
        var pseudo = Pseudo()
        var host: String?
        var length: Int64?
        for index in fields.indices {
            switch fields.nameLength(at: index) {
            case 4 where fields.isNamed("host", at: index): host = host ?? Self.text(fields.value(at: index))
            case 5, 7, 9, 10: pseudo.note(fields, index)
            case 14 where fields.isNamed("content-length", at: index):
                length = Grammar.decimal(fields.value(at: index))
            default: break
            }
        }
        guard let method = pseudo.method, Grammar.isToken(method.utf8) else {
            throw StreamHeadFailure("The request is refused: it has no :method that is a token.")
        }
        let named = try Self.authority(pseudo.authority ?? host, scheme: pseudo.scheme)
        if let host, pseudo.authority != nil {
            // RFC 9113 §8.3.1: the two must not identify different entities.
            let other = try Self.authority(host, scheme: pseudo.scheme)
            guard other == named else {
                throw StreamHeadFailure(
                    "The request is refused: :authority \(HTTP1Failure.excerpt((pseudo.authority ?? "").utf8))"
                        + " and Host \(HTTP1Failure.excerpt(host.utf8)) name two servers."
                )
            }
        }
        try Self.check(pseudo, named)
        self.method = method
        scheme = pseudo.scheme
        authority = named
        path = pseudo.path
        protocolName = pseudo.protocolName
        contentLength = length
    }

    /// The same request as a rule changed it.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - scheme: The scheme.
    ///   - authority: What is written as `:authority`; `nil` leaves it.
    ///   - path: The path and query; `nil` leaves them as they came, byte for byte.
    ///   - fields: The fields; pseudo-fields among them are written anew, those that frame the body are as they came.
    /// - Returns: The head that is sent on.
    /// - Throws: ``StreamHeadFailure`` for what no server can be asked.
    package func changed(
        method: String,
        scheme: Scheme,
        authority: String?,
        path: String?,
        fields: HeaderFields
    ) throws(StreamHeadFailure) -> StreamRequestHead {
        var lines = HeaderFields()
        lines.reserveCapacity(fields.byteCount + 64)
        lines.append(":method", method)
        if let protocolName { lines.append(":protocol", protocolName) }
        lines.append(":scheme", scheme.rawValue)
        let named =
            authority
            ?? self.authority?.text(defaultPort: Scheme(rawValue: self.scheme ?? "")?.defaultPort ?? 0)
        if let named { lines.append(":authority", named) }
        if let path {
            lines.append(":path", path)
        } else if let pathBytes {
            lines.append(":path", pathBytes)
        }
        for index in fields.indices where !fields.isPseudo(at: index) {
            // Where both are there they say the same, and what names the server now is `:authority`.
            if authority != nil, fields.isNamed("host", at: index) { continue }
            lines.appendField(of: fields, at: index)
        }
        return try StreamRequestHead(lines)
    }

    /// The same request for a server that goes by other names.
    ///
    /// - Parameters:
    ///   - host: What it is called in `:authority`; `nil` for what the client wrote.
    ///   - scheme: The scheme that is spoken with it.
    /// - Returns: The request; `nil` where it names no scheme, as CONNECT does not.
    package func replacing(host: String?, scheme: Scheme) -> StreamRequestHead? {
        guard self.scheme != nil, let path else { return nil }
        return try? changed(method: method, scheme: scheme, authority: host, path: path, fields: fields)
    }

    /// Takes what came of a head that is refused, for the record: it is asked of nobody.
    ///
    /// - Parameters:
    ///   - fields: The fields, as far as they came; what they do not say is “?” or nothing.
    ///   - assumed: The scheme, for the port of the server that is named, where they do not say it.
    package init(refused fields: HeaderFields, assuming assumed: Scheme) {
        var fields = fields
        // A name and a password in a target are not recorded.
        for name in [":authority", "host", ":path"] {
            guard let value = fields.first(name), !value.hasPrefix("/"), value.contains("@") else { continue }
            fields.replace(name, by: UserInfo.hidden(in: value))
        }
        self.fields = fields
        var pseudo = Pseudo()
        for index in fields.indices where fields.isPseudo(at: index) { pseudo.note(fields, index) }
        let named = [pseudo.authority, fields.first("host")].lazy.compactMap { name in
            (try? Self.authority(name, scheme: pseudo.scheme ?? assumed.rawValue)) ?? nil
        }
        method = pseudo.method.flatMap { Grammar.isToken($0.utf8) ? $0 : nil } ?? "?"
        scheme = pseudo.scheme
        authority = named.first
        path = pseudo.path
        protocolName = nil
        contentLength = nil
    }

    /// Translates a request of HTTP/1 (RFC 9113 §8.3.1, §8.2.2).
    ///
    /// - Parameters:
    ///   - head: The request; what concerns its connection is left out.
    ///   - scheme: The scheme under which it came.
    ///   - authority: The server that is meant.
    package init(_ head: RequestHead, scheme: Scheme, authority: Authority) {
        let path = head.target.path.isEmpty ? "/" : head.target.path
        let shown = authority.text(defaultPort: scheme.defaultPort)
        let hopByHop = HopByHop(head.fields, in: .request, keepsUpgrade: false, mergesContentLength: true)
        var fields = HeaderFields()
        fields.reserveCapacity(head.raw.count + 64)
        fields.append(":method", head.method)
        fields.append(":scheme", scheme.rawValue)
        fields.append(":authority", shown)
        if let exact = OriginForm.exactTarget(of: head) {
            fields.append(":path", exact)
        } else {
            fields.append(":path", path)
        }
        for index in head.fields.indices
        where hopByHop.forwards(index) && !head.fields.isNamed("host", at: index)
            && !head.fields.isNamed("transfer-encoding", at: index)
            && !head.fields.isNamed("http2-settings", at: index)
        {
            fields.appendLowercased(head.fields, index)
        }
        if hopByHop.sendsTE { fields.append("te", "trailers") }
        if case .length(let length) = head.framing { fields.append("content-length", String(length)) }
        self.fields = fields
        method = head.method
        self.scheme = scheme.rawValue
        self.authority = authority
        self.path = path
        protocolName = nil
        if case .length(let length) = head.framing { contentLength = length } else { contentLength = nil }
    }

    /// The bytes that are recorded: a start line as HTTP/1 would have it, then every field as it came.
    ///
    /// The password of the proxy itself is left out, as it is for HTTP/1.
    package var recorded: [UInt8] {
        let target = pathBytes ?? Array((authority?.description ?? "*").utf8)
        var bytes = Array("\(method) ".utf8) + target + Array(" HTTP/2\r\n".utf8)
        for index in fields.indices {
            if fields.isNamed("proxy-authorization", at: index) {
                bytes += Array("proxy-authorization: (removed)\r\n".utf8)
            } else {
                bytes += fields.line(at: index)
            }
        }
        return bytes + [0x0d, 0x0a]
    }

    /// The path and query as text that tells every byte: where they are no UTF-8, bytes beyond ASCII are
    /// percent-encoded; `nil` for CONNECT.
    package var textualPath: String? { pathBytes?.textualPath }

    /// The path in the bytes in which it came.
    var pathBytes: [UInt8]? {
        fields.indices.last { fields.isNamed(":path", at: $0) }.map { Array(fields.value(at: $0)) }
    }

    private struct Pseudo {
        var method: String?
        var scheme: String?
        var authority: String?
        var path: String?
        var protocolName: String?

        mutating func note(_ fields: HeaderFields, _ index: Int) {
            let value = { StreamRequestHead.text(fields.value(at: index)) }
            if fields.isNamed(":path", at: index) {
                path = value()
            } else if fields.isNamed(":method", at: index) {
                method = value()
            } else if fields.isNamed(":scheme", at: index) {
                // RFC 3986 §3.1: schemes are the same in either case.
                scheme = value().lowercased()
            } else if fields.isNamed(":authority", at: index) {
                authority = value()
            } else if fields.isNamed(":protocol", at: index) {
                protocolName = value()
            }
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func authority(_ text: String?, scheme: String?) throws(StreamHeadFailure) -> Authority? {
        guard let text, !text.isEmpty else { return nil }
        do throws(AddressFailure) {
            return try Authority(text, defaultPort: Scheme(rawValue: scheme ?? "")?.defaultPort)
        } catch {
            throw StreamHeadFailure(
                "The request is refused: its authority \(HTTP1Failure.excerpt(text.utf8)) is none: expected"
                    + " \(error.expected)."
            )
        }
    }

    private static func check(_ pseudo: Pseudo, _ authority: Authority?) throws(StreamHeadFailure) {
        if pseudo.method == "CONNECT", pseudo.protocolName == nil {
            guard authority != nil, pseudo.scheme == nil, pseudo.path == nil else {
                throw StreamHeadFailure(
                    "The CONNECT is refused: it needs :authority, and neither :scheme nor :path (RFC 9113 §8.5)."
                )
            }
            return
        }
        guard let scheme = pseudo.scheme, Scheme(rawValue: scheme) != nil else {
            throw StreamHeadFailure(
                "The request is refused: expected the :scheme http or https, but"
                    + " \(HTTP1Failure.excerpt((pseudo.scheme ?? "").utf8)) came."
            )
        }
        guard let path = pseudo.path,
            path.utf8.first == 0x2f || (path == "*" && pseudo.method == "OPTIONS"), !path.utf8.contains(0x23),
            !path.utf8.contains(0x20)
        else {
            throw StreamHeadFailure(
                "The request is refused: expected a :path that begins with “/”, without space or fragment,"
                    + " but \(HTTP1Failure.excerpt((pseudo.path ?? "").utf8)) came."
            )
        }
    }
}

extension StreamRequestHead: Equatable {
    /// Whether both say the same in the same bytes.
    package static func == (left: StreamRequestHead, right: StreamRequestHead) -> Bool {
        left === right || left.fields == right.fields
    }
}

extension HeaderFields {
    /// Appends a field of another list with its name in lower case, as HTTP/2 wants it (RFC 9113 §8.2).
    mutating func appendLowercased(_ other: HeaderFields, _ index: Int) {
        let name = String(decoding: other.name(at: index), as: UTF8.self).lowercased()
        append(name, other.value(at: index))
    }
}
