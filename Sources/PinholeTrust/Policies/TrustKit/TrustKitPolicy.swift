package import PinholeModel

/// TrustKit for iOS and macOS: SPKI pins on the evaluated chain, after an evaluation that always takes place.
///
/// The steps are in the order of `TSKPinningValidator.m` and `ssl_pin_verifier.m`.
package struct TrustKitPolicy: TrustPolicy {
    /// The settings by domain as written (`kTSKPinnedDomains`).
    ///
    /// TrustKit compares names case-sensitively.
    package internal(set) var pinnedDomains: [String: TrustKitDomain]
    /// Whether a chain to a CA that the user installed passes without a pin
    /// (`kTSKIgnorePinningForUserDefinedTrustAnchors`).
    ///
    /// The setting exists on macOS, where its default is YES.
    package let ignorePinningForUserDefinedTrustAnchors: Bool

    /// Creates the policy from a configuration of `initSharedInstanceWithConfiguration:`.
    ///
    /// - Parameters:
    ///   - pinnedDomains: The settings by domain.
    ///   - ignorePinningForUserDefinedTrustAnchors: Whether a CA that the user installed passes without a
    ///     pin; iOS has no such setting.
    /// - Throws: ``PolicyFailure`` for a configuration that TrustKit refuses with an exception.
    package init(
        pinnedDomains: [String: TrustKitDomain],
        ignorePinningForUserDefinedTrustAnchors: Bool = false
    ) throws(PolicyFailure) {
        guard !pinnedDomains.isEmpty else {
            throw PolicyFailure(
                "TrustKit refuses the configuration: expected a domain in TSKPinnedDomains, found none"
            )
        }
        self.pinnedDomains = pinnedDomains
        self.ignorePinningForUserDefinedTrustAnchors = ignorePinningForUserDefinedTrustAnchors
        for (name, domain) in pinnedDomains.sorted(by: { $0.key < $1.key }) {
            if let fault = domain.fault(at: name) ?? orphan(name, domain) {
                throw PolicyFailure("TrustKit refuses the configuration: \(fault)")
            }
        }
    }

    /// The name `trustkit`.
    package var mechanism: String { "trustkit" }
    /// True, since an app makes these checks itself or by a library.
    package var isForDelegates: Bool { true }

    /// The domain whose settings apply to a host: the host itself, otherwise its longest parent with
    /// includeSubdomains.
    package func domain(for host: String) -> String? {
        if pinnedDomains[host] != nil { return host }
        var parent = host[...]
        // No DNS name is longer (RFC 1035 §2.3.4).
        guard parent.utf8.count <= 255 else { return nil }
        while let dot = parent.firstIndex(of: ".") {
            parent = parent[parent.index(after: dot)...]
            if pinnedDomains[String(parent)]?.includeSubdomains == true { return String(parent) }
        }
        return nil
    }

    /// Judges in the order of `evaluateTrust:forHostname:`.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        guard let host = evidence.host else {
            let detail = "TrustKit blocks a connection of which it does not know the host."
            return Judgement(
                .rejected(Rejection(.unknownHost, detail)),
                checks: [Check("host", .failed, detail)]
            )
        }
        guard evidence.presented.leaf != nil else {
            let detail = "TrustKit blocks a connection without certificates."
            return Judgement(
                .rejected(Rejection(.chain(.empty), detail)),
                checks: [Check("chain", .failed, detail)]
            )
        }
        guard let name = domain(for: host.description), let domain = pinnedDomains[name] else {
            return Self.notPinned(
                "domain",
                "No domain of the policy is \(host) or a parent with includeSubdomains."
            )
        }
        if let date = domain.expirationDate, date < evidence.time {
            return Self.notPinned(
                "expiration",
                "The pins of “\(name)” expired on \(CalendarDate.text(date))."
            )
        }
        if domain.excludeSubdomainFromParentPolicy {
            return Self.notPinned("exclusion", "“\(name)” is excluded from its parent's policy.")
        }
        let found = Check("domain", .passed, "The settings of “\(name)” hold for \(host).")
        let answer = evaluator.evaluate(question(evidence))
        guard let path = answer.path else {
            // This also applies if enforcePinning is NO, which only tolerates a missing pin.
            let fault = answer.fault ?? ChainFault(.untrusted, depth: nil, "No path was found.")
            return Judgement(
                .rejected(Rejection(.chain(fault.kind), fault.detail)),
                checks: [found, Check("chain and host", .failed, fault.detail)]
            )
        }
        let valid = Check("chain and host", .passed, "The chain leads to an anchor and names \(host).")
        return compare(path, with: domain, evidence: evidence, checks: [found, valid])
    }

    /// Steps 6 and 7: compares the pins, and then applies the settings that tolerate a mismatch.
    private func compare(
        _ path: ValidatedChain,
        with domain: TrustKitDomain,
        evidence: Evidence,
        checks: [Check]
    ) -> Judgement {
        let pins = Set(domain.publicKeyHashes)
        for certificate in path.certificates.reversed() {
            // TrustKit knows the ASN.1 headers of only these keys. It fails at the first other key, even if a
            // certificate further down would match.
            guard certificate.keyKind.isKnownToTrustKit else {
                let detail =
                    "TrustKit cannot hash the key of \(certificate.subject) (\(certificate.keyKind.title)): "
                    + "it knows RSA of 2048, 3072 and 4096 bits, P-256 and P-384."
                return Judgement(
                    .rejected(Rejection(.unsupportedKey, detail)),
                    checks: checks + [Check("pins", .failed, detail)],
                    path: path
                )
            }
            if let pin = pins.first(where: { $0.matches(certificate) }) {
                let detail = "\(pin) is the key of \(certificate.subject)."
                return Judgement(.trusted, checks: checks + [Check("pins", .passed, detail)], path: path)
            }
        }
        let detail =
            "No key of the evaluated chain is pinned. The chain's pins: \(ChainText.pins(path.certificates))."
        let mismatch = checks + [Check("pins", .failed, detail)]
        if let exception = exception(for: path, domain: domain, evidence: evidence) {
            return Judgement(.trusted, checks: mismatch + [exception], path: path)
        }
        return Judgement(.rejected(Rejection(.pinMismatch, detail)), checks: mismatch, path: path)
    }

    private func exception(for path: ValidatedChain, domain: TrustKitDomain, evidence: Evidence) -> Check? {
        if ignorePinningForUserDefinedTrustAnchors,
            let anchor = path.certificates.first(where: { evidence.userAnchors.contains($0.sha256) })
        {
            return Check(
                "user anchor",
                .skipped,
                "Pins do not count (kTSKIgnorePinningForUserDefinedTrustAnchors): the user installed \(anchor.subject)."
            )
        }
        guard !domain.enforcePinning else { return nil }
        return Check(
            "enforcement",
            .skipped,
            "kTSKEnforcePinning is NO: the mismatch is reported, and the connection goes on."
        )
    }

    /// The fault of an excluded domain without a parent; `nil` if it has one.
    ///
    /// TrustKit searches the parent with the letter “a” put in front of the name.
    private func orphan(_ name: String, _ domain: TrustKitDomain) -> String? {
        guard domain.excludeSubdomainFromParentPolicy, self.domain(for: "a" + name) == nil else { return nil }
        return "expected a parent of “\(name)” with includeSubdomains, which it could be excluded from; "
            + "add the parent, or remove “\(name)”"
    }

    private static func notPinned(_ check: String, _ detail: String) -> Judgement {
        Judgement(.notApplicable(detail), checks: [Check(check, .skipped, detail)])
    }
}

extension TrustKitPolicy {
    /// The report of a mismatch to the addresses of the domain, whether the domain is enforced or not.
    package func report(_ evidence: Evidence, _ judgement: Judgement) -> PinReport? {
        guard judgement.isMismatch, let host = evidence.host?.description,
            let domain = domain(for: host).flatMap({ pinnedDomains[$0] }), !domain.reportURIs.isEmpty
        else { return nil }
        return PinReport(
            to: domain.reportURIs,
            evidence,
            pins: domain.publicKeyHashes,
            path: judgement.path
        )
    }
}

extension CertificateFacts.Key {
    /// Whether TrustKit has the ASN.1 header that turns the raw key into a SubjectPublicKeyInfo.
    fileprivate var isKnownToTrustKit: Bool {
        switch self {
        case .rsa(let bits): [2048, 3072, 4096].contains(bits)
        case .curve(let name): ["prime256v1", "secp384r1"].contains(name)
        case .other: false
        }
    }
}

extension TrustKitPolicy {
    /// The domains with pins, sorted by name.
    private var pinned: [(key: String, value: TrustKitDomain)] {
        pinnedDomains.sorted { $0.key < $1.key }.filter { !$0.value.excludeSubdomainFromParentPolicy }
    }

    /// The lists of pins, one for each domain.
    package var pinLists: [PinList] {
        get {
            pinned.map { name, domain in
                var list = PinList(
                    domain.publicKeyHashes,
                    at: "TSKPinnedDomains/\(name)/TSKPublicKeyHashes",
                    for: HostScope(domain.rule(name))
                )
                list.expiration = domain.expirationDate
                list.isChosen = { self.domain(for: $0.description) == name }
                return list
            }
        }
        set {
            for ((name, _), list) in zip(pinned, newValue) {
                pinnedDomains[name]?.publicKeyHashes.take(list)
            }
        }
    }

    /// The domains of `TSKPinnedDomains`, including those without pins.
    package var scopes: [HostScope] {
        pinnedDomains.sorted { $0.key < $1.key }.map { HostScope($0.value.rule($0.key)) }
    }

    /// The findings about disabled enforcement and about CAs that pass without a pin.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        var findings = pinned.filter { !$0.value.enforcePinning }.map { name, _ in
            LintFinding.warning(
                .notEnforced,
                at: "TSKPinnedDomains/\(name)/TSKEnforcePinning",
                "Enforcement is off: a connection with a wrong key is reported and goes on.",
                remedy: "Set TSKEnforcePinning to YES once the reports are clean."
            )
        }
        if ignorePinningForUserDefinedTrustAnchors {
            findings.append(
                LintFinding.hint(
                    .overridden,
                    at: "TSKIgnorePinningForUserDefinedTrustAnchors",
                    "On macOS a CA that the user installed passes without a pin.",
                    remedy: "Set it to NO where pins shall hold against installed CAs, too."
                )
            )
        }
        return findings
    }

    /// The pins of the named domains.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        .pinsForHost.judged(by: chosen ?? verifier)
    }
}
