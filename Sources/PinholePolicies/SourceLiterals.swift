/// The string literals of Kotlin or Java source code that are no part of a comment.
enum SourceLiterals {
    /// Finds the literals.
    ///
    /// - Parameter text: The source code.
    /// - Returns: The literals in their order.
    static func literals(in text: String) -> [SourceLiteral] {
        let code = Array(text.utf8)
        var literals: [SourceLiteral] = []
        var lead: [UInt8] = []
        var line = 1
        var counted = 0
        var index = 0
        while index < code.count {
            switch code[index] {
            case UInt8(ascii: "\""):
                let end = closing(code, from: index)
                line += code[counted..<index].count { $0 == 0x0a }
                counted = index
                literals.append(
                    SourceLiteral(
                        text: String(decoding: code[(index + 1)..<end], as: UTF8.self),
                        line: line,
                        lead: trimmed(lead)
                    )
                )
                lead = []
                index = end + 1
            case UInt8(ascii: "'"):
                index = afterCharacter(code, from: index)
            case UInt8(ascii: "/") where code[index...].starts(with: "//".utf8):
                index = code[index...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? code.count
            case UInt8(ascii: "/") where code[index...].starts(with: "/*".utf8):
                index = afterComment(code, from: index)
            default:
                lead.append(code[index])
                index += 1
            }
        }
        return literals
    }

    private static func trimmed(_ code: [UInt8]) -> String {
        let start = code.drop { $0 <= 0x20 }
        let text = start.reversed().drop { $0 <= 0x20 }.reversed()
        return String(decoding: text, as: UTF8.self)
    }

    /// Finds the quotation mark that ends the literal; the end of the code if there is none.
    private static func closing(_ code: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < code.count, code[index] != UInt8(ascii: "\"") {
            index += code[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, code.count)
    }

    /// Behind a character literal: `'"'` begins no string.
    private static func afterCharacter(_ code: [UInt8], from start: Int) -> Int {
        let isEscaped = code[start...].dropFirst().first == UInt8(ascii: "\\")
        let end = start + (isEscaped ? 3 : 2)
        return end < code.count && code[end] == UInt8(ascii: "'") ? end + 1 : start + 1
    }

    private static func afterComment(_ code: [UInt8], from start: Int) -> Int {
        var index = start + 2
        while index < code.count, !code[index...].starts(with: "*/".utf8) { index += 1 }
        return min(index + 2, code.count)
    }
}
