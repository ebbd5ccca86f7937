import PinholeCrypto
import PinholeFiles
package import PinholeModel
import PinholePolicies
import PinholeRuntime
import PinholeTrust

/// The experiments of a lesson, whose outcome is hidden until the student predicts it.
extension ClassCheck {
    /// The outcome of an experiment beside its prediction.
    package struct TrialReport: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described = [
            FieldJSON("prediction", "The choice that was predicted first."),
            FieldJSON("misconception", "The idea behind a wrong prediction; empty for a right one."),
        ]

        /// The id of the experiment.
        package let trial: String
        /// The choice that the student predicted first.
        package let prediction: String
        /// The choice that was right.
        package let outcome: String
        /// Whether the prediction was right.
        package let isRight: Bool
        /// The observations that show the outcome, a line for each.
        package let evidence: [String]
        /// The idea behind a wrong prediction, and why it fails; empty if the prediction was right.
        package let misconception: String
        /// The explanation of the outcome.
        package let explanation: String
    }

    /// Runs an experiment, and keeps its first prediction.
    ///
    /// - Parameters:
    ///   - lesson: The number of the lesson.
    ///   - id: The id of the experiment.
    ///   - prediction: The choice that the student predicts; `nil` to repeat an experiment that was predicted before.
    /// - Returns: The outcome beside the first prediction; `nil` if nothing was predicted, so that it stays hidden.
    /// - Throws: ``ClassFailure`` if there is no such experiment or choice, or its outcome is no choice of it,
    ///   such as an error of a class that does not run; the prediction is not kept then.
    package func attempt(
        _ lesson: Int,
        _ id: String,
        predicting prediction: String?
    ) async throws(ClassFailure) -> TrialReport? {
        try state.checkHas(lesson)
        guard let text = try text(of: lesson), let unit = ClassUnits.unit(lesson) else {
            throw ClassFailure("there is no lesson \(lesson)")
        }
        guard let trial = text.trials.first(where: { $0.id == id }) else {
            throw ClassFailure(
                "lesson \(lesson) has no experiment “\(id)”",
                remedy: "its experiments: \(text.trials.map(\.id).joined(separator: ", "))"
            )
        }
        let kept = try record()[lesson].predictions?[id]
        let choices = trial.choices.map(\.id)
        guard let first = kept ?? prediction else { return nil }
        guard choices.contains(first) else {
            throw ClassFailure(
                "“\(first)” is not an outcome of the experiment \(id)",
                remedy: "one of \(choices.joined(separator: ", "))"
            )
        }
        let outcome: TrialOutcome
        do {
            outcome = try await unit.outcome(of: id, self)
        } catch {
            throw error as? ClassFailure ?? ClassFailure("the experiment \(id) cannot be run: \(error)")
        }
        // A server or a proxy that does not run makes errors that say nothing about the prediction.
        guard choices.contains(outcome.choice) else {
            throw ClassFailure(
                say(
                    "the experiment \(id) came to no outcome: \(outcome.evidence.last ?? outcome.choice)",
                    "das Experiment \(id) hat kein Ergebnis: \(outcome.evidence.last ?? outcome.choice)"
                ),
                remedy: "start the class: pinhole class start"
            )
        }
        // The prediction is kept after the experiment, so a failed one can be predicted again.
        if kept == nil { try keep(prediction: first, of: id, in: lesson) }
        let isRight = outcome.choice == first
        return TrialReport(
            trial: id,
            prediction: first,
            outcome: outcome.choice,
            isRight: isRight,
            evidence: outcome.evidence,
            misconception: isRight ? "" : trial.misconceptions[first] ?? "",
            explanation: trial.explanation
        )
    }

    /// Returns the result of the task “predicted”: every experiment of the lesson was predicted.
    func predicted(_ lesson: Int, _ entry: ClassRecord.Lesson) throws(ClassFailure) -> Result {
        let open = (try text(of: lesson)?.trials ?? []).filter { entry.predictions?[$0.id] == nil }
        return Result(
            task: "predicted",
            state: open.isEmpty ? .passed : .open,
            message: open.isEmpty
                ? ""
                : say(
                    "not predicted yet: \(open.map(\.id).joined(separator: ", "))",
                    "noch nicht vorhergesagt: \(open.map(\.id).joined(separator: ", "))",
                    command: "pinhole class try \(lesson)",
                    inPage: ("see “Experiments”", "siehe „Experimente“")
                )
        )
    }

    /// Returns the world of the class with the certificates of its folder.
    func world() throws(CryptoFailure) -> ClassWorld {
        try ClassWorld(names, kept: folder.keptChains(), lessons: state.choice)
    }

    /// Reads a policy document that the lesson itself writes.
    func policy(_ document: String, files: FileAccess = .memory([:])) throws(PolicyFailure) -> any TrustPolicy
    {
        try PolicyFile.read(Array(document.utf8), name: "the policy of the experiment", files: files).policy
    }

    /// Lets a client with a policy judge a server.
    func meet(
        _ policy: any TrustPolicy,
        _ server: Identity,
        at host: Host,
        trusting roots: [Certificate]
    ) -> TrialOutcome {
        let rejection = rejection(policy, server, at: host, trusting: roots)
        return TrialOutcome(accepts: rejection == nil, [judgement(rejection)])
    }

    /// Returns the result of a policy in a line.
    func judgement(_ rejection: String?) -> String {
        rejection.map { say("refused: \($0)", "abgelehnt: \($0)") } ?? say("accepted", "angenommen")
    }

    /// Returns the code of the reason why a client with a policy refuses a server; `nil` if it accepts it.
    ///
    /// The detail of a reason is left out: it is English, and may name certificates that a task asks for.
    func rejection(
        _ policy: any TrustPolicy,
        _ server: Identity,
        at host: Host,
        trusting roots: [Certificate],
        with evaluator: any ChainEvaluator = ChainVerifier()
    ) -> String? {
        func verdict(_ policy: any TrustPolicy) -> Verdict {
            var evidence = Evidence(
                host: host,
                presented: PresentedChain(server.chain.map(\.facts)),
                anchors: roots.map(\.facts),
                time: LoopClock().now()
            )
            evidence.port = 443
            return policy.judge(evidence, with: ChainInquiry(evaluator)).verdict
        }
        var found = verdict(policy)
        // Where a policy does not apply, the device decides.
        if case .notApplicable = found { found = verdict(SystemPolicy(by: .openssl)) }
        guard case .rejected(let rejection) = found else { return nil }
        return rejection.reason.code
    }
}
