/// A token of source code in Kotlin, Java, Swift, Objective-C, JavaScript or Dart that is no part of a comment.
struct SourceToken: Hashable {
    /// The kinds of tokens.
    enum Kind: Hashable {
        /// A name, a keyword or a number; names joined by dots are one: `BuildConfig.HOST`.
        case name(String)
        /// The text between quotation marks, with escapes as they are written.
        case literal(String)
        /// Any other character.
        case mark(Character)
    }

    /// The kind, with the text.
    var kind: Kind
    /// The line on which the token begins, counted from 1.
    let line: Int
    /// Whether the literal stands in the place of a constant.
    var isResolved = false

    /// The text of a literal; `nil` for other tokens.
    var literal: String? {
        guard case .literal(let text) = kind else { return nil }
        return text
    }

    /// The name; `nil` for other tokens.
    var name: String? {
        guard case .name(let text) = kind else { return nil }
        return text
    }

    /// The last part of the name: `HOST` of `BuildConfig.HOST`; `nil` for other tokens.
    var lastName: String? { name?.split(separator: ".").last.map { String($0) } }

    /// Whether the token is this character.
    func isMark(_ character: Character) -> Bool { kind == .mark(character) }
}

extension SourceToken {
    /// Divides source code into tokens.
    ///
    /// The `@` of Objective-C's literals is left out, so that `@"a"` is the literal `a`, and `@YES` the name `YES`.
    ///
    /// - Parameter text: The source code.
    /// - Returns: The tokens in their order.
    static func tokens(in text: String) -> [SourceToken] {
        let code = Array(text.utf8)
        var tokens: [SourceToken] = []
        var line = 1
        var index = 0
        while index < code.count {
            let start = index
            let kind = kind(in: code, at: &index)
            if let kind { tokens.append(SourceToken(kind: kind, line: line)) }
            line += code[start..<index].count { $0 == 0x0a }
        }
        return tokens
    }

    /// Reads the token at an index and goes behind it; `nil` for white space and comments.
    private static func kind(in code: [UInt8], at index: inout Int) -> Kind? {
        let rest = code[index...]
        let byte = code[index]
        switch byte {
        case ...0x20, UInt8(ascii: "@"):
            index += 1
            return nil
        case UInt8(ascii: "/") where rest.starts(with: "//".utf8):
            index = rest.firstIndex { $0 == 0x0a || $0 == 0x0d } ?? code.count
            return nil
        case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
            index = rest.dropFirst(2).firstRange(of: Array("*/".utf8))?.upperBound ?? code.count
            return nil
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            return literal(in: code, at: &index)
        case _ where isWord(byte):
            index = wordEnd(in: code, from: index)
            return .name(String(decoding: code[rest.startIndex..<index], as: UTF8.self))
        default:
            index += 1
            return .mark(Character(Unicode.Scalar(byte)))
        }
    }

    /// Reads a literal.
    ///
    /// One that is not closed ends with its line, unless it may have several.
    private static func literal(in code: [UInt8], at index: inout Int) -> Kind {
        let quote = code[index]
        let triple = [quote, quote, quote]
        let isLong = code[index...].starts(with: triple)
        let start = index + (isLong ? 3 : 1)
        if isLong {
            let end = code[start...].firstRange(of: triple)
            index = end?.upperBound ?? code.count
            return .literal(String(decoding: code[start..<(end?.lowerBound ?? code.count)], as: UTF8.self))
        }
        var end = start
        while end < code.count, code[end] != quote, code[end] != 0x0a || quote == UInt8(ascii: "`") {
            end += code[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, code.count)
        index = min(end + 1, code.count)
        return .literal(String(decoding: code[start..<end], as: UTF8.self))
    }

    /// The end of a name, over the dots within: `a.b` is one name, and `a.` is not.
    private static func wordEnd(in code: [UInt8], from start: Int) -> Int {
        var index = start
        while index < code.count {
            let isDot = code[index] == UInt8(ascii: ".")
            guard isWord(code[index]) || (isDot && index + 1 < code.count && isWord(code[index + 1])) else {
                break
            }
            index += 1
        }
        return index
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
