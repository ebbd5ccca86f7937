package import Glibc
import Synchronization

/// Reads and writes whole files by their paths.
package enum File {
    /// The kind of a file at a path.
    package enum Kind: Sendable {
        case regular
        case folder
        /// A device, a pipe or a socket.
        case special
    }

    /// The number of replacements so far.
    private static let drafts = Atomic<Int>(0)

    /// Returns the kind of the file at `path`; `nil` if there is none or its status cannot be read.
    package static func kind(of path: String) -> Kind? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .regular
        case S_IFDIR: .folder
        default: .special
        }
    }

    /// Whether something exists at `path`; a symbolic link counts if its target exists.
    package static func exists(at path: String) -> Bool { access(path, F_OK) == 0 }

    /// Reads a file from its beginning, as ``InputFile`` does: a silent pipe or device ends with `ETIMEDOUT`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - count: The number of bytes after which reading stops.
    /// - Returns: The bytes.
    /// - Throws: ``Errno`` if the file cannot be opened or read.
    package static func content(of path: String, upTo count: Int = .max) throws(Errno) -> [UInt8] {
        do throws(InputFailure) {
            let file = try InputFile(path)
            var content: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: min(count, 1 << 16))
            while content.count < count {
                let length = try file.read(into: &piece)
                guard length > 0 else { break }
                content += piece[..<min(length, count - content.count)]
            }
            return content
        } catch {
            throw Errno(code: error.code)
        }
    }

    /// The text of a file in UTF-8; `nil` if it cannot be read.
    package static func text(of path: String) -> String? {
        (try? content(of: path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The file; its old content is replaced.
    ///   - isNew: Whether the file must not exist yet.
    /// - Throws: ``Errno`` if the file cannot be written.
    package static func write(_ bytes: [UInt8], to path: String, isNew: Bool = false) throws(Errno) {
        let flags = O_WRONLY | O_CREAT | O_NOCTTY | (isNew ? O_EXCL : O_TRUNC)
        try Descriptor(opening: path, flags: flags, mode: 0o666).write(bytes)
    }

    /// Replaces the content of a file in one step, so that readers see the old content or the new one.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - path: The file.
    ///   - mode: The permissions of the file, apart from those that the process withholds (umask).
    /// - Throws: ``Errno`` if the file cannot be written.
    package static func replace(_ bytes: [UInt8], at path: String, mode: mode_t = 0o666) throws(Errno) {
        // Two threads of a process may replace the same file.
        let draft = "\(path).\(getpid()).\(drafts.add(1, ordering: .relaxed).newValue).new"
        do throws(Errno) {
            try Descriptor(opening: draft, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, mode: mode).write(
                bytes
            )
            guard rename(draft, path) == 0 else { throw Errno.current }
        } catch {
            unlink(draft)
            throw error
        }
    }
}
