import Glibc
import PinholeFiles
import PinholeLock

/// The receivers of TLS secrets in NSS key log format: the file that `SSLKEYLOGFILE` names, and the capture.
///
/// A reader of the secrets can decrypt the recorded traffic, so only the owner of the file may read it.
final class KeyLog: Sendable {
    private let descriptor: Int32?
    /// The capture; the engines that make secrets exist before it.
    private let sink = Lock<TrafficSink?>(nil)

    /// Opens a file to append to it.
    ///
    /// - Parameter path: The file; `nil` if only the capture gets secrets.
    /// - Throws: ``CommandFailure`` if the file cannot be written, or if other accounts could read or write it.
    init(path: String?) throws(CommandFailure) {
        if let path { descriptor = try Self.open(path) } else { descriptor = nil }
    }

    /// Returns the receivers that the environment and the configuration name; `nil` if nobody wants secrets.
    ///
    /// - Parameter keepsSecrets: Whether the capture gets the secrets.
    /// - Returns: The receivers.
    /// - Throws: ``CommandFailure`` as ``init(path:)`` does.
    static func wanted(keepsSecrets: Bool) throws(CommandFailure) -> KeyLog? {
        let value = getenv("SSLKEYLOGFILE").map { String(cString: $0) }
        if let value, !value.isEmpty { return try KeyLog(path: value) }
        return keepsSecrets ? try KeyLog(path: nil) : nil
    }

    private static func open(_ path: String) throws(CommandFailure) -> Int32 {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                "could not write SSLKEYLOGFILE \(path): \(String(cString: strerror(errno)))",
                remedy: "unset SSLKEYLOGFILE"
            )
        }
        do throws(FileFault) {
            try FileGuard.current.check(descriptor, path, .secret, holding: "the secrets of TLS sessions")
        } catch {
            close(descriptor)
            throw CommandFailure("SSLKEYLOGFILE: \(error.problem)", remedy: error.remedy)
        }
        return descriptor
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Passes later secrets to the capture as well.
    func pass(to sink: TrafficSink) { self.sink.withLock { $0 = sink } }

    /// Appends a line.
    ///
    /// Each line is a single `write`, so that lines of several programs do not mix.
    func append(_ line: String) {
        if let descriptor { FileDescriptorOutput.write(Array("\(line)\n".utf8), to: descriptor) }
        sink.withLock(\.self)?.keep(secret: line)
    }
}
