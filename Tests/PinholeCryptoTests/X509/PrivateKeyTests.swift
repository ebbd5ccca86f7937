import PinholeCrypto
import Testing

@Suite("PrivateKey")
struct PrivateKeyTests {
    @Test(
        "makes self-describing keys",
        arguments: zip(KeyAlgorithm.allCases, ["P-256", "P-384", "RSA 2048", "RSA 3072"])
    )
    func generate(algorithm: KeyAlgorithm, description: String) throws {
        let key = try PrivateKey.generate(algorithm)
        #expect(key.keyDescription == description)
        let pem = try key.pem
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try PrivateKey(pem: pem, passphrase: nil).spki == key.spki)
    }

    @Test("makes a new key each time")
    func fresh() throws {
        #expect(try PrivateKey.generateP256().spki != PrivateKey.generateP256().spki)
    }

    @Test("reads the output of openssl", .enabled(if: Tool(name: "openssl").isThere))
    func foreign() throws {
        let openssl = Tool(name: "openssl")
        for (arguments, description) in [
            (["ecparam", "-name", "prime256v1", "-genkey"], "P-256"),
            (["genrsa", "-traditional", "2048"], "RSA 2048"),
            (["genpkey", "-algorithm", "ED25519"], "ED25519"),
            (["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"], "P-521"),
        ] {
            let key = try PrivateKey(pem: openssl.run(arguments).output, passphrase: nil)
            #expect(key.keyDescription == description)
        }
    }

    @Test("says how to decrypt an encrypted key", .enabled(if: Tool(name: "openssl").isThere))
    func encrypted() throws {
        for extra in [["-traditional"], []] {
            let directory = try TemporaryDirectory()
            let plain = try directory.write(PrivateKey.generateRSA(2048).pem, to: "key.pem", mode: 0o600)
            let arguments = ["pkey", "-in", plain, "-aes128", "-passout", "pass:x"] + extra
            let pem = try Tool(name: "openssl").run(arguments).output
            let failure = #expect(throws: CryptoFailure.self) { try PrivateKey(pem: pem, passphrase: nil) }
            #expect(try PrivateKey(pem: pem, passphrase: "x").keyDescription == "RSA 2048")
            #expect(failure?.description.contains("decrypt it first: openssl pkey -in") == true)
        }
    }

    @Test("names the content of a file that is no key")
    func refusals() throws {
        let key = try PrivateKey.generateP256().pem
        for (pem, words) in [
            ("", "found no PEM block"), ("nonsense", "found no PEM block"),
            ("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", "found only PUBLIC KEY"),
            (key + key, "expected one private key, found 2 (lines 1, 6)"),
            (
                "-----BEGIN PRIVATE KEY-----\nZm9v\n-----END PRIVATE KEY-----",
                "expected one private key in DER"
            ),
            ("\n-----BEGIN PRIVATE KEY-----\nZm9v", "in line 2 is damaged: no Base64 or no END line"),
        ] {
            let failure = #expect(throws: CryptoFailure.self) { try PrivateKey(pem: pem, passphrase: nil) }
            #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
        }
    }
}
