/// Bytes as one word of a POSIX shell (POSIX.1-2017, Shell Command Language §2.2).
///
/// What a peer sent must never become a command. Printable ASCII, tab and newline stand in single quotes, in which
/// nothing is special but the quote itself. Every other byte is made by `printf`, so that no
/// terminal is handed control characters and no locale can read the bytes as something else.
package enum ShellQuoting {
    /// The word for `bytes`; it must hold no NUL, which no argument can carry.
    package static func word(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        guard !bytes.isEmpty else { return "''" }
        if bytes.allSatisfy(isPlain) { return String(decoding: bytes, as: UTF8.self) }
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

    /// How many of `bytes` need an escape of several characters.
    package static func escapeCount(_ bytes: [UInt8]) -> Int { bytes.count { !isQuotable($0) } }

    private static func quoted(_ run: ArraySlice<UInt8>) -> String {
        "'" + String(decoding: run, as: UTF8.self).replacing("'", with: #"'\''"#) + "'"
    }

    /// A run holds no newline, of which a command substitution would drop the last ones.
    private static func octal(_ run: ArraySlice<UInt8>) -> String {
        let digits = run.map { byte in #"\"# + String(Int(byte) + 0o1000, radix: 8).dropFirst() }.joined()
        return #""$(printf '\#(digits)')""#
    }

    private static func isQuotable(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) || byte == 0x09 || byte == 0x0a
    }

    /// Needs no quotes wherever it stands in a word.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x2f, 0x3a, 0x5f, 0x2c, 0x40, 0x2b: true
        default: false
        }
    }
}
