/// Quotes words for shell commands.
package enum ShellWord {
    /// Quotes `path` for a shell.
    package static func quoted(_ path: String) -> String {
        // A shell command would take a leading hyphen for an option.
        word(path.hasPrefix("-") ? "./\(path)" : path)
    }

    /// Quotes a command for a shell.
    ///
    /// - Parameter words: The program and its arguments.
    /// - Returns: The words, each quoted if necessary.
    package static func command(_ words: [String]) -> String {
        words.map(word).joined(separator: " ")
    }

    private static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x3a, 0x40, 0x5f: true
            default: false
            }
        }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
