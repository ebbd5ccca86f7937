import PinholeTrust

extension LabPolicy {
    /// A validator of your own.
    ///
    /// ```swift
    /// let row = LabPolicy.custom("mine", "our PinValidator") { server in
    ///     PinValidator(pins: server.pins.leaf).accepts(server.presented.map(\.der), for: server.host)
    /// }
    /// ```
    ///
    /// It decides alone, as a delegate of URLSession does: who wants the chain, the dates or the name to be
    /// checked has to, or looks at ``ServerChain/validated``.
    ///
    /// - Parameters:
    ///   - id: A short name.
    ///   - title: What it is, in a few words.
    ///   - decide: Whether the client goes along; called on any thread, once a handshake.
    /// - Returns: The row.
    public static func custom(
        _ id: String,
        _ title: String,
        _ decide: @escaping @Sendable (ServerChain) -> Bool
    ) -> LabPolicy {
        LabPolicy(id, title, .own, group: .own) { target in
            CustomPolicy(decide: decide, pins: ServerChain.Pins(target.world))
        }
    }
}

/// Asks somebody else's validator.
private struct CustomPolicy: TrustPolicy {
    let decide: @Sendable (ServerChain) -> Bool
    let pins: ServerChain.Pins

    var mechanism: String { "custom" }

    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        let answer = evaluator.evaluate(ChainQuestion(evidence))
        guard decide(ServerChain(evidence, answer, pins)) else {
            let detail = "the validator refused \(ChainText.subjects(evidence.presented.certificates))"
            return Judgement(
                .rejected(Rejection(.pinMismatch, detail)),
                checks: [Check("validator", .failed, detail)],
                path: answer.path
            )
        }
        return Judgement(
            .trusted,
            checks: [Check("validator", .passed, "the validator accepted")],
            path: answer.path
        )
    }
}
