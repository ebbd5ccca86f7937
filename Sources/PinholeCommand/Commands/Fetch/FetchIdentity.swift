import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeSession

/// The client certificate of a fetch: PEM in one file or two, or PKCS#12 with its passphrase.
struct FetchIdentity {
    let file: String
    let keyFile: String?
    let passwordFile: String?

    /// Reads the certificate and its key.
    func read() throws(CommandFailure) -> Identity {
        let content = try Self.content(of: file, "client certificate")
        let passphrase = try passwordFile.map { (path) throws(CommandFailure) in
            try TextFile.firstLine(path, for: "the passphrase of \(file)")
        }
        do throws(CryptoFailure) {
            // DER begins with a SEQUENCE, PEM with text.
            if content.first == 0x30 {
                return try Identity(pkcs12: content, passphrase: passphrase ?? "")
            }
            var text = String(decoding: content, as: UTF8.self)
            if let keyFile { text += "\n" + String(decoding: try key(keyFile), as: UTF8.self) }
            return try Identity(pem: text)
        } catch {
            throw CommandFailure(
                "the client certificate \(file) cannot be used: \(error)",
                remedy: "PEM with --key FILE (or both in one file), or PKCS#12 with --password-file FILE"
            )
        }
    }

    private func key(_ path: String) throws(CryptoFailure) -> [UInt8] {
        do throws(CommandFailure) {
            return try Self.content(of: path, "key")
        } catch {
            throw CryptoFailure(error.message)
        }
    }

    private static func content(of path: String, _ purpose: String) throws(CommandFailure) -> [UInt8] {
        try CommandFailure.wrapping("no \(purpose)") { try InputFile.content(of: path) }
    }
}
