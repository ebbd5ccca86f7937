import PinholeModel
import PinholeTrust

/// Pins of a policy for another host that a scenario has the app ask for, and that the lab answers for as well.
///
/// If another line of the policy holds for that host, its pins belong to a server that the lab does not have.
struct ForeignHostPins: Sendable {
    private let host: Host
    /// All lists of the host.
    private let lists: [PinnedList]
    /// The lists that do not hold for the tested host as well.
    private let others: [PinnedList]

    /// Finds the pins of a host.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - host: The other host.
    ///   - known: The lists that hold for the tested host.
    init(_ policy: any TrustPolicy, of host: Host, besides known: [PinnedList]) {
        self.host = host
        lists = policy.pinnedLists(for: host)
        others = lists.filter { !known.contains($0) }
    }

    /// The note that says that these pins are replaced as well; empty if there are none.
    var notes: [String] {
        guard !others.isEmpty else { return [] }
        return ["L09 asks for \(host), for which other pins hold: the lab puts its own in their place, too."]
    }

    /// Puts the lab's keys in the place of these pins.
    ///
    /// A list may have the pins of the tested host and still be another one, as that of a parent domain. Its pins then
    /// have the roles that they have for the tested host.
    ///
    /// - Returns: The policy with the lab's keys for both hosts.
    func moved(in policy: any TrustPolicy, _ roles: PinRoles, to world: LabWorld) -> any TrustPolicy {
        guard !lists.isEmpty else { return policy }
        let (alike, foreign) = (roles.replacement(in: world), PinRoles(others).replacement(in: world))
        return policy.withPins(for: host) { list in
            others.contains(list) ? foreign(list) : lists.contains(list) ? alike(list) : list.values
        }
    }
}
