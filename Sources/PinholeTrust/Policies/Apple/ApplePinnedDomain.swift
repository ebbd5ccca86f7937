/// An entry of `NSPinnedDomains`.
package struct ApplePinnedDomain: Hashable, Sendable {
    /// The pins in `NSPinnedLeafIdentities`.
    ///
    /// The leaf's key must match one of them; empty for any key.
    package var leafIdentities: [Pin]
    /// The pins in `NSPinnedCAIdentities`.
    ///
    /// The key of an intermediate or of the root must match one of them; empty for any key.
    package var caIdentities: [Pin]
    /// Whether hosts with one additional label match, too (`NSIncludesSubdomains`).
    package var includesSubdomains: Bool

    /// Creates an entry.
    package init(leafIdentities: [Pin] = [], caIdentities: [Pin] = [], includesSubdomains: Bool = false) {
        self.leafIdentities = leafIdentities
        self.caIdentities = caIdentities
        self.includesSubdomains = includesSubdomains
    }

    /// Returns the rule for the domain `name` of the entry.
    package func rule(_ name: String) -> DomainRule {
        DomainRule(name, includesSubdomains ? .oneLabel : .exact)
    }
}
