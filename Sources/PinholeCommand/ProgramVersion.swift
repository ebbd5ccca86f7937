import CBuildInfo

/// The version of the program, as `pinhole --version` prints it.
enum ProgramVersion {
    /// The number by semantic versioning.
    ///
    /// CHANGELOG.md and debian/changelog begin with the same number; a repository test compares them.
    static let number = "0.1.0"

    /// The number, the commit and the kind of the build in one line.
    static var text: String {
        text(commit: String(cString: pinhole_build_commit()), date: String(cString: pinhole_build_date()))
    }

    /// Returns the line that ``text`` has for one build.
    ///
    /// - Parameters:
    ///   - commit: The commit's abbreviated hash, or nothing if the build was not told.
    ///   - date: The commit's day, or nothing if the build was not told.
    /// - Returns: The line, without an end of line.
    static func text(commit: String, date: String) -> String {
        let source = commit.isEmpty ? "unknown commit" : "commit \(commit)"
        let day = date.isEmpty ? "" : " of \(date)"
        return "pinhole \(number) (\(source)\(day), \(kind) build)"
    }

    private static var kind: String {
        #if DEBUG
        "debug"
        #else
        "release"
        #endif
    }
}
