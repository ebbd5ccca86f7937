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
