/// A pointer to a value in a JSON text (RFC 6901).
package struct JSONPointer: Sendable, Hashable {
    /// The pointer as written.
    package let text: String
    /// The decoded names and numbers that lead to the value.
    let tokens: [String]

    /// Parses a pointer; `nil` if it is invalid.
    ///
    /// A pointer is empty or begins with “/”, and “~” is followed by 0 or 1.
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

    /// The index of an array element in a token; `nil` if the token is no index.
    static func index(_ token: String) -> Int? {
        guard token == "0" || !token.hasPrefix("0"), token.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            token.utf8.count <= 9
        else { return nil }
        return Int(token)
    }
}
