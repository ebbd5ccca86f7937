package import PinholeModel

/// A user name and a password, as a client sends them to the proxy.
package struct Login: Sendable, Hashable {
    /// The user name.
    package let user: [UInt8]
    /// The password.
    package let password: [UInt8]

    /// Creates a login, as SOCKS5 carries it (RFC 1929).
    package init(user: [UInt8], password: [UInt8]) {
        self.user = user
        self.password = password
    }

    /// Reads the value of Proxy-Authorization (RFC 7617); `nil` where it holds none.
    package init?(authorization: String?) {
        let words = (authorization ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic",
            let pair = Base64.decode(words[1].utf8), let colon = pair.firstIndex(of: 0x3a)
        else { return nil }
        user = Array(pair[..<colon])
        password = Array(pair[(colon + 1)...])
    }

    /// The user name as text.
    var name: String { String(decoding: user, as: UTF8.self) }

    /// Both, as they are written.
    var pair: [UInt8] { user + [0x3a] + password }
}

/// A login that takes its time to be verified, and by whom it is.
package struct LoginCheck: Sendable, Equatable {
    /// The login.
    package let login: Login
    /// Those who may be meant.
    package let users: UserBook
    /// Whose it is.
    package let client: IPAddress

    /// Creates a check.
    package init(login: Login, users: UserBook, client: IPAddress) {
        self.login = login
        self.users = users
        self.client = client
    }
}

/// What became of a login.
package enum LoginVerdict: Sendable, Equatable {
    /// So many others are being verified that this one is not.
    case busy
    /// It is right.
    case right
    /// It is wrong.
    case wrong
}
