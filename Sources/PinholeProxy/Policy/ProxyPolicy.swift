package import PinholeModel

/// Everything that a tunnel's decisions depend on.
///
/// It is a value: a changed configuration makes a new one, which new tunnels use.
package struct ProxyPolicy: Sendable {
    /// Which tunnels are intercepted.
    package var interception: InterceptionRules
    /// Who may use the proxy.
    package var access: AccessRules
    /// What is done about bad servers' certificates.
    package var servers: ServerPolicy
    /// The numbers.
    package var limits: Limits
    /// What the onboarding page offers.
    package var onboarding: Onboarding
    /// The name that the proxy answers to itself.
    package let ownHost = Host.name("pinhole.test")

    /// Creates a policy.
    package init(
        interception: InterceptionRules,
        access: AccessRules = AccessRules(),
        servers: ServerPolicy = ServerPolicy(),
        limits: Limits = Limits(),
        onboarding: Onboarding
    ) {
        self.interception = interception
        self.access = access
        self.servers = servers
        self.limits = limits
        self.onboarding = onboarding
    }
}
