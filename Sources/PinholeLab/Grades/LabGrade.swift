import PinholeModel

/// The weight of a cell in the judgement of a policy, by the settings that the policy's mechanism offers.
public enum LabGrade: String, Sendable, Hashable, CaseIterable, Codable {
    /// Every sound setting of the mechanism does what a correct client does.
    case must
    /// Some sound settings do what a correct client does: a choice, such as the pin of a leaf or of a CA.
    case should
    /// No setting of the mechanism does what a correct client does.
    case beyond

    /// The meaning of the grade in a few words.
    public var title: String {
        switch self {
        case .must: "what the mechanism promises"
        case .should: "what another sound setting does"
        case .beyond: "beyond this mechanism"
        }
    }
}

/// A choice of the grades that count for the exit status.
public enum LabProfile: String, Sendable, Hashable, CaseIterable, Codable {
    /// The cells of grade ``LabGrade/must``.
    case baseline
    /// The cells of the grades ``LabGrade/must`` and ``LabGrade/should``.
    case strict
    /// All cells.
    case all

    /// Whether a cell of a grade counts.
    public func judges(_ grade: LabGrade) -> Bool {
        switch self {
        case .baseline: grade == .must
        case .strict: grade != .beyond
        case .all: true
        }
    }
}

extension Scenario {
    /// Grades the scenario for a mechanism, from the facts of the scenario and the forms of the mechanism.
    ///
    /// - Parameter forms: The sound settings of the mechanism.
    /// - Returns: ``LabGrade/beyond`` for attacks that no client can notice.
    func grade(among forms: [PolicySemantics]) -> LabGrade {
        guard !isUndetectable else { return .beyond }
        guard let facts else { return .must }
        let right = forms.count { outcome(Prediction(facts, $0).decision) == expected }
        return right == forms.count ? .must : right == 0 ? .beyond : .should
    }
}

extension LabPolicy {
    /// The sound settings of the policy's mechanism.
    ///
    /// - Parameter target: The server that the policy is made for.
    /// - Returns: The settings of any mechanism that pins, where the mechanism is not known.
    func forms(for target: Target) -> [PolicySemantics] {
        guard let policy = try? make(target) else { return PolicySemantics.anyMechanism }
        return policy.mechanismForms(
            SemanticsContext(world: target.world, asked: .meant, port: target.authority.port)
        )
    }
}
