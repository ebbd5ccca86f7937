package import PinholeModel

/// Decides which tunnels are intercepted and which are passed through untouched.
///
/// The match subject is always the authority that the client asked for.
package struct InterceptionRules: Sendable, Equatable {
    /// What is decided for an authority, and which rule decided.
    package struct Decision: Sendable, Equatable {
        /// ``Treatment/intercepted`` or ``Treatment/passedThrough``.
        package let treatment: Treatment
        /// The rule that decided, in a sentence.
        package let reason: String
    }

    /// Hosts that are passed through.
    package var passthrough: HostRules
    /// The names that the CA may sign for, where it is limited; its leaves for others would be refused.
    package var permitted: @Sendable (Host) -> Bool

    /// Creates rules.
    package init(passthrough: HostRules, permitted: @escaping @Sendable (Host) -> Bool = { _ in true }) {
        self.passthrough = passthrough
        self.permitted = permitted
    }

    /// Decides for `authority`.
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

    /// Whether the lists are the same; the CA's limits are not compared.
    package static func == (left: InterceptionRules, right: InterceptionRules) -> Bool {
        left.passthrough == right.passthrough
    }
}
