import PinholeCrypto
import PinholeLab
import PinholeTrust

extension Configuration.ClientCertificate {
    /// Reads the certificate and its key, from PEM or PKCS#12.
    func identity() throws(CommandFailure) -> Identity {
        let content: [UInt8]
        do throws(PolicyFailure) {
            content = try PolicyFile.content(of: file)
        } catch {
            throw CommandFailure(.couldNotRun, "no client certificate: \(error)")
        }
        do throws(CryptoFailure) {
            // DER begins with a SEQUENCE, PEM with text.
            if content.first == 0x30 {
                return try Identity(pkcs12: content, passphrase: try secret() ?? "")
            }
            return try Identity(pem: String(decoding: content, as: UTF8.self))
        } catch {
            throw CommandFailure(
                .couldNotRun,
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
