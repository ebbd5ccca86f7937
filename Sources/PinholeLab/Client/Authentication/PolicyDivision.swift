package import PinholeModel
package import PinholeTrust

/// Who enforces a policy: the system by default handling, or the app by its delegate.
///
/// It decides which error an app sees: of the system's own kind, or -999 for a challenge that was cancelled.
package struct PolicyDivision: Sendable {
    private let policy: any TrustPolicy

    /// Divides a policy.
    package init(_ policy: any TrustPolicy) { self.policy = policy }

    /// Whether everything about a host is the system's affair.
    package func isDefaultHandling(for authority: Authority) -> Bool {
        Self.isDefaultHandling(policy, authority)
    }

    /// A delegate that judges what is the app's affair, and leaves the rest to default handling.
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
            hosts.policy(for: authority).map { isDefaultHandling($0, authority) } ?? true
        case let all as AllPolicy: all.policies.allSatisfy { isDefaultHandling($0, authority) }
        case let any as AnyPolicy: any.policies.allSatisfy { isDefaultHandling($0, authority) }
        default: !delegates.contains { policy.mechanism.hasPrefix($0) }
        }
    }

    /// The mechanisms that are the work of an app's delegate, be it a library's or its own.
    private static let delegates = [
        "afnetworking", "alamofire", "trustkit", "certificate", "spki", "raw-key", "tofu", "broken",
    ]
}
