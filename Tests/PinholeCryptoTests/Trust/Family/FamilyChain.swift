import PinholeCrypto
import PinholeModel
import PinholeTrust

/// A chain of the family, and what is to be said of it.
struct FamilyChain {
    /// The factors that made it, `expired, place 1 of 3`.
    var name: String
    /// The factor that the expected answers of other programs are listed by.
    var factor: String
    /// What the server sends.
    var presented: [Certificate]
    /// What the device trusts.
    var anchors: [Certificate]
    var host: Host
    var securityLevel = 2
    var allowsPartialChain = false
    /// What our verifier finds; `nil` for nothing.
    var fault: ChainFault.Kind?
    /// The key of the first certificate, where a server can serve the chain.
    var key: PrivateKey

    /// The question to our verifier.
    func question(at time: Timestamp) -> ChainQuestion {
        var evidence = Evidence(
            host: host,
            presented: PresentedChain(presented.map(\.facts)),
            anchors: anchors.map(\.facts),
            time: time
        )
        evidence.securityLevel = securityLevel
        var question = ChainQuestion(evidence, by: .opensslStrict)
        question.allowsPartialChain = allowsPartialChain
        return question
    }
}

/// Makes chains of a leaf, some authorities and a root, with changes at any place.
final class ChainForge {
    typealias Edit = (inout CraftedCertificate) -> Void

    /// What a key is made as.
    enum Algorithm: String, CaseIterable {
        case p256
        case p384
        case rsa2048
        case rsa1024
    }

    static let host = "www.family.test"

    /// The moment that everything is valid around.
    let now: Timestamp
    private var keys: [String: PrivateKey] = [:]
    private var serial: UInt8 = 1
    private var serialHigh: UInt8 = 1

    init(now: Timestamp) { self.now = now }

    /// The key of a place; the same each time.
    func key(_ place: String, _ algorithm: Algorithm = .p256) throws -> PrivateKey {
        if let key = keys["\(place)/\(algorithm)"] { return key }
        let key =
            switch algorithm {
            case .p256: try PrivateKey.generate(.p256)
            case .p384: try PrivateKey.generate(.p384)
            case .rsa2048: try PrivateKey.generate(.rsa2048)
            case .rsa1024: try PrivateKey.generateRSA(1024)
            }
        keys["\(place)/\(algorithm)"] = key
        return key
    }

    /// A chain of a leaf, `depth` authorities and a root; `edits` change the template of a place, 0 the leaf.
    func chain(
        _ depth: Int,
        _ algorithm: Algorithm = .p256,
        _ edits: [Int: Edit] = [:]
    ) throws -> [Certificate] {
        var chain: [Certificate] = []
        var issuer: CraftedCertificate?
        for place in stride(from: depth + 1, through: 0, by: -1) {
            var template = try plain(place, of: depth, algorithm, issuer)
            let key = template.key.spki
            edits[place]?(&template)
            if template.key.spki != key, let index = template.indexOfIdentifier {
                template.extensions[index].value = Self.identifier(template.key)
            }
            let signer = issuer ?? template
            chain.insert(try made(template, by: signer), at: 0)
            issuer = template
        }
        return chain
    }

    /// Signs a template with another one's name and key.
    func made(_ template: CraftedCertificate, by issuer: CraftedCertificate) throws -> Certificate {
        try Certificate(der: template.signed(by: issuer.subject, issuer.key))
    }

    /// The template of a place, without any fault.
    func plain(
        _ place: Int,
        of depth: Int,
        _ algorithm: Algorithm = .p256,
        _ issuer: CraftedCertificate?
    ) throws -> CraftedCertificate {
        let isRoot = place == depth + 1
        let role = place == 0 ? "leaf" : isRoot ? "root" : "authority \(place)"
        var template = CraftedCertificate(
            serial: nextSerial(),
            subject: place == 0 ? Self.host : "Family \(algorithm) \(role)",
            notBefore: now - .seconds(86_400 * 10),
            notAfter: now + .seconds(86_400 * 80),
            key: try key(role, algorithm)
        )
        template.digest = algorithm == .p384 ? .sha384 : .sha256
        template.setBasicConstraints(authority: place > 0)
        template.setKeyUsage(place > 0 ? [.keyCertSign, .cRLSign] : .digitalSignature)
        if place == 0 {
            template.setPurposes([Purpose.server])
            template.setNames([.dns(Self.host)])
        }
        setIdentifiers(&template, issuer: issuer?.key)
        return template
    }

    /// Puts in the identifiers of the key and of the issuer's.
    func setIdentifiers(_ template: inout CraftedCertificate, issuer: PrivateKey?) {
        template.set(CraftedCertificate.subjectKeyIdentifier, Self.identifier(template.key))
        guard let issuer else { return }
        let above = Digest.sha256(issuer.spki).prefix(20)
        template.set(CraftedCertificate.authorityKeyIdentifier, ASN1.sequence(ASN1.context(0, Array(above))))
    }

    private static func identifier(_ key: PrivateKey) -> [UInt8] {
        ASN1.octets(Array(Digest.sha256(key.spki).prefix(20)))
    }

    private func nextSerial() -> [UInt8] {
        serial &+= 1
        if serial == 0 { serialHigh &+= 1 }
        return [0x40, 0x01, serialHigh, serial, 0x5a, 0x11, 0x22, 0x33, 0x44]
    }

    /// Purposes of the extendedKeyUsage.
    enum Purpose {
        static let server = "1.3.6.1.5.5.7.3.1"
        static let client = "1.3.6.1.5.5.7.3.2"
        static let code = "1.3.6.1.5.5.7.3.3"
        static let ocsp = "1.3.6.1.5.5.7.3.9"
        static let any = "2.5.29.37.0"
        static let unknown = "1.3.6.1.4.1.99999.1"
    }
}

extension CraftedCertificate {
    fileprivate var indexOfIdentifier: Int? {
        extensions.firstIndex { $0.identifier == Self.subjectKeyIdentifier }
    }
}
