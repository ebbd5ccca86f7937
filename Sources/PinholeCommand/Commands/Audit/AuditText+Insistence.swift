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

/// The facts that a program insists on, as JSON.
struct InsistenceJSON: Encodable {
    /// A server, and what the program did there.
    struct Step: Encodable {
        let spoiled: [AuditFact.RawValue]
        let last: AuditFact.RawValue?
        let decision: Observation.Decision.RawValue
        let signal: String?
        let summary: String
    }

    /// The sets of facts, the smallest first; more than one if the program is content with any of them.
    let insistsOn: [[AuditFact.RawValue]]
    let validatesNothing: Bool
    /// The servers of all orders.
    let steps: [Step]

    init(_ found: AuditInsistence) {
        insistsOn = found.trials.map { $0.facts.map(\.rawValue) }
        validatesNothing = found.validatesNothing
        var seen: Set<Set<AuditFact>> = []
        steps = found.trials.flatMap(\.steps).filter { seen.insert($0.spoiled).inserted }.map { step in
            Step(
                spoiled: AuditFact.allCases.filter(step.spoiled.contains).map(\.rawValue),
                last: step.fact?.rawValue,
                decision: step.observation.decision.rawValue,
                signal: step.observation.signal?.name,
                summary: step.observation.summary
            )
        }
    }
}
