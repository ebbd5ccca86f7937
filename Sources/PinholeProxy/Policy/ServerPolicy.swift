package import PinholeModel

/// What is done about servers whose certificate is bad.
package struct ServerPolicy: Sendable, Equatable {
    /// What is done by default.
    package enum BadCertificate: String, Sendable, Codable, CaseIterable {
        /// The client gets a page that says what is wrong.
        case refuse
        /// The same fault is forged, so that the client's own checks meet it.
        case mirror
    }

    /// A host whose bad certificate is accepted, and why.
    package struct Exemption: Sendable, Equatable {
        /// The hosts.
        package let pattern: HostPattern
        /// Why; it is recorded with every flow that it lets pass.
        package let reason: String

        /// Creates an exemption.
        package init(pattern: HostPattern, reason: String) {
            self.pattern = pattern
            self.reason = reason
        }
    }

    /// What is done about a bad certificate that no exemption covers.
    package var badCertificate: BadCertificate
    /// Hosts that are accepted all the same.
    package var exemptions: [Exemption]

    /// Creates a policy.
    package init(badCertificate: BadCertificate = .refuse, exemptions: [Exemption] = []) {
        self.badCertificate = badCertificate
        self.exemptions = exemptions
    }

    /// The exemption for `authority`: the last that matches.
    package func exemption(for authority: Authority) -> Exemption? {
        exemptions.last { $0.pattern.matches(authority) }
    }
}
