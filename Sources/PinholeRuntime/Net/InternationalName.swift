import Foundation

/// Names as people write them, for a core that knows ASCII only.
package enum InternationalName {
    /// Replaces every label that is not ASCII by its A-label (RFC 5890 §2.3.2.1).
    ///
    /// Globs, ports and brackets stay as they are, so it takes patterns and authorities too. A label
    /// that has no A-label stays as it is, for whoever parses the name to refuse.
    ///
    /// - Parameter text: A name, a pattern or an authority.
    /// - Returns: The same in ASCII.
    package static func ascii(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        // IDNA maps the ideographic full stop to the dot; a label that has one is several labels then.
        return text.split(separator: ".", omittingEmptySubsequences: false).map { part in
            let label = part.prefix { $0 != ":" }
            return aLabel(String(label)) + part.dropFirst(label.count)
        }.joined(separator: ".")
    }

    private static func aLabel(_ label: String) -> String {
        guard !label.utf8.allSatisfy({ $0 < 0x80 }) else { return label }
        let negation = label.hasPrefix("!") ? "!" : ""
        let host = URL(string: "http://\(label.dropFirst(negation.count))/")?.host(percentEncoded: false)
        guard let host, host.utf8.allSatisfy({ $0 < 0x80 }), !host.contains("%") else { return label }
        return negation + host
    }
}
