@testable import PinholeCrypto

extension CraftedCertificate {
    /// Sets nameConstraints.
    mutating func setConstraints(permitted: [Name], excluded: [Name], isCritical: Bool = true) {
        let trees = { (names: [Name]) in names.flatMap { ASN1.sequence($0.der) } }
        let value =
            (permitted.isEmpty ? [] : ASN1.context(0, holding: trees(permitted)))
            + (excluded.isEmpty ? [] : ASN1.context(1, holding: trees(excluded)))
        set(Self.nameConstraints, isCritical: isCritical, ASN1.sequence(value))
    }
}
