import PinholeModel
import PinholeTrust

/// Checks whether a certificate of a path is revoked, by the stapled response and by revocation lists.
///
/// The path is valid otherwise.
///
/// The stapled response covers the leaf and is asked first, unless lists are preferred. Lists cover each
/// certificate except the anchor, which is trusted as it is. The first source that knows the certificate decides.
struct RevocationCheck {
    let question: ChainQuestion
    /// The path, leaf first, anchor last.
    let path: [CertificateFacts]

    /// The most certificates among which the signer of a list is sought: a peer may send any number.
    private static let mostSigners = 64

    /// Adds the findings about revocation to an answer, and the fault if there is one.
    func judged(_ answer: ChainAnswer) -> ChainAnswer {
        var findings: [RevocationFinding] = []
        let given = question.verifier.revocation == .all ? question.revocationLists : []
        // An issuer may sign its lists with another key, whose certificate is among these.
        let signers = given.isEmpty ? [] : path + question.presented.certificates
        let others = signers.prefix(Self.mostSigners).compactMap { try? Certificate(der: $0.der).handle }
        let lists = RevocationListReader(
            lists: given.filter { question.verifier.isOpenSSL || ListForm.isValid($0) }
                .compactMap { try? RevocationListHandle(der: $0) },
            others: others,
            anchor: path.last.flatMap { try? Certificate(der: $0.der).handle },
            isOpenSSL: question.verifier.isOpenSSL
        )
        let unread = given.count - lists.lists.count
        for depth in path.indices.dropLast() {
            guard let certificate = try? Certificate(der: path[depth].der).handle,
                let issuer = try? Certificate(der: path[depth + 1].der).handle
            else { continue }
            findings.append(finding(depth, certificate, issuer, lists, unread: unread))
        }
        var result = fault(findings).map { ChainAnswer(fault: $0, built: path) } ?? answer
        result.revocation = findings
        return result
    }

    private func finding(
        _ depth: Int,
        _ certificate: X509Handle,
        _ issuer: X509Handle,
        _ lists: RevocationListReader,
        unread: Int
    ) -> RevocationFinding {
        var reasons: [String] = []
        let sources: [RevocationFinding.Source] =
            question.prefersRevocationLists ? [.list, .staple] : [.staple, .list]
        for source in sources {
            let found: (status: RevocationStatus, reason: String)
            switch source {
            case .list: found = lists.status(of: certificate, issuer: issuer, at: question.time)
            case .staple:
                guard depth == 0, let response = question.stapledResponse else { continue }
                let staple = StapledResponse(
                    der: response,
                    endlessDays: question.verifier.endlessResponseDays,
                    checksProduction: question.verifier.checksResponseProduction
                )
                found = staple.status(of: certificate, issuer: issuer, at: question.time)
            }
            if found.status != .unknown { return finding(depth, found.status, source) }
            reasons.append(found.reason)
        }
        if unread > 0 { reasons.append("\(unread) of the revocation lists cannot be read") }
        return RevocationFinding(
            depth: depth,
            status: .unknown,
            source: nil,
            detail: "whether “\(path[depth].subject)” was revoked is not known: "
                + reasons.joined(separator: "; ")
        )
    }

    private func finding(
        _ depth: Int,
        _ status: RevocationStatus,
        _ source: RevocationFinding.Source
    ) -> RevocationFinding {
        let name = "“\(path[depth].subject)”"
        let speaker = source == .staple ? "the stapled OCSP response" : "a revocation list"
        let detail =
            switch status {
            case .good: "\(name) is not revoked, says \(speaker)"
            case .revoked(let date):
                "\(name) was revoked" + (date.map { " on \($0.iso8601)" } ?? "") + ", says \(speaker)"
            case .unknown: "\(name) is not known to \(speaker)"
            }
        return RevocationFinding(depth: depth, status: status, source: source, detail: detail)
    }

    private func fault(_ findings: [RevocationFinding]) -> ChainFault? {
        for finding in findings {
            if case .revoked = finding.status {
                return ChainFault(.revoked, depth: finding.depth, finding.detail)
            }
        }
        // A verifier that reads no lists cannot ask for an answer if nothing was stapled.
        let isAsked = question.verifier.revocation == .all || question.stapledResponse != nil
        guard question.revocation == .required, isAsked, let leaf = findings.first, leaf.status == .unknown
        else {
            return nil
        }
        return ChainFault(.revocationUnknown, depth: 0, leaf.detail)
    }
}
