import CBuildInfo
import PinholeSession

extension ProgramVersion {
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
