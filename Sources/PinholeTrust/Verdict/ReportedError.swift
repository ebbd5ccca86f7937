/// The error by which an app learns that its client refused a server, in the words of that client.
package struct ReportedError: Hashable, Sendable {
    /// The package, module or domain of the error: `javax.net.ssl`, `curl`.
    package var domain: String
    /// The number of the error; `nil` for errors without one.
    package var code: Int?
    /// The name of the error: `SSLPeerUnverifiedException`.
    package var name: String
    /// The text of the error: `Certificate pinning failure!`.
    package var message: String

    /// Creates an error.
    package init(_ domain: String, _ code: Int?, _ name: String, _ message: String) {
        self.domain = domain
        self.code = code
        self.name = name
        self.message = message
    }

    /// Creates an error without a number.
    package init(_ domain: String, _ name: String, _ message: String) {
        self.init(domain, nil, name, message)
    }
}

/// The cause of a client's refusal, as far as the client's error depends on it.
package enum RefusalCause: Hashable, Sendable {
    /// The policy rejected the server.
    case rejection(Rejection)
    /// The URL begins with http, which the client does not speak with the host.
    case cleartext
    /// TLS failed, with this description.
    case handshake(String)
    /// The connection failed, with this description.
    case connection(String)
}

extension RefusalCause {
    /// The fault of the chain; `nil` if the cause is another one.
    var chainFault: ChainFault.Kind? {
        if case .rejection(let rejection) = self, case .chain(let kind) = rejection.reason {
            kind
        } else {
            nil
        }
    }

    /// Whether the cause is a pin that did not match, or a key that has changed.
    var isPin: Bool {
        guard case .rejection(let rejection) = self else { return false }
        return rejection.reason == .pinMismatch || rejection.reason == .keyChanged
    }
}
