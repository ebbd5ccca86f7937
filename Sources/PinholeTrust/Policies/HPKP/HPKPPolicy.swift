import PinholeModel

/// HTTP Public Key Pinning, as a browser did it that had noted the header before (docs/PINS.md#pinning-mechanisms).
package struct HPKPPolicy: TrustPolicy, Hashable {
    /// The header that the host sent on an earlier visit.
    package var header: HPKPHeader
    /// Whether it was `Public-Key-Pins-Report-Only`, which never blocks.
    package var reportOnly: Bool

    /// `hpkp`.
    package var mechanism: String { "hpkp" }

    /// Pins by a header.
    package init(header: HPKPHeader, reportOnly: Bool = false) {
        self.header = header
        self.reportOnly = reportOnly
    }

    /// Chain and host, whether the header was ever noted, then its pins.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(evidence, evaluator) { return rejection }
        let chain = judgement.path?.certificates ?? []
        if let why = reasonNotNoted(evidence.host, chain) {
            judgement.skip("noted header", why)
            return judgement.leave(why)
        }
        judgement.pass("noted header", noted)
        guard reportOnly else {
            return judgement.comparing(pins: header.pins, with: chain, in: "the validated chain")
        }
        return reporting(chain, &judgement)
    }

    private var noted: String {
        let age = header.maxAge.map { "max-age \($0) s" } ?? "no max-age"
        let scope = header.includesSubdomains ? ", its subdomains included" : ""
        return "\(ChainText.count(header.pins.count, "pin")), \(age)\(scope)"
    }

    /// Why no browser noted the header (RFC 7469 §2.3.3, §2.5).
    private func reasonNotNoted(_ host: Host?, _ chain: [CertificateFacts]) -> String? {
        guard let host else { return "no host was asked for" }
        guard host.address == nil else { return "\(host) is an address: HPKP is for names (RFC 7469 §2.3.3)" }
        guard !reportOnly else { return nil }
        guard header.maxAge != 0 else { return "max-age is 0: the browser forgets the host" }
        guard !Set(header.pins).allSatisfy({ pin in chain.contains { pin.matches($0) } }) else {
            return
                "every pin is in the chain: without a backup pin no browser notes the header (RFC 7469 §2.5)"
        }
        guard Set(header.pins).count > 1 else {
            return "there is one pin alone: without a backup pin no browser notes the header (RFC 7469 §2.5)"
        }
        return nil
    }

    /// A mismatch of a Report-Only header is reported, and passes.
    private func reporting(_ chain: [CertificateFacts], _ judgement: inout JudgementBuilder) -> Judgement {
        let name = "pinned keys in the validated chain"
        if let match = chain.first(where: { link in header.pins.contains { $0.matches(link) } }) {
            judgement.pass(name, "the key of \(match.title) is pinned")
        } else {
            judgement.fail(name, PinMismatch.spki(chain, header.pins, in: "the validated chain"))
            judgement.skip(
                "report",
                "report only: the connection goes on, a report goes to \(header.reportURI ?? "nobody")"
            )
        }
        return judgement.trust()
    }
}

extension HPKPPolicy: ReportingPolicy {
    /// Reports a mismatch, enforced or not, to `report-uri`.
    package func report(_ evidence: Evidence, _ judgement: Judgement) -> PinReport? {
        guard judgement.isMismatch, let address = header.reportURI else { return nil }
        return PinReport(to: [address], evidence, pins: header.pins, path: judgement.path)
    }
}
