package import PinholeModel

/// The checks of a server by a client with separate settings for authorities, names and pins, such as a reverse proxy
/// or a resolver.
package struct ServerVerification: TrustPolicy, Hashable {
    /// The authorities to which a chain has to lead.
    package enum Authorities: Hashable, Sendable {
        /// The CAs of the device.
        case device
        /// These certificates alone.
        case own([CertificateFacts])
        /// None: every chain passes.
        case unchecked
    }

    /// The names that a leaf has to have.
    package enum Names: Hashable, Sendable {
        /// The name that the client asked for.
        case host
        /// Any of a few names, whatever the client asked for.
        case listed([Host])
        /// None: every name passes.
        case unchecked
    }

    /// The certificates that pins are compared with.
    package enum Scope: Hashable, Sendable {
        /// The first certificate.
        case leaf
        /// The certificates of the validated path.
        case validated
        /// The certificates that the server sent, in whatever order and number.
        case presented
    }

    /// The name of the software, for the steps of a judgement.
    package let client: String
    /// The CAs to which a chain has to lead.
    package var authorities: Authorities
    /// The comparison of the leaf with the host.
    package var names: Names
    /// The pins, of which one has to match; `nil` if the client compares none.
    package var pins: [PinnedValue]?
    /// The certificates that the pins are compared with.
    package var scope: Scope
    /// The place of the settings in their document.
    package var path: String

    /// The name `server-verification`.
    package var mechanism: String { "server-verification" }
    /// True, since no platform makes these checks.
    package var isForDelegates: Bool { true }
    /// OpenSSL's rules, which most servers and tools use.
    package var verifier: VerifierProfile { .openssl }

    /// Creates the checks of a client.
    ///
    /// - Parameters:
    ///   - client: The name of the software.
    ///   - authorities: The authorities.
    ///   - names: The names.
    ///   - pins: The pins; `nil` if none are compared.
    ///   - scope: The certificates that the pins are compared with.
    ///   - path: The place of the settings.
    package init(
        _ client: String,
        _ authorities: Authorities,
        names: Names = .host,
        pins: [PinnedValue]? = nil,
        scope: Scope = .leaf,
        at path: String = ""
    ) {
        self.client = client
        self.authorities = authorities
        self.names = names
        self.pins = pins
        self.scope = scope
        self.path = path
    }

    /// Validates the chain and the name as far as the settings say, and then compares the pins.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        if let rejection = requireChain(evidence, evaluator, &judgement) { return rejection }
        if let rejection = requireName(evidence, &judgement) { return rejection }
        guard let pins else { return judgement.trust() }
        let presented = evidence.presented.certificates
        let compared =
            switch scope {
            case .leaf: Array(presented.prefix(1))
            case .validated: judgement.path?.certificates ?? presented
            case .presented: presented
            }
        let title =
            switch scope {
            case .leaf: "the leaf"
            case .validated: "the validated chain"
            case .presented: "the presented chain"
            }
        let name = "pins in \(title)"
        guard !pins.isEmpty else { return judgement.reject(name, .noPins, "nothing is pinned") }
        guard let match = compared.first(where: { link in pins.contains { $0.matches(link) } }) else {
            let keys = pins.compactMap { Pin($0) }
            return judgement.reject(
                name,
                .pinMismatch,
                keys.isEmpty
                    ? PinMismatch.certificates(compared, pins, in: title)
                    : PinMismatch.spki(compared, keys, in: title)
            )
        }
        judgement.pass(name, "\(match.title) is pinned")
        return judgement.trust()
    }

    private func requireChain(
        _ evidence: Evidence,
        _ evaluator: any ChainEvaluator,
        _ judgement: inout JudgementBuilder
    ) -> Judgement? {
        var question = self.question(evidence)
        if names != .host { question.host = nil }
        switch authorities {
        case .device: return judgement.requireSystemTrust(question, evaluator)
        case .own(let anchors):
            question.anchors = anchors
            question.allowsPartialChain = true
            let name = "chain to \(ChainText.count(anchors.count, "authority")) of \(client)"
            return judgement.require(name, evaluator.evaluate(question), to: question)
        case .unchecked:
            judgement.skip("chain", "\(client) validates neither issuer nor dates")
            return nil
        }
    }

    private func requireName(_ evidence: Evidence, _ judgement: inout JudgementBuilder) -> Judgement? {
        let name = "host"
        switch names {
        case .host:
            // The chain was validated for the host, if it was validated.
            if authorities == .unchecked { judgement.skip(name, "not compared") }
            return nil
        case .unchecked:
            judgement.skip(name, "not compared: the certificate of any host passes")
            return nil
        case .listed(let hosts):
            guard let leaf = evidence.presented.leaf, hosts.contains(where: { leaf.names($0) }) else {
                return judgement.reject(
                    name,
                    .chain(.wrongName),
                    "the leaf names none of \(ChainText.list(hosts.map(\.description)))"
                )
            }
            judgement.pass(name, "the leaf names \(ChainText.list(hosts.map(\.description)))")
            return nil
        }
    }
}

extension ServerVerification {
    /// The pins.
    package var pinLists: [PinList] {
        get {
            guard let pins else { return [] }
            let keys = pins.contains { [.key, .keySHA1, .keySHA256, .keySHA512].contains($0.notation) }
            return [
                PinList(
                    pins,
                    at: path,
                    position: scope == .leaf ? .leaf : .any,
                    comparison: keys ? .keys : .certificates
                )
            ]
        }
        set {
            guard let pins, let values = newValue.first?.values else { return }
            self.pins = zip(pins, values).map { old, new in
                if old.notation == .certificateSHA256, let certificate = new.certificate {
                    return PinnedValue(.certificateSHA256, certificate.sha256)
                }
                return new.notation == old.notation ? new : old
            }
        }
    }

    /// The findings about checks that are left out.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        if pins?.isEmpty == true { return [.emptyPins(at: path, "Every server is refused then.")] }
        if authorities == .unchecked {
            guard pins != nil else {
                return [.acceptsEverything(at: path, "\(client) accepts every server.")]
            }
            let sentence =
                scope == .presented
                ? "\(client) compares pins with every certificate that the server sent, and validates no chain: a server that sends the pinned certificate beside its own passes."
                : "\(client) validates neither chain, name nor dates beside the pins."
            let severity: LintFinding.Severity = scope == .presented ? .error : .hint
            return [
                LintFinding(
                    .invalidAllowed,
                    severity,
                    at: path,
                    sentence,
                    remedy: "Name the authorities and the host beside the pins."
                )
            ]
        }
        guard names == .unchecked else { return [] }
        // The key of a leaf has one host; a pinned authority, or none, leaves every name.
        let severity: LintFinding.Severity = pins != nil && scope == .leaf ? .hint : .error
        return [
            LintFinding(
                .authorityWithoutHost,
                severity,
                at: path,
                "\(client) accepts a certificate for any host.",
                remedy: "Let \(client) compare the name of the server."
            )
        ]
    }
}
