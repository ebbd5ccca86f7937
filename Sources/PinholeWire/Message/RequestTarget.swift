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
        if text.utf8.contains(0x23) {
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
        guard let separator = text.firstRange(ofASCII: "://"),
            let scheme = Scheme(rawValue: text[..<separator.lowerBound].lowercased())
        else { throw failure(text, "/path, http://host/path, https://host/path, or host:port with CONNECT") }
        let rest = text[separator.upperBound...]
        let end = rest.utf8.firstIndex { $0 == 0x2f || $0 == 0x3f } ?? rest.endIndex
        // User information is refused together with the authority; RFC 9110 §4.2.4 calls it an error.
        let authority = try checked(text) { () throws(AddressFailure) in
            try Authority(rest[..<end], defaultPort: scheme.defaultPort)
        }
        return .absolute(scheme, authority, path: path(String(rest[end...]), method: method))
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

extension String {
    /// The first occurrence of the ASCII text `pattern`, compared byte by byte without Unicode equivalence.
    fileprivate func firstRange(ofASCII pattern: StaticString) -> Range<Index>? {
        let pattern = Array(pattern.description.utf8)
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: pattern) {
                return start..<utf8.index(start, offsetBy: pattern.count)
            }
            start = utf8.index(after: start)
        }
        return nil
    }
}
