import PinholeModel

/// Validates one path by the rules of a profile (RFC 5280 §6.1).
///
/// The search has already checked names and signatures between the certificates.
struct PathValidation {
    let question: ChainQuestion
    /// The path, leaf first, anchor last; the leaf alone if it is the anchor.
    let path: [PathCertificate]

    var profile: VerifierProfile { question.verifier }

    /// The certificates below the anchor; the leaf alone if it is the anchor.
    private var below: ArraySlice<PathCertificate> { path.count == 1 ? path[...] : path.dropLast() }

    /// The first fault; `nil` if the path is valid.
    func fault() -> ChainFault? {
        if let fault = anchorFault() { return fault }
        if path.count == 1, profile.anchors.leaf == .trusted {
            return HostCheck(question: question, path: path).fault()
        }
        for (depth, certificate) in below.enumerated().reversed() {
            if let fault = fault(of: certificate, at: depth) { return fault }
        }
        // An issuer that is no authority also makes the path too long; what it is says more.
        for (depth, certificate) in below.enumerated().dropFirst().reversed() {
            let name = "“\(certificate.facts.subject)”"
            if let fault = lengthFault(certificate.fields, name, depth) { return fault }
        }
        return purposeFault() ?? leafFault() ?? NameConstraintCheck(profile: profile, path: path).fault()
            ?? policyFault() ?? HostCheck(question: question, path: path).fault()
    }

    // MARK: Each certificate

    private func fault(of certificate: PathCertificate, at depth: Int) -> ChainFault? {
        let name = "“\(certificate.facts.subject)”"
        let fields = certificate.fields
        return formFault(certificate, depth)
            ?? algorithmFault(certificate, depth)
            ?? dateFault(certificate, depth)
            ?? extensionFault(fields, name, depth)
            ?? (depth > 0 ? authorityFault(fields, name, depth) : nil)
    }

    /// The fault if the extensions cannot be read, so that no rule may rely on them.
    private func readingFault(_ certificate: PathCertificate, _ depth: Int) -> ChainFault? {
        let fields = certificate.fields
        let name = "“\(certificate.facts.subject)”"
        if let malformed = fields.malformed {
            let what = "the extension \(malformed.identifier) of \(name) cannot be read: \(malformed.reason)"
            return profile.fault(.malformed, depth, what)
        }
        if let repeated = fields.repeated {
            return profile.fault(.malformed, depth, "\(name) has the extension \(repeated) twice")
        }
        guard fields.version <= 3 else {
            return profile.fault(
                .malformed,
                depth,
                "\(name) has the version \(fields.version), which is unknown"
            )
        }
        guard !profile.forms.checksVersion || !fields.exceedsVersion else {
            let what = "\(name) has fields that do not exist in its version, \(fields.version)"
            return profile.fault(.malformed, depth, what)
        }
        return nil
    }

    private func formFault(_ certificate: PathCertificate, _ depth: Int) -> ChainFault? {
        if let fault = readingFault(certificate, depth) { return fault }
        let fields = certificate.fields
        guard fields.algorithmsAgree else {
            let what = "“\(certificate.facts.subject)” names two different signature algorithms"
            return profile.fault(.malformed, depth, what)
        }
        if profile.forms.refusesEmptyAuthority, fields.issuer.isEmpty {
            return profile.fault(.malformed, depth, "“\(certificate.facts.subject)” has no issuer")
        }
        guard fields.subject.isEmpty else { return nil }
        let isNamed = depth == 0 && fields.critical.contains(.subjectAltName)
        let isAuthority = depth > 0 || fields.isAuthority
        if (profile.forms.refusesEmptyAuthority && isAuthority)
            || (profile.forms.checksEmptySubject && !isNamed)
        {
            return profile.fault(.malformed, depth, "a certificate of the path has no subject")
        }
        return nil
    }

    private func dateFault(_ certificate: PathCertificate, _ depth: Int) -> ChainFault? {
        let facts = certificate.facts
        let now = question.time.seconds
        if now < facts.notBefore.seconds - profile.earliness {
            let what = "“\(facts.subject)” is not valid before \(facts.notBefore.iso8601)"
            return profile.fault(.notYetValid, depth, what)
        }
        if now > facts.notAfter.seconds {
            return profile.fault(.expired, depth, "“\(facts.subject)” expired on \(facts.notAfter.iso8601)")
        }
        return nil
    }

    private func extensionFault(_ fields: ParsedCertificate, _ name: String, _ depth: Int) -> ChainFault? {
        let known = VerifierProfile.commonExtensions.union(profile.extensions)
        if let unknown = fields.critical.subtracting(known).map(\.description).min() {
            return profile.fault(
                .unknownExtension,
                depth,
                "\(name) has an unknown critical extension: \(unknown)"
            )
        }
        guard fields.critical.contains(.certificatePolicies), profile.qualifiers != .ignored else {
            return nil
        }
        let defined: Set<ObjectID> =
            profile.qualifiers == .knownOnly ? [.practiceStatement, .userNotice] : []
        let found = (fields.policies ?? []).flatMap(\.qualifiers).first { !defined.contains($0) }
        return found.map {
            let what = "\(name) has the policy qualifier \($0), which may not be critical"
            return profile.fault(.unknownExtension, depth, what)
        }
    }

    private func algorithmFault(_ certificate: PathCertificate, _ depth: Int) -> ChainFault? {
        let facts = certificate.facts
        let rules = profile.algorithms
        if let digest = facts.signatureDigest,
            rules.refusedDigests.contains(digest) || level > Self.level(ofDigest: digest)
        {
            let what = "the signature of “\(facts.subject)” uses \(digest)"
            return profile.fault(.weakSignature, depth, what)
        }
        if rules.refusesDSA {
            let fields = certificate.fields
            if let algorithm = fields.signatureAlgorithm, ObjectID.dsaSignatures.contains(algorithm) {
                let what = "the signature of “\(facts.subject)” uses DSA"
                return profile.fault(.weakSignature, depth, what)
            }
            if fields.keyAlgorithm == .dsa || facts.keyKind == .other("DSA") {
                return profile.fault(.weakKey, depth, "the key of “\(facts.subject)” is for DSA")
            }
        }
        return keyFault(facts, depth)
    }

    /// The security level of OpenSSL that applies; 0 if none does.
    private var level: Int {
        profile.algorithms.usesSecurityLevel ? max(0, min(5, question.securityLevel)) : 0
    }

    private func keyFault(_ facts: CertificateFacts, _ depth: Int) -> ChainFault? {
        let rules = profile.algorithms
        let isWeak =
            switch facts.keyKind {
            case .rsa(let bits): bits < max(rules.leastRSA, Self.leastRSA(atLevel: level))
            case .curve(let name): level > Self.level(ofCurve: name)
            case .other("ED25519"), .other("X25519"): level > 3
            case .other("ED448"), .other("X448"): level > 4
            case .other: false
            }
        guard isWeak else { return nil }
        let what = "the key of “\(facts.subject)” is too weak"
        return profile.fault(.weakKey, depth, "\(what) (\(facts.keyKind.title))")
    }

    /// The security level that a digest reaches in OpenSSL.
    private static func level(ofDigest digest: String) -> Int {
        switch digest {
        case "MD2", "MD4", "MD5", "MD5-SHA1", "SHA1": 0
        case "SHA224": 2
        case "SHA256": 3
        case "SHA384": 4
        default: 5
        }
    }

    /// The security level that a curve reaches in OpenSSL, by the bits in its name; 0 if the name has none.
    private static func level(ofCurve name: String) -> Int {
        let numbers = name.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
        return switch numbers.first(where: { $0 >= 100 }) ?? 0 {
        case ..<160: 0
        case ..<224: 1
        case ..<256: 2
        case ..<384: 3
        case ..<512: 4
        default: 5
        }
    }

    /// The bits of the smallest RSA key at a security level of OpenSSL.
    private static func leastRSA(atLevel level: Int) -> Int {
        switch level {
        case 0: 0
        case 1: 1024
        case 2: 2048
        case 3: 3072
        case 4: 7680
        default: 15360
        }
    }

    // MARK: Authorities

    private func authorityFault(_ fields: ParsedCertificate, _ name: String, _ depth: Int) -> ChainFault? {
        guard fields.version == 3, fields.hasBasicConstraints, fields.isAuthority else {
            let what = "\(name) issued the certificate below it, but is no authority"
            return profile.fault(.notAuthority, depth, what)
        }
        return signingFault(fields, name, depth)
    }

    private func signingFault(_ fields: ParsedCertificate, _ name: String, _ depth: Int) -> ChainFault? {
        guard let usage = fields.keyUsage, !usage.contains(.keyCertSign) else { return nil }
        let what = "\(name) issued the certificate below it, but its keyUsage lacks keyCertSign"
        return profile.fault(.notAuthority, depth, what)
    }

    private func lengthFault(_ fields: ParsedCertificate, _ name: String, _ depth: Int) -> ChainFault? {
        guard let limit = fields.pathLength else { return nil }
        let authorities = path.prefix(depth).dropFirst()
        let count = authorities.count { profile.authorities.countsSelfIssued || !$0.isSelfIssued }
        guard count > limit else { return nil }
        let found = count == 1 ? "one authority" : "\(count) authorities"
        let what = "\(name) has \(found) below it, but permits only \(limit)"
        return profile.fault(.pathTooLong, depth, what)
    }

    private func anchorFault() -> ChainFault? {
        guard let anchor = path.last else { return nil }
        let rules = profile.anchors
        let depth = path.count - 1
        let name = "“\(anchor.facts.subject)”"
        let fields = anchor.fields
        if rules.checksDates, let fault = dateFault(anchor, depth) { return fault }
        guard depth > 0 else { return nil }
        if profile.algorithms.ratesAnchor, let fault = keyFault(anchor.facts, depth) { return fault }
        if rules.readsExtensions, let fault = readingFault(anchor, depth) { return fault }
        let isDenied =
            switch rules.authority {
            case .ignored: false
            case .notDenied: fields.hasBasicConstraints
            case .required: fields.version == 3
            }
        if isDenied, !fields.isAuthority {
            return profile.fault(.notAuthority, depth, "the anchor \(name) is no authority")
        }
        if rules.checksKeyUsage, let fault = signingFault(fields, name, depth) { return fault }
        if rules.checksPathLength, let fault = lengthFault(fields, name, depth) { return fault }
        return rules.checksExtensions ? extensionFault(fields, name, depth) : nil
    }

    // MARK: Purposes

    private func purposeFault() -> ChainFault? {
        guard question.requiresServerPurpose else { return nil }
        for (depth, certificate) in path.enumerated() {
            let isAnchor = depth > 0 && depth == path.count - 1
            guard !isAnchor || profile.anchors.checksPurposes else { continue }
            guard depth == 0 || profile.authorities.purposes != .ignored else { continue }
            let gated: Set<ObjectID> =
                depth == 0 && profile.leaf.acceptsGatedCrypto
                ? [.microsoftGatedCrypto, .netscapeGatedCrypto] : []
            guard let purposes = certificate.fields.purposes, !purposes.contains(.serverAuth),
                purposes.isDisjoint(with: gated)
            else { continue }
            let acceptsAny =
                depth == 0 ? profile.leaf.acceptsAnyPurpose : profile.authorities.purposes == .nested
            if acceptsAny, purposes.contains(.anyExtendedKeyUsage) { continue }
            let what = "the extendedKeyUsage of “\(certificate.facts.subject)” does not permit TLS servers"
            return profile.fault(.wrongPurpose, depth, what)
        }
        return nil
    }

    private func leafFault() -> ChainFault? {
        guard question.requiresServerPurpose, let leaf = path.first else { return nil }
        let name = "“\(leaf.facts.subject)”"
        if profile.leaf.refusesAuthorities, leaf.fields.isAuthority {
            return profile.fault(.wrongPurpose, 0, "\(name) is an authority and no server")
        }
        if let usage = leaf.fields.keyUsage, !permits(usage, leaf.facts.keyKind) {
            return profile.fault(.wrongPurpose, 0, "the keyUsage of \(name) does not permit TLS servers")
        }
        return profile.leaf.hasAppleLimits ? appleFault(leaf) : nil
    }

    private func permits(_ usage: ParsedCertificate.KeyUsage, _ key: CertificateFacts.Key) -> Bool {
        switch profile.leaf.keyUsage {
        case .ignored: true
        case .signature: usage.contains(.digitalSignature)
        case .consistent: !usage.isDisjoint(with: [.digitalSignature, .keyEncipherment, .keyAgreement])
        case .keyExchange:
            if case .rsa = key {
                usage.contains(.keyEncipherment)
            } else {
                !usage.isDisjoint(with: [.digitalSignature, .keyAgreement])
            }
        }
    }

    /// The fault by Apple's requirements for TLS certificates (support.apple.com/103769).
    private func appleFault(_ leaf: PathCertificate) -> ChainFault? {
        let facts = leaf.facts
        // Certificates since 2019-07-01 have further limits.
        guard facts.notBefore.seconds >= 1_561_939_200 else { return nil }
        guard leaf.fields.purposes?.contains(.serverAuth) == true else {
            let what = "the extendedKeyUsage of “\(facts.subject)” lacks serverAuth, which Apple asks for"
            return profile.fault(.wrongPurpose, 0, what)
        }
        guard facts.notAfter.seconds - facts.notBefore.seconds <= 825 * 86400 else {
            let what = "“\(facts.subject)” is valid for more than 825 days, which Apple refuses"
            return profile.fault(.wrongPurpose, 0, what)
        }
        return nil
    }

    // MARK: Policies

    private func policyFault() -> ChainFault? {
        guard profile.policies == .processed else { return nil }
        var state = PolicyState(count: below.count)
        if profile.anchors.checksPolicies, path.count > 1, let anchor = path.last {
            if let fault = state.take(anchor: anchor.fields) {
                return policyFault(fault, anchor, path.count - 1)
            }
        }
        for (depth, certificate) in below.enumerated().reversed() {
            let fault = state.take(
                certificate.fields,
                isSelfIssued: certificate.isSelfIssued,
                isLast: depth == 0
            )
            if let fault { return policyFault(fault, certificate, depth) }
        }
        return nil
    }

    private func policyFault(
        _ fault: PolicyState.Fault,
        _ certificate: PathCertificate,
        _ depth: Int
    ) -> ChainFault {
        let name = "“\(certificate.facts.subject)”"
        let what =
            switch fault {
            case .noPolicy: "no certificate policy is valid at \(name), though one is required"
            case .mapsAnyPolicy: "the policy mappings of \(name) have anyPolicy"
            }
        return profile.fault(.malformed, depth, what)
    }
}
