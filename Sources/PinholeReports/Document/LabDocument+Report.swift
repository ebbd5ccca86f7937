import PinholeClient
import PinholeCrypto
package import PinholeLab
import PinholeModel
import PinholeTrust

extension LabDocument {
    /// Makes the document of a report.
    package init(_ report: LabReport) {
        self.init(host: report.host.description, started: report.started.iso8601)
        policies = report.policies.map { policy in
            var row = Row(id: policy.id, title: policy.title, stance: policy.stance)
            row.file = policy.file
            row.digest = policy.digest
            row.notes = policy.notes
            row.line = policy.line
            row.fault = report.diagnoses[policy.id]?.fault
            row.advice = report.diagnoses[policy.id]?.advice
            return row
        }
        scenarios = report.scenarios.map(LabColumn.init)
        hosts = report.policies.flatMap(\.hosts)
        let honest = note(report.honest)
        for cell in report.cells {
            var copy = Cell(cell)
            copy.evidence = cell.observations.map { evidence($0, honest: honest) }
            cells.append(copy)
        }
    }

    private mutating func evidence(_ observation: Observation, honest: [String]) -> LabEvidence {
        var evidence = LabEvidence(observation.decision, observation.summary)
        evidence.honest = honest
        // Audited programs do not report the chain that they were shown; the proxy recorded it.
        let handshake = observation.wire.flows.last { $0.clientHandshake != nil }?.clientHandshake
        let shown = handshake?.presentedChain.compactMap { try? Certificate(der: $0).facts } ?? []
        evidence.presented = note(observation.presented.isEmpty ? shown : observation.presented)
        evidence.validated = note(observation.validated)
        evidence.checks = observation.checks
        evidence.error =
            observation.reported.map {
                LabEvidence.ClientError(domain: $0.domain, code: $0.code, name: $0.name, detail: $0.message)
            }
            ?? observation.failure.map {
                LabEvidence.ClientError(
                    domain: $0.code.domain,
                    code: $0.code.rawValue,
                    name: $0.code.name,
                    detail: $0.detail
                )
            }
        evidence.alert = observation.wire.alert
        evidence.handshake.version = handshake?.version
        evidence.handshake.cipher = handshake?.cipher
        evidence.requests = observation.wire.requestLines
        return evidence
    }

    /// Keeps the certificates of a chain, and returns their digests.
    private mutating func note(_ chain: [CertificateFacts]) -> [String] {
        chain.map { facts in
            let digest = Hexadecimal.encode(facts.sha256)
            if certificates[digest] == nil { certificates[digest] = LabCertificate(facts) }
            return digest
        }
    }
}

extension LabDocument.Cell {
    /// Takes over a cell without its evidence.
    package init(_ cell: LabCell) {
        self.init(
            LabDocument.Place(cell.policy, cell.scenario),
            expected: cell.expected,
            outcome: cell.outcome,
            reason: cell.reason
        )
        grade = cell.grade
    }
}
