import PinholeTrust

extension AFSecurityPolicy: ReadablePolicy {
    /// AFNetworking, in the order of its steps (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let asksDevice = allowInvalidCertificates ? [] : [JudgingSemantics.device]
        var judging = JudgingSemantics(asksDevice)
        judging.checksName = validatesDomainName
        judging.checksPurpose = validatesDomainName
        let isGuarded = allowInvalidCertificates && validatesDomainName && version == .version4
        switch pinningMode {
        case .none:
            judging.refusesEverybody = isGuarded
            if version == .version251 { judging.evaluations = [] }
        case .certificate:
            judging.evaluations += [context.anchors(pinnedCertificates)]
        case .publicKey:
            judging.pins = [.init(.key, of: context.holders(pinnedCertificates), in: .path)]
        }
        guard version == .version4 || pinningMode == .none else {
            return .unknown("before 2.6.0 every certificate of a chain had to be pinned")
        }
        return .judges(judging)
    }
}

extension AlamofireDefaultPolicy: ReadablePolicy {
    /// Alamofire (docs/PINS.md).
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        .judges(JudgingSemantics { $0.checksName = validateHost })
    }
}

extension AlamofireDisabledPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading { .judges(JudgingSemantics([])) }
}

extension AlamofirePinnedCertificatesPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let anchors =
            acceptSelfSignedCertificates ? context.anchors(certificates) : JudgingSemantics.device
        let isValidated = performDefaultValidation || validateHost
        guard isValidated || !acceptSelfSignedCertificates else {
            return .unknown("the path is built to the pins and need not be valid")
        }
        var judging = JudgingSemantics(isValidated ? [anchors] : [])
        judging.checksName = validateHost
        let pinned = context.holders(certificates)
        judging.pins = [.init(.certificate, of: pinned, in: .path)]
        guard !acceptSelfSignedCertificates || pinned.isSubset(of: [.leaf, .backupLeaf]) else {
            return .unknown("a pinned CA stands in for its other certificates in the path")
        }
        return .judges(judging)
    }
}

extension AlamofirePublicKeysPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let isValidated = performDefaultValidation || validateHost
        var judging = JudgingSemantics(isValidated ? [JudgingSemantics.device] : [])
        judging.checksName = validateHost
        judging.pins = [.init(.key, of: context.holders(certificates), in: .path)]
        return .judges(judging)
    }
}
