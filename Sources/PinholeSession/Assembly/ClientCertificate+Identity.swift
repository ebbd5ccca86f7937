package import PinholeCrypto
import PinholeFiles
import PinholeModel

extension Configuration.ClientCertificate {
    /// Reads the certificate and its key, from PEM or PKCS#12.
    package func identity() throws(CommandFailure) -> Identity {
        let content = try CommandFailure.wrapping("no client certificate") { try InputFile.content(of: file) }
        do throws(CryptoFailure) {
            return try Identity(content: content, passphrase: try secret() ?? "")
        } catch {
            throw CommandFailure(
                "the client certificate \(file) cannot be used: \(error)",
                remedy: "PEM with certificate and key in one file, or PKCS#12 with its passphrase"
            )
        }
    }

    private func secret() throws(CryptoFailure) -> String? {
        guard let passphraseFile else { return passphrase }
        do throws(CommandFailure) {
            return try TextFile.firstLine(passphraseFile, for: "the passphrase of \(file)")
        } catch {
            throw CryptoFailure(error.message)
        }
    }
}

extension Identity {
    /// Reads a certificate with its key from the content of a file.
    ///
    /// - Parameters:
    ///   - content: PEM with certificate and key, or PKCS#12.
    ///   - passphrase: The passphrase; empty for none.
    /// - Throws: ``CryptoFailure`` for any other content.
    package init(content: [UInt8], passphrase: String) throws(CryptoFailure) {
        // DER begins with a SEQUENCE, PEM with text.
        guard content.first != 0x30 else {
            self = try Identity(pkcs12: content, passphrase: passphrase)
            return
        }
        let pem = String(decoding: content, as: UTF8.self)
        self = try Identity(pem: pem, keyPEM: nil, passphrase: passphrase.isEmpty ? nil : passphrase)
    }
}
