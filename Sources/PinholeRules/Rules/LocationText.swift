import PinholeModel

/// What may stand in Location: a URL or a reference to one (RFC 3986 §4.1).
enum LocationText {
    /// What stands in URLs beside letters and digits: reserved and unreserved characters, and percent signs.
    private static let marks = Set("-._~:/?#[]@!$&'()*+,;=%".utf8)

    /// The bytes as a location, those that cannot stand in one percent-encoded.
    ///
    /// - Parameter bytes: What a rule made.
    /// - Returns: The location; `nil` where it is empty, holds a space or control character, or names no host where
    ///   one has to be.
    static func written(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        let text = PercentCoding.escaped(bytes) { isLetterOrDigit($0) || marks.contains($0) }
        return namesItsHost(text) ? text : nil
    }

    /// Whether `text` can be sent as it stands.
    static func isLocation(_ text: String) -> Bool { written(Array(text.utf8)) == text }

    /// Whether what should be a host is one: behind `//`, and so in every URL of http and https.
    private static func namesItsHost(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        let isAbsolute = scheme.count < text.count && text.dropFirst(scheme.count).hasPrefix(":")
        let known = isAbsolute ? Scheme(rawValue: scheme.lowercased()) : nil
        // Another scheme is the client's to understand.
        if isAbsolute, known == nil { return !scheme.isEmpty }
        let rest = isAbsolute ? text.dropFirst(scheme.count + 1) : text[...]
        guard rest.hasPrefix("//") else { return !isAbsolute }
        let host = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return (try? Authority(host, defaultPort: (known ?? .https).defaultPort)) != nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }
}
