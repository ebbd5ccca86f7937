/// A token of source code that is no part of a comment.
package struct SourceToken: Hashable, Sendable {
    /// A part of a literal.
    package enum Piece: Hashable, Sendable {
        /// Text, with its escapes resolved.
        case text(String)
        /// An expression whose value stands there, as it is written.
        case expression(String)
    }

    /// The kinds of tokens.
    package enum Kind: Hashable, Sendable {
        /// A name, a keyword or a number; names joined by dots are one: `BuildConfig.HOST`.
        case name(String)
        /// A literal text.
        case literal([Piece])
        /// Any other character.
        case mark(Character)
    }

    /// The kind, with the text.
    package let kind: Kind
    /// The line on which the token begins, counted from 1.
    package let line: Int
    /// The byte of its line at which the token begins, counted from 0.
    package let column: Int

    /// The text of a literal without expressions; `nil` for other tokens.
    package var text: String? {
        guard case .literal(let pieces) = kind else { return nil }
        switch pieces.count {
        case 0: return ""
        case 1:
            guard case .text(let text) = pieces[0] else { return nil }
            return text
        default: return nil
        }
    }

    /// Whether the token is a literal.
    package var isLiteral: Bool {
        guard case .literal = kind else { return false }
        return true
    }

    /// The name; `nil` for other tokens.
    package var name: String? {
        guard case .name(let text) = kind else { return nil }
        return text
    }

    /// Whether the token is a name, and one of its parts between dots meets a condition.
    package func hasPart(where condition: (Substring) -> Bool) -> Bool {
        name?.split(separator: ".").contains(where: condition) == true
    }

    /// The last part of the name: `HOST` of `BuildConfig.HOST`; `nil` for other tokens.
    package var lastName: String? {
        guard case .name(let text) = kind else { return nil }
        guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return text }
        return String(text[text.index(after: dot)...])
    }

    /// The name in front of the last part: `BuildConfig` of `BuildConfig.HOST`; `nil` if there is none.
    package var qualifier: String? {
        guard case .name(let text) = kind, let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        return String(text[..<dot])
    }

    /// Whether the token is this character.
    package func isMark(_ character: Character) -> Bool { kind == .mark(character) }

    /// Whether the token is one of these characters.
    package func isMark(of characters: String) -> Bool {
        guard case .mark(let mark) = kind else { return false }
        return characters.contains(mark)
    }

    /// The token as source code.
    package var code: String {
        switch kind {
        case .name(let name): name
        case .mark(let mark): String(mark)
        case .literal(let pieces):
            "\""
                + pieces.map { piece in
                    switch piece {
                    case .text(let text): text
                    case .expression(let code): "${\(code)}"
                    }
                }.joined() + "\""
        }
    }
}
