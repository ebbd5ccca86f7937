/// A place in a JSON text (RFC 6901).
package struct JSONPointer: Sendable, Hashable {
    /// As it was written.
    package let text: String
    /// The names and numbers that lead there, decoded.
    let tokens: [String]

    /// Parses a pointer; `nil` where it is none: it has to be empty or begin with “/”, and “~” to be followed by 0 or 1.
    package init?(_ text: String) {
        self.text = text
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.hasPrefix("/") else { return nil }
        var tokens: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let token = Self.decoded(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    private static func decoded(_ part: Substring) -> String? {
        var token = String.UnicodeScalarView()
        var rest = part.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "~" else {
                token.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "0": token.append("~")
            case "1": token.append("/")
            default: return nil
            }
        }
        return String(token)
    }

    /// The number of an element that a token means; `nil` where it means none.
    static func index(_ token: String) -> Int? {
        guard token == "0" || !token.hasPrefix("0"), token.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            token.utf8.count <= 9
        else { return nil }
        return Int(token)
    }
}
