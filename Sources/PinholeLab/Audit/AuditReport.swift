import PinholeModel

/// The findings of an audit: the cells of the program, and the controls that give the cells their meaning.
package struct AuditReport: Sendable {
    /// The report of the audit, with one row: the program.
    package let report: LabReport
    /// The behaviour of the program at the honest server.
    ///
    /// If the program refuses that server, its other refusals prove nothing.
    package let honest: Observation
    /// The behaviour of the program at a man in the middle whose CA it does not trust.
    package let untrusted: Observation
    /// The behaviour of the program if a man in the middle hides STARTTLS; `nil` for other protocols.
    package let unoffered: Observation?

    /// Whether the controls let the cells be read.
    package var isControlled: Bool { honest.isRequest }

    /// Whether the program sends without TLS what it should protect, although the server offers STARTTLS.
    package var neverStartsTLS: Bool { honest.isUnprotected }

    /// Whether the program accepts any certificate, whether it pins or not.
    package var validatesNothing: Bool { isControlled && untrusted.isRequest }

    /// Whether a control shows that anybody on the network can read what the program sends.
    package var isOpenToEverybody: Bool {
        validatesNothing || neverStartsTLS || untrusted.isUnprotected || unoffered?.isUnprotected == true
    }

    /// The conclusions about the program that follow from the controls, the worst first; empty if there are none.
    package var remarks: [String] {
        if let remark = honest.unprotectedRemark { return [remark] }
        var remarks: [String] = []
        if untrusted.isUnprotected {
            remarks.append(
                "The program refuses a man in the middle, and comes back without TLS: \(untrusted.summary)"
            )
        }
        if let unoffered, unoffered.isUnprotected {
            remarks.append(
                "The program goes on without TLS if a man in the middle hides STARTTLS: \(unoffered.summary)"
            )
        }
        return remarks + certificateRemarks + keyExchangeRemarks
    }

    /// The change that the interception made to the key exchange, once; empty for none.
    ///
    /// The servers of some scenarios restrict the key exchange themselves.
    private var keyExchangeRemarks: [String] {
        Array(honest.wire.flows.compactMap { KeyExchange($0)?.explanation }.prefix(1))
    }

    private var certificateRemarks: [String] {
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

extension Observation {
    /// Whether the program sent something without TLS, which a protocol with STARTTLS would have protected.
    package var isUnprotected: Bool { if case .unprotected = signal { true } else { false } }

    /// The conclusion about a program that does not use TLS at a server that offers it; `nil` for other programs.
    package var unprotectedRemark: String? {
        isUnprotected ? "The program does not use TLS, though the server offers it: \(summary)" : nil
    }

    /// Whether the program sent its request in TLS.
    package var isRequest: Bool { decision == .accepted && !isUnprotected }
}
