import Glibc

/// A file that the demo writes.
enum DemoFile {
    /// Creates the file at `path`, readable by its owner alone, and hands its descriptor to `fill`.
    ///
    /// - Parameters:
    ///   - path: The file; an existing file is replaced.
    ///   - fill: Writes the content to the descriptor.
    /// - Returns: The result of `fill`.
    /// - Throws: ``DemoFailure`` if the file cannot be created; the errors of `fill`.
    static func write<Result>(_ path: String, _ fill: (Int32) throws -> Result) throws -> Result {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DemoFailure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return try fill(descriptor)
    }
}
