package import PinholeModel

/// What TrustKit is told about one domain; names and defaults are TrustKit's (`TSKTrustKitConfig.h`).
package struct TrustKitDomain: Hashable, Sendable {
    /// `kTSKPublicKeyHashes`: SHA-256 of SubjectPublicKeyInfos.
    package var publicKeyHashes: [Pin]
    /// `kTSKEnforcePinning`: whether a mismatch blocks; else it is only reported.
    package var enforcePinning: Bool
    /// `kTSKIncludeSubdomains`.
    package var includeSubdomains: Bool
    /// `kTSKExpirationDate`: after it nothing is pinned any more.
    package var expirationDate: Timestamp?
    /// `kTSKExcludeSubdomainFromParentPolicy`: the domain is not pinned although its parent is.
    package var excludeSubdomainFromParentPolicy: Bool
    /// `kTSKReportUris`: where mismatches are reported; the server of TrustKit's makers is not among them.
    package var reportURIs: [String] = []

    /// Creates the settings of a domain.
    ///
    /// - Parameters:
    ///   - publicKeyHashes: The pins.
    ///   - enforcePinning: Whether a mismatch blocks.
    ///   - includeSubdomains: Whether hosts below are meant, too.
    ///   - expirationDate: When pinning ends.
    ///   - excludeSubdomainFromParentPolicy: Whether the domain is an exception from its parent.
    package init(
        publicKeyHashes: [Pin],
        enforcePinning: Bool = true,
        includeSubdomains: Bool = false,
        expirationDate: Timestamp? = nil,
        excludeSubdomainFromParentPolicy: Bool = false
    ) {
        self.publicKeyHashes = publicKeyHashes
        self.enforcePinning = enforcePinning
        self.includeSubdomains = includeSubdomains
        self.expirationDate = expirationDate
        self.excludeSubdomainFromParentPolicy = excludeSubdomainFromParentPolicy
    }

    /// The settings of a domain that its parent's policy does not hold for.
    package static var excluded: TrustKitDomain {
        TrustKitDomain(publicKeyHashes: [], excludeSubdomainFromParentPolicy: true)
    }

    /// What of the settings TrustKit refuses with an exception (`parse_configuration.m`); `nil` for nothing.
    func fault(at name: String) -> String? {
        if excludeSubdomainFromParentPolicy {
            guard publicKeyHashes.isEmpty, !includeSubdomains, expirationDate == nil else {
                return "expected no other setting beside excludeSubdomainFromParentPolicy for “\(name)”; "
                    + "remove the others"
            }
            return nil
        }
        if includeSubdomains, DomainRule(name, .everything).isSingleLabel {
            return "expected a domain of at least two labels with includeSubdomains, found “\(name)”; "
                + "name the domains that are yours"
        }
        if let pin = publicKeyHashes.first(where: { $0.algorithm != .sha256 }) {
            return "expected SHA-256 pins for “\(name)”, found \(pin)"
        }
        // TrustKit keeps them in a set: the same pin twice counts once.
        let count = Set(publicKeyHashes).count
        let needed = enforcePinning ? 2 : 1
        guard count < needed else { return nil }
        return "expected at least \(needed) different pins for “\(name)”"
            + "\(enforcePinning ? " while enforcePinning is YES" : ""), found \(count); "
            + "add the pin of a backup key that is not in use"
    }
}
