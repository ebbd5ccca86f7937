import PinholeModel

/// Checks the value of Location: a URL or a reference to one (RFC 3986 §4.1).
enum LocationText {
    /// Returns the bytes as a location.
    ///
    /// Bytes that cannot stand in a URL are percent-encoded.
    ///
    /// - Parameter bytes: The result of a rule.
    /// - Returns: The location; `nil` if it is empty, contains a space or control character, or lacks a valid
    ///   host where one is required.
    static func written(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        let text = PercentCoding.encode(bytes, isPlain: PercentCoding.isOfURL)
        return namesItsHost(text) ? text : nil
    }

    /// Whether `text` can be sent unchanged.
    static func isLocation(_ text: String) -> Bool { written(Array(text.utf8)) == text }

    /// Whether the host is valid.
    ///
    /// A host is required after `//`, and so in every http and https URL.
    private static func namesItsHost(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        let isAbsolute = scheme.count < text.count && text.dropFirst(scheme.count).hasPrefix(":")
        let known = isAbsolute ? Scheme(rawValue: scheme.lowercased()) : nil
        // URLs with another scheme are not checked; the client has to understand them.
        if isAbsolute, known == nil { return !scheme.isEmpty }
        let rest = isAbsolute ? text.dropFirst(scheme.count + 1) : text[...]
        guard rest.hasPrefix("//") else { return !isAbsolute }
        let host = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return (try? Authority(host, defaultPort: (known ?? .https).defaultPort)) != nil
    }
}
