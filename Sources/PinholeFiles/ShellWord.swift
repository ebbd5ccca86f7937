/// Quotes words for shell commands.
package enum ShellWord {
    /// `path` as a shell reads it.
    package static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x3a, 0x40, 0x5f: true
            default: false
            }
        }
        // A leading hyphen would be an option.
        let path = path.hasPrefix("-") ? "./\(path)" : path
        if isPlain, !path.isEmpty { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
