import PinholeTrust

extension Scenario {
    /// Every scenario, in the order of its identifier.
    public static let catalogue: [Scenario] =
        [
            interception, names, fitness, paths, protocols, resumption, application, policySettings,
            evidence, otherWays, changes, serverHabits,
        ].flatMap(\.self).sorted { $0.id < $1.id }

    /// The honest server behind a mere tunnel: a client that refuses it proves nothing by refusing an attack.
    package static let control = Scenario(
        "C0",
        .change,
        .changes,
        "control: the honest server, nobody in between",
        presents: "the honest server's chain",
        precondition: "none",
        correctClient: "goes along",
        remedy: "fix the policy: it does not trust its own server",
        references: [],
        refusedBy: [],
        audit: .signals
    ) { world in Staging(world) }
}

extension [Scenario] {
    /// Every scenario: `lab.run(policy, against: .all)`.
    public static var all: [Scenario] { Scenario.catalogue }
    /// All attacks, including those that no client can notice.
    public static var attacks: [Scenario] { Scenario.catalogue.filter { $0.kind == .attack } }
    /// Every legitimate change.
    public static var changes: [Scenario] { Scenario.catalogue.filter { $0.kind == .change } }
}
