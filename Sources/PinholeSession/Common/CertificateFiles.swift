import PinholeCrypto
import PinholeFiles
import PinholeModel
package import PinholeTrust

/// Reads the certificates that a command trusts.
package enum CertificateFiles {
    /// Returns the certificates of a file in PEM or DER.
    package static func certificates(in file: String) throws(CommandFailure) -> [CertificateFacts] {
        let content = try CommandFailure.wrapping {
            try InputFile.content(of: file, limit: FileAccess.evidenceBytes)
        }
        return try CommandFailure.wrapping("\(file)") { try Certificate.parse(content).map(\.facts) }
    }

    /// Returns the CAs of this system, from the place where OpenSSL looks for them.
    package static func systemAnchors() throws(CommandFailure) -> [CertificateFacts] {
        let chosen = ProcessEnvironment.variables["SSL_CERT_FILE"]
        guard let path = chosen ?? TrustBundle.systemPath else { return [] }
        do throws(CryptoFailure) {
            return try TrustBundle(path: path).certificates.map(\.facts)
        } catch {
            throw CommandFailure(
                "the system's CAs cannot be read: \(error)",
                remedy: "install ca-certificates, or name the CAs with --anchors-only"
            )
        }
    }
}
