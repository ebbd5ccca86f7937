import Glibc
import PinholeFiles

/// Names and removes the temporary files beside a capture during an import or an export.
///
/// The process that makes such a file holds a lock on it. A file without a lock was left by a killed process,
/// and is removed when a process works with the capture again.
package enum ScratchFile {
    /// The purpose of a file.
    package enum Purpose: String, CaseIterable, Sendable {
        /// The file was received, and is imported.
        case `import`
        /// The file was made for an export, and is sent to a client.
        case export
    }

    /// The endings of a database and of the files that SQLite puts beside it.
    private static let companions = ["", "-wal", "-shm", "-journal"]

    /// Returns a path that no other file has.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the file.
    ///   - capture: The capture beside which the file is stored.
    /// - Returns: The path.
    package static func path(for purpose: Purpose, beside capture: String) -> String {
        "\(capture).\(purpose)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Removes a file, and the files that SQLite put beside it.
    package static func remove(_ path: String) {
        for ending in companions { unlink(path + ending) }
    }

    /// Removes the files beside a capture that a killed process left.
    package static func removeAbandoned(beside capture: String) {
        let folder = FilePath.folder(of: capture)
        let last = capture.utf8.dropFirst(folder.utf8.count).drop { $0 == UInt8(ascii: "/") }
        let beginnings = Purpose.allCases.map { "\(String(decoding: last, as: UTF8.self)).\($0)-" }
        for name in (try? Folder.names(in: folder.isEmpty ? "." : folder)) ?? [] {
            guard let beginning = beginnings.first(where: { name.hasPrefix($0) }),
                UInt64(name.dropFirst(beginning.count), radix: 36) != nil
            else { continue }
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }
}
