import Foundation
import PinholeCrypto

extension Configuration.ClientCertificate {
    /// Reads the certificate and its key, from PEM or PKCS#12.
    func identity() throws(CommandFailure) -> Identity {
        guard let content = FileManager.default.contents(atPath: file) else {
            throw CommandFailure(.couldNotRun, "could not read the client certificate \(file)")
        }
        do throws(CryptoFailure) {
            // DER begins with a SEQUENCE, PEM with text.
            if content.first == 0x30 {
                return try Identity(pkcs12: Array(content), passphrase: try secret() ?? "")
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
