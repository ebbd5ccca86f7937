import Glibc
import PinholeFiles

/// The file that `SSLKEYLOGFILE` names, in NSS key log format, for Wireshark.
///
/// A reader of the file can decrypt the recorded traffic, so only its owner may read it.
final class KeyLog: Sendable {
    private let descriptor: Int32

    /// Opens the file to append to it.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CommandFailure`` if the file cannot be written, or if other accounts could read or write it.
    init(path: String) throws(CommandFailure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(
                .couldNotRun,
                "could not write SSLKEYLOGFILE \(path): \(String(cString: strerror(errno)))",
                remedy: "unset SSLKEYLOGFILE"
            )
        }
        do throws(FileFault) {
            try FileGuard.current.check(descriptor, path, .secret, holding: "the secrets of TLS sessions")
        } catch {
            throw CommandFailure(.couldNotRun, "SSLKEYLOGFILE: \(error.problem)", remedy: error.remedy)
        }
    }

    deinit { close(descriptor) }

    /// Opens the file that the environment names; `nil` if it names none.
    static func fromEnvironment() throws(CommandFailure) -> KeyLog? {
        guard let value = getenv("SSLKEYLOGFILE"), value.pointee != 0 else { return nil }
        return try KeyLog(path: String(cString: value))
    }

    /// Appends a line.
    ///
    /// Each line is a single `write`, so that lines of several programs do not mix.
    func append(_ line: String) {
        FileDescriptorOutput.write(Array("\(line)\n".utf8), to: descriptor)
    }
}
