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
