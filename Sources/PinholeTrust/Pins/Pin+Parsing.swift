import PinholeModel

extension Pin {
    /// Reads the Base64 of a digest without a prefix.
    ///
    /// - Parameters:
    ///   - text: The Base64.
    ///   - algorithm: The digest's algorithm.
    ///   - takesSpareBits: Whether the bits of the last character that belong to no byte may be set.
    ///
    ///     The decoders of okio, Android, Apple and the browsers do not look at them.
    /// - Throws: ``PolicyFailure`` when the text is not Base64, or has another length than the digest.
    package init(
        base64 text: some StringProtocol,
        _ algorithm: Algorithm = .sha256,
        takesSpareBits: Bool = false
    ) throws(PolicyFailure) {
        let name = algorithm == .sha256 ? "SHA-256" : "SHA-1"
        let characters = (algorithm.length + 2) / 3 * 4
        let expected = "the Base64 of a \(name) digest, \(characters) characters"
        // White space is not accepted, since other decoders refuse it.
        let isSolid = text.utf8.allSatisfy { $0 > 0x20 }
        guard isSolid, let bytes = Base64.decode(text.utf8, takesSpareBits: takesSpareBits) else {
            throw PolicyFailure("“\(text)” is no pin: expected \(expected)\(Self.hexadecimalHint(text))")
        }
        guard let pin = Pin(algorithm, digest: bytes) else {
            let hint = Self.hexadecimalHint(text)
            throw PolicyFailure(
                "“\(text)” holds \(ChainText.count(bytes.count, "byte")): expected \(expected)"
                    + (hint.isEmpty ? "; hash the DER of the SubjectPublicKeyInfo" : hint)
            )
        }
        self = pin
    }

    /// Reads `sha256/…` or `sha1/…`, the notation of OkHttp.
    ///
    /// Like okio's decoder, it needs no padding, and also accepts the URL-safe alphabet.
    ///
    /// - Parameter text: The pin.
    /// - Throws: ``PolicyFailure`` when the text is no such pin.
    package init(okHttp text: some StringProtocol) throws(PolicyFailure) {
        for algorithm in [Algorithm.sha256, .sha1] where text.hasPrefix(algorithm.rawValue + "/") {
            let digest = text.dropFirst(algorithm.rawValue.count + 1)
            try self.init(base64: Self.padded(digest, algorithm), algorithm, takesSpareBits: true)
            return
        }
        throw PolicyFailure("“\(text)” is no pin: pins must start with “sha256/” or “sha1/”")
    }

    /// Reads a SHA-256 pin in any common notation.
    ///
    /// The notations are bare Base64, `sha256/…`, curl's `sha256//…` and HPKP's `pin-sha256="…"`. Bits of the last
    /// character that belong to no byte may be set, as for `NSData` and okio.
    ///
    /// - Throws: ``PolicyFailure`` when the text is no pin.
    package init(_ text: some StringProtocol) throws(PolicyFailure) {
        if text.hasPrefix("sha256/") {
            try self.init(base64: text.dropFirst(Self.isCurlNotation(text) ? 8 : 7), takesSpareBits: true)
        } else if text.hasPrefix("pin-sha256=\""), text.hasSuffix("\""), text.count > 12 {
            try self.init(base64: text.dropFirst(12).dropLast(), takesSpareBits: true)
        } else {
            try self.init(base64: text, takesSpareBits: true)
        }
    }

    /// Whether an invalid pin is Base64 of another length than a digest's, with or without a prefix.
    package static func isOtherLength(_ text: some StringProtocol) -> Bool {
        let prefix = ["sha256/", "sha1/"].first { text.hasPrefix($0) } ?? ""
        let digits = text.dropFirst(prefix.count)
        let isSolid = digits.utf8.allSatisfy { $0 > 0x20 }
        guard isSolid, hexadecimalHint(digits).isEmpty, let bytes = Base64.decode(digits.utf8) else {
            return false
        }
        return bytes.count != (prefix == "sha1/" ? Algorithm.sha1 : .sha256).length
    }

    /// Whether the second slash of `sha256//…` belongs to curl's notation, and is not the first character of
    /// the Base64.
    ///
    /// About 1 of 64 pins begins with a slash.
    package static func isCurlNotation(_ text: some StringProtocol) -> Bool {
        text.hasPrefix("sha256//") && (try? Pin(okHttp: text)) == nil
    }

    /// The digest in Base64, without a prefix.
    package var base64: String { Base64.encode(digest) }

    /// Base64 of the right length in standard form, as okio reads it; any other text unchanged.
    private static func padded(_ text: some StringProtocol, _ algorithm: Algorithm) -> String {
        let digits = text.utf8.reversed().drop { $0 == 0x3d }.reversed()
        guard digits.count == (algorithm.length * 4 + 2) / 3 else { return String(text) }
        let common = digits.map { $0 == 0x2d ? 0x2b : $0 == 0x5f ? 0x2f : $0 }
        let padding = [UInt8](repeating: 0x3d, count: (4 - digits.count % 4) % 4)
        return String(decoding: common + padding, as: UTF8.self)
    }

    /// A hint that a text is a digest in hexadecimal, with or without colons; empty for other text.
    private static func hexadecimalHint(_ text: some StringProtocol) -> String {
        guard let bytes = Hexadecimal.decode(String(text.filter { $0 != ":" })), let pin = Pin(digest: bytes)
        else {
            return ""
        }
        return "; this is hexadecimal, in Base64 it is \(pin.base64)"
    }
}
