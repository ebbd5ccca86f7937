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
    /// How the man in the middle speaks TLS with clients.
    package var impostorOptions = ServerOptions()
    /// What the server presents; the honest one where nothing else is said.
    package var identity: Identity
    /// What the server presents to those who prefer that kind of key; `nil` for nothing else.
    package var alternative: Identity?
    /// How the server speaks TLS.
    package var options = ServerOptions()
    /// What the server is to who names no host, or one that it does not know; `nil` for the host itself.
    package var defaultHost: VirtualHost?
    /// More hosts that the server answers for.
    package var otherHosts: [VirtualHost] = []
    /// What the server answers.
    package var routes = OriginRoutes.lab
    /// Whether the device has the proxy's CA installed.
    package var installsProxyAuthority = false
    /// Roots that the device trusts besides those of every device.
    package var moreRoots: [CertificateFacts] = []
    /// Roots of every device that this one does not trust any more.
    package var withdrawnRoots: [CertificateFacts] = []
    /// The host as the app writes it; `nil` for the world's.
    package var writtenHost: String?
    /// A proxy that answers by itself in the place of the real one; `nil` for the real one.
    package var hostileProxy: OriginRoutes?
    /// What somebody on the way between proxy and server does to the bytes; `nil` for nobody.
    package var tampering: Tampering?
    /// Whether he stands between client and proxy instead.
    package var tampersBeforeProxy = false
    /// Whether the client has never met the server before; it concerns those that trust on first use.
    package var isFirstContact = false
    /// Whether the app has a name and a password at the server.
    package var knowsLogin = false
    /// Whether reports that clients send about mismatches go to the server of the stage that collects them.
    package var collectsReports = false
    /// Where servers of the stage note what they were told.
    package let journal = LabJournal()
    /// The scheme that the app uses.
    package var scheme = Scheme.https
    /// What the app asks for.
    package var path = "/account"
    /// What the companion client does otherwise; `nil` for nothing.
    package var adapt: (@Sendable (inout ClientSettings) -> Void)?

    /// The honest server, and nobody in between.
    package init(_ world: LabWorld) { identity = world.identity }

    /// The roots that the device trusts.
    package func roots(in world: LabWorld) -> [CertificateFacts] {
        let roots = (world.deviceRoots + moreRoots).filter { !withdrawnRoots.contains($0) }
        return installsProxyAuthority ? roots + [world.proxyRoot] : roots
    }

    /// A man in the middle before the honest server.
    package static func intercepted(_ world: LabWorld, presenting identity: Identity) -> Staging {
        var staging = Staging(world)
        staging.impostor = .presenting(identity)
        return staging
    }

    /// A proxy that mints, before the honest server; the device has its CA installed.
    package static func proxied(_ world: LabWorld) -> Staging {
        var staging = Staging(world)
        staging.impostor = .minted
        staging.installsProxyAuthority = true
        return staging
    }

    /// A man in the middle with a chain that is too weak for servers as they are set up by default.
    package static func weak(_ world: LabWorld, presenting identity: Identity) -> Staging {
        var staging = intercepted(world, presenting: identity)
        staging.impostorOptions.strength = .none
        return staging
    }

    /// The honest server with another certificate.
    package static func served(_ world: LabWorld, _ identity: Identity) -> Staging {
        var staging = Staging(world)
        staging.identity = identity
        return staging
    }
}
