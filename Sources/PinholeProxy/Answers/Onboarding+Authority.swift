package import PinholeCrypto
import PinholeModel

extension Onboarding {
    /// Creates the page for a certificate authority: its root certificate in every format, and never its key.
    ///
    /// - Throws: ``CryptoFailure`` if a trust store cannot be made.
    package init(_ authority: CertificateAuthority) throws(CryptoFailure) {
        let root = authority.root
        let pem = Array(root.pem.utf8)
        let type = "application/x-x509-ca-cert"
        let android = TrustStore.androidFileName(root)
        self.init(
            downloads: [
                Download(
                    path: "/pinhole-ca.pem",
                    fileName: "pinhole-ca.pem",
                    type: "application/x-pem-file",
                    purpose: "PEM: most programs on Linux and macOS, Firefox",
                    bytes: pem
                ),
                Download(
                    path: "/pinhole-ca.crt",
                    fileName: "pinhole-ca.crt",
                    type: type,
                    purpose: "the same under the name that Debian, Android and Windows expect",
                    bytes: pem
                ),
                Download(
                    path: "/pinhole-ca.mobileconfig",
                    fileName: "pinhole-ca.mobileconfig",
                    type: "application/x-apple-aspen-config",
                    purpose: "a profile for iPhone, iPad and Mac",
                    bytes: Array(AppleProfile(root: root).text.utf8)
                ),
                Download(
                    path: "/pinhole-ca.der",
                    fileName: "pinhole-ca.der",
                    type: type,
                    purpose: "DER: programs that read no PEM",
                    bytes: root.der
                ),
                Download(
                    path: "/pinhole-ca.p12",
                    fileName: "pinhole-ca.p12",
                    type: "application/x-pkcs12",
                    purpose: "a trust store for Java, passphrase “\(TrustStore.customaryPassphrase)”",
                    bytes: try TrustStore.pkcs12([root])
                ),
                Download(
                    path: "/\(android)",
                    fileName: android,
                    type: "application/x-pem-file",
                    purpose: "the system store of an Android emulator",
                    bytes: pem
                ),
            ],
            subject: root.subject,
            fingerprint: Digest.text(root.fingerprintSHA256),
            expiry: authority.notAfter.iso8601
        )
    }
}
