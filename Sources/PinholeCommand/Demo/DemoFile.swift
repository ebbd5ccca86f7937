import Glibc

/// A file that the demo writes.
enum DemoFile {
    /// Creates the file at `path`, readable by its owner alone, and hands its descriptor to `fill`.
    ///
    /// - Parameters:
    ///   - path: The file; one that exists is replaced.
    ///   - fill: Writes.
    /// - Returns: What `fill` returns.
    /// - Throws: ``DemoFailure`` when the file cannot be made; what `fill` throws.
    static func write<Result>(_ path: String, _ fill: (Int32) throws -> Result) throws -> Result {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DemoFailure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return try fill(descriptor)
    }
}
