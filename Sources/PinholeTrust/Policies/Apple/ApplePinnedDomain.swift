/// An entry of `NSPinnedDomains`.
package struct ApplePinnedDomain: Hashable, Sendable {
    /// `NSPinnedLeafIdentities`: the leaf's key has to be one of these; empty for any.
    package var leafIdentities: [Pin]
    /// `NSPinnedCAIdentities`: the key of an intermediate or of the root has to be one of these; empty for any.
    package var caIdentities: [Pin]
    /// `NSIncludesSubdomains`: whether hosts with one label more are meant, too.
    package var includesSubdomains: Bool

    /// Creates an entry.
    package init(leafIdentities: [Pin] = [], caIdentities: [Pin] = [], includesSubdomains: Bool = false) {
        self.leafIdentities = leafIdentities
        self.caIdentities = caIdentities
        self.includesSubdomains = includesSubdomains
    }

    /// What the entry stands for under the name that it has.
    package func rule(_ name: String) -> DomainRule {
        DomainRule(name, includesSubdomains ? .oneLabel : .exact)
    }
}
