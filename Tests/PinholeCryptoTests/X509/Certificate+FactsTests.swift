import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@Suite("Certificate facts")
struct CertificateFactsTests {
    @Test("tell the SPKI from the raw key, for each kind of key", arguments: KeyAlgorithm.allCases)
    func keys(algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey.generate(algorithm)
        let template = CertificateTemplate(
            commonName: "facts",
            notBefore: Timestamp(seconds: 0),
            notAfter: Timestamp(seconds: 4_000_000_000)
        )
        let facts = try template.signed(by: nil, key: key).facts
        #expect(facts.spki == key.spki && facts.key == key.spki)
        let raw = try #require(facts.rawKeySHA256)
        #expect(raw != facts.spkiSHA256)
        // The raw key is the end of the SPKI, behind the algorithm and the head of the BIT STRING.
        #expect((1..<40).contains { Digest.sha256(Array(facts.spki.dropFirst($0))) == raw })
        let expected: CertificateFacts.Key =
            switch algorithm {
            case .p256: .curve("prime256v1")
            case .p384: .curve("secp384r1")
            case .rsa2048: .rsa(2048)
            case .rsa3072: .rsa(3072)
            }
        #expect(facts.keyKind == expected)
        #expect(facts.isSelfSigned && facts.subject == "CN=facts")
    }

    private func leaf(_ identifier: String, _ value: [UInt8]) throws -> CertificateFacts {
        let forge = ChainForge(now: .noon)
        return try forge.chain(0, .p256, [0: { $0.set(identifier, value) }])[0].facts
    }

    @Test("must-staple is the TLS feature 5 (RFC 7633)")
    func mustStaple() throws {
        let identifier = "1.3.6.1.5.5.7.1.24"
        #expect(try !ChainForge(now: .noon).chain(0)[0].facts.mustStaple)
        let table: [([UInt8], Bool)] = [
            (ASN1.sequence(ASN1.integer(5)), true), (ASN1.sequence(ASN1.integer(17), ASN1.integer(5)), true),
            (ASN1.sequence(ASN1.integer(17)), false), (ASN1.sequence(), false), ([0x30, 5], false),
            (ASN1.sequence(ASN1.integer([UInt8](repeating: 5, count: 40))), false),
        ]
        for (value, expected) in table { #expect(try leaf(identifier, value).mustStaple == expected) }
    }

    @Test("embedded timestamps are read; a malformed list differs from a missing one")
    func timestamps() throws {
        let identifier = "1.3.6.1.4.1.11129.2.4.2"
        let entry = [0] + [UInt8](repeating: 7, count: 32) + [0, 0, 0, 0, 0, 0, 3, 0xe8, 0, 0, 4, 3, 0, 1, 9]
        let list = [0, UInt8(entry.count + 2), 0, UInt8(entry.count)] + entry
        let found = try #require(try leaf(identifier, ASN1.octets(list)).timestamps)
        #expect(found.map(\.time) == [Timestamp(seconds: 1)])
        #expect(found.map(\.log) == [[UInt8](repeating: 7, count: 32)])
        #expect(try ChainForge(now: .noon).chain(0)[0].facts.timestamps == [])
        for broken in [list, ASN1.octets(Array(list.dropLast())), []] {
            #expect(try leaf(identifier, broken).timestamps == nil)
        }
    }

    /// A self-signed certificate with RSASSA-PSS over SHA-1.
    private static let pss = """
        MIICAjCCAWagAwIBAgIUHkheM7Pg4VtUnJcxJFUvvHLyCWkwEgYJKoZIhvcNAQEKMAWiAwIBajAOMQwwCgYDVQQDDA
        Nwc3MwHhcNMjYxMTIxMTAyMzQxWhcNMzYxMTE4MTAyMzQxWjAOMQwwCgYDVQQDDANwc3MwgZ8wDQYJKoZIhvcNAQEB
        BQADgY0AMIGJAoGBALsHsWdWkTyOfs9uyJm5kCURnAQ5WFK05AndZr0qP1+1yz3qlcMphpgqCyDKKb3N59WPb0lQTu
        wRVhWUegeTfBkGtC4kShMcptVqKkVRnyDHurwys9Mv5Zn2j8240rTyqJGj8uGMmEJaDr1Sm+Tt4CbtQ4DoY+6O4nAA
        1HCwmg1RAgMBAAGjUzBRMB0GA1UdDgQWBBSJJ0uRHagppz0EYZOyuPpALQ7TfTAfBgNVHSMEGDAWgBSJJ0uRHagppz
        0EYZOyuPpALQ7TfTAPBgNVHRMBAf8EBTADAQH/MBIGCSqGSIb3DQEBCjAFogMCAWoDgYEAHF7hF5N1GagvOrfUegBp
        h7PeXBjH19utJo7a13wpZQ7LSZtoaXsHTmLypJuGISXi1auSzGAas462pJo26AFny5+Aw3UDEXE8FrzSmmyKmBOyx8
        3u8da72fXsg8GAZCRVLkf9b/UfB+sgwjwLOOFey167uH7SFmGa8iXJUJ8w7Ag=
        """

    @Test("name the digest of the signature, also where the algorithm does not")
    func signatureDigests() throws {
        var template = CraftedCertificate(
            serial: [1],
            subject: "facts",
            notBefore: Timestamp(seconds: 0),
            notAfter: Timestamp(seconds: 4_000_000_000),
            key: try PrivateKey.generateP256()
        )
        for (digest, name) in [
            (PrivateKey.SignatureDigest.sha256, "SHA256"), (.sha1, "SHA1"), (.sha384, "SHA384"),
        ] {
            template.digest = digest
            let facts = try Certificate(der: template.signed(by: "facts", template.key)).facts
            #expect(facts.signatureDigest == name)
        }
        let pss = try Certificate(der: try #require(Base64.decode(Self.pss.utf8))).facts
        #expect(pss.signatureAlgorithm == "rsassaPss" && pss.signatureDigest == "SHA1")
    }
}
