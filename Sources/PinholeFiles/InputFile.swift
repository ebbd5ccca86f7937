import Glibc

/// A file that is open for reading, and that never blocks forever.
///
/// The file may be a pipe: `/dev/stdin`, the `/dev/fd/63` of a shell's `<(…)`, or a FIFO. A FIFO without a writer would
/// never come to its end; it is refused after ``patience``.
package final class InputFile {
    /// The longest silence of a pipe, in seconds.
    package static let patience = 10
    private static let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK

    /// The descriptor, which the file closes.
    package let descriptor: Int32
    private let path: String
    private let patience: Int
    /// Whether the file is a pipe or a FIFO.
    private let isPipe: Bool

    /// Opens the file at `path`, and waits until a pipe has bytes or ends.
    ///
    /// - Parameters:
    ///   - path: The file, which the user names.
    ///   - patience: The longest silence of a pipe, in seconds.
    /// - Throws: ``InputFailure`` if there is no file, it is a folder, or a pipe has no writer.
    package convenience init(_ path: String, patience: Int = InputFile.patience) throws(InputFailure) {
        let descriptor = open(path, Self.flags)
        guard descriptor >= 0 else { throw InputFailure(path, .current) }
        try self.init(descriptor, path, patience: patience)
    }

    /// Opens the file at `path`, unless it is a symbolic link.
    ///
    /// - Parameter path: The file, which the user names.
    /// - Returns: The file; `nil` for a symbolic link.
    /// - Throws: ``InputFailure`` as for ``init(_:patience:)``.
    static func withoutLink(_ path: String) throws(InputFailure) -> InputFile? {
        let descriptor = open(path, flags | O_NOFOLLOW)
        guard descriptor >= 0 else {
            guard errno != ELOOP else { return nil }
            throw InputFailure(path, .current)
        }
        return try InputFile(descriptor, path)
    }

    /// Takes over an open file, and waits until a pipe has bytes or ends.
    init(
        _ descriptor: Int32,
        _ path: String,
        patience: Int = InputFile.patience
    ) throws(InputFailure) {
        self.descriptor = descriptor
        self.path = path
        self.patience = patience
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        isPipe = kind == S_IFIFO
        guard kind != S_IFDIR else { throw InputFailure(path, Errno(code: EISDIR)) }
        if isPipe { try wait() }
        // Terminals are read at the pace of people, and pipes once their writer is known.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// The largest file of certificates and other evidence; larger ones hold none.
    package static let evidenceBytes = 64 << 20

    /// Reads the file at `path`, which the user names.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes that it may have.
    /// - Returns: Its content.
    /// - Throws: ``InputFailure`` if there is no file, it is a folder, it is too large, or it is a pipe without a
    ///   writer.
    package static func content(of path: String, limit: Int = 4 << 20) throws(InputFailure) -> [UInt8] {
        try InputFile(path).content(limit: limit)
    }

    /// Reads to the end.
    ///
    /// - Parameter limit: The most bytes that the file may have.
    /// - Returns: The content.
    /// - Throws: ``InputFailure`` when there are more, or a pipe is silent.
    package func content(limit: Int) throws(InputFailure) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if isPipe { try wait() }
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return content }
            if count > 0 {
                content += chunk[..<count]
            } else if errno != EINTR {
                throw InputFailure(path, .current)
            }
            guard content.count <= limit else {
                throw InputFailure("expected \(path) to have at most \(limit) bytes")
            }
        }
    }

    private func wait() throws(InputFailure) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&entry, 1, Int32(clamping: patience * 1000))
            if count > 0 { return }
            guard count < 0 else {
                throw InputFailure(
                    "could not read \(path): it is a pipe, and nobody wrote into it for \(patience) s"
                )
            }
            guard errno == EINTR else { throw InputFailure(path, .current) }
        }
    }
}

/// The reason why a file that the user names cannot be read.
package struct InputFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure in one or two sentences, with the path.
    package let description: String

    init(_ description: String) { self.description = description }

    /// Creates the failure of a system call.
    init(_ path: String, _ error: Errno) {
        let reason =
            switch error.code {
            case ENOENT, ENOTDIR: "there is no such file"
            case EACCES, EPERM: "it may not be read"
            case EISDIR: "it is a folder; name a file in it"
            default: error.description
            }
        self.init("could not read \(path): \(reason)")
    }
}
