import Glibc

/// Why the files of an authority cannot be used, and what mends them.
package struct AuthorityFailure: Error, Equatable, CustomStringConvertible {
    /// What is wrong, with the path; a sentence without the final period.
    package let problem: String
    /// The shell command that mends it; `nil` where there is none.
    package let remedy: String?

    /// Creates a failure.
    package init(_ problem: String, remedy: String? = nil) {
        self.problem = problem
        self.remedy = remedy
    }

    init(_ attempt: String, _ path: String, _ error: Errno) {
        self.init("could not \(attempt) \(path): \(error)")
    }

    /// The problem and the remedy.
    package var description: String { remedy.map { "\(problem); to mend it: \($0)" } ?? problem }

    /// `path` as one word of a shell command.
    static func shellWord(_ path: String) -> String {
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
