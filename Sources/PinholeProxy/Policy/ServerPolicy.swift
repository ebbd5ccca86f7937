package import PinholeModel

/// The treatment of servers with a bad certificate.
package struct ServerPolicy: Sendable, Equatable {
    /// The treatment of a bad certificate by default.
    package enum BadCertificate: String, Sendable, Codable, CaseIterable {
        /// The client gets a page that says what is wrong.
        case refuse
        /// The proxy forges the same fault into its leaf, so that the client's own checks find it.
        case mirror
    }

    /// Hosts whose bad certificates are accepted, and the reason.
    package struct Exemption: Sendable, Equatable {
        /// The pattern of the hosts.
        package let pattern: HostPattern
        /// The reason, which is recorded with every flow that the exemption allows.
        package let reason: String

        /// Creates an exemption.
        package init(pattern: HostPattern, reason: String) {
            self.pattern = pattern
            self.reason = reason
        }
    }

    /// The treatment of a bad certificate that no exemption covers.
    package var badCertificate: BadCertificate
    /// The exemptions; the last one that matches a server counts.
    package var exemptions: [Exemption]

    /// Creates a policy.
    package init(badCertificate: BadCertificate = .refuse, exemptions: [Exemption] = []) {
        self.badCertificate = badCertificate
        self.exemptions = exemptions
    }

    /// Returns the exemption for `authority`: the last one that matches; `nil` if none does.
    package func exemption(for authority: Authority) -> Exemption? {
        exemptions.last { $0.pattern.matches(authority) }
    }
}
