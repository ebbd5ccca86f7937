package import PinholeModel

/// The parts of an HTTP/2 request that are no fields in HTTP/1: the pseudo-fields, and the server of Host if
/// `:authority` is missing (RFC 9113 §8.3.1).
struct StreamNames: Sendable, Equatable {
    /// The scheme; `nil` for CONNECT.
    var scheme: Scheme?
    /// The server that the request is for; `nil` if neither `:authority` nor Host names one.
    var authority: Authority?
    /// The path and query; `*` for the server as a whole; `nil` for CONNECT.
    ///
    /// Bytes that are not UTF-8 become U+FFFD here; the forwarded request keeps them.
    var path: String?
    /// The protocol of an extended CONNECT (RFC 8441 §4); `nil` for other requests.
    var protocolName: String?
}

/// Heads in the form of HTTP/2: pseudo-fields, then fields, with names in lower case.
extension RequestHead {
    /// Reads a head that a peer sent over HTTP/2.
    ///
    /// - Parameters:
    ///   - fields: The fields, pseudo-fields included.
    ///   - endsStream: Whether no body follows.
    ///   - last: The server of the last request, which becomes that of this one.
    /// - Throws: ``StreamHeadFailure`` for a request that cannot be sent to any server.
    package convenience init(
        stream fields: HeaderFields,
        endsStream: Bool,
        after last: inout LastStreamServer
    ) throws(StreamHeadFailure) {
        let framing = endsStream ? BodyFraming.none : fields.streamFraming
        try self.init(streamFields: fields, framing: framing, after: &last)
    }

    convenience init(
        streamFields fields: HeaderFields,
        framing: BodyFraming,
        after last: inout LastStreamServer
    ) throws(StreamHeadFailure) {
        var pseudo = Pseudo()
        var host: Int?
        for index in fields.indices {
            if fields.isPseudo(at: index) {
                pseudo.note(fields, index)
            } else if fields.role(at: index) == .host {
                host = host ?? index
            }
        }
        guard let method = pseudo.method, Grammar.isToken(method.utf8) else {
            throw StreamHeadFailure("The request is refused: it has no :method that is a token.")
        }
        let named = try last.server(pseudo.authority ?? host, of: fields, pseudo.scheme)
        if let host, let authority = pseudo.authority {
            // RFC 9113 §8.3.1: the two must not identify different entities.
            let other = try last.server(host, of: fields, pseudo.scheme)
            guard other == named else {
                throw StreamHeadFailure(
                    "The request is refused: :authority \(HTTP1Failure.excerpt(fields.value(at: authority)))"
                        + " and Host \(HTTP1Failure.excerpt(fields.value(at: host))) name two servers."
                )
            }
        }
        try Self.check(pseudo, named, fields)
        self.init(method: method, stream: pseudo.names(named), fields: fields, framing: framing)
    }

    /// Takes the received parts of a refused head, for the record.
    ///
    /// The request is sent to no server.
    ///
    /// - Parameters:
    ///   - fields: The received fields; missing parts become “?” or empty.
    ///   - assumed: The scheme for the server's port, if the fields name no scheme.
    package convenience init(refused fields: HeaderFields, assuming assumed: Scheme) {
        var fields = fields
        // User names and passwords in a target are not recorded.
        for name in [":authority", "host", ":path"] {
            guard let value = fields.first(name), !value.hasPrefix("/"), value.contains("@") else { continue }
            fields.replace(name, by: UserInfo.hidden(in: value))
        }
        var pseudo = Pseudo()
        for index in fields.indices where fields.isPseudo(at: index) { pseudo.note(fields, index) }
        let scheme = pseudo.statesScheme ? pseudo.scheme : assumed
        let host = fields.indices.first { fields.isNamed("host", at: $0) }
        let named = [pseudo.authority, host].lazy.compactMap { index in
            var last = LastStreamServer()
            return (try? last.server(index, of: fields, scheme)) ?? nil
        }
        pseudo.protocolName = nil
        self.init(
            method: pseudo.method.flatMap { Grammar.isToken($0.utf8) ? $0 : nil } ?? "?",
            stream: pseudo.names(named.first),
            fields: fields,
            framing: .chunked
        )
    }

    /// The fields of a request that a rule changed, with the pseudo-fields first.
    func streamLines(
        method: String,
        scheme: Scheme,
        _ authority: String?,
        path: String?,
        _ fields: HeaderFields
    ) -> HeaderFields {
        var lines = HeaderFields()
        lines.reserveCapacity(fields.byteCount + 64)
        lines.append(":method", method)
        if let protocolName { lines.append(":protocol", protocolName) }
        lines.append(":scheme", scheme.rawValue)
        let named =
            authority ?? stream?.authority?.text(defaultPort: stream?.scheme?.defaultPort ?? 0)
        if let named { lines.append(":authority", named) }
        if let path {
            lines.append(":path", path)
        } else if let bytes = self.fields.pathBytes {
            lines.append(":path", bytes)
        }
        for index in fields.indices where !fields.isPseudo(at: index) {
            // Host and `:authority` agree if both are present. Now `:authority` alone names the server.
            if authority != nil, fields.isNamed("host", at: index) { continue }
            lines.appendField(of: fields, at: index)
        }
        return lines
    }

    private struct Pseudo {
        var method: String?
        var scheme: Scheme?
        var statesScheme = false
        /// The position of `:authority`.
        var authority: Int?
        var path: String?
        var protocolName: String?

        func names(_ authority: Authority?) -> StreamNames {
            StreamNames(scheme: scheme, authority: authority, path: path, protocolName: protocolName)
        }

        mutating func note(_ fields: HeaderFields, _ index: Int) {
            if fields.isNamed(":path", at: index) {
                path = Self.text(fields, index)
            } else if fields.isNamed(":method", at: index) {
                let value = fields.storage.extracting(fields.valueRange(at: index))
                // A text that is written here costs a tenth of one that is made of bytes.
                let isGET = value.count == 3 && value[0] == 0x47 && value[1] == 0x45 && value[2] == 0x54
                method = isGET ? "GET" : Self.text(fields, index)
            } else if fields.isNamed(":scheme", at: index) {
                // RFC 3986 §3.1: schemes are case-insensitive.
                statesScheme = true
                let value = fields.valueRange(at: index)
                let isHTTP = CaseFolding.isSpelled("http", fields.storage, value)
                scheme = isHTTP ? .http : CaseFolding.isSpelled("https", fields.storage, value) ? .https : nil
            } else if fields.isNamed(":authority", at: index) {
                authority = index
            } else if fields.isNamed(":protocol", at: index) {
                protocolName = Self.text(fields, index)
            }
        }

        private static func text(_ fields: HeaderFields, _ index: Int) -> String {
            String(decoding: fields.value(at: index), as: UTF8.self)
        }
    }

    private static func check(
        _ pseudo: Pseudo,
        _ authority: Authority?,
        _ fields: HeaderFields
    ) throws(StreamHeadFailure) {
        if pseudo.method == "CONNECT", pseudo.protocolName == nil {
            guard authority != nil, !pseudo.statesScheme, pseudo.path == nil else {
                throw StreamHeadFailure(
                    "The CONNECT is refused: it needs :authority, and neither :scheme nor :path (RFC 9113 §8.5)."
                )
            }
            return
        }
        guard pseudo.scheme != nil else {
            throw StreamHeadFailure(
                "The request is refused: expected the :scheme http or https, but"
                    + " \(HTTP1Failure.excerpt((fields.first(":scheme") ?? "").utf8)) came."
            )
        }
        guard let path = pseudo.path,
            path.utf8.first == 0x2f || (path == "*" && pseudo.method == "OPTIONS"),
            !Grammar.contains(0x23, in: path), !Grammar.contains(0x20, in: path)
        else {
            throw StreamHeadFailure(
                "The request is refused: expected a :path that begins with “/”, without space or fragment,"
                    + " but \(HTTP1Failure.excerpt((pseudo.path ?? "").utf8)) came."
            )
        }
    }
}

/// The server that the last request of a connection named.
///
/// Nearly all requests of a connection name the same server, and parsing its name costs more than the rest of a head.
package struct LastStreamServer: Sendable {
    private var name: [UInt8] = []
    private var scheme: Scheme?
    private var authority: Authority?

    /// Creates the value for a connection without requests.
    package init() {}

    /// Returns the server that the field at `index` names; `nil` if it names none, or if there is no such field.
    fileprivate mutating func server(
        _ index: Int?,
        of fields: HeaderFields,
        _ scheme: Scheme?
    ) throws(StreamHeadFailure) -> Authority? {
        guard let index, !fields.valueRange(at: index).isEmpty else { return nil }
        let isSame = fields.storage.extracting(fields.valueRange(at: index)).isEqual(to: name.span)
        if isSame, self.scheme == scheme { return authority }
        let text = fields.value(at: index)
        do throws(AddressFailure) {
            authority = try Authority(utf8: text, defaultPort: scheme?.defaultPort)
        } catch {
            name = []
            throw StreamHeadFailure(
                "The request is refused: its authority \(HTTP1Failure.excerpt(text)) is none: expected"
                    + " \(error.expected)."
            )
        }
        name = Array(text)
        self.scheme = scheme
        return authority
    }
}

extension HeaderFields {
    /// Appends a field of another list with its name in lower case, as HTTP/2 requires (RFC 9113 §8.2).
    mutating func appendLowercased(_ other: HeaderFields, _ index: Int) {
        let name = String(decoding: other.name(at: index), as: UTF8.self).lowercased()
        append(name, other.value(at: index))
    }

    /// The length that Content-Length states; `nil` if there is none.
    var contentLength: Int64? {
        indices.first { isNamed("content-length", at: $0) }.flatMap { Grammar.decimal(value(at: $0)) }
    }

    /// The way to find the end of an HTTP/2 body, if one follows.
    var streamFraming: BodyFraming {
        contentLength.flatMap { $0 > 0 ? .length($0) : nil } ?? .chunked
    }

    /// The received bytes of the path of an HTTP/2 request; `nil` if there is none.
    var pathBytes: [UInt8]? {
        indices.last { isNamed(":path", at: $0) }.map { Array(value(at: $0)) }
    }
}
