import Foundation
import PinholeCrypto
import PinholeModel
import Testing

@Suite("TrustBundle")
struct TrustBundleTests {
    @Test("skips damaged entries and says which")
    func skips() throws {
        let one = try CertificateAuthority.create(.init(machineName: "one"), now: .noon).root
        let two = try CertificateAuthority.create(.init(machineName: "two"), now: .noon).root
        let text =
            "# one\n\(one.pem)-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----\n\(two.pem)\(one.pem)"
        let bundle = TrustBundle(pem: Array(text.utf8))
        #expect(bundle.certificates == [one, two])
        #expect(bundle.skipped.map(\.line) == [one.pem.split(separator: "\n").count + 2])
        #expect(bundle.skipped.map { $0.reason.hasPrefix("the certificate in line") } == [true])
        let written = bundle.certificates.map(\.pem).joined()
        #expect(TrustBundle(pem: Array(written.utf8)).skipped.isEmpty)
    }

    @Test("reads the bundle of the system", .enabled(if: TrustBundle.systemPath != nil))
    func system() throws {
        let path = try #require(TrustBundle.systemPath)
        let bundle = try TrustBundle(path: path)
        #expect(!bundle.certificates.isEmpty)
        #expect(bundle.skipped.isEmpty, "\(bundle.skipped)")
    }

    @Test("reads certificates in DER, one after the other, and refuses files that are no bundle")
    func files() throws {
        let directory = try TemporaryDirectory()
        let root = try CertificateAuthority.create(.init(machineName: "one"), now: .noon).root
        #expect(try TrustBundle(path: directory.write(root.der, to: "root.der")).certificates == [root])
        let both = try directory.write(root.der + root.der, to: "both.der")
        #expect(try TrustBundle(path: both).certificates == [root, root])
        let cut = try directory.write(Array((root.der + root.der).dropLast()), to: "cut.der")
        let tail = try directory.write(root.der + [0x0a], to: "tail.der")
        let garbage = try directory.write("garbage", to: "garbage.pem")
        for (path, words) in [
            (garbage, "garbage.pem: expected a certificate in PEM"),
            (cut, "it looks like a truncated DER certificate"),
            (tail, "tail.der: expected one certificate in DER"),
            ("\(directory.path)/none", "/none: No such file or directory"),
            (directory.path, ": Is a directory"),
        ] {
            let failure = #expect(throws: CryptoFailure.self) { try TrustBundle(path: path) }
            #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
        }
    }
}
