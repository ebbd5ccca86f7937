import PinholeCrypto
import PinholeModel
import Testing

@Suite("TrustStore")
struct TrustStoreTests {
    private let authorities: [CertificateAuthority]

    init() throws {
        authorities = try (0..<3).map { _ in try .create(.init(machineName: "test"), now: .present) }
    }

    @Test("is a list of trusted certificates to Java", .enabled(if: Tool(name: "keytool").isThere))
    func java() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.write(TrustStore.pkcs12(authorities.map(\.root)), to: "trust.p12")
        let result = try Tool(name: "keytool").run([
            "-J-Duser.language=en", "-list", "-keystore", store, "-storepass", TrustStore.customaryPassphrase,
        ])
        #expect(result.code == 0, "\(result.output)")
        #expect(result.output.contains("contains 3 entries"), "\(result.output)")
        #expect(result.output.split(separator: "\n").count { $0.contains("trustedCertEntry") } == 3)
        for authority in authorities {
            let hex = authority.root.fingerprintSHA256.map {
                ($0 < 16 ? "0" : "") + String($0, radix: 16).uppercased()
            }
            #expect(result.output.contains(hex.joined(separator: ":")))
        }
    }

    @Test(
        "takes the bundle of the system too",
        .enabled(if: Tool(name: "keytool").isThere && TrustBundle.systemPath != nil)
    )
    func systemBundle() throws {
        let directory = try TemporaryDirectory()
        let system = try TrustBundle(path: #require(TrustBundle.systemPath)).certificates
        let store = try directory.write(TrustStore.pkcs12(system + [authorities[0].root]), to: "trust.p12")
        let result = try Tool(name: "keytool").run([
            "-J-Duser.language=en", "-list", "-keystore", store, "-storepass", TrustStore.customaryPassphrase,
        ])
        #expect(
            result.output.contains("contains \(system.count + 1) entries"),
            "\(result.output.prefix(300))"
        )
    }

    @Test("is a file with a MAC and no key to openssl", .enabled(if: Tool(name: "openssl").isThere))
    func openSSL() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.write(
            TrustStore.pkcs12([authorities[0].root], passphrase: "x"),
            to: "trust.p12"
        )
        let openssl = Tool(name: "openssl")
        let result = try openssl.run(["pkcs12", "-info", "-in", store, "-passin", "pass:x", "-nodes"])
        #expect(result.code == 0, "\(result.output)")
        #expect(result.output.contains("MAC: sha256"))
        #expect(!result.output.contains("PRIVATE KEY"))
        #expect(try Certificate.parsePEM(result.output) == [authorities[0].root])
        #expect(try openssl.run(["pkcs12", "-in", store, "-passin", "pass:y"]).code != 0)
    }
}
