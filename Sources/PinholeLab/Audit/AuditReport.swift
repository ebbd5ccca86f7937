/// What an audit found: the cells, and the controls that they rest on.
package struct AuditReport: Sendable {
    /// One row: the program.
    package let report: LabReport
    /// What it did before the honest server; nothing can be said of a program that refuses it.
    package let honest: Observation
    /// What it did before a man in the middle whose CA it does not trust.
    package let untrusted: Observation

    /// Whether the controls let the cells be read.
    package var isControlled: Bool { honest.decision == .accepted }

    /// Whether it takes the certificate of anybody: pins or not, it is open.
    package var validatesNothing: Bool { isControlled && untrusted.decision == .accepted }

    /// What the controls say of the program, the worst first; empty where there is nothing to say.
    package var remarks: [String] {
        guard isControlled else {
            return [
                """
                The program does not even get along with the honest server, so nothing can be said of what it \
                refuses: \(honest.summary)
                """
            ]
        }
        guard !validatesNothing else {
            return [
                """
                The program does not validate certificates: it went along with a certificate by a CA that it \
                does not trust.
                """
            ]
        }
        switch report.cells.first(where: { $0.scenario == Scenario.installed.id })?.outcome {
        case .detected:
            return ["The program pins: it refuses a certificate for the host by a CA that its device trusts."]
        case .missed:
            return [
                "The program does not pin: it goes along with a certificate for the host by an installed CA."
            ]
        case .accepted, .falseAlarm, .inconclusive, nil: return []
        }
    }
}
