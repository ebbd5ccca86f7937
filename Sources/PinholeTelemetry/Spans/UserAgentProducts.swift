import PinholeModel

/// The products that a User-Agent names (RFC 9110 §10.1.5), such as `curl/8.5.0`.
///
/// A client may write anything there, so only words of programs and short versions stay: no comments, where browsers have
/// their system and robots an address, and nothing that looks like a number of a user.
struct UserAgentProducts {
    /// The products in their order, with versions if they are plain.
    let words: [String]

    private static let most = 8
    /// The digits of each part of a version: build numbers have at most so many, and dates and numbers of users more.
    private static let versionDigits = 5

    /// Reads the value of the field.
    init(_ text: String) {
        var depth = 0
        var plain = ""
        for character in text {
            switch character {
            case "(":
                depth += 1
                plain.append(" ")
            case ")": depth = max(0, depth - 1)
            default: if depth == 0 { plain.append(character) }
            }
        }
        words = Array(plain.split(whereSeparator: \.isWhitespace).compactMap(Self.product).prefix(Self.most))
    }

    /// Returns a product that may be told; `nil` for any other word.
    private static func product(_ word: Substring) -> String? {
        let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, SafeNames.hasIdentifierForm(name) else { return nil }
        guard parts.count == 2, isVersion(parts[1]) else { return String(name) }
        return String(word)
    }

    private static func isVersion(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 4
            && parts.allSatisfy { part in
                (1...versionDigits).contains(part.utf8.count)
                    && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }
    }
}
