import PinholeModel
import Testing

@testable import PinholeCrypto

@Suite("Certificate")
struct CertificateTests {
    private func sample(names: [Host], commonName: String? = "a.example") throws -> Certificate {
        var template = CertificateTemplate(
            commonName: commonName,
            notBefore: .noon,
            notAfter: .noon + .days(7)
        )
        template.names = names
        template.purposes = [.serverAuth, .clientAuth]
        return try template.signed(by: nil, key: .generateP256())
    }

    @Test("gives its fields")
    func fields() throws {
        let names: [Host] = [
            .name("a.example"), .name("*.b.example"), try Host("192.0.2.1"), try Host("2001:db8::1"),
        ]
        let certificate = try sample(names: names)
        #expect(certificate.subjectAlternativeNames == names)
        #expect(certificate.notBefore == .noon)
        #expect(certificate.notAfter == .noon + .days(7))
        #expect(!certificate.isAuthority)
        #expect(certificate.pathLength == nil)
        #expect(certificate.isSelfSigned)
        #expect(certificate.keyDescription == "P-256")
        #expect(certificate.signatureAlgorithm == "ecdsa-with-SHA256")
        #expect(certificate.subject == "CN=a.example")
        #expect(certificate.nameConstraints == nil)
        #expect(certificate.text.contains("TLS Web Server Authentication, TLS Web Client Authentication"))
    }

    @Test(
        "agrees with openssl on pin, fingerprint, serial and hashes",
        .enabled(if: Tool(name: "openssl").isThere)
    )
    func agreesWithOpenSSL() throws {
        let certificate = try sample(names: [.name("a.example")])
        let directory = try TemporaryDirectory()
        let file = try directory.write(certificate.pem, to: "c.pem")
        let openssl = Tool(name: "openssl")
        let output = try openssl.run([
            "x509", "-in", file, "-noout", "-serial", "-fingerprint", "-sha256", "-subject_hash",
            "-subject_hash_old",
        ]).output.split(separator: "\n").map(String.init)
        #expect(output.contains("serial=\(certificate.serial)"))
        let hex = certificate.fingerprintSHA256.map {
            ($0 < 16 ? "0" : "") + String($0, radix: 16).uppercased()
        }
        #expect(output.contains("sha256 Fingerprint=" + hex.joined(separator: ":")))
        #expect(output.contains { TrustStore.hashName(certificate.handle.subjectHash) == "\($0).0" })
        #expect(output.contains { TrustStore.androidFileName(certificate) == "\($0).0" })
        let key = try openssl.run(["x509", "-in", file, "-noout", "-pubkey"]).output
        let spki = try #require(PEM.blocks(in: Array(key.utf8)).first?.content)
        #expect(certificate.spki == spki)
        #expect(certificate.pin == "sha256/" + Base64.encode(Digest.sha256(spki)))
    }

    @Test("matches hosts by subjectAltName alone")
    func matches() throws {
        let certificate = try sample(names: [
            .name("*.b.example"), try Host("192.0.2.1"), .name("f*.c.example"),
        ])
        #expect(certificate.matches(.name("x.b.example")))
        #expect(!certificate.matches(.name("x.y.b.example")))
        #expect(!certificate.matches(.name("b.example")))
        #expect(!certificate.matches(.name("a.example")), "the common name does not count")
        #expect(!certificate.matches(.name("foo.c.example")), "a part of a label does not count")
        #expect(certificate.matches(try Host("192.0.2.1")))
        #expect(!certificate.matches(try Host("192.0.2.2")))
        #expect(!certificate.matches(try Host("2001:db8::1")))
    }

    @Test("reads PEM in any company, and DER")
    func parse() throws {
        let one = try sample(names: [.name("a.example")])
        let two = try sample(names: [.name("b.example")])
        let text = "first\n" + one.pem + (try PrivateKey.generateP256().pem) + "second\r\n" + two.pem
        #expect(try Certificate.parsePEM(text) == [one, two])
        #expect(try Certificate.parse(Array(text.utf8)) == [one, two])
        #expect(try Certificate.parse(one.der) == [one])
    }

    @Test("names the content of a file that is not a certificate")
    func refusals() throws {
        let key = try PrivateKey.generateP256().pem
        let cut = try sample(names: []).pem.split(separator: "\n").dropLast(3).joined(separator: "\n")
        for (text, words) in [
            ("", "found no PEM block"), (key, "found only PRIVATE KEY"), (cut, "in line 1 is damaged"),
            (
                "-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----",
                "in line 1 is damaged: expected one"
            ),
        ] {
            let failure = #expect(throws: CryptoFailure.self) { try Certificate.parsePEM(text) }
            #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
        }
        #expect(throws: CryptoFailure.self) { try Certificate.parse([0x30, 0x82, 0x01]) }
        let trailing = try sample(names: []).der + [0]
        #expect(throws: CryptoFailure.self) { try Certificate(der: trailing) }
    }

    @Test("refuses a name that cannot stand in a certificate")
    func badNames() {
        for name in ["", "a\0b.example", "b\u{fc}cher.example", "a b"] {
            #expect(throws: CryptoFailure.self) { try sample(names: [.name(name)]) }
        }
        #expect(throws: CryptoFailure.self) {
            try sample(names: [], commonName: String(repeating: "x", count: 65))
        }
    }
}
