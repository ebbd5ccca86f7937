import Foundation

/// A temporary directory that nobody else can enter.
struct PrivateDirectory: Sendable {
    /// The absolute path.
    let path: String

    /// Creates the directory.
    ///
    /// - Parameter name: How its name begins.
    /// - Throws: ``CommandFailure`` when it cannot be created.
    init(named name: String = "pinhole-run") throws(CommandFailure) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/\(name).XXXXXX".utf8CString)
        // mkdtemp creates with mode 0700.
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                .couldNotRun,
                "could not make a temporary directory in \(parent): \(String(cString: strerror(errno)))",
                remedy: "set TMPDIR to a directory that can be written"
            )
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - bytes: Its content.
    ///   - name: Its name.
    /// - Returns: Its path.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) -> String {
        let file = "\(path)/\(name)"
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch {
            throw CommandFailure(.couldNotRun, "could not write \(file): \(error.localizedDescription)")
        }
        return file
    }

    /// Removes the directory and what is in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
