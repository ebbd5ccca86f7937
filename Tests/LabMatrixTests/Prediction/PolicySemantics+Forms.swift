import PinholeModel

@testable import PinholeLab

/// The sound settings of mechanisms: pins of the leaf's key or of a CA's key, each with a backup, and validation.
extension PolicySemantics {
    /// The pins of the leaf's key and its backup, for every host.
    static let leafForm = PolicySemantics(JudgingSemantics(pins: [.init(.key, of: leafKeys, in: .leaf)]))

    /// The pins of the issuing CA's key and its backup, for every host.
    static let authorityForm = PolicySemantics(
        JudgingSemantics(pins: [.init(.key, of: authorityKeys, in: .path)])
    )

    /// Both, for one host; other hosts have default handling.
    static let formsForHost = [leafForm.forItsHost(), authorityForm.forItsHost()]

    /// The sound settings of any client that pins.
    static let anyMechanism = [leafForm, authorityForm] + formsForHost

    /// The semantics of two policies that both have to accept.
    func agreeing(with other: PolicySemantics) -> PolicySemantics {
        PolicySemantics(
            Dictionary(
                uniqueKeysWithValues: Encounter.Asked.allCases.map { ($0, judgings($0) + other.judgings($0)) }
            )
        )
    }
}

extension Scenario {
    /// The grade of the scenario by the predictions for the forms of a mechanism.
    func grade(among forms: [PolicySemantics]) -> LabGrade {
        guard !isUndetectable, let facts else { return .beyond }
        let right = forms.count { outcome(Prediction(facts, $0).decision) == expected }
        return right == forms.count ? .must : right == 0 ? .beyond : .should
    }
}

extension LabPolicy {
    /// The sound settings of the policy's mechanism, as the rules know them.
    func forms(for target: Target) -> [PolicySemantics] {
        let context = SemanticsContext(world: target.world, asked: .meant, port: target.authority.port)
        return (try? make(target))?.mechanismForms(context) ?? PolicySemantics.anyMechanism
    }
}
