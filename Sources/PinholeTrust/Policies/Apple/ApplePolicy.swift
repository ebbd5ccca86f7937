package import PinholeModel

/// Apple's `NSPinnedDomains`, with the requirements of App Transport Security where they are known.
///
/// It is on top of the normal evaluation, which is always made and whose anchors it does not change.
package struct ApplePolicy: TrustPolicy {
    /// `NSPinnedDomains`, by the domain as it is written.
    package internal(set) var domains: [String: ApplePinnedDomain]
    /// The rest of `NSAppTransportSecurity`; `nil` to look at pins alone.
    package let transportSecurity: AppleTransportSecurity?

    /// Creates the policy.
    ///
    /// - Parameters:
    ///   - domains: The pins by domain.
    ///   - transportSecurity: The requirements and exceptions of ATS; `nil` to look at pins alone.
    /// - Throws: ``PolicyFailure`` for a domain without pins, or with pins that are not SHA-256.
    package init(
        domains: [String: ApplePinnedDomain],
        transportSecurity: AppleTransportSecurity? = nil
    ) throws(PolicyFailure) {
        for (name, domain) in domains.sorted(by: { $0.key < $1.key }) {
            let pins = domain.leafIdentities + domain.caIdentities
            guard !pins.isEmpty else {
                throw PolicyFailure(
                    "NSPinnedDomains/\(name): expected NSPinnedLeafIdentities or NSPinnedCAIdentities with at least "
                        + "one SPKI-SHA256-BASE64, found neither"
                )
            }
            if let pin = pins.first(where: { $0.algorithm != .sha256 }) {
                throw PolicyFailure("NSPinnedDomains/\(name): expected SHA-256 pins, found \(pin)")
            }
        }
        self.domains = domains
        self.transportSecurity = transportSecurity
    }

    /// `apple-pinned-domains`.
    package var mechanism: String { "apple-pinned-domains" }

    /// The entry that holds for a host: the host itself, else the domain with one label less.
    package func domain(for host: String) -> String? {
        if domains[host] != nil { return host }
        return domains.first { $0.value.rule($0.key).matches(host) }?.key
    }

    /// What App Transport Security says.
    package func refusalOfCleartext(to host: Host) -> String? {
        transportSecurity?.refusalOfCleartext(to: host)
    }

    /// Judges: the normal evaluation, ATS, the leaf's list, the list of CAs.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        guard let host = evidence.host else {
            let detail = "Without a host no entry of NSPinnedDomains can hold."
            return Judgement(.notApplicable(detail), checks: [Check("domain", .skipped, detail)])
        }
        guard let name = domain(for: host.description), let domain = domains[name] else {
            return judgeUnpinned(host, evidence, evaluator)
        }
        var checks = [Check("domain", .passed, "The entry “\(name)” of NSPinnedDomains holds for \(host).")]
        let answer = evaluator.evaluate(ChainQuestion(evidence))
        guard let path = answer.path else {
            let fault = answer.fault ?? ChainFault(.untrusted, depth: nil, "No path was found.")
            checks.append(Check("chain and host", .failed, fault.detail))
            return Judgement(.rejected(Rejection(.chain(fault.kind), fault.detail)), checks: checks)
        }
        checks.append(Check("chain and host", .passed, "The chain leads to an anchor and names \(host)."))
        checks += transportSecurity?.checks(of: path, host: host, connection: evidence.connection) ?? []
        if let failed = checks.first(where: { $0.outcome == .failed }) {
            return Judgement(.rejected(Rejection(.tooWeak, failed.detail)), checks: checks, path: path)
        }
        let leaf = Array(path.certificates.prefix(1))
        let authorities = Array(path.certificates.dropFirst())
        checks.append(Self.compare(domain.leafIdentities, with: leaf, "NSPinnedLeafIdentities"))
        checks.append(Self.compare(domain.caIdentities, with: authorities, "NSPinnedCAIdentities"))
        if let failed = checks.first(where: { $0.outcome == .failed }) {
            let detail = "\(failed.detail) The chain's pins: \(ChainText.pins(path.certificates))."
            return Judgement(.rejected(Rejection(.pinMismatch, detail)), checks: checks, path: path)
        }
        return Judgement(.trusted, checks: checks, path: path)
    }

    /// A host without an entry is a matter of default handling, unless ATS refuses it there.
    private func judgeUnpinned(
        _ host: Host,
        _ evidence: Evidence,
        _ evaluator: any ChainEvaluator
    ) -> Judgement {
        let detail = "No entry of NSPinnedDomains is for \(host)."
        let checks = [Check("domain", .skipped, detail)]
        guard let transportSecurity, let path = evaluator.evaluate(ChainQuestion(evidence)).path else {
            return Judgement(.notApplicable(detail), checks: checks)
        }
        let found = transportSecurity.checks(of: path, host: host, connection: evidence.connection)
        if let failed = found.first(where: { $0.outcome == .failed }) {
            return Judgement(
                .rejected(Rejection(.tooWeak, failed.detail)),
                checks: checks + found,
                path: path
            )
        }
        return Judgement(.notApplicable(detail), checks: checks + found, path: path)
    }

    private static func compare(_ pins: [Pin], with certificates: [CertificateFacts], _ list: String) -> Check
    {
        guard !pins.isEmpty else { return Check(list, .skipped, "There is no such list.") }
        for certificate in certificates {
            if let pin = pins.first(where: { $0.matches(certificate) }) {
                return Check(list, .passed, "\(pin) is the key of \(certificate.subject).")
            }
        }
        let which =
            certificates.isEmpty ? "There is no such certificate in the chain" : "None of the keys is listed"
        return Check(list, .failed, "\(list): \(which).")
    }
}
