import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Certificates of listeners")
struct ListenerCertificateTests {
    private let directory: TemporaryDirectory
    private let identity: Identity
    private let noon = Timestamp(seconds: 1_800_000_000)

    init() throws {
        directory = try TemporaryDirectory()
        let key = try PrivateKey.generateP256()
        let template = CertificateTemplate(
            commonName: "site",
            notBefore: noon - .seconds(86_400),
            notAfter: noon + .seconds(86_400)
        )
        identity = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
    }

    private func read(_ file: String, key: String? = nil, passphrase: String? = nil) throws -> Identity {
        try Configuration.ListenerCertificate(
            file: directory.file(file),
            keyFile: key.map(directory.file),
            passphrase: passphrase
        ).identity()
    }

    @Test("PEM in one file or two, and PKCS#12, are the same")
    func kinds() throws {
        try directory.write(identity.pem, to: "both.pem")
        try directory.write(identity.certificate.pem, to: "chain.pem")
        try directory.write(identity.key.pem, to: "key.pem")
        try directory.write(identity.pkcs12(passphrase: "secret"), to: "site.p12")
        for found in [
            try read("both.pem"), try read("chain.pem", key: "key.pem"),
            try read("site.p12", passphrase: "secret"),
        ] {
            #expect(found.certificate == identity.certificate)
            #expect(found.key.spki == identity.key.spki)
        }
    }

    @Test("a key of PEM may be encrypted", .enabled(if: Executable.find("openssl") != nil))
    func encrypted() async throws {
        try directory.write(identity.certificate.pem, to: "chain.pem")
        try directory.write(identity.key.pem, to: "key.pem")
        for (name, more) in [("new.pem", []), ("old.pem", ["-traditional"])] {
            let words = [
                "pkey", "-in", directory.file("key.pem"), "-aes256", "-passout", "pass:s\u{e4}cret", "-out",
                directory.file(name),
            ]
            let made = try await ProcessRunner.run(Invocation("openssl", words + more))
            #expect(made.isSuccess, "\(made)")
            #expect(try read("chain.pem", key: name, passphrase: "s\u{e4}cret").key.spki == identity.key.spki)
            for (passphrase, words) in [
                (nil, "is encrypted, and there is no passphrase"), ("wrong", "the passphrase does not fit"),
                ("", "the passphrase does not fit"),
            ] as [(String?, String)] {
                let failure = #expect(throws: CommandFailure.self) {
                    try read("chain.pem", key: name, passphrase: passphrase)
                }
                #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
            }
        }
    }

    @Test("contradictory and missing parts are reported")
    func refusals() throws {
        try directory.write(identity.certificate.pem, to: "chain.pem")
        try directory.write(try PrivateKey.generateP256().pem, to: "other.pem")
        try directory.write(identity.pkcs12(passphrase: "secret"), to: "site.p12")
        for (file, key, words) in [
            ("chain.pem", "other.pem", "key"), ("chain.pem", nil, "found only CERTIFICATE"),
            ("site.p12", nil, "the passphrase does not fit"), ("missing.pem", nil, "missing.pem"),
            ("other.pem", nil, "certificate"),
        ] as [(String, String?, String)] {
            let failure = #expect(throws: CommandFailure.self) { try read(file, key: key) }
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        }
    }

    @Test("warns of a certificate that has expired or is not valid yet")
    func validity() {
        let warning = { (now: Timestamp) in
            Configuration.ListenerCertificate.warning(about: identity, from: "site.pem", now: now)
        }
        #expect(warning(noon) == nil)
        #expect(warning(noon + .seconds(100_000))?.contains("site.pem expired on 2027-01-1") == true)
        #expect(warning(noon - .seconds(100_000))?.contains("is not valid before") == true)
    }
}
