package import PinholeModel

/// A proxy through which servers are reached.
///
/// The description does not contain the password.
package struct NextHop: Hashable, Sendable, CustomStringConvertible {
    /// A protocol that is spoken with the proxy.
    package enum Kind: String, Sendable, CaseIterable {
        /// HTTP: CONNECT, and requests in absolute-form for plain HTTP.
        case http
        /// HTTP inside TLS.
        case https
        /// SOCKS5 (RFC 1928); the proxy resolves names.
        case socks5
    }

    /// The protocol that is spoken with the proxy.
    package let kind: Kind
    /// The host and port of the proxy.
    package let authority: Authority
    /// The user name, for Basic authentication or RFC 1929; `nil` if there is no login.
    package var user: String?
    /// The password; `nil` if there is no login.
    package var password: String?

    /// Parses `http://proxy:3128`, `https://user:password@proxy:443` or `socks5://[::1]:1080`.
    ///
    /// User and password may be percent-encoded. `socks5h` means the same as `socks5`.
    ///
    /// - Parameter text: The URL.
    /// - Throws: ``AddressFailure`` if the text is not such a URL. The failure does not repeat a password in the text.
    package init(_ text: String) throws(AddressFailure) {
        let expected =
            "http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT, with USER:PASSWORD@ before the host"
        let scheme = text.prefix { $0 != ":" }
        var rest = text.dropFirst(scheme.count)
        let name = scheme.lowercased() == "socks5h" ? "socks5" : scheme.lowercased()
        guard let kind = Kind(rawValue: name), rest.hasPrefix("://") else {
            throw AddressFailure("…", expected: expected)
        }
        rest = rest.dropFirst(3)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if let at = rest.lastIndex(of: "@") {
            let pair = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let user = pair.first.flatMap({ PercentCoding.text(of: $0.utf8) }), !user.isEmpty,
                let password = pair.count == 2 ? PercentCoding.text(of: pair[1].utf8) : ""
            else { throw AddressFailure("…", expected: expected) }
            (self.user, self.password) = (user, password)
            rest = rest[rest.index(after: at)...]
        }
        do throws(AddressFailure) {
            authority = try Authority(rest, defaultPort: kind == .socks5 ? 1080 : nil)
        } catch {
            let isPath = rest.contains("/")
            throw AddressFailure(
                UserInfo.hidden(in: text),
                expected: isPath
                    ? "\(expected), and no path behind it" : "\(expected), with \(error.expected)"
            )
        }
        self.kind = kind
        guard (user?.utf8.count ?? 0) <= 255, (password?.utf8.count ?? 0) <= 255 else {
            throw AddressFailure("…", expected: "a user name and a password of at most 255 bytes")
        }
    }

    /// The URL without the user name and the password.
    package var description: String { "\(kind.rawValue)://\(authority)" }

    /// The value of Proxy-Authorization (RFC 7617); `nil` if there is no login.
    var authorization: String? {
        user.map { "Basic " + Base64.encode(Array("\($0):\(password ?? "")".utf8)) }
    }
}
