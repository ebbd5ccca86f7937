package import PinholeModel

/// A list of pins in the settings of a policy: one pin has to match.
///
/// A policy gives its lists by ``TrustPolicy/pinLists``. The lint reads them, and the lab writes pins of its own into
/// them.
package struct PinList: Sendable {
    /// The certificates of a chain that the pins are compared with.
    package enum Position: Hashable, Sendable {
        /// The leaf of the chain.
        case leaf
        /// Every certificate above the leaf.
        case authorities
        /// Any certificate.
        case any
    }

    /// The part of a certificate that the mechanism compares.
    package enum Comparison: Hashable, Sendable {
        /// The SubjectPublicKeyInfo.
        case keys
        /// The raw key, not the SubjectPublicKeyInfo.
        case rawKeys
        /// The whole certificate.
        case certificates
        /// Nothing that a lint can compare: trust anchors, ignored pins, other digests.
        case nothing
    }

    /// The place of the list in its document.
    package var path: String
    /// The hosts that the list is for; `nil` for every host.
    package var scope: HostScope?
    /// The pins, in the order of the settings.
    package var values: [PinnedValue]
    /// The certificates that the pins are compared with.
    package var position: Position
    /// The part of them that is compared.
    package var comparison: Comparison
    /// The date after which the pins do not count.
    package var expiration: Timestamp?
    /// Whether the mechanism refuses a list without a spare key (HPKP).
    package var demandsBackup = false
    /// The pins that the lab cannot replace, in words: nothing here computes their digests.
    package var unusable: [String] = []
    /// A mark of the policy whose lists count together, if several of them hold for a host; `nil` for a list that
    /// counts alone.
    package var union: String?
    /// Whether the mechanism chooses this list for a host in its scope; another domain may be more exact.
    package var isChosen: @Sendable (Host) -> Bool = { _ in true }

    /// Creates a list.
    package init(
        _ values: [PinnedValue],
        at path: String,
        for scope: HostScope? = nil,
        position: Position = .any,
        comparison: Comparison = .keys
    ) {
        self.values = values
        self.path = path
        self.scope = scope
        self.position = position
        self.comparison = comparison
    }

    /// Creates a list of digests of keys.
    package init(_ pins: [Pin], at path: String, for scope: HostScope? = nil, position: Position = .any) {
        self.init(pins.map { PinnedValue($0) }, at: path, for: scope, position: position)
    }

    /// Creates a list of certificates, or of their keys.
    init(
        _ certificates: [CertificateFacts],
        at path: String,
        position: Position = .any,
        comparison: Comparison
    ) {
        let values = certificates.map { PinnedValue($0) }
        self.init(values, at: path, position: position, comparison: comparison)
    }

    /// The pins of the values: digests, or the keys of certificates.
    package var pins: [Pin] {
        values.compactMap { value in
            value.certificate.map { Pin(digest: $0.spkiSHA256) } ?? Pin(value)
        }
    }

    /// Whether the mechanism compares the pins for a host.
    func holds(for host: Host) -> Bool { (scope?.matches(host) ?? true) && isChosen(host) }

    /// The list as a part of a combined policy.
    ///
    /// - Parameters:
    ///   - prefix: The place of the part in the combined policy.
    ///   - scope: The hosts of the part, for a list without a scope of its own; `nil` for every host.
    /// - Returns: The list.
    func moved(under prefix: String, for scope: HostScope? = nil) -> PinList {
        var list = self
        list.path = path.isEmpty ? prefix : "\(prefix)/\(path)"
        list.union = union.map { "\(prefix)/\($0)" }
        list.scope = self.scope ?? scope
        if let scope { list.isChosen = { [isChosen] host in scope.matches(host) && isChosen(host) } }
        return list
    }
}

extension [Pin] {
    /// Takes the values of a list that was made from these pins.
    ///
    /// A value that is no digest changes nothing.
    mutating func take(_ list: PinList?) {
        guard let list else { return }
        self = zip(self, list.values).map { Pin($1) ?? $0 }
    }
}

extension [CertificateFacts] {
    /// Takes the values of a list that was made from these certificates.
    mutating func take(_ list: PinList?) {
        guard let list else { return }
        self = zip(self, list.values).map { $1.certificate ?? $0 }
    }
}
