package import PinholeClient
package import PinholeCrypto
package import PinholeModel
package import PinholeTrust

/// The stage of one scenario: the man in the middle, the server, and the trust of the device.
///
/// Without an impostor the proxy is a mere tunnel, and the client speaks with the server itself.
package struct Staging: Sendable {
    /// The chain that the man in the middle shows to clients.
    package enum Impostor: Sendable {
        /// A leaf that the proxy mints with its own CA.
        case minted
        /// The given identity.
        case presenting(Identity)
    }

    /// The chain that the man in the middle shows; `nil` if there is no man in the middle.
    package var impostor: Impostor?
    /// Whether the man in the middle hides that the server offers STARTTLS.
    package var hidesStartTLS = false
    /// The number of connections that the man in the middle lets pass before he intercepts.
    package var patience = 0
    /// The TLS options of the man in the middle toward clients.
    package var impostorOptions = ServerOptions()
    /// The identity that the server presents; the honest one by default.
    package var identity: Identity
    /// The identity that the server presents to clients that prefer its kind of key; `nil` if there is none.
    package var alternative: Identity?
    /// The TLS options of the server.
    package var options = ServerOptions()
    /// The host that answers clients that name no host, or an unknown one; `nil` for the stage's own host.
    package var defaultHost: VirtualHost?
    /// More hosts that the server answers for.
    package var otherHosts: [VirtualHost] = []
    /// The answers of the server, by path.
    package var routes = OriginRoutes.lab
    /// Whether the device has the proxy's CA installed.
    package var installsProxyAuthority = false
    /// The roots that the device trusts in addition to those of every device.
    package var moreRoots: [CertificateFacts] = []
    /// The roots of every device that this device no longer trusts.
    package var withdrawnRoots: [CertificateFacts] = []
    /// The host as the app writes it; `nil` for the world's.
    package var writtenHost: String?
    /// The routes of a hostile proxy that answers instead of the real one; `nil` for the real one.
    package var hostileProxy: OriginRoutes?
    /// The tampering with bytes between proxy and server; `nil` for none.
    package var tampering: Tampering?
    /// Whether the tampering is between client and proxy instead.
    package var tampersBeforeProxy = false
    /// Whether the client has never connected to the server before; it matters to clients that trust on first use.
    package var isFirstContact = false
    /// Whether the app has a name and a password at the server.
    package var knowsLogin = false
    /// Whether reports that clients send about mismatches go to the server of the stage that collects them.
    package var collectsReports = false
    /// The notes of the servers of the stage about the requests that they received.
    package let journal = LabJournal()
    /// The scheme that the app uses.
    package var scheme = Scheme.https
    /// The path that the app requests.
    package var path = "/account"
    /// Changes the settings of the companion client for this stage; `nil` to leave them.
    package var adapt: (@Sendable (inout ClientSettings) -> Void)?

    /// Creates a stage with the honest server and no man in the middle.
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
}
