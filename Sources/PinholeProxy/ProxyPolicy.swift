import PinholeCrypto
package import PinholeModel
package import PinholeRules

/// All settings that the decisions of a connection depend on.
///
/// The policy is a value: a changed configuration makes a new one, which new connections use. The rules and the scope
/// of the capture are looked up for each exchange, so their changes take effect on open connections, too.
package struct ProxyPolicy: Sendable {
    /// The rules that decide which tunnels are intercepted.
    package var interception: InterceptionRules
    /// The rules that decide which clients may use the proxy.
    package var access: AccessRules
    /// The certificates that listeners before a server present.
    package var given = GivenIdentities()
    /// The treatment of bad certificates of servers.
    package var servers: ServerPolicy
    /// The rules for reaching servers through another proxy.
    package var nextHops = NextHops()
    /// Whether no server is ever asked, so that requests that no rule answers are refused.
    package var isOffline = false
    /// The bounds on what connections buffer and on their times.
    package var limits: Limits
    /// The content of the onboarding page.
    package var onboarding: Onboarding
    /// The name of this proxy toward other proxies.
    package var pseudonym = Pseudonym("pinhole")
    /// The host name under which the proxy answers itself.
    package let ownHost = ProxyPolicy.proxyHost

    /// The host name under which every Pinhole proxy answers itself.
    package static let proxyHost = Host.name("pinhole.test")
    /// The rules for exchanges.
    package var rules: RuleBook
    /// The scope of the capture: the exchanges that are recorded.
    package var captured = CaptureScope()
    /// The names of this machine, under which clients may reach the proxy over TLS.
    package var machineNames: [Host]

    /// Creates a policy.
    package init(
        interception: InterceptionRules,
        access: AccessRules = AccessRules(),
        servers: ServerPolicy = ServerPolicy(),
        limits: Limits = Limits(),
        onboarding: Onboarding,
        machineNames: [Host] = [],
        rules: RuleBook = RuleBook()
    ) {
        self.interception = interception
        self.access = access
        self.servers = servers
        self.limits = limits
        self.onboarding = onboarding
        self.machineNames = machineNames
        self.rules = rules
    }

    /// Whether a request is meant for the proxy itself.
    ///
    /// - Parameters:
    ///   - authority: The authority in the request.
    ///   - listener: The address that the client connected to.
    /// - Returns: Whether the authority is the proxy's own host, that address, or a name of this machine with the same
    ///   port.
    func isOwn(_ authority: Authority, at listener: Authority?) -> Bool {
        if authority.host == ownHost || authority == listener { return true }
        guard let listener, authority.port == listener.port else { return false }
        return authority.host == .name("localhost") || machineNames.contains(authority.host)
    }

    /// Returns the contents of the proxy's own leaf, for clients that speak TLS to the proxy.
    ///
    /// - Parameter listener: The address that the client connected to, as `host:port`.
    /// - Returns: A request for a leaf with that address and the names of this machine, as far as the CA may sign for
    ///   them.
    func ownLeaf(at listener: String) -> LeafRequest {
        let address = (try? Authority(listener))?.host ?? .name("localhost")
        var names: [Host] = []
        let loopback = ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.map(Host.address)
        for host in [address, .name("localhost")] + loopback + machineNames + [ownHost]
        where !names.contains(host) && interception.permitted(host) {
            names.append(host)
        }
        return LeafRequest(names: names.isEmpty ? [address] : names)
    }
}
