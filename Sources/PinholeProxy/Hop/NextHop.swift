package import PinholeModel
import PinholeWire

/// A proxy through which servers are reached.
///
/// Its description leaves the password out.
package struct NextHop: Hashable, Sendable, CustomStringConvertible {
    /// What is spoken with it.
    package enum Kind: String, Sendable, CaseIterable {
        /// HTTP: CONNECT, and requests in absolute-form for plain http.
        case http
        /// The same inside TLS.
        case https
        /// SOCKS5 (RFC 1928); it resolves names.
        case socks5
    }

    /// What is spoken with it.
    package let kind: Kind
    /// Where it is.
    package let authority: Authority
    /// The user's name, for Basic or RFC 1929; `nil` for none.
    package var user: String?
    /// The password.
    package var password: String?

    /// Parses `http://proxy:3128`, `https://user:password@proxy:443` or `socks5://[::1]:1080`.
    ///
    /// User and password may be percent-encoded. `socks5h` means the same as `socks5`.
    ///
    /// - Parameter text: The URL.
    /// - Throws: ``AddressFailure`` when it is none; what came is not repeated, since a password may be in it.
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
            guard let user = pair.first.flatMap({ Self.decoded($0) }), !user.isEmpty,
                let password = pair.count == 2 ? Self.decoded(pair[1]) : ""
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

    /// What it is, without user and password.
    package var description: String { "\(kind.rawValue)://\(authority)" }

    /// The value of Proxy-Authorization (RFC 7617); `nil` for none.
    var authorization: String? {
        user.map { "Basic " + Base64.encode(Array("\($0):\(password ?? "")".utf8)) }
    }

    /// Undoes percent-encoding; `nil` where it is broken.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
