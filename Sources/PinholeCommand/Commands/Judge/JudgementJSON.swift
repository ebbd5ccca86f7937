import PinholeModel
import PinholeTrust

/// A judgement as a JSON object.
struct JudgementJSON: Encodable {
    /// A certificate of the path.
    struct Link: Encodable {
        let subject: String
        let issuer: String
        let pin: String
        let notAfter: String
    }

    /// The verdict of one client of the file about one host.
    struct Part: Encodable {
        let client: String
        let host: String?
        let verdict: String
        let reason: String?
        let detail: String
    }

    let mechanism: String
    let verdict: String
    let reason: String?
    let detail: String
    let checks: [Check]
    let path: [Link]
    /// The other valid paths; `nil` if there are none.
    let otherPaths: [[Link]]?
    /// Whether the search for other paths ended at a limit; `nil` if it did not.
    let hasMorePaths: Bool?
    /// The verdicts of all clients and hosts of the file; `nil` if there is one.
    let parts: [Part]?

    init(_ judgement: Judgement, mechanism: String, _ others: PathSet, _ parts: [JudgedFile.Part] = []) {
        let words = JudgementLine.Words(judgement)
        self.mechanism = mechanism
        verdict = words.verdict
        reason = words.reason
        detail = words.detail
        checks = judgement.checks
        path = judgement.path.map(Self.links) ?? []
        otherPaths = others.paths.isEmpty ? nil : others.paths.map(Self.links)
        hasMorePaths = others.isComplete ? nil : true
        self.parts =
            parts.count < 2
            ? nil
            : parts.map { part in
                let words = JudgementLine.Words(part.judgement)
                return Part(
                    client: part.client,
                    host: part.host?.description,
                    verdict: words.verdict,
                    reason: words.reason,
                    detail: words.detail
                )
            }
    }

    private static func links(_ path: ValidatedChain) -> [Link] {
        path.certificates.map { certificate in
            Link(
                subject: certificate.subject,
                issuer: certificate.issuer,
                pin: "sha256/" + Base64.encode(certificate.spkiSHA256),
                notAfter: certificate.notAfter.iso8601
            )
        }
    }
}
