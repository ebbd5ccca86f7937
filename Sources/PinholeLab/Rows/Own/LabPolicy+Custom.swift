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
    /// The validator decides alone, as a delegate of URLSession does. To check the chain, the dates or the name, it has
    /// to do so itself, or look at ``ServerChain/validated``.
    ///
    /// - Parameters:
    ///   - id: A short name.
    ///   - title: A short description.
    ///   - decide: Whether the client accepts the server; called on any thread, once a handshake.
    /// - Returns: The row.
    public static func custom(
        _ id: String,
        _ title: String,
        _ decide: @escaping @Sendable (ServerChain) -> Bool
    ) -> LabPolicy {
        var row = LabPolicy(id, title, .own, group: .own) { target in
            CustomPolicy(decide: decide, pins: ServerChain.Pins(target.world))
        }
        row.mayRemember = true
        return row
    }
}

/// A policy that asks the user's validator.
private struct CustomPolicy: TrustPolicy {
    let decide: @Sendable (ServerChain) -> Bool
    let pins: ServerChain.Pins

    var mechanism: String { "custom" }

    func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        let answer = evaluator.evaluate(ChainQuestion(evidence, by: verifier))
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
