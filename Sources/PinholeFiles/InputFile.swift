import Glibc

/// A file that is open for reading, and that never blocks forever.
///
/// The file may be a pipe: `/dev/stdin`, the `/dev/fd/63` of a shell's `<(…)`, or a FIFO. A FIFO without a writer, or a
/// device that has nothing to say, would never come to its end; it is refused after ``patience``. The terminal of the
/// user is read at the pace of people.
package final class InputFile {
    /// The longest silence of a pipe or a device, in seconds.
    package static let patience = 10
    private static let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK

    /// The descriptor, which the file closes.
    package let descriptor: Int32
    private let path: String
    /// The longest silence in seconds; `nil` for a file that may be silent for any time.
    private var patience: Int?
    private let kind: mode_t

    /// Opens the file at `path`, and waits until a pipe has bytes or ends.
    ///
    /// - Parameters:
    ///   - path: The file, which the user names.
    ///   - patience: The longest silence of a pipe or a device, in seconds.
    ///   - isStream: Whether a pipe that a shell made may be silent for any time; it ends with its writer.
    /// - Throws: ``InputFailure`` if there is no file, it is a folder, or nothing comes from a pipe or a device.
    package convenience init(
        _ path: String,
        patience: Int = InputFile.patience,
        asStream isStream: Bool = false
    ) throws(InputFailure) {
        let descriptor = open(path, Self.flags)
        guard descriptor >= 0 else { throw InputFailure(path, .current) }
        try self.init(descriptor, path, patience: patience, asStream: isStream)
    }

    /// Reads standard input, which may be silent for any time.
    ///
    /// - Throws: ``InputFailure`` if there is none, or it is a folder.
    package static func standardInput() throws(InputFailure) -> InputFile {
        let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw InputFailure("-", .current) }
        return try InputFile(descriptor, "-", patience: nil)
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
        patience: Int? = InputFile.patience,
        asStream isStream: Bool = false
    ) throws(InputFailure) {
        self.descriptor = descriptor
        self.path = path
        let status = Self.status(of: descriptor)
        kind = status.st_mode & S_IFMT
        let mayBeSilent = Self.isOwnTerminal(descriptor, status) || isStream && Self.isOfShell(descriptor)
        self.patience = mayBeSilent ? nil : patience
        guard kind != S_IFDIR else { throw InputFailure(path, Errno(code: EISDIR)) }
        try wait()
        // A writer that has begun to write into a stream may pause.
        if isStream, kind == S_IFIFO { self.patience = nil }
        // Each read waits for bytes before.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    deinit { close(descriptor) }

    private static func status(of descriptor: Int32) -> stat {
        var status = stat()
        _ = fstat(descriptor, &status)
        return status
    }

    /// Whether the file is the terminal at which the user started the program.
    private static func isOwnTerminal(_ descriptor: Int32, _ status: stat) -> Bool {
        // The terminal has several names, and one session.
        if tcgetsid(descriptor) == getsid(0) { return true }
        guard isatty(descriptor) == 1, isatty(STDIN_FILENO) == 1 else { return false }
        return self.status(of: STDIN_FILENO).st_rdev == status.st_rdev
    }

    /// Whether the file is a pipe without a name, which has a writer or is at its end.
    private static func isOfShell(_ descriptor: Int32) -> Bool {
        FilePath.target(ofLink: "/proc/self/fd/\(descriptor)")?.hasPrefix("pipe:") ?? false
    }

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
            let count = try read(into: &chunk)
            if count == 0 { return content }
            content += chunk[..<count]
            guard content.count <= limit else {
                throw InputFailure("expected \(path) to have at most \(limit) bytes")
            }
        }
    }

    /// Reads the next bytes.
    ///
    /// - Parameter bytes: The place for them.
    /// - Returns: Their number; 0 at the end.
    /// - Throws: ``InputFailure`` if the file cannot be read, or a pipe or a device is silent.
    package func read(into bytes: inout [UInt8]) throws(InputFailure) -> Int {
        while true {
            try wait()
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw InputFailure(path, .current) }
        }
    }

    /// Waits until the next read does not block.
    private func wait() throws(InputFailure) {
        guard kind != S_IFREG else { return }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&entry, 1, patience.map { Int32(clamping: $0 * 1000) } ?? -1)
            if count > 0 { return }
            guard count < 0 else {
                let what =
                    kind == S_IFIFO
                    ? "a pipe, and nobody wrote into it" : "a device, and nothing came from it"
                throw InputFailure(
                    path,
                    reason: "it is \(what) for \(patience ?? 0) s",
                    Errno(code: ETIMEDOUT)
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
    /// The failure without the path.
    package let reason: String
    /// The number of the system's error, or the nearest to a failure that the system did not report.
    let code: Int32

    init(_ description: String) {
        (self.description, reason, code) = (description, description, EFBIG)
    }

    init(_ path: String, reason: String, _ cause: Errno) {
        description = "could not read \(path): \(reason)"
        self.reason = reason
        self.code = cause.code
    }

    init(_ path: String, _ error: Errno) {
        let reason =
            switch error.code {
            case ENOENT, ENOTDIR: "there is no such file"
            case EACCES, EPERM: "it may not be read"
            case EISDIR: "it is a folder; name a file in it"
            default: error.description
            }
        self.init(path, reason: reason, error)
    }
}
