import PinholeCrypto

extension Scenario {
    /// Every scenario that the TLS library can stage, in the order of its identifier.
    public static let catalogue = every.filter(\.isAvailable)

    /// Every scenario, with those that need a newer TLS library.
    package static let every: [Scenario] =
        [
            interception, names, fitness, paths, protocols, resumption, application, policySettings,
            evidence, otherWays, changes, serverHabits,
        ].flatMap(\.self).sorted { $0.id < $1.id }

    /// The library that a scenario needs and that is missing here, in a clause; `nil` if it needs none, or is unknown.
    ///
    /// - Parameter id: The identifier of the scenario.
    /// - Returns: The clause.
    package static func shortage(_ id: String) -> String? {
        guard every.contains(where: { $0.id == id && !$0.isAvailable }) else { return nil }
        return "\(id) needs OpenSSL 3.5 or newer, and this is \(TLSLibrary.version)"
    }

    /// The honest server behind a mere tunnel: a client that refuses it proves nothing by refusing an attack.
    package static let control = Group.changes.scenario(
        "C0",
        "control: the honest server, nobody in between",
        presents: "the honest server's chain",
        correctClient: "goes along",
        remedy: "fix the policy: it does not trust its own server"
    ) { _, _ in }
}

extension Scenario {
    /// A man in the middle who hides STARTTLS: a client that goes on without TLS is not protected by any check.
    static let withoutStartTLS = Group.protocols.scenario(
        "C2",
        "control: STARTTLS is hidden",
        presents: "the honest server's greeting, without the offer of TLS",
        precondition: "none: anybody on the network can do this",
        correctClient: "sends nothing",
        remedy: "a setting that requires TLS, such as curl --ssl-reqd",
        references: ["RFC 3207 6", "RFC 8314 4.1"]
    ) { staging, _ in staging.hidesStartTLS = true }
}

extension [Scenario] {
    /// Every scenario: `lab.run(policy, against: .all)`.
    public static var all: [Scenario] { Scenario.catalogue }
    /// All attacks, including those that no client can notice.
    public static var attacks: [Scenario] { Scenario.catalogue.filter { $0.kind == .attack } }
    /// Every legitimate change.
    public static var changes: [Scenario] { Scenario.catalogue.filter { $0.kind == .change } }
}
