package import PinholeModel

/// The space that is protected, and the method of its authentication: Apple's `URLProtectionSpace`.
package struct ProtectionSpace: Hashable, Sendable {
    /// The kind of proxy that demands the authentication.
    package enum ProxyType: String, Hashable, Sendable {
        /// A proxy for plain HTTP (`NSURLProtectionSpaceHTTPProxy`).
        case http = "NSURLProtectionSpaceHTTPProxy"
        /// A proxy that tunnels by CONNECT (`NSURLProtectionSpaceHTTPSProxy`).
        case https = "NSURLProtectionSpaceHTTPSProxy"
    }

    /// The host: of the server, or of the proxy.
    package let host: Host
    /// The port of the server or of the proxy.
    package let port: UInt16
    /// The realm that the server names; `nil` if the method has none.
    package var realm: String?
    /// The method by which the peer has to prove its identity.
    package let authenticationMethod: AuthenticationMethod
    /// The kind of proxy; `nil` for a server.
    package var proxyType: ProxyType?
    /// The CAs whose client certificates the server accepts, as it names them; empty without a hint.
    package var distinguishedNames: [String] = []

    /// Whether a proxy demands the authentication.
    package var isProxy: Bool { proxyType != nil }
}
