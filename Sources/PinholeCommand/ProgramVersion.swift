import CBuildInfo
import PinholeCrypto
import PinholeSession

extension ProgramVersion {
    /// The number, the commit, the kind of the build, and the TLS library that the program runs with, in one line.
    static var text: String {
        text(
            commit: String(cString: pinhole_build_commit()),
            date: String(cString: pinhole_build_date()),
            library: TLSLibrary.version
        )
    }

    /// Returns the line that ``text`` has for one build.
    ///
    /// - Parameters:
    ///   - commit: The commit's abbreviated hash, or nothing if the build was not told.
    ///   - date: The commit's day, or nothing if the build was not told.
    ///   - library: The TLS library with its version.
    ///   - kind: The configuration of the build.
    /// - Returns: The line, without an end of line.
    static func text(commit: String, date: String, library: String, kind: String = kind) -> String {
        let source = commit.isEmpty ? "unknown commit" : "commit \(commit)"
        let day = date.isEmpty ? "" : " of \(date)"
        return "pinhole \(number) (\(source)\(day), \(kind) build), \(library)"
    }

    private static var kind: String {
        #if DEBUG
        "debug"
        #else
        "release"
        #endif
    }
}
