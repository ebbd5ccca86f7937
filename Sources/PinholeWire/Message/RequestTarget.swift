package import PinholeModel

/// The target of a request, in one of its four forms (RFC 9112 §3.2).
package enum RequestTarget: Sendable, Equatable {
    /// A request to the server itself: `/path?query`.
    case origin(String)
    /// A request to a proxy: `http://host/path?query`. The path begins with `/`, and is `*` for OPTIONS
    /// without a path (RFC 9112 §3.2.4).
    case absolute(Scheme, Authority, path: String)
    /// A CONNECT request: `host:port`.
    case authority(Authority)
    /// An OPTIONS request for the server as a whole: `*`.
    case asterisk

    /// The path and query; `*` for the server as a whole; empty for CONNECT.
    package var path: String {
        switch self {
        case .origin(let path), .absolute(_, _, let path): path
        case .authority: ""
        case .asterisk: "*"
        }
    }

    /// Parses the target of a request.
    ///
    /// - Parameters:
    ///   - text: The target from the request line, without control characters and spaces.
    ///   - method: The method, which decides the allowed forms.
    /// - Throws: ``HTTP1Failure`` with `badTarget`.
    package init(_ text: String, method: String) throws(HTTP1Failure) {
        if Grammar.contains(0x23, in: text) {
            throw Self.failure(text, "a target without a fragment (#…)")
        }
        if method == "CONNECT" {
            self = .authority(try Self.checked(text) { () throws(AddressFailure) in try Authority(text) })
        } else if text.utf8.first == 0x2f {
            self = .origin(text)
        } else if text == "*" {
            guard method == "OPTIONS" else { throw Self.failure(text, "“*” with OPTIONS only") }
            self = .asterisk
        } else {
            self = try Self.absolute(text, method: method)
        }
    }

    private static func absolute(_ text: String, method: String) throws(HTTP1Failure) -> RequestTarget {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: Grammar.colon),
            bytes[(colon + 1)...].starts(with: [0x2f, 0x2f]),
            let scheme = Scheme(rawValue: String(decoding: bytes[..<colon], as: UTF8.self).lowercased())
        else { throw failure(text, "/path, http://host/path, https://host/path, or host:port with CONNECT") }
        let rest = bytes[(colon + 3)...]
        let end = rest.firstIndex { $0 == 0x2f || $0 == 0x3f } ?? rest.endIndex
        // User information is refused together with the authority; RFC 9110 §4.2.4 calls it an error.
        let authority = try checked(text) { () throws(AddressFailure) in
            try Authority(utf8: rest[..<end], defaultPort: scheme.defaultPort)
        }
        return .absolute(
            scheme,
            authority,
            path: path(String(decoding: rest[end...], as: UTF8.self), method: method)
        )
    }

    private static func path(_ rest: String, method: String) -> String {
        if rest.isEmpty { return method == "OPTIONS" ? "*" : "/" }
        return rest.utf8.first == 0x2f ? rest : "/" + rest
    }

    private static func checked(
        _ text: String,
        _ parse: () throws(AddressFailure) -> Authority
    ) throws(HTTP1Failure) -> Authority {
        do throws(AddressFailure) {
            return try parse()
        } catch {
            throw failure(text, error.expected)
        }
    }

    private static func failure(_ text: String, _ expected: String) -> HTTP1Failure {
        HTTP1Failure(
            .peer,
            .badTarget,
            in: .request,
            "The request target \(HTTP1Failure.excerpt(Array(text.utf8))) is refused: expected \(expected)."
        )
    }
}
