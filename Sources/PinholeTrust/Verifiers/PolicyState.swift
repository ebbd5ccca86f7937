/// The state of certificate policies along a path (RFC 5280 §6.1.2 to §6.1.5), with any policy as the initial set.
///
/// RFC 5280 keeps a tree whose size can grow exponentially. The tree is empty exactly if its lowest level is
/// empty, and each level depends only on the level above. So the lowest level is enough here (RFC 9618 §5).
struct PolicyState {
    /// The fault of a path's policies.
    enum Fault: Hashable {
        /// No policy is valid, though one is required.
        case noPolicy
        /// A certificate maps anyPolicy (RFC 5280 §6.1.4 (a)).
        case mapsAnyPolicy
    }

    /// The expected policies of the nodes of the lowest level, without anyPolicy.
    private var expected: Set<ObjectID> = []
    /// Whether the lowest level has a node for anyPolicy.
    private var hasAny = true
    /// The number of certificates until a policy must be valid.
    private var explicitPolicy: Int
    private var policyMapping: Int
    private var inhibitAnyPolicy: Int

    /// Creates the state before the first certificate of a path with `count` certificates, anchor excluded.
    init(count: Int) {
        explicitPolicy = count + 1
        policyMapping = count + 1
        inhibitAnyPolicy = count + 1
    }

    /// Takes the policies and the constraints of an anchor's certificate (RFC 5280 §6.2).
    ///
    /// An anchor without policies permits every policy.
    mutating func take(anchor: ParsedCertificate) -> Fault? {
        if anchor.policies != nil { takePolicies(anchor.policies, isSelfIssued: true, isLast: false) }
        if let fault = takeMappings(anchor.mappings) { return fault }
        takeLimits(anchor)
        return nil
    }

    /// Whether the tree of valid policies is empty.
    private var isEmpty: Bool { expected.isEmpty && !hasAny }

    /// Takes the next certificate; returns the fault, or `nil` if the path has a valid policy or needs none.
    mutating func take(_ certificate: ParsedCertificate, isSelfIssued: Bool, isLast: Bool) -> Fault? {
        takePolicies(certificate.policies, isSelfIssued: isSelfIssued, isLast: isLast)
        guard explicitPolicy > 0 || !isEmpty else { return .noPolicy }
        if isLast {
            if explicitPolicy > 0 { explicitPolicy -= 1 }
            if certificate.requireExplicitPolicy == 0 { explicitPolicy = 0 }
            return explicitPolicy > 0 || !isEmpty ? nil : .noPolicy
        }
        if let fault = takeMappings(certificate.mappings) { return fault }
        if !isSelfIssued {
            explicitPolicy = max(0, explicitPolicy - 1)
            policyMapping = max(0, policyMapping - 1)
            inhibitAnyPolicy = max(0, inhibitAnyPolicy - 1)
        }
        takeLimits(certificate)
        return nil
    }

    /// RFC 5280 §6.1.4 (i) and (j).
    private mutating func takeLimits(_ certificate: ParsedCertificate) {
        explicitPolicy = min(explicitPolicy, certificate.requireExplicitPolicy ?? explicitPolicy)
        policyMapping = min(policyMapping, certificate.inhibitPolicyMapping ?? policyMapping)
        inhibitAnyPolicy = min(inhibitAnyPolicy, certificate.inhibitAnyPolicy ?? inhibitAnyPolicy)
    }

    /// RFC 5280 §6.1.3 (d) and (e).
    private mutating func takePolicies(
        _ policies: [ParsedCertificate.Policy]?,
        isSelfIssued: Bool,
        isLast: Bool
    ) {
        let stated = Set((policies ?? []).map(\.identifier))
        let named = stated.subtracting([.anyPolicy])
        let keepsAny = stated.contains(.anyPolicy) && (inhibitAnyPolicy > 0 || (isSelfIssued && !isLast))
        let matched = hasAny ? named : named.intersection(expected)
        expected = keepsAny ? matched.union(expected) : matched
        hasAny = hasAny && keepsAny
    }

    /// RFC 5280 §6.1.4 (a) and (b); returns the fault.
    private mutating func takeMappings(_ mappings: [ParsedCertificate.Mapping]) -> Fault? {
        guard !mappings.contains(where: { $0.issuerPolicy == .anyPolicy || $0.subjectPolicy == .anyPolicy })
        else { return .mapsAnyPolicy }
        let mapped = Set(mappings.map(\.issuerPolicy))
        let valid = policyMapping == 0 ? [] : hasAny ? mapped : mapped.intersection(expected)
        expected.subtract(mapped)
        for mapping in mappings where valid.contains(mapping.issuerPolicy) {
            expected.insert(mapping.subjectPolicy)
        }
        return nil
    }
}
