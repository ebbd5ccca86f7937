import PinholeModel

/// The value of curl's `--pinnedpubkey`, with curl's own way of matching (`lib/vtls/vtls.c`).
package enum CurlPinnedKey: Hashable, Sendable {
    /// `sha256//…;sha256//…`: digests in Base64, compared as text.
    case digests([String])
    /// The content of a file: a public key in PEM or DER.
    case file([UInt8])
    /// A file that cannot be read, and why: curl fails closed.
    case unreadable(String)

    /// A larger key file never matches (`MAX_PINNED_PUBKEY_SIZE`).
    private static let fileLimit = 1_048_576

    /// Whether a value holds digests; else curl takes it for a file's name.
    package static func holdsDigests(_ value: some StringProtocol) -> Bool { value.hasPrefix("sha256//") }

    /// Reads a value of the form `sha256//…;sha256//…`, as curl does: nothing is refused here, what is
    /// malformed matches nothing.
    ///
    /// - Parameter value: The value, which begins with `sha256//`.
    package init(digests value: some StringProtocol) {
        var digests: [String] = []
        // curl's separator is “;sha256//” as a whole: after “; ” the rest belongs to the digest before.
        var rest = Array(value.utf8.dropFirst(8))[...]
        let separator = Array(";sha256//".utf8)
        while let end = rest.firstRange(of: separator) {
            digests.append(String(decoding: rest[..<end.lowerBound], as: UTF8.self))
            rest = rest[end.upperBound...]
        }
        digests.append(String(decoding: rest, as: UTF8.self))
        self = .digests(digests)
    }

    /// Whether the key of `leaf` is pinned.
    package func matches(_ leaf: CertificateFacts) -> Bool {
        switch self {
        case .digests(let digests): digests.contains(Base64.encode(leaf.spkiSHA256))
        case .file(let bytes): Self.file(bytes, holds: leaf.spki)
        case .unreadable: false
        }
    }

    /// What can never match, in sentences for people.
    package var faults: [String] { told.map(\.fault) }

    /// What can never match, and whether that is Base64 of another length than a digest's.
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

    /// The value for people.
    package var summary: String {
        switch self {
        case .digests(let digests): ChainText.list(digests.map { "sha256//\($0)" })
        case .file(let bytes): "a key file of \(ChainText.count(bytes.count, "byte"))"
        case .unreadable(let why): "an unreadable file (\(why))"
        }
    }

    /// The key in a file that curl could match: that of a PEM text, or a file in DER; `nil` for all else.
    package var fileKey: [UInt8]? {
        guard case .file(let bytes) = self, bytes.count <= Self.fileLimit else { return nil }
        // A SubjectPublicKeyInfo is a SEQUENCE.
        return bytes.first == 0x30 ? bytes : Self.publicKey(pem: bytes)
    }

    /// The comparison of `Curl_pin_peer_pubkey`: equal sizes are taken for DER, larger files for PEM.
    private static func file(_ bytes: [UInt8], holds spki: [UInt8]) -> Bool {
        guard !spki.isEmpty, bytes.count <= fileLimit, bytes.count >= spki.count else { return false }
        guard bytes.count > spki.count else { return bytes == spki }
        return publicKey(pem: bytes) == spki
    }

    /// The first `PUBLIC KEY` of a PEM text; its line has to begin a line, and the end has to follow one.
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
