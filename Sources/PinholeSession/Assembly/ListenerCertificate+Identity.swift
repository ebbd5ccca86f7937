package import PinholeCrypto
import PinholeFiles
package import PinholeModel

extension Configuration.ListenerCertificate {
    /// Reads the certificate and its key, from PEM or PKCS#12.
    package func identity() throws(CommandFailure) -> Identity {
        let content = try Self.content(of: file)
        let keyContent: [UInt8]?
        if let keyFile { keyContent = try Self.content(of: keyFile) } else { keyContent = nil }
        let secret = try secret()
        do throws(CryptoFailure) {
            // DER begins with a SEQUENCE, PEM with text.
            if content.first == 0x30, keyContent == nil {
                return try Identity(pkcs12: content, passphrase: secret ?? "")
            }
            return try Identity(
                pem: String(decoding: content, as: UTF8.self),
                keyPEM: keyContent.map { String(decoding: $0, as: UTF8.self) },
                passphrase: secret
            )
        } catch {
            throw CommandFailure(
                "the listener's certificate \(file) cannot be used: \(error)",
                remedy: """
                    proxy.certificates takes PEM with certificate and key, in one file or two (keyFile), or PKCS#12; \
                    with a passphrase where the key is encrypted
                    """
            )
        }
    }

    /// Returns a warning about a certificate that is expired or not yet valid; `nil` if it is valid.
    package static func warning(about identity: Identity, from file: String, now: Timestamp) -> String? {
        let certificate = identity.certificate
        if certificate.notAfter < now {
            return "the listener's certificate \(file) expired on \(certificate.notAfter.iso8601Milliseconds)"
        }
        guard certificate.notBefore > now else { return nil }
        return
            "the listener's certificate \(file) is not valid before \(certificate.notBefore.iso8601Milliseconds)"
    }

    private static func content(of path: String) throws(CommandFailure) -> [UInt8] {
        try CommandFailure.wrapping("no certificate for the listener") {
            try InputFile.content(of: path)
        }
    }

    private func secret() throws(CommandFailure) -> String? {
        guard let passphraseFile else { return passphrase }
        return try TextFile.firstLine(passphraseFile, for: "the passphrase of \(keyFile ?? file)")
    }
}
