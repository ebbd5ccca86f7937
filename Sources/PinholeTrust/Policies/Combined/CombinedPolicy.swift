package import PinholeModel

/// A policy that combines policies, all of them for every host.
package protocol CombinedPolicy: TrustPolicy {
    /// The policies, in the order of judgement.
    var policies: [any TrustPolicy] { get set }

    /// Creates a combination.
    init(of policies: [any TrustPolicy])
}

extension CombinedPolicy {
    /// The pin lists of the policies.
    package var pinLists: [PinList] {
        get { policies.pinLists(under: "of") }
        set { policies.take(newValue) }
    }

    /// The hosts that the policies name.
    package var scopes: [HostScope] { policies.flatMap(\.scopes) }

    /// The hosts that the policies exempt.
    package var exemptions: [HostScope] { policies.flatMap(\.exemptions) }

    /// The combination of the policies' default handling.
    package func defaultHandling(of authority: Authority) -> any TrustPolicy {
        let parts = policies.map { $0.defaultHandling(of: authority) }
        guard parts.count > 1 else { return parts.first ?? SystemPolicy(by: verifier) }
        return Self(of: parts)
    }

    /// The findings about the policies.
    package func findings(in lint: PolicyLint) -> [LintFinding] { policies.findings(in: lint, under: "of") }

    /// The combination with each policy after the visit.
    package func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy {
        Self(of: policies.map { $0.afterVisit(to: key, at: authority) })
    }
}
