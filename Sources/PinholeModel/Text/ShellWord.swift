/// Quotes words for a POSIX shell (POSIX.1-2017, Shell Command Language §2.2).
///
/// Data of a peer must never become a command. Text that can be read, tab and newline are written in single quotes, in
/// which only the quote itself is special. Other bytes are written by `printf`, so no terminal receives control characters,
/// and none that change the direction of text.
package enum ShellWord {
    /// Quotes a path.
    package static func quoted(_ path: String) -> String {
        // A shell command would take a leading hyphen for an option.
        word((path.hasPrefix("-") ? "./\(path)" : path).utf8)
    }

    /// Quotes a command: its program and its arguments.
    package static func command(_ words: [String]) -> String {
        words.map { word($0.utf8) }.joined(separator: " ")
    }

    /// Returns the word for `bytes`, which must not contain NUL, because no argument can.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8, or other bytes.
    ///   - plain: More characters for which the word needs no quotes.
    /// - Returns: The word.
    package static func word(_ bytes: some Sequence<UInt8>, plain: String = "") -> String {
        let bytes = Array(bytes)
        guard !bytes.isEmpty else { return "''" }
        if bytes.allSatisfy({ isPlain($0) || plain.utf8.contains($0) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        if isReadable(bytes) { return quoted(bytes[...]) }
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            let isQuotable = isQuotable(first)
            let run = rest.prefix { self.isQuotable($0) == isQuotable }
            rest = rest.dropFirst(run.count)
            text += isQuotable ? quoted(run) : octal(run)
        }
        return text
    }

    /// Returns the number of `bytes` that need an escape of several characters.
    package static func escapeCount(_ bytes: [UInt8]) -> Int {
        isReadable(bytes) ? 0 : bytes.count { !isQuotable($0) }
    }

    /// Whether bytes are text that stands in quotes as it is.
    private static func isReadable(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { !$0.isUnseen || $0 == "\n" || $0 == "\t" }
    }

    private static func quoted(_ run: ArraySlice<UInt8>) -> String {
        "'" + String(decoding: run, as: UTF8.self).replacing("'", with: #"'\''"#) + "'"
    }

    /// Writes a run by `printf`; it contains no newline, so the command substitution removes nothing.
    private static func octal(_ run: ArraySlice<UInt8>) -> String {
        let digits = run.map { byte in #"\"# + String(Int(byte) + 0o1000, radix: 8).dropFirst() }.joined()
        return #""$(printf '\#(digits)')""#
    }

    private static func isQuotable(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) || byte == 0x09 || byte == 0x0a
    }

    /// Whether a byte needs no quotes anywhere in a word.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x2f, 0x3a, 0x5f, 0x2c, 0x40, 0x2b: true
        default: false
        }
    }
}
