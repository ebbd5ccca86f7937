package import PinholeModel

/// A user name and a password that a client sends to the proxy.
package struct Login: Sendable, Hashable {
    /// The user name.
    package let user: [UInt8]
    /// The password, in the bytes that the client sent.
    package let password: [UInt8]

    /// Creates a login from SOCKS5 (RFC 1929).
    package init(user: [UInt8], password: [UInt8]) {
        self.user = user
        self.password = password
    }

    /// Parses the value of Proxy-Authorization (RFC 7617); `nil` if it contains no login.
    package init?(authorization: String?) {
        let words = (authorization ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic",
            let pair = Base64.decode(words[1].utf8), let colon = pair.firstIndex(of: 0x3a)
        else { return nil }
        user = Array(pair[..<colon])
        password = Array(pair[(colon + 1)...])
    }

    /// The user name as text; bytes that are not UTF-8 are replaced.
    var name: String { String(decoding: user, as: UTF8.self) }

    /// The login in the form `user:password`.
    var pair: [UInt8] { user + [0x3a] + password }
}

/// A login that has to be verified, and the users to verify it against.
package struct LoginCheck: Sendable, Equatable {
    /// The login to verify.
    package let login: Login
    /// The users that may log in.
    package let users: UserDirectory
    /// The address of the client.
    package let client: IPAddress

    /// Creates a check.
    package init(login: Login, users: UserDirectory, client: IPAddress) {
        self.login = login
        self.users = users
        self.client = client
    }
}

/// The result of verifying a login.
package enum LoginVerdict: Sendable, Equatable {
    /// The login was not verified, because too many others are being verified.
    case busy
    /// The login is right.
    case right
    /// The login is wrong.
    case wrong
}
