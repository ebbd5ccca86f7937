package import PinholeModel
package import PinholeTrust

/// The division of a policy between the system, by default handling, and the app, by its delegate.
///
/// The division decides which error an app sees: one of the system, or -999 for a challenge that was cancelled.
package struct PolicyDivision: Sendable {
    private let policy: any TrustPolicy

    /// Divides a policy.
    package init(_ policy: any TrustPolicy) { self.policy = policy }

    /// Whether everything about a host is the system's affair.
    package func isDefaultHandling(for authority: Authority) -> Bool {
        Self.isDefaultHandling(policy, authority)
    }

    /// The delegate that judges the app's part of the policy, and leaves the rest to default handling.
    package var delegate: ClientDelegate {
        let judging = ClientDelegate.judging(by: policy)
        return ClientDelegate(session: { [self] challenge in
            let space = challenge.protectionSpace
            let authority = Authority(host: space.host, port: space.port)
            guard challenge.serverTrust != nil, !isDefaultHandling(for: authority) else {
                return .performDefaultHandling
            }
            return await judging.session?(challenge) ?? .performDefaultHandling
        })
    }

    private static func isDefaultHandling(_ policy: any TrustPolicy, _ authority: Authority) -> Bool {
        switch policy {
        case let hosts as HostPolicies:
            hosts.policy(for: authority).map { isDefaultHandling($0, authority) } ?? !hosts.refusesOthers
        case let wrapper as any PolicyWrapper: isDefaultHandling(wrapper.policy, authority)
        case let all as AllPolicy: all.policies.allSatisfy { isDefaultHandling($0, authority) }
        case let any as AnyPolicy: any.policies.allSatisfy { isDefaultHandling($0, authority) }
        default: !policy.isForDelegates
        }
    }
}
