import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeCrypto

/// Damaged input of every kind: a typed error or a value, never a trap.
@Suite("Corruption")
struct CorruptionTests {
    private func mutate(_ bytes: [UInt8], with random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !bytes.isEmpty else { break }
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            default:
                if Bool.random(using: &random), Bool.random(using: &random) { bytes.removeSubrange(index...) }
            }
        }
        return bytes
    }

    private func look(at certificate: Certificate) {
        _ = (certificate.subject, certificate.issuer, certificate.serial, certificate.text, certificate.pem)
        _ = (certificate.notBefore, certificate.notAfter, certificate.isAuthority, certificate.pathLength)
        _ = (certificate.isSelfSigned, certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
        _ = (certificate.pin, certificate.fingerprintSHA256, certificate.keyDescription)
        _ = (certificate.signatureAlgorithm, certificate.subjectAlternativeNames, certificate.nameConstraints)
        _ = (certificate.matches(.name("www.example.com")), TrustStore.androidFileName(certificate))
        _ = try? TrustStore.pkcs12([certificate])
        for address in certificate.subjectAlternativeNames { _ = certificate.matches(address) }
        let left = OpenSSLQueue.drain()
        #expect(left.isEmpty, "an error is left for the next caller: \(left)")
    }

    @Test("of certificates ends in a value or an error", arguments: 0..<4)
    func certificates(part: Int) throws {
        var options = CertificateAuthority.Options(machineName: "test")
        options.permittedDomains = ["example.com", "10.0.0.0/8", "2001:db8::/32"]
        let authority = try CertificateAuthority.create(options, now: .noon)
        let leaf = try LeafMinter(authority: authority).mint(
            LeafRequest(names: [.name("www.example.com")]),
            now: .noon
        )
        let seeds = leaf.chain.map(\.der)
        var random = SeededRandom(seed: UInt64(part))
        var parsed = 0
        for round in 0..<1500 {
            let bytes = mutate(seeds[round % seeds.count], with: &random)
            guard let certificate = try? Certificate(der: bytes) else { continue }
            parsed += 1
            look(at: certificate)
            _ = try? CertificateAuthority(
                identity: Identity(unordered: [certificate], key: authority.identity.key)
            )
        }
        #expect(parsed > 0)
    }

    @Test("of PEM texts, keys and PKCS#12 ends in a value or an error", arguments: 0..<4)
    func containers(part: Int) throws {
        let key = try PrivateKey.generateP256()
        let template = CertificateTemplate(commonName: "x", notBefore: .noon, notAfter: .noon + .days(1))
        let identity = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
        let text = Array(try identity.pem.utf8)
        let keyDER = try #require(PEM.blocks(in: Array(try key.pem.utf8)).first?.content)
        let store = try identity.pkcs12(passphrase: "x")
        let trust = try TrustStore.pkcs12(identity.chain, passphrase: "x")
        var random = SeededRandom(seed: UInt64(100 + part))
        for _ in 0..<500 {
            _ = try? Identity(pem: String(decoding: mutate(text, with: &random), as: UTF8.self))
            _ = TrustBundle(pem: mutate(text, with: &random))
            if let key = try? PrivateKey(der: mutate(keyDER, with: &random)) {
                _ = (key.keyDescription, key.spki, try? key.pem)
            }
            _ = try? Identity(pkcs12: mutate(trust, with: &random), passphrase: "x")
            #expect(OpenSSLQueue.drain() == [])
        }
        // Few: each one that keeps its MAC parameters derives a key.
        for _ in 0..<60 { _ = try? Identity(pkcs12: mutate(store, with: &random), passphrase: "x") }
    }
}
