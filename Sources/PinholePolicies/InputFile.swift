import Glibc
package import PinholeTrust

/// A file that is open for reading, and that never blocks forever.
///
/// The file may be a pipe: `/dev/stdin`, the `/dev/fd/63` of a shell's `<(…)`, or a FIFO. A FIFO without a writer would
/// never come to its end; it is refused after ``patience``.
package final class InputFile {
    /// The longest silence of a pipe, in seconds.
    package static let patience = 10

    /// The descriptor, which the file closes.
    package let descriptor: Int32
    private let path: String
    private let patience: Int
    /// Whether the file is a pipe or a FIFO.
    private let isPipe: Bool

    /// Opens the file at `path`, and waits until a pipe has bytes or ends.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - patience: The longest silence of a pipe, in seconds.
    /// - Throws: ``PolicyFailure`` if there is no file, it is a folder, or a pipe has no writer.
    package init(_ path: String, patience: Int = InputFile.patience) throws(PolicyFailure) {
        let opened = try Self.opened(path)
        descriptor = opened.descriptor
        isPipe = opened.isPipe
        self.path = path
        self.patience = patience
        if isPipe { try wait() }
        // Terminals are read at the pace of people, and pipes once their writer is known.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    private static func opened(_ path: String) throws(PolicyFailure) -> (descriptor: Int32, isPipe: Bool) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            let error = errno
            close(descriptor)
            guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(path, error) }
            throw PolicyFailure("could not read \(path): it is a folder; name a file in it")
        }
        return (descriptor, status.st_mode & S_IFMT == S_IFIFO)
    }

    deinit { close(descriptor) }

    /// Reads to the end.
    ///
    /// - Parameter limit: The most bytes that the file may have.
    /// - Returns: The content.
    /// - Throws: ``PolicyFailure`` when there are more, or a pipe is silent.
    package func content(limit: Int) throws(PolicyFailure) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if isPipe { try wait() }
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return content }
            if count > 0 {
                content += chunk[..<count]
            } else if errno != EINTR {
                throw Self.failure(path, errno)
            }
            guard content.count <= limit else {
                throw PolicyFailure("expected \(path) to have at most \(limit) bytes")
            }
        }
    }

    private func wait() throws(PolicyFailure) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&entry, 1, Int32(clamping: patience * 1000))
            if count > 0 { return }
            guard count < 0 else {
                throw PolicyFailure(
                    "could not read \(path): it is a pipe, and nobody wrote into it for \(patience) s"
                )
            }
            guard errno == EINTR else { throw Self.failure(path, errno) }
        }
    }

    private static func failure(_ path: String, _ error: Int32) -> PolicyFailure {
        let reason =
            switch error {
            case ENOENT, ENOTDIR: "there is no such file"
            case EACCES, EPERM: "it may not be read"
            default: strerror(error).map { String(cString: $0) } ?? "error \(error)"
            }
        return PolicyFailure("could not read \(path): \(reason)")
    }
}
