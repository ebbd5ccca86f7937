import PinholeModel

/// The value of curl's `--pinnedpubkey`, with curl's algorithm for matching (`lib/vtls/vtls.c`).
package enum CurlPinnedKey: Hashable, Sendable {
    /// Digests in Base64, compared as text: `sha256//…;sha256//…`.
    case digests([String])
    /// The content of a file with a public key in PEM or DER.
    case file([UInt8])
    /// A file that cannot be read, and the reason. curl refuses the connection.
    case unreadable(String)

    /// The largest key file that can match (`MAX_PINNED_PUBKEY_SIZE`).
    private static let fileLimit = 1_048_576

    /// Whether a value contains digests.
    ///
    /// If not, curl takes it for a file name.
    package static func holdsDigests(_ value: some StringProtocol) -> Bool { value.hasPrefix("sha256//") }

    /// Reads a value of the form `sha256//…;sha256//…`, like curl: malformed digests are accepted but match nothing.
    ///
    /// - Parameter value: The value, which begins with `sha256//`.
    package init(digests value: some StringProtocol) {
        var digests: [String] = []
        // curl's separator is the whole text “;sha256//”. After “; ” the rest belongs to the previous digest.
        var rest = Array(value.utf8.dropFirst(8))[...]
        let separator = Array(";sha256//".utf8)
        while let end = rest.firstRange(of: separator) {
            digests.append(String(decoding: rest[..<end.lowerBound], as: UTF8.self))
            rest = rest[end.upperBound...]
        }
        digests.append(String(decoding: rest, as: UTF8.self))
        self = .digests(digests)
    }

    /// Whether the value pins the key of `leaf`.
    package func matches(_ leaf: CertificateFacts) -> Bool {
        switch self {
        case .digests(let digests): digests.contains(Base64.encode(leaf.spkiSHA256))
        case .file(let bytes): Self.file(bytes, holds: leaf.spki)
        case .unreadable: false
        }
    }

    /// The digests or files that can never match, in sentences.
    package var faults: [String] { told.map(\.fault) }

    /// The same faults, each with whether it is Base64 of another length than a digest's.
    var told: [(fault: String, isOtherLength: Bool)] {
        switch self {
        case .digests(let digests):
            digests.compactMap { digest in
                do {
                    _ = try Pin(base64: digest)
                    return nil
                } catch {
                    return ("\(error)", Pin.isOtherLength(digest))
                }
            }
        case .file(let bytes) where bytes.count > Self.fileLimit:
            [("the key file is larger than 1 MiB: curl does not read it", false)]
        case .file: []
        case .unreadable(let why): [(why, false)]
        }
    }

    /// The value in readable form.
    package var summary: String {
        switch self {
        case .digests(let digests): ChainText.list(digests.map { "sha256//\($0)" })
        case .file(let bytes): "a key file of \(ChainText.count(bytes.count, "byte"))"
        case .unreadable(let why): "an unreadable file (\(why))"
        }
    }

    /// The key in a file that curl could match: the key in a PEM text, or a DER file; otherwise `nil`.
    package var fileKey: [UInt8]? {
        guard case .file(let bytes) = self, bytes.count <= Self.fileLimit else { return nil }
        // A SubjectPublicKeyInfo begins with the tag of a SEQUENCE.
        return bytes.first == 0x30 ? bytes : Self.publicKey(pem: bytes)
    }

    /// Compares like `Curl_pin_peer_pubkey`: a file of the key's size is taken for DER, a larger file for PEM.
    private static func file(_ bytes: [UInt8], holds spki: [UInt8]) -> Bool {
        guard !spki.isEmpty, bytes.count <= fileLimit, bytes.count >= spki.count else { return false }
        guard bytes.count > spki.count else { return bytes == spki }
        return publicKey(pem: bytes) == spki
    }

    /// The first `PUBLIC KEY` of a PEM text.
    ///
    /// Both marks must be at the beginning of a line.
    private static func publicKey(pem: [UInt8]) -> [UInt8]? {
        guard let begin = pem.firstRange(of: Array("-----BEGIN PUBLIC KEY-----".utf8)),
            begin.lowerBound == 0 || pem[begin.lowerBound - 1] == 0x0a
        else { return nil }
        let rest = pem[begin.upperBound...]
        guard let end = rest.firstRange(of: Array("\n-----END PUBLIC KEY-----".utf8)) else { return nil }
        let body = rest[..<end.lowerBound].filter { $0 != 0x0a && $0 != 0x0d }
        guard body.allSatisfy({ $0 > 0x20 }) else { return nil }
        return Base64.decode(body)
    }
}
