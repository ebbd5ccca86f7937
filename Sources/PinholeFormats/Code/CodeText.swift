import PinholeModel

/// Literals of programming languages.
///
/// Data of a peer must never become code: quotes, backslashes and unseen characters are escaped.
enum CodeText {
    /// Returns a text in double quotes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - escape: Returns the escape for a character that cannot be seen.
    /// - Returns: The literal; a line break is `\n`, a tab `\t`.
    static func quoted(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.isUnseen: literal += escape(scalar)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// Returns a text for Python and Go, which escape alike.
    static func pythonOrGo(_ text: String) -> String {
        quoted(text) { $0.value > 0xffff ? "\\U" + hexadecimal($0, 8) : "\\u" + hexadecimal($0, 4) }
    }

    /// Returns a text for JavaScript and Swift, which escape alike.
    static func scriptOrSwift(_ text: String) -> String {
        quoted(text) { "\\u{" + String($0.value, radix: 16) + "}" }
    }

    /// Returns a text for C#.
    static func csharp(_ text: String) -> String { pythonOrGo(text) }

    /// Returns a text for Java, which reads `\u` before it looks for quotes and line ends (JLS §3.3).
    static func java(_ text: String) -> String {
        quoted(text) { scalar in
            guard scalar.value > 0xff else {
                return "\\" + String(scalar.value + 0o1000, radix: 8).dropFirst()
            }
            return Character(scalar).utf16.map { "\\u" + leading(String($0, radix: 16), 4) }.joined()
        }
    }

    /// Returns bytes for Python or Go: each character that is not printable ASCII as `\x`.
    static func bytes(_ bytes: [UInt8]) -> String {
        "\""
            + bytes.map { byte in
                switch byte {
                case 0x22, 0x5c: "\\" + String(Character(Unicode.Scalar(byte)))
                case 0x0a: "\\n"
                case 0x20...0x7e: String(Character(Unicode.Scalar(byte)))
                default: "\\x" + leading(String(byte, radix: 16), 2)
                }
            }.joined() + "\""
    }

    /// Returns bytes with one character for each, as clients of JavaScript take values of fields.
    static func latin1(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar, _ count: Int) -> String {
        leading(String(scalar.value, radix: 16), count)
    }

    private static func leading(_ digits: String, _ count: Int) -> String {
        String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
