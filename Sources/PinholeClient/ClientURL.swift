package import PinholeModel

/// An `http:` or `https:` URL, as far as a request needs it (RFC 3986, RFC 9110 §4.2).
package struct ClientURL: Hashable, Sendable, CustomStringConvertible {
    /// The name and the password before the host (`user:password@`), decoded.
    package struct UserInfo: Hashable, Sendable {
        /// The user name.
        package let user: String
        /// The password; empty for none.
        package let password: String
    }

    /// The scheme, `http` or `https`.
    package let scheme: Scheme
    /// The host and the port; the scheme's default port if none is written.
    package let authority: Authority
    /// Path and query as they go into the request line.
    package let target: String
    /// The name and the password; `nil` for none.
    package let userInfo: UserInfo?

    /// Parses an absolute URL; a fragment is dropped.
    ///
    /// - Throws: ``ClientFailure`` with -1000 (badURL) or -1002 (unsupportedURL).
    package init(_ text: some StringProtocol) throws(ClientFailure) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw Self.bad(text, "expected https://HOST/PATH")
        }
        switch text[..<colon].lowercased() {
        case "https": scheme = .https
        case "http": scheme = .http
        default:
            throw ClientFailure(
                .unsupportedURL,
                check: "URL",
                "expected a URL with https: or http:, found “\(PinholeModel.UserInfo.hidden(in: text))”"
            )
        }
        let rest = text[text.index(colon, offsetBy: 3)...].prefix { $0 != "#" }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var place = rest[..<end]
        if let sign = place.lastIndex(of: "@") {
            userInfo = try Self.userInfo(place[..<sign], of: text)
            place = place[place.index(after: sign)...]
        } else {
            userInfo = nil
        }
        do throws(AddressFailure) {
            authority = try Authority(String(place), defaultPort: scheme.defaultPort)
        } catch {
            // A slash in a password would make a piece of it the host.
            throw Self.bad(text, text.contains("@") ? "expected \(error.expected)" : error.description)
        }
        target = try Self.target(rest[end...], of: text)
    }

    private init(_ scheme: Scheme, _ authority: Authority, target: String) {
        self.scheme = scheme
        self.authority = authority
        self.target = target
        userInfo = nil
    }

    /// Resolves the URL of a Location field (RFC 3986 §5.2, RFC 9110 §10.2.2).
    ///
    /// - Parameter location: An absolute URL, or one relative to this.
    /// - Returns: The URL, without a name and a password.
    /// - Throws: ``ClientFailure`` with -1000 or -1002.
    package func resolving(_ location: String) throws(ClientFailure) -> ClientURL {
        let text = location.prefix { $0 != "#" }
        if Self.hasScheme(text) {
            let url = try ClientURL(text)
            return ClientURL(url.scheme, url.authority, target: url.target)
        }
        if text.hasPrefix("//") {
            let url = try ClientURL("\(scheme.rawValue):\(text)")
            return ClientURL(url.scheme, url.authority, target: url.target)
        }
        let path = target.prefix { $0 != "?" }
        let wanted: String
        if text.isEmpty {
            wanted = target
        } else if text.hasPrefix("/") {
            wanted = String(text)
        } else if text.hasPrefix("?") {
            wanted = String(path) + text
        } else {
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
            wanted = String(folder) + text
        }
        let query = wanted.firstIndex(of: "?").map { wanted[$0...] } ?? ""
        let plain = Self.withoutDotSegments(wanted.prefix { $0 != "?" })
        return ClientURL(scheme, authority, target: try Self.target("\(plain)\(query)", of: text))
    }

    /// Whether both have the same scheme, host and port: only then may credentials go along.
    package func isSameOrigin(as other: ClientURL) -> Bool {
        scheme == other.scheme && authority == other.authority
    }

    /// The URL without name and password.
    package var description: String {
        "\(scheme.rawValue)://\(authority.text(defaultPort: scheme.defaultPort))\(target)"
    }

    private static func bad(_ text: some StringProtocol, _ reason: String) -> ClientFailure {
        ClientFailure(
            .badURL,
            check: "URL",
            "the URL “\(PinholeModel.UserInfo.hidden(in: text))” cannot be used: \(reason)"
        )
    }

    private static func hasScheme(_ text: Substring) -> Bool {
        guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first else { return false }
        guard first | 0x20 >= 0x61, first | 0x20 <= 0x7a else { return false }
        return text[..<colon].utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e: true
            default: false
            }
        }
    }

    /// Checks the path and the query for a request line: they begin with a slash, and nothing in them ends the line.
    private static func target(
        _ text: some StringProtocol,
        of url: some StringProtocol
    ) throws(ClientFailure) -> String {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw bad(url, "a space or a control character has to be written as %20 or the like")
        }
        let escaped = PercentCoding.encode(text.utf8) { $0 < 0x80 }
        return escaped.hasPrefix("/") ? escaped : "/\(escaped)"
    }

    private static func userInfo(
        _ text: some StringProtocol,
        of url: some StringProtocol
    ) throws(ClientFailure) -> UserInfo {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map { PercentCoding.text(of: $0.utf8) }
        guard let user = parts.first ?? nil, let password = parts.dropFirst().first ?? "" else {
            throw bad(url, "the name or the password before the @ is badly percent-encoded")
        }
        return UserInfo(user: user, password: password)
    }

    /// Removes the dot segments of a path (RFC 3986 §5.2.4).
    private static func withoutDotSegments(_ path: some StringProtocol) -> String {
        var kept: [Substring] = []
        let segments = String(path).dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
