import PinholeCrypto

/// An attack or a legitimate change, and what a correct client does about it (docs/SCENARIOS.md).
public struct Scenario: Sendable, Identifiable {
    /// Whether a correct client refuses or goes along.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        /// Somebody is in the middle, or pretends to be the server.
        case attack
        /// The real server, somehow different.
        case change
    }

    /// What scenarios are listed under.
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

    /// A short name that stays the same: `A02`, `B07`, `L03`.
    public let id: String
    /// What it is, in a few words.
    public let title: String
    /// Attack or change.
    public let kind: Kind
    /// What it is listed under.
    public let group: Group
    /// What the attacker does or presents, or how the server is different.
    public let presents: String
    /// What the attacker needs for it.
    public let precondition: String
    /// What a correct client does.
    public let correctClient: String
    /// What catches the attack, or what avoids the false alarm; shown with each miss.
    public let remedy: String
    /// Where it is known from: CVEs, RFCs, tools, papers.
    public let references: [String]
    /// Whether no check of certificates can notice it.
    public let isUndetectable: Bool

    /// Sets the stage.
    let staging: StageSetting
    /// What a client does on it; one visit where nothing else is said.
    let conduct: Conduct

    /// Sets the stage in a world.
    typealias StageSetting = @Sendable (LabWorld) throws(CryptoFailure) -> Staging

    /// What a client does on a stage, and what is read from it.
    typealias Conduct = @Sendable (ScenarioBench, LabPolicy) async throws(LabFailure) -> Observation

    /// Creates a scenario.
    init(
        _ id: String,
        _ kind: Kind,
        _ group: Group,
        _ title: String,
        presents: String,
        precondition: String,
        correctClient: String,
        remedy: String,
        references: [String],
        isUndetectable: Bool = false,
        conduct: Conduct? = nil,
        staging: @escaping StageSetting
    ) {
        self.id = id
        self.kind = kind
        self.group = group
        self.title = title
        self.presents = presents
        self.precondition = precondition
        self.correctClient = correctClient
        self.remedy = remedy
        self.references = references
        self.isUndetectable = isUndetectable
        self.conduct = conduct ?? Self.oneVisit
        self.staging = staging
    }

    /// What a correct client's cell says; a miss where nobody can notice.
    public var expected: LabOutcome {
        switch kind {
        case .attack: isUndetectable ? .missed : .detected
        case .change: .accepted
        }
    }

    /// The client fetches once.
    static let oneVisit: Conduct = { bench, policy throws(LabFailure) in try await bench.visit(policy)
    }

    /// What a cell says where the client decided so.
    package func outcome(_ decision: Observation.Decision) -> LabOutcome {
        switch (kind, decision) {
        case (.attack, .accepted): .missed
        case (.attack, .rejected): .detected
        case (.change, .accepted): .accepted
        case (.change, .rejected): .falseAlarm
        case (_, .undecided): .inconclusive
        }
    }

    /// Why a cell says `outcome`, in a sentence; for a miss also what would have caught it.
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
