package import PinholeModel

/// What is protected and how: Apple's `URLProtectionSpace`.
package struct ProtectionSpace: Hashable, Sendable {
    /// What kind of proxy demands the authentication.
    package enum ProxyType: String, Hashable, Sendable {
        /// A proxy for plain HTTP (`NSURLProtectionSpaceHTTPProxy`).
        case http = "NSURLProtectionSpaceHTTPProxy"
        /// A proxy that tunnels by CONNECT (`NSURLProtectionSpaceHTTPSProxy`).
        case https = "NSURLProtectionSpaceHTTPSProxy"
    }

    /// The host: of the server, or of the proxy.
    package let host: Host
    /// The port.
    package let port: UInt16
    /// The realm that the server names; `nil` where the method has none.
    package let realm: String?
    /// How somebody has to prove who they are.
    package let authenticationMethod: AuthenticationMethod
    /// What kind of proxy it is; `nil` for a server.
    package let proxyType: ProxyType?
    /// The CAs whose client certificates are taken, as the server names them; empty for no hint.
    package let distinguishedNames: [String]

    /// Creates a protection space.
    package init(
        host: Host,
        port: UInt16,
        realm: String? = nil,
        authenticationMethod: AuthenticationMethod,
        proxyType: ProxyType? = nil,
        distinguishedNames: [String] = []
    ) {
        self.host = host
        self.port = port
        self.realm = realm
        self.authenticationMethod = authenticationMethod
        self.proxyType = proxyType
        self.distinguishedNames = distinguishedNames
    }

    /// Whether a proxy demands the authentication.
    package var isProxy: Bool { proxyType != nil }
}
