import PinholeModel
import PinholeTrust

/// Pins of a policy for another host that a scenario has the app ask for, and that the lab answers for as well.
///
/// If another line of the policy holds for that host, its pins belong to a server that the lab does not have.
struct GuestPins: Sendable {
    private let host: Host
    private let lists: [PinnedList]

    /// Finds the pins of a host.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - host: The other host.
    ///   - known: The lists that hold for the tested host; they are replaced already.
    init(_ policy: any TrustPolicy, of host: Host, besides known: [PinnedList]) {
        self.host = host
        lists = policy.pinnedLists(for: host).filter { !known.contains($0) }
    }

    /// The note that says that these pins are replaced as well; empty if there are none.
    var notes: [String] {
        guard !lists.isEmpty else { return [] }
        return ["L09 asks for \(host), for which other pins hold: the lab puts its own in their place, too."]
    }

    /// The policy with the lab's keys in the place of these pins.
    func moved(in policy: any TrustPolicy, to world: LabWorld) -> any TrustPolicy {
        guard !lists.isEmpty else { return policy }
        let replacement = PinRoles(lists).replacement(in: world)
        return policy.withPins(for: host) { lists.contains($0) ? replacement($0) : $0.values }
    }
}
