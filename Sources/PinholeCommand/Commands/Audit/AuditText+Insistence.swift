import PinholeFormats
import PinholeLab
import PinholeSession

extension AuditText {
    private static let widths = (fact: 46, decision: 9)

    /// The line above the steps.
    var whyHeading: String {
        style.paint(row("SPOILED, BESIDES WHAT IT DID NOT MIND", "PROGRAM", "ON THE WIRE"), .faint)
    }

    /// Returns the line of a server, with the fact that was spoiled last and the decision of the program.
    func step(_ step: AuditInsistence.Step) -> String {
        let decision =
            switch step.observation.decision {
            case .accepted: "accepts"
            case .rejected: "refuses"
            case .undecided: "unknown"
            }
        return row(
            step.fact?.spoiled ?? "nothing: the honest server",
            style.paint(decision.padded(to: Self.widths.decision), step.isAccepted ? .faint : .green),
            step.observation.signal?.name ?? "no connection"
        )
    }

    /// Returns the facts that the program insists on.
    func summary(_ found: AuditInsistence) -> String {
        let sets = found.trials.map { trial in
            trial.facts.isEmpty
                ? "nothing" : trial.facts.map { "  \($0.title)" }.joined(separator: "\n")
        }
        guard let first = sets.first, let facts = found.trials.first?.facts else { return "" }
        var lines = [
            facts.isEmpty
                ? "The program insists on nothing."
                : "The program insists on \(Plain.count(facts.count, "fact")):\n\(first)"
        ]
        lines += sets.dropFirst().map { "It is also content with these instead:\n\($0)" }
        lines.append("With every other fact wrong at the same time, it sent its request.")
        if found.validatesNothing {
            lines.append(
                style.paint(
                    "Anybody on the network can pretend to be the server: switch the validation on.",
                    .red
                )
            )
        }
        return lines.joined(separator: "\n")
    }

    private func row(_ fact: String, _ decision: String, _ signal: String) -> String {
        "\(fact.padded(to: Self.widths.fact)) \(decision.padded(to: Self.widths.decision)) \(signal)"
    }
}

extension AuditInsistence {
    /// The facts that the program insists on as JSON; more than one set if the program is content with any of them.
    var json: JSONObject {
        var seen: Set<Set<AuditFact>> = []
        let steps: [JSONObject] = trials.flatMap(\.steps).filter { seen.insert($0.spoiled).inserted }.map {
            [
                "spoiled": AuditFact.allCases.filter($0.spoiled.contains).map(\.rawValue),
                "last": $0.fact?.rawValue, "decision": $0.observation.decision.rawValue,
                "signal": $0.observation.signal?.name, "summary": $0.observation.summary,
            ]
        }
        return [
            "insistsOn": trials.map { $0.facts.map(\.rawValue) }, "validatesNothing": validatesNothing,
            "steps": steps,
        ]
    }
}
