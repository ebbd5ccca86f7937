package import PinholeModel

/// Access to the pins of one host, for any mechanism, so that a policy for one server can be tried with the
/// keys of another.
extension TrustPolicy {
    /// The lists of pins that apply to a host.
    package func pinnedLists(for host: Host) -> [PinnedList] {
        PinnedList.united(pinLists) { $0.holds(for: host) }.map(\.list)
    }

    /// The pins of a host that cannot be replaced, in words.
    package func unusablePins(for host: Host) -> [String] {
        pinLists.filter { $0.holds(for: host) }.flatMap(\.unusable)
    }

    /// Returns the policy with other pins and otherwise the same settings.
    ///
    /// - Parameters:
    ///   - host: The host whose pins are replaced. The pins of other hosts are kept.
    ///   - replace: Receives each list of pins that applies to the host, and returns the new pins.
    /// - Returns: The policy.
    package func withPins(for host: Host, _ replace: PinnedList.Replacement) -> any TrustPolicy {
        var policy = self
        var lists = pinLists
        for (list, places) in PinnedList.united(lists, where: { $0.holds(for: host) }) {
            for (place, value) in zip(places, replace(list)) {
                lists[place.list].values[place.value] = value
            }
        }
        policy.pinLists = lists
        return policy
    }
}
