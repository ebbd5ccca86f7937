import PinholeCrypto
package import PinholeTrust

/// An attack or a legitimate change, and the reaction of a correct client (docs/SCENARIOS.md).
public struct Scenario: Sendable, Identifiable {
    /// Whether a correct client refuses or accepts.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        /// An attacker is in the middle, or pretends to be the server.
        case attack
        /// The real server, somehow different.
        case change
    }

    /// The groups of scenarios in the catalogue.
    public enum Group: String, Sendable, Hashable, CaseIterable {
        /// Another CA, another key, another host.
        case interception = "who issued it"
        /// Names in certificates.
        case names = "names"
        /// Dates, purposes, key strength and extensions.
        case fitness = "fitness"
        /// Paths and authorities.
        case paths = "paths"
        /// The TLS protocol.
        case protocols = "TLS"
        /// HTTP, credentials and the app.
        case application = "application"
        /// The policy's own settings.
        case policy = "policy"
        /// Legitimate changes.
        case changes = "legitimate changes"
    }

    /// A measure of pinning that the scenario belongs to.
    package enum Measure: Sendable, Hashable {
        /// The attacks that pinning is for: certificates that the device trusts.
        case gain
        /// The changes of a good server that pinning may refuse.
        case cost
    }

    /// A short name that stays the same: `A02`, `B07`, `L03`.
    public let id: String
    /// A short description of the scenario.
    public let title: String
    /// The group of the scenario in the catalogue.
    public let group: Group
    /// The act of the attacker, or the change of the server.
    public let presents: String
    /// The means that the attacker needs.
    public let precondition: String
    /// The behaviour of a correct client.
    public let correctClient: String
    /// The check that catches the attack, or the measure that avoids the false alarm; shown with each miss.
    public let remedy: String
    /// The sources that describe the scenario: CVEs, RFCs, tools, papers.
    public let references: [String]
    /// The checks that refuse the server of the scenario: rightly in an attack, wrongly in a change.
    package let refusedBy: Safeguards
    /// The audit of a program in the scenario.
    package let audit: ScenarioAudit
    /// The measure of pinning that the scenario belongs to; `nil` for none.
    package let measure: Measure?
    /// Whether no check of certificates can notice it.
    public let isUndetectable: Bool
    /// Whether the TLS library of this process can stage it.
    package let isAvailable: Bool

    let set: StageSetting
    /// Lets a client act on the stage; one visit by default.
    let conduct: Conduct

    /// Changes a stage that has the honest server of a world and no man in the middle.
    typealias StageSetting = @Sendable (inout Staging, LabWorld) throws(CryptoFailure) -> Void

    /// Lets a client act on a stage, and reads the observation from that.
    typealias Conduct = @Sendable (ScenarioBench, LabPolicy) async throws(LabFailure) -> Observation

    /// Attack or change.
    public var kind: Kind { group == .changes ? .change : .attack }

    func staging(_ world: LabWorld) throws(CryptoFailure) -> Staging {
        var staging = Staging(world)
        try set(&staging, world)
        return staging
    }

    /// The outcome of a correct client; a miss if no client can notice the attack.
    public var expected: LabOutcome {
        switch kind {
        case .attack: isUndetectable ? .missed : .detected
        case .change: .accepted
        }
    }

    /// The client fetches once.
    static let oneVisit: Conduct = { bench, policy throws(LabFailure) in try await bench.visit(policy)
    }

    /// Returns the outcome that follows from a client's decision.
    package func outcome(_ decision: Observation.Decision) -> LabOutcome {
        switch (kind, decision) {
        case (.attack, .accepted): .missed
        case (.attack, .rejected): .detected
        case (.change, .accepted): .accepted
        case (.change, .rejected): .falseAlarm
        case (_, .undecided): .inconclusive
        }
    }

    /// Returns the reason for `outcome`, in a sentence; for a miss also the check that would have caught it.
    func reason(_ outcome: LabOutcome, _ observation: Observation) -> String {
        switch outcome {
        case .missed where isUndetectable:
            "Nothing in the certificates is different. What helps: \(remedy)."
        case .missed: "\(observation.summary) What would have caught it: \(remedy)."
        case .falseAlarm: "\(observation.summary) What avoids it: \(remedy)."
        case .detected, .accepted, .inconclusive: observation.summary
        }
    }
}

extension Scenario.Group {
    /// Creates a scenario of the group.
    func scenario(
        _ id: String,
        _ title: String,
        presents: String,
        precondition: String = "none",
        correctClient: String = "",
        remedy: String = "",
        references: [String] = [],
        refusedBy: Safeguards = [],
        audit: ScenarioAudit = .signals,
        measure: Scenario.Measure? = nil,
        isUndetectable: Bool = false,
        isAvailable: Bool = true,
        conduct: @escaping Scenario.Conduct = Scenario.oneVisit,
        staging: @escaping Scenario.StageSetting
    ) -> Scenario {
        Scenario(
            id: id,
            title: title,
            group: self,
            presents: presents,
            precondition: precondition,
            correctClient: correctClient,
            remedy: remedy,
            references: references,
            refusedBy: refusedBy,
            audit: audit,
            measure: measure,
            isUndetectable: isUndetectable,
            isAvailable: isAvailable,
            set: staging,
            conduct: conduct
        )
    }
}
