import Glibc
import PinholeFiles
import PinholePolicies
import PinholeTrust

/// The files below a folder that may hold pins.
enum PolicyTree {
    /// Folders of tools, with copies and other people's code.
    private static let skipped: Set = [".git", ".build", ".gradle", "build", "node_modules", "Pods"]
    /// The largest file; those that people write are smaller.
    private static let bytes = 1 << 20
    /// A policy file holds one of these texts, or a digest behind one of ``prefixes``.
    private static let marks = [
        "network-security-config", "NSPinnedDomains", "TSKPinnedDomains", "initializeSslPinning(",
        "CertificatePinner", "pinnedpubkey", "pin-sha256", "TLSA", "TYPE52", "|g0|", "|c0|", "\"mechanism\"",
        "TrustEvaluator(", "ServerTrustPolicy", "allowedSHAFingerprints", "CertificatePinningInterceptor(",
        "SecureHttpClient.build(", "badCertificateCallback", "validateCertificate:",
        "CertificateCustomValidationCallback",
        "CertificateValidationCallback", "Public-Key-Pins", "Expect-CT", "\"infoPlist\"",
    ].map { Array($0.utf8) }
    private static let prefixes = ["sha256/", "sha1/"].map { Array($0.utf8) }
    /// Fewer characters of Base64 are no digest, not even a broken one.
    private static let shortestDigest = 20

    /// A candidate.
    struct File: Sendable {
        /// The way to it, beginning with the folder that was searched.
        let path: String
        /// Its bytes.
        let content: [UInt8]
    }

    /// Finds the files; symbolic links are not followed.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The files in the order of their paths.
    /// - Throws: ``PolicyFailure`` when the folder cannot be read.
    static func files(below folder: String) throws(PolicyFailure) -> [File] {
        let names: [String]
        do throws(Errno) {
            names = try Folder.names(in: folder)
        } catch {
            throw PolicyFailure("could not read the folder \(folder): \(error)")
        }
        var files: [File] = []
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        for name in names.sorted() {
            let path = start + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                guard !skipped.contains(name) else { continue }
                // A folder that is closed to us has no files of ours.
                files += (try? Self.files(below: path)) ?? []
            case S_IFREG:
                guard status.st_size <= bytes, let content = try? InputFile.content(of: path, limit: bytes),
                    mayHoldPins(content) || decidesTrust(path, content)
                else { continue }
                files.append(File(path: path, content: content))
            default: break
            }
        }
        return files
    }

    /// Text for people is about code, and is none.
    private static let proseEndings = [".md", ".rst", ".adoc"]

    /// Whether a file decides what a client trusts, in whatever way.
    private static func decidesTrust(_ path: String, _ content: [UInt8]) -> Bool {
        !proseEndings.contains { path.lowercased().hasSuffix($0) } && TrustWords.place(in: content) != nil
    }

    private static func mayHoldPins(_ content: [UInt8]) -> Bool {
        // Binary forms of Apple's and Android's files have texts in other encodings.
        if content.starts(with: "bplist".utf8) || content.starts(with: [0x03, 0x00, 0x08, 0x00]) {
            return true
        }
        return marks.contains { content.firstRange(of: $0) != nil }
            || prefixes.contains { prefix in
                content.ranges(of: prefix).contains { range in
                    let digest = content[range.upperBound...].prefix(shortestDigest)
                    return digest.count == shortestDigest && digest.allSatisfy(isBase64)
                }
            }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber || "+/".contains(character))
    }
}
