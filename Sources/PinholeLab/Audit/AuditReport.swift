/// The findings of an audit: the cells of the program, and the two controls that give the cells their meaning.
package struct AuditReport: Sendable {
    /// The report of the audit, with one row: the program.
    package let report: LabReport
    /// The behaviour of the program at the honest server.
    ///
    /// If the program refuses that server, its other refusals prove nothing.
    package let honest: Observation
    /// The behaviour of the program at a man in the middle whose CA it does not trust.
    package let untrusted: Observation

    /// Whether the controls let the cells be read.
    package var isControlled: Bool { honest.decision == .accepted }

    /// Whether the program accepts any certificate, whether it pins or not.
    package var validatesNothing: Bool { isControlled && untrusted.decision == .accepted }

    /// The conclusions about the program that follow from the controls, the worst first; empty if there are none.
    package var remarks: [String] {
        guard isControlled else {
            return [
                """
                The program failed with the honest server, so its refusals prove nothing: \(honest.summary)
                """
            ]
        }
        guard !validatesNothing else {
            return [
                """
                The program does not validate certificates: it accepted a certificate of a CA that it does not trust.
                """
            ]
        }
        switch report.cells.first(where: { $0.scenario == Scenario.installed.id })?.outcome {
        case .detected:
            return [
                "The program pins: it refuses a certificate for the host from a CA that its device trusts."
            ]
        case .missed:
            return [
                "The program does not pin: it accepts a certificate for the host from an installed CA."
            ]
        case .accepted, .falseAlarm, .inconclusive, nil: return []
        }
    }
}
