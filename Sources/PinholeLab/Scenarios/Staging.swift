package import PinholeCrypto
package import PinholeModel
package import PinholeTrust

/// What stands between a client and its server in one scenario, what the server is, and what the device trusts.
///
/// Without an impostor the proxy is a mere tunnel, and the client meets the server itself.
package struct Staging: Sendable {
    /// What the man in the middle shows to clients.
    package enum Impostor: Sendable {
        /// What a proxy mints with its own CA.
        case minted
        /// This.
        case presenting(Identity)
    }

    /// What the man in the middle shows; `nil` where there is none.
    package var impostor: Impostor?
    /// The versions of TLS that the man in the middle speaks.
    package var impostorVersions = TLSVersion.tls12 ... .tls13
    /// What the server presents; the honest one where nothing else is said.
    package var identity: Identity
    /// More hosts that the server answers for.
    package var otherHosts: [VirtualHost] = []
    /// What the server answers.
    package var routes = OriginRoutes.lab
    /// Whether the device has the proxy's CA installed.
    package var installsProxyAuthority = false
    /// Roots that the device trusts besides those of every device.
    package var moreRoots: [CertificateFacts] = []
    /// The host as the app writes it; `nil` for the world's.
    package var writtenHost: String?
    /// The scheme that the app uses.
    package var scheme = Scheme.https
    /// What the app asks for.
    package var path = "/account"
    /// What the companion client does otherwise; `nil` for nothing.
    package var adapt: (@Sendable (inout ClientSettings) -> Void)?

    /// The honest server, and nobody in between.
    package init(_ world: LabWorld) { identity = world.identity }

    /// A man in the middle before the honest server.
    package static func intercepted(_ world: LabWorld, presenting identity: Identity) -> Staging {
        var staging = Staging(world)
        staging.impostor = .presenting(identity)
        return staging
    }

    /// The honest server with another certificate.
    package static func served(_ world: LabWorld, _ identity: Identity) -> Staging {
        var staging = Staging(world)
        staging.identity = identity
        return staging
    }
}
