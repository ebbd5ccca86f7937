import PinholeCrypto
import PinholeModel

/// A certificate that may break every rule there is.
struct CraftedCertificate {
    /// An extension by its identifier.
    struct Extension {
        var identifier: String
        var isCritical = false
        var value: [UInt8]
    }

    /// An entry of a subjectAltName, or of a name constraint.
    enum Name {
        case dns(String)
        case uri(String)
        case email(String)
        case address([UInt8])

        var der: [UInt8] {
            switch self {
            case .email(let text): ASN1.context(1, Array(text.utf8))
            case .dns(let text): ASN1.context(2, Array(text.utf8))
            case .uri(let text): ASN1.context(6, Array(text.utf8))
            case .address(let bytes): ASN1.context(7, bytes)
            }
        }
    }

    /// 2 is version 3, 0 is version 1.
    var version: UInt8 = 2
    var serial: [UInt8]
    var subject: String?
    /// Another name than the issuer's.
    var issuer: String?
    var notBefore: Timestamp
    var notAfter: Timestamp
    var key: PrivateKey
    var extensions: [Extension] = []
    var digest = PrivateKey.SignatureDigest.sha256
    /// Whether a bit of the signature is turned.
    var breaksSignature = false
    /// Whether the algorithm inside is another than the one outside.
    var namesOtherAlgorithmInside = false

    static let basicConstraints = "2.5.29.19"
    static let keyUsage = "2.5.29.15"
    static let extendedKeyUsage = "2.5.29.37"
    static let subjectAltName = "2.5.29.17"
    static let subjectKeyIdentifier = "2.5.29.14"
    static let authorityKeyIdentifier = "2.5.29.35"
    static let nameConstraints = "2.5.29.30"

    /// Replaces the extension, or appends it; `nil` takes it out.
    mutating func set(_ identifier: String, isCritical: Bool = false, _ value: [UInt8]?) {
        let index = extensions.firstIndex { $0.identifier == identifier }
        guard let value else {
            if let index { extensions.remove(at: index) }
            return
        }
        let new = Extension(identifier: identifier, isCritical: isCritical, value: value)
        if let index { extensions[index] = new } else { extensions.append(new) }
    }

    mutating func setBasicConstraints(authority: Bool, pathLength: UInt8? = nil, isCritical: Bool = true) {
        let parts = (authority ? ASN1.isTrue : []) + (pathLength.map { ASN1.integer($0) } ?? [])
        set(Self.basicConstraints, isCritical: isCritical, ASN1.sequence(parts))
    }

    mutating func setKeyUsage(_ usage: KeyUsage?) {
        set(Self.keyUsage, isCritical: true, usage.map { ASN1.bits([$0.rawValue], unused: $0.unused) })
    }

    mutating func setPurposes(_ purposes: [String]) {
        set(
            Self.extendedKeyUsage,
            purposes.isEmpty ? nil : ASN1.sequence(of: purposes.map { ASN1.identifier($0) })
        )
    }

    mutating func setNames(_ names: [Name]?, isCritical: Bool = false) {
        set(Self.subjectAltName, isCritical: isCritical, names.map { ASN1.sequence(of: $0.map(\.der)) })
    }

    mutating func setConstraints(permitted: [Name], excluded: [Name], isCritical: Bool = true) {
        let trees = { (names: [Name]) in names.flatMap { ASN1.sequence($0.der) } }
        let value =
            (permitted.isEmpty ? [] : ASN1.context(0, holding: trees(permitted)))
            + (excluded.isEmpty ? [] : ASN1.context(1, holding: trees(excluded)))
        set(Self.nameConstraints, isCritical: isCritical, ASN1.sequence(value))
    }

    /// The bits of a keyUsage.
    struct KeyUsage: OptionSet {
        let rawValue: UInt8
        static let digitalSignature = KeyUsage(rawValue: 0x80)
        static let keyEncipherment = KeyUsage(rawValue: 0x20)
        static let dataEncipherment = KeyUsage(rawValue: 0x10)
        static let keyAgreement = KeyUsage(rawValue: 0x08)
        static let keyCertSign = KeyUsage(rawValue: 0x04)
        static let cRLSign = KeyUsage(rawValue: 0x02)
        var unused: UInt8 { UInt8(rawValue.trailingZeroBitCount) }
    }

    /// Signs it.
    func signed(by issuerName: String?, _ signer: PrivateKey) throws -> [UInt8] {
        let algorithm = Self.algorithm(signer, digest)
        let inner = namesOtherAlgorithmInside ? Self.algorithm(signer, .sha384) : algorithm
        let list = extensions.map { item in
            ASN1.sequence(
                ASN1.identifier(item.identifier),
                item.isCritical ? ASN1.isTrue : [],
                ASN1.octets(item.value)
            )
        }
        let body = ASN1.sequence(
            version == 0 ? [] : ASN1.context(0, holding: ASN1.integer(version)),
            ASN1.integer(serial),
            inner,
            ASN1.name(issuer ?? issuerName),
            ASN1.sequence(ASN1.time(notBefore), ASN1.time(notAfter)),
            ASN1.name(subject),
            key.spki,
            list.isEmpty ? [] : ASN1.context(3, holding: ASN1.sequence(of: list))
        )
        var signature = try signer.signature(over: body, digest: digest)
        if breaksSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return ASN1.sequence(body, algorithm, ASN1.bits(signature))
    }

    /// The AlgorithmIdentifier of signatures by `key`.
    static func algorithm(_ key: PrivateKey, _ digest: PrivateKey.SignatureDigest) -> [UInt8] {
        if key.keyDescription.hasPrefix("RSA") {
            let last = [.md5: 4, .sha1: 5, .sha256: 11, .sha384: 12][digest] ?? 11
            return ASN1.sequence(ASN1.identifier("1.2.840.113549.1.1.\(last)"), ASN1.null)
        }
        let rest = [.sha1: "1", .sha256: "3.2", .sha384: "3.3"][digest] ?? "3.2"
        return ASN1.sequence(ASN1.identifier("1.2.840.10045.4.\(rest)"))
    }
}
