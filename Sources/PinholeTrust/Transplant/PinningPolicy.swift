package import PinholeModel

/// A policy that holds pins, or policies that do: they can be replaced, and nothing else changes.
///
/// So a policy that was written for one server can be tried with the keys of another.
package protocol PinningPolicy: TrustPolicy {
    /// Puts the pins of a list in the place of those of the list that it is given; as many, in their order.
    typealias Replacement = (PinnedList) -> [PinnedValue]

    /// The hosts that the settings name, in their order; empty where the policy is for every host.
    var scopes: [PolicyOutline.Scope] { get }

    /// The same policy with other pins.
    ///
    /// - Parameters:
    ///   - host: The host whose pins are replaced; those of others stay.
    ///   - replace: Is given each list of pins that holds for the host. What it returns in a notation that the
    ///     mechanism cannot hold leaves the pin as it was.
    /// - Returns: The policy with the same settings otherwise.
    func replacingPins(for host: Host, _ replace: Replacement) -> any TrustPolicy

    /// The pins of a host that cannot be replaced, in words: nothing here computes what they are written in.
    func unusablePins(for host: Host) -> [String]

    /// The same policy after a visit to a server, where it remembers servers and does not know this one.
    ///
    /// - Parameters:
    ///   - key: The server's SubjectPublicKeyInfo.
    ///   - authority: Its host and port.
    /// - Returns: The policy; itself where it remembers nothing.
    func remembering(_ key: [UInt8], at authority: Authority) -> any TrustPolicy
}

extension PinningPolicy {
    /// None: the policy is for every host.
    package var scopes: [PolicyOutline.Scope] { [] }

    /// None.
    package func unusablePins(for host: Host) -> [String] { [] }

    /// Itself.
    package func remembering(_ key: [UInt8], at authority: Authority) -> any TrustPolicy { self }
}

extension TrustPolicy {
    /// The hosts that the settings name, in their order; empty where the policy is for every host.
    package var namedScopes: [PolicyOutline.Scope] { (self as? any PinningPolicy)?.scopes ?? [] }

    /// The same policy with other pins; itself where its mechanism has none.
    package func withPins(for host: Host, _ replace: PinningPolicy.Replacement) -> any TrustPolicy {
        (self as? any PinningPolicy)?.replacingPins(for: host, replace) ?? self
    }

    /// The pins of a host that cannot be replaced, in words; none where its mechanism has none.
    package func deadPins(for host: Host) -> [String] {
        (self as? any PinningPolicy)?.unusablePins(for: host) ?? []
    }

    /// The same policy after a visit to a server; itself where its mechanism remembers nothing.
    package func afterVisit(to key: [UInt8], at authority: Authority) -> any TrustPolicy {
        (self as? any PinningPolicy)?.remembering(key, at: authority) ?? self
    }

    /// The lists of pins that hold for a host.
    package func pinnedLists(for host: Host) -> [PinnedList] {
        var lists: [PinnedList] = []
        _ = withPins(for: host) { list in
            if !list.values.isEmpty { lists.append(list) }
            return list.values
        }
        return lists
    }
}

extension PinnedList {
    /// Replaces pins that are digests of keys.
    static func replacing(
        _ pins: [Pin],
        _ position: PolicyOutline.PinList.Position,
        _ replace: PinningPolicy.Replacement
    ) -> [Pin] {
        zip(pins, replace(PinnedList(position, pins.map { PinnedValue($0) }))).map { Pin($1) ?? $0 }
    }

    /// Replaces whole certificates.
    static func replacing(
        _ certificates: [CertificateFacts],
        _ position: PolicyOutline.PinList.Position,
        _ replace: PinningPolicy.Replacement
    ) -> [CertificateFacts] {
        zip(certificates, replace(PinnedList(position, certificates.map { PinnedValue($0) })))
            .map { $1.certificate ?? $0 }
    }
}

extension PinScope {
    /// What pins of the scope are compared with.
    var position: PolicyOutline.PinList.Position { self == .leaf ? .leaf : .any }
}
