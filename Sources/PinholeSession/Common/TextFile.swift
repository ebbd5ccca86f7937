import PinholeFiles
import PinholeModel

/// Small files of text, such as passphrases.
package enum TextFile {
    /// Returns the first line of the file at `path`.
    package static func firstLine(_ path: String, for purpose: String) throws(CommandFailure) -> String {
        try lines(path, for: purpose, limit: 1 << 16).first ?? ""
    }

    /// Returns the lines of the file at `path`.
    package static func lines(
        _ path: String,
        for purpose: String,
        limit: Int = 1 << 20
    ) throws(CommandFailure) -> [String] {
        let content = try CommandFailure.wrapping("no line for \(purpose)") {
            try InputFile.content(of: path, limit: limit)
        }
        return content.split(omittingEmptySubsequences: false) { $0 == 0x0a || $0 == 0x0d }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
