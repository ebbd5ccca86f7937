import PinholeModel
import PinholeTrust

/// The reasons why the lab cannot put pins of its own into a policy, with their remedies.
struct PinSilence {
    /// The reasons in sentences; empty if the policy has pins for the host, and all of them are usable.
    let notes: [String]

    /// Looks for pins of a host.
    init(_ policy: any TrustPolicy, for host: Host) {
        let dead = policy.unusablePins(for: host).map { pin in
            "The lab cannot put a pin of its own in the place of \(pin); nothing matches it. Write it as a SHA-256."
        }
        guard policy.pinnedLists(for: host).isEmpty else {
            notes = dead
            return
        }
        let scopes = policy.scopes
        let remembers =
            policy.afterVisit(to: [], at: Authority(host: host, port: 443)).scopes.count > scopes.count
        if remembers {
            notes = [
                "The store knows no key of \(host): the lab's server is put there, as after a visit, but not"
                    + " for a first contact (B19)."
            ]
        } else if !dead.isEmpty {
            notes = dead
        } else {
            notes = [Self.text(scopes, policy, host)]
        }
    }

    private static func text(
        _ scopes: [HostScope],
        _ policy: any TrustPolicy,
        _ host: Host
    ) -> String {
        let pinned = scopes.compactMap(\.example).filter { !policy.pinnedLists(for: $0).isEmpty }
        let remedy =
            pinned.isEmpty
            ? "It is tried without any."
            : "Pins are there for \(ChainText.list(pinned.map(\.description))): name one of them as the host (--host)."
        if scopes.isEmpty { return "The document pins nothing, for no host. \(remedy)" }
        guard scopes.contains(where: { $0.matches(host) }) else {
            let named = ChainText.list(scopes.map(\.text))
            return "Nothing in the document is for \(host); it names \(named). \(remedy)"
        }
        return "The document names \(host), and has no pins for it. \(remedy)"
    }
}
