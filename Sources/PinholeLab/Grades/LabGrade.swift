import PinholeTrust

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
    /// Grades the scenario for a mechanism: whether its sound settings do what a correct client does.
    ///
    /// - Parameter settings: The checks of each sound setting of the mechanism.
    /// - Returns: ``LabGrade/beyond`` for attacks that no client can notice.
    func grade(among settings: [Safeguards]) -> LabGrade {
        guard !isUndetectable else { return .beyond }
        let refusing = settings.count { !$0.isDisjoint(with: refusedBy) }
        let right = kind == .attack ? refusing : settings.count - refusing
        return right == settings.count ? .must : right == 0 ? .beyond : .should
    }
}

extension LabPolicy {
    /// The checks of each sound setting of the policy's mechanism.
    ///
    /// - Parameter target: The server that the policy is made for.
    /// - Returns: The checks; those of any mechanism that pins, if the policy cannot be made.
    func soundSettings(for target: Target) -> [Safeguards] {
        (try? make(target))?.soundSettings(for: target.authority, by: verifier) ?? .anyMechanism
    }
}
