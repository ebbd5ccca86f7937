import PinholeModel
import PinholeTrust

@testable import PinholeLab

extension HostPolicies: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        entry(for: context)?.reading(context) ?? .silent()
    }

    /// The forms of the host's own policy, limited to that host.
    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        entry(for: context)?.mechanismForms(context).map { $0.forItsHost() } ?? PolicySemantics.formsForHost
    }

    private func entry(for context: SemanticsContext) -> (any TrustPolicy)? {
        let authority = Authority(host: context.host, port: context.port)
        return entries.first { $0.patterns.contains { $0.matches(authority) } }?.policy
    }
}

extension AllPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        var judgings: [JudgingSemantics] = []
        var refusesCleartext = false
        for policy in policies {
            switch policy.reading(context) {
            case .judges(let part): judgings += part
            case .silent(let isRefused): refusesCleartext = refusesCleartext || isRefused
            case .unknown(let why): return .unknown(why)
            }
        }
        guard !judgings.isEmpty else { return .silent(refusesCleartext: refusesCleartext) }
        return .judges(
            judgings.map { judging in
                var judging = judging
                judging.refusesCleartext = judging.refusesCleartext || refusesCleartext
                return judging
            }
        )
    }

    /// All combinations of the policies' forms; every policy of a combination has to accept.
    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        guard let first = policies.first else { return PolicySemantics.anyMechanism }
        return policies.dropFirst().reduce(first.mechanismForms(context)) { forms, policy in
            forms.flatMap { form in policy.mechanismForms(context).map(form.agreeing) }
        }
    }
}

extension RelocatedPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        var context = context
        context.port = place.port
        return policy.reading(context)
    }

    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        var context = context
        context.port = place.port
        return policy.mechanismForms(context)
    }
}

extension VerifiedPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        var context = context
        context.verifier = verifier.name
        return policy.reading(context)
    }

    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        var context = context
        context.verifier = verifier.name
        return policy.mechanismForms(context)
    }
}

extension ExpiringPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        guard case .judges(let judgings) = policy.reading(context) else { return policy.reading(context) }
        return .judges(
            judgings.map { judging in
                var judging = judging
                judging.pinLifetime = .refusingAfterExpiry
                return judging
            }
        )
    }

    func forms(_ context: SemanticsContext) -> [PolicySemantics] { policy.mechanismForms(context) }
}

extension TrustPolicy {
    /// What the settings say about a host.
    func reading(_ context: SemanticsContext) -> SemanticsReading {
        guard let readable = self as? any ReadablePolicy else {
            return .unknown("the rules do not know “\(mechanism)”")
        }
        guard !hasParts, case .judges(let judgings) = readable.semantics(context) else {
            return readable.semantics(context)
        }
        return .judges(
            judgings.map { judging in
                var judging = judging
                judging.permits = permitted(context)
                return judging
            }
        )
    }

    /// The sound settings of the mechanism; if the mechanism is unknown, those of any mechanism.
    func mechanismForms(_ context: SemanticsContext) -> [PolicySemantics] {
        let forms = (self as? any ReadablePolicy)?.forms(context) ?? PolicySemantics.anyMechanism
        guard !hasParts else { return forms }
        return forms.map { form in form.judging { $0.permits = permitted(context) } }
    }

    /// Whether other policies decide, each by its own verifier.
    private var hasParts: Bool {
        self is any PolicyWrapper || self is any CombinedPolicy || self is HostPolicies
    }

    /// What the verifier permits.
    func permitted(_ context: SemanticsContext) -> Set<Encounter.Flaw> {
        let mechanisms: [String: VerifierProfile.Name] = [
            "android-nsc": .android, "broken-presented-spki": .java, "curl": .openssl, "dane": .rfc5280,
            "hpkp": .rfc5280, "okhttp": .java,
        ]
        let permitted: Set<Encounter.Flaw> =
            switch context.verifier ?? mechanisms[mechanism] ?? .apple {
            case .android, .go: [.shortKey, .unlogged]
            case .java, .nss: [.commonName, .shortKey, .weakDigest, .unlogged]
            case .gnutls: [.commonName, .shortKey, .unlogged]
            case .openssl: [.commonName, .unlogged]
            case .opensslStrict, .rfc5280: [.unlogged]
            case .apple: []
            }
        // OkHttp compares names itself.
        let isOkHttp = mechanism == "okhttp" || mechanism == "broken-presented-spki"
        return isOkHttp ? permitted.subtracting([.commonName]) : permitted
    }
}
