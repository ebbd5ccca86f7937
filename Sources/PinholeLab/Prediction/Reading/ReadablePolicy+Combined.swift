import PinholeModel
import PinholeTrust

extension HostPolicies: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let authority = Authority(host: context.host, port: context.port)
        let entry = entries.first { $0.patterns.contains { $0.matches(authority) } }
        guard let entry else { return .silent() }
        return entry.policy.reading(context)
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
}

extension RehousedPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        var context = context
        context.port = port
        return policy.reading(context)
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
}

extension TrustPolicy {
    /// What the settings say about a host.
    func reading(_ context: SemanticsContext) -> SemanticsReading {
        guard let readable = self as? any ReadablePolicy else {
            return .unknown("the rules do not know “\(mechanism)”")
        }
        return readable.semantics(context)
    }
}
