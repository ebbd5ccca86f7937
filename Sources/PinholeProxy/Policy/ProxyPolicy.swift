import PinholeCrypto
package import PinholeModel
package import PinholeRules

/// Everything that a tunnel's decisions depend on.
///
/// It is a value: a changed configuration makes a new one, which new tunnels use. The rules and what is
/// recorded are looked up for each exchange, so that a change of them takes effect in tunnels that stand.
package struct ProxyPolicy: Sendable {
    /// Which tunnels are intercepted.
    package var interception: InterceptionRules
    /// Who may use the proxy.
    package var access: AccessRules
    /// What listeners before a server present.
    package var given = GivenIdentities()
    /// What is done about bad servers' certificates.
    package var servers: ServerPolicy
    /// Which servers are reached through another proxy.
    package var nextHops = NextHops()
    /// Whether no server is ever asked: what no rule answers is refused.
    package var isOffline = false
    /// The numbers.
    package var limits: Limits
    /// What the onboarding page offers.
    package var onboarding: Onboarding
    /// What the proxy calls itself toward other proxies.
    package var pseudonym = Pseudonym("pinhole")
    /// The name that the proxy answers to itself.
    package let ownHost = ProxyPolicy.proxyHost

    /// The host of every proxy, which it answers itself.
    package static let proxyHost = Host.name("pinhole.test")
    /// What is done with exchanges.
    package var rules: RuleBook
    /// Which exchanges are recorded.
    package var captured = CaptureScope()
    /// The names of this machine, under which clients may reach the proxy by TLS.
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
    ///   - authority: Whom the request names.
    ///   - listener: The address that the client connected to.
    /// - Returns: Whether it names the proxy: by its own host, by that address, or by a name of this machine.
    func isOwn(_ authority: Authority, at listener: Authority?) -> Bool {
        if authority.host == ownHost || authority == listener { return true }
        guard let listener, authority.port == listener.port else { return false }
        return authority.host == .name("localhost") || machineNames.contains(authority.host)
    }

    /// What the leaf of the proxy itself must say, for clients that speak TLS to it.
    ///
    /// - Parameter listener: The address that the client connected to, `host:port`.
    /// - Returns: A request for a leaf that names that address and this machine, as far as the CA may sign for them.
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
