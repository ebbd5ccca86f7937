package import PinholeModel

/// The rules that decide which tunnels are intercepted and which are passed through.
///
/// Rules are always matched against the authority that the client asked for.
package struct InterceptionRules: Sendable, Equatable {
    /// A decision about an authority, and the rule that made it.
    package struct Decision: Sendable, Equatable {
        /// ``Treatment/intercepted`` or ``Treatment/passedThrough``.
        package let treatment: Treatment
        /// A sentence that names the rule.
        package let reason: String
    }

    /// The hosts whose tunnels are passed through.
    package var passthrough: HostRules
    /// Whether the CA may sign for a host.
    ///
    /// Clients would refuse its leaves for other hosts.
    package var permitted: @Sendable (Host) -> Bool

    /// Creates rules.
    package init(passthrough: HostRules, permitted: @escaping @Sendable (Host) -> Bool = { _ in true }) {
        self.passthrough = passthrough
        self.permitted = permitted
    }

    /// Decides about the tunnel to `authority`.
    package func decide(_ authority: Authority) -> Decision {
        if let rule = passthrough.deciding(authority) {
            let treatment: Treatment = rule.isNegated ? .intercepted : .passedThrough
            let effect = rule.isNegated ? "intercepted" : "passed through"
            return Decision(
                treatment: treatment,
                reason: "\(effect) by the rule “\(rule)” in tls.passthrough"
            )
        }
        guard permitted(authority.host) else {
            return Decision(
                treatment: .passedThrough,
                reason: "passed through, since the CA may sign only for ca.permittedDomains"
            )
        }
        return Decision(treatment: .intercepted, reason: "intercepted: no rule in tls.passthrough matches")
    }

    /// Whether the lists are equal; the CA's limits are not compared.
    package static func == (left: InterceptionRules, right: InterceptionRules) -> Bool {
        left.passthrough == right.passthrough
    }
}
