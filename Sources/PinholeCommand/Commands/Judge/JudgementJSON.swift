import PinholeModel
import PinholeTrust

/// One judgement as a JSON object.
struct JudgementJSON: Encodable {
    /// One step of the mechanism.
    struct Step: Encodable {
        let name: String
        let outcome: String
        let detail: String
    }

    /// One certificate of the path.
    struct Link: Encodable {
        let subject: String
        let issuer: String
        let pin: String
        let notAfter: String
    }

    let mechanism: String
    let verdict: String
    let reason: String?
    let detail: String
    let checks: [Step]
    let path: [Link]

    init(_ judgement: Judgement, mechanism: String) {
        let words = JudgementLine.Words(judgement)
        self.mechanism = mechanism
        verdict = words.verdict
        reason = words.reason
        detail = words.detail
        checks = judgement.checks.map { Step(name: $0.name, outcome: $0.outcome.rawValue, detail: $0.detail) }
        path = (judgement.path?.certificates ?? []).map { certificate in
            Link(
                subject: certificate.subject,
                issuer: certificate.issuer,
                pin: "sha256/" + Base64.encode(certificate.spkiSHA256),
                notAfter: certificate.notAfter.iso8601
            )
        }
    }
}
