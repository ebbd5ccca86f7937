import Glibc
import PinholeFiles
package import PinholeRuntime

/// The file beside a capture that says where the console of the recording proxy is.
package enum ConsoleAnnouncement {
    /// The second line of the file of a console whose proxy serves one program only.
    private static let ofRun = "run"

    /// Returns the file beside a capture.
    package static func path(beside capture: String) -> String { "\(capture).console" }

    /// Writes the address of a capture's console into a file that only its user can read.
    ///
    /// - Parameters:
    ///   - address: The address of the console.
    ///   - capture: The file of the capture, beside which the address is written.
    ///   - isOfRun: Whether the proxy serves one program only, and ends with it.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    package static func announce(
        _ address: SocketAddress,
        beside capture: String,
        isOfRun: Bool
    ) throws(CommandFailure) {
        let file = path(beside: capture)
        unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        let line = Array("\(address)\n\(isOfRun ? "\(ofRun)\n" : "")".utf8)
        guard descriptor >= 0, write(descriptor, line, line.count) == line.count else {
            throw CommandFailure(
                "could not write where the console is, to \(file): \(String(cString: strerror(errno)))",
                remedy: "make the folder writable, or go without: --console none"
            )
        }
        close(descriptor)
    }

    /// Removes the file with the address.
    package static func withdraw(beside capture: String) { unlink(path(beside: capture)) }

    /// Whether a proxy with a console records into a capture, and other programs can join it.
    package static func canBeJoined(beside capture: String) -> Bool {
        guard let text = File.text(of: path(beside: capture)) else { return false }
        return text.split(separator: "\n").dropFirst().first.map(String.init) != ofRun
    }
}
