package import PinholeModel

/// The settings of TrustKit for one domain, with TrustKit's names and defaults (`TSKTrustKitConfig.h`).
package struct TrustKitDomain: Hashable, Sendable {
    /// The SHA-256 pins in `kTSKPublicKeyHashes`.
    package var publicKeyHashes: [Pin]
    /// Whether a mismatch blocks (`kTSKEnforcePinning`).
    ///
    /// If not, it is only reported.
    package var enforcePinning: Bool
    /// Whether hosts below the domain match, too (`kTSKIncludeSubdomains`).
    package var includeSubdomains: Bool
    /// The date after which nothing is pinned (`kTSKExpirationDate`).
    package var expirationDate: Timestamp?
    /// Whether the domain is not pinned although its parent is (`kTSKExcludeSubdomainFromParentPolicy`).
    package var excludeSubdomainFromParentPolicy: Bool
    /// The addresses for reports of mismatches (`kTSKReportUris`), without the server of TrustKit's makers.
    package var reportURIs: [String] = []

    /// Creates the settings of a domain.
    ///
    /// - Parameters:
    ///   - publicKeyHashes: The pins.
    ///   - enforcePinning: Whether a mismatch blocks.
    ///   - includeSubdomains: Whether hosts below the domain match, too.
    ///   - expirationDate: The end of pinning.
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

    /// The hosts of the domain under its name.
    func rule(_ name: String) -> DomainRule { DomainRule(name, includeSubdomains ? .everything : .exact) }

    /// The fault for which TrustKit refuses the settings with an exception (`parse_configuration.m`); `nil`
    /// if there is none.
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
        // TrustKit keeps the pins in a set, so a repeated pin counts once.
        let count = Set(publicKeyHashes).count
        let needed = enforcePinning ? 2 : 1
        guard count < needed else { return nil }
        return "expected at least \(needed) different pins for “\(name)”"
            + "\(enforcePinning ? " while enforcePinning is YES" : ""), found \(count); "
            + "add the pin of a backup key that is not in use"
    }
}

extension TrustKitDomain {
    /// The finding for a domain with fewer pins than TrustKit demands; `nil` if there are enough.
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - path: The place of the domain in the document.
    /// - Returns: The finding.
    package func shortage(of name: String, at path: String) -> LintFinding? {
        let count = Set(publicKeyHashes).count
        guard !excludeSubdomainFromParentPolicy, count < (enforcePinning ? 2 : 1), let fault = fault(at: name)
        else { return nil }
        return LintFinding.error(
            count == 0 ? .noPins : count < publicKeyHashes.count ? .duplicate : .noBackup,
            at: path,
            "TrustKit refuses the configuration: \(fault).",
            remedy: "Add the pin of a backup key that is kept offline (docs/PINS.md#a-backup-key)."
        )
    }
}
