import PinholeModel

/// TrustKit for iOS and macOS: SPKI pins on the evaluated chain, after an evaluation that is always made.
///
/// The order of the steps is that of `TSKPinningValidator.m` and `ssl_pin_verifier.m`.
package struct TrustKitPolicy: TrustPolicy {
    /// `kTSKPinnedDomains`: the settings by domain, as it is written; TrustKit folds no letters.
    package internal(set) var pinnedDomains: [String: TrustKitDomain]
    /// `kTSKIgnorePinningForUserDefinedTrustAnchors`: on macOS, where its default is YES, a CA that the user
    /// installed passes without a pin.
    package let ignorePinningForUserDefinedTrustAnchors: Bool

    /// Creates the policy, as `initSharedInstanceWithConfiguration:` takes a configuration.
    ///
    /// - Parameters:
    ///   - pinnedDomains: The settings by domain.
    ///   - ignorePinningForUserDefinedTrustAnchors: Whether a CA that the user installed passes; iOS has no such
    ///     setting.
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

    /// `trustkit`.
    package var mechanism: String { "trustkit" }

    /// The domain whose settings hold for a host: the host itself, else its longest parent with
    /// includeSubdomains.
    package func domain(for host: String) -> String? {
        if pinnedDomains[host] != nil { return host }
        var parent = host[...]
        // No name of the DNS is longer (RFC 1035 §2.3.4).
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
        let answer = evaluator.evaluate(ChainQuestion(evidence))
        guard let path = answer.path else {
            // Also where enforcePinning is NO: only a missing pin is let pass then.
            let fault = answer.fault ?? ChainFault(.untrusted, depth: nil, "No path was found.")
            return Judgement(
                .rejected(Rejection(.chain(fault.kind), fault.detail)),
                checks: [found, Check("chain and host", .failed, fault.detail)]
            )
        }
        let valid = Check("chain and host", .passed, "The chain leads to an anchor and names \(host).")
        return compare(path, with: domain, evidence: evidence, checks: [found, valid])
    }

    /// Steps 6 and 7: the pins, then what lets a mismatch pass.
    private func compare(
        _ path: ValidatedChain,
        with domain: TrustKitDomain,
        evidence: Evidence,
        checks: [Check]
    ) -> Judgement {
        let pins = Set(domain.publicKeyHashes)
        for certificate in path.certificates.reversed() {
            // TrustKit knows the ASN.1 headers of these keys only, and gives up at the first other one, even
            // where a certificate further down would match.
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

    /// TrustKit looks for the parent of an exception by the policy of “a” and the name.
    private func orphan(_ name: String, _ domain: TrustKitDomain) -> String? {
        guard domain.excludeSubdomainFromParentPolicy, self.domain(for: "a" + name) == nil else { return nil }
        return "expected a parent of “\(name)” with includeSubdomains, which it could be excluded from; "
            + "add the parent, or remove “\(name)”"
    }

    private static func notPinned(_ check: String, _ detail: String) -> Judgement {
        Judgement(.notApplicable(detail), checks: [Check(check, .skipped, detail)])
    }
}

extension TrustKitPolicy: ReportingPolicy {
    /// Reports a mismatch, enforced or not, to where the settings of the domain say.
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
    /// Whether TrustKit has the ASN.1 header that makes a SubjectPublicKeyInfo of the raw key.
    fileprivate var isKnownToTrustKit: Bool {
        switch self {
        case .rsa(let bits): [2048, 3072, 4096].contains(bits)
        case .curve(let name): ["prime256v1", "secp384r1"].contains(name)
        case .other: false
        }
    }
}
