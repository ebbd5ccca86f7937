extension BrokenPolicy: OutlinedPolicy {
    /// What is broken about it.
    package var outline: PolicyOutline {
        let finding = LintFinding(
            kind == .acceptAll ? .acceptsEverything : .invalidAllowed,
            .error,
            at: "",
            "\(kind.standsFor).",
            remedy: "Keep it in the laboratory."
        )
        guard !pins.isEmpty else { return PolicyOutline(findings: [finding]) }
        var list = PolicyOutline.PinList(path: "pins", scope: nil, pins: pins)
        list.position = scope == .leaf ? .leaf : .any
        return PolicyOutline(lists: [list], findings: [finding])
    }
}
