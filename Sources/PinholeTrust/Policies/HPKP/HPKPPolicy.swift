package import PinholeModel

/// HTTP Public Key Pinning of a browser that has noted the header before (docs/PINS.md#pinning-mechanisms).
package struct HPKPPolicy: TrustPolicy, Hashable {
    /// The header that the host sent on an earlier visit.
    package var header: HPKPHeader
    /// Whether the header was `Public-Key-Pins-Report-Only`, which never blocks.
    package var reportOnly: Bool

    /// The name `hpkp`.
    package var mechanism: String { "hpkp" }
    /// The rules of RFC 5280, since several browsers had the mechanism.
    package var verifier: VerifierProfile { .rfc5280 }

    /// Creates a policy from a header.
    package init(header: HPKPHeader, reportOnly: Bool = false) {
        self.header = header
        self.reportOnly = reportOnly
    }

    /// Checks chain and host, whether a browser would have noted the header, and then the pins.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = judgement.requireSystemTrust(question(evidence), evaluator) { return rejection }
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

    /// The reason why no browser would note the header (RFC 7469 §2.3.3, §2.5); `nil` if it would.
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

    /// Judges for a Report-Only header: a mismatch is reported, and the connection passes.
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

extension HPKPPolicy {
    /// The report of a mismatch to `report-uri`, whether the header blocks or not.
    package func report(_ evidence: Evidence, _ judgement: Judgement) -> PinReport? {
        guard judgement.isMismatch, let address = header.reportURI else { return nil }
        return PinReport(to: [address], evidence, pins: header.pins, path: judgement.path)
    }
}

extension HPKPPolicy {
    /// The pins, one of which has to be a spare key.
    package var pinLists: [PinList] {
        get {
            var list = PinList(header.pins, at: "pin-sha256")
            list.demandsBackup = true
            return [list]
        }
        set { header.pins.take(newValue.first) }
    }

    /// The findings that no browser reads the header, and about settings that never block.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        var findings = [
            LintFinding.hint(
                .ignored,
                at: "",
                "No browser reads Public-Key-Pins any more (removed 2018 to 2020).",
                remedy: "Keep the notation for tools; a server need not send it."
            )
        ]
        if reportOnly {
            findings.append(
                LintFinding.warning(
                    .reportOnly,
                    at: "",
                    "Public-Key-Pins-Report-Only never blocks.",
                    remedy: "Use Public-Key-Pins once the reports are clean."
                )
            )
        }
        if header.maxAge == 0 {
            findings.append(
                LintFinding.error(
                    .expired,
                    at: "max-age",
                    "max-age=0 makes a client forget the pins.",
                    remedy: "Write a number of seconds, 5184000 for 60 days."
                )
            )
        }
        return findings
    }

    /// The pins for the host that sent the header.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        .pinsForHost.judged(by: chosen ?? verifier)
    }
}

extension HPKPPolicy {
    /// The errors of Chromium, which supported the header until version 71.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        if cause.isPin {
            return Self.error(-150, "SSL_PINNED_KEY_NOT_IN_CERT_CHAIN", "No pin is in the validated chain.")
        }
        switch cause {
        case .handshake(let detail): return Self.error(-107, "SSL_PROTOCOL_ERROR", detail)
        case .connection(let detail): return Self.error(-100, "CONNECTION_CLOSED", detail)
        case .cleartext: return nil
        case .rejection(let rejection):
            switch cause.chainFault {
            case .wrongName: return Self.error(-200, "CERT_COMMON_NAME_INVALID", rejection.detail)
            case .expired, .notYetValid: return Self.error(-201, "CERT_DATE_INVALID", rejection.detail)
            case .untrusted, .selfSigned: return Self.error(-202, "CERT_AUTHORITY_INVALID", rejection.detail)
            case .weakSignature: return Self.error(-208, "CERT_WEAK_SIGNATURE_ALGORITHM", rejection.detail)
            case .weakKey: return Self.error(-211, "CERT_WEAK_KEY", rejection.detail)
            default: return Self.error(-207, "CERT_INVALID", rejection.detail)
            }
        }
    }

    private static func error(_ code: Int, _ name: String, _ message: String) -> ReportedError {
        ReportedError("net", code, "ERR_\(name)", message)
    }
}
