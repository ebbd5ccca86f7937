package import PinholeModel

/// Apple's `NSPinnedDomains`, and the requirements of App Transport Security if they are known.
///
/// The policy adds checks to the normal evaluation, which always takes place with its usual anchors.
package struct ApplePolicy: TrustPolicy {
    /// The entries of `NSPinnedDomains`, by domain as written.
    package internal(set) var domains: [String: ApplePinnedDomain]
    /// The rest of `NSAppTransportSecurity`; `nil` to check only pins.
    package let transportSecurity: AppleTransportSecurity?

    /// Creates the policy.
    ///
    /// - Parameters:
    ///   - domains: The pins by domain.
    ///   - transportSecurity: The requirements and exceptions of ATS; `nil` to check only pins.
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

    /// The name `apple-pinned-domains`.
    package var mechanism: String { "apple-pinned-domains" }

    /// The domain of the entry for a host: the host itself, otherwise the domain with one label less.
    package func domain(for host: String) -> String? {
        if domains[host] != nil { return host }
        return domains.first { $0.value.rule($0.key).matches(host) }?.key
    }

    /// The refusal by App Transport Security.
    package func refusalOfCleartext(to host: Host) -> String? {
        transportSecurity?.refusalOfCleartext(to: host)
    }

    /// Runs the normal evaluation and checks ATS, the leaf's pins, and the pins of CAs.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        guard let host = evidence.host else {
            let detail = "Without a host no entry of NSPinnedDomains can hold."
            return Judgement(.notApplicable(detail), checks: [Check("domain", .skipped, detail)])
        }
        guard let name = domain(for: host.description), let domain = domains[name] else {
            return judgeUnpinned(host, evidence, evaluator)
        }
        var checks = [Check("domain", .passed, "The entry “\(name)” of NSPinnedDomains holds for \(host).")]
        let answer = evaluator.evaluate(question(evidence))
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

    /// Judges a host without an entry.
    ///
    /// Default handling decides, unless ATS refuses the host.
    private func judgeUnpinned(
        _ host: Host,
        _ evidence: Evidence,
        _ evaluator: any ChainEvaluator
    ) -> Judgement {
        let detail = "No entry of NSPinnedDomains is for \(host)."
        let checks = [Check("domain", .skipped, detail)]
        guard let transportSecurity, let path = evaluator.evaluate(question(evidence)).path else {
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

extension ApplePolicy {
    /// A key path to a list of pins in a domain's entry.
    private typealias Keys = any WritableKeyPath<ApplePinnedDomain, [Pin]> & Sendable

    private static let keys: [(path: Keys, name: String, position: PinList.Position)] = [
        (\.leafIdentities, "NSPinnedLeafIdentities", .leaf),
        (\.caIdentities, "NSPinnedCAIdentities", .authorities),
    ]

    /// The lists of pins, up to two for each domain.
    package var pinLists: [PinList] {
        get {
            domains.sorted { $0.key < $1.key }.flatMap { name, domain in
                Self.keys.map { key in
                    var list = PinList(
                        domain[keyPath: key.path],
                        at: "NSAppTransportSecurity/NSPinnedDomains/\(name)/\(key.name)",
                        for: HostScope(domain.rule(name)),
                        position: key.position
                    )
                    list.isChosen = { self.domain(for: $0.description) == name }
                    return list
                }.filter { !$0.values.isEmpty }
            }
        }
        set {
            var lists = newValue.makeIterator()
            for name in domains.keys.sorted() {
                for key in Self.keys where domains[name]?[keyPath: key.path].isEmpty == false {
                    domains[name]?[keyPath: key.path].take(lists.next())
                }
            }
        }
    }

    /// The domains of `NSExceptionDomains`.
    package var exemptions: [HostScope] {
        (transportSecurity?.exceptions ?? [:]).sorted { $0.key < $1.key }.map { name, exception in
            HostScope(DomainRule(name, exception.includesSubdomains ? .oneLabel : .exact))
        }
    }

    /// The findings about public suffixes and about exceptions of ATS.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        let wide = domains.sorted { $0.key < $1.key }.filter(\.value.includesSubdomains)
        return wide.compactMap { name, domain in
            lint.suffixes.finding(
                "“\(name)” with its subdomains",
                for: domain.rule(name).domain,
                at: "NSAppTransportSecurity/NSPinnedDomains/\(name)/NSIncludesSubdomains"
            )
        } + (transportSecurity?.findings ?? [])
    }

    /// The pins of the named domains, with App Transport Security, which is on by default.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        .pinsForHost.adding(.cleartext).judged(by: chosen ?? verifier)
    }
}
