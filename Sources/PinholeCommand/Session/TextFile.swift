import Foundation

/// Small files of text, such as passphrases.
enum TextFile {
    /// The first line of the file at `path`.
    static func firstLine(_ path: String, for purpose: String) throws(CommandFailure) -> String {
        guard let content = FileManager.default.contents(atPath: path), content.count <= 1 << 16 else {
            throw CommandFailure(.couldNotRun, "could not read \(purpose) from \(path)")
        }
        let line = content.prefix { $0 != 0x0a && $0 != 0x0d }
        return String(decoding: line, as: UTF8.self)
    }
}
