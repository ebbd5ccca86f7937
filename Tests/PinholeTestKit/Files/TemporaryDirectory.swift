import Foundation

/// A directory of its own for one test, readable by nobody else, removed when it is let go.
///
/// Keep it in a property of the suite, or use `withExtendedLifetime`, where only its path is used.
package final class TemporaryDirectory: Sendable {
    /// The absolute path, without a slash at the end.
    package let path: String

    /// Creates the directory.
    ///
    /// - Parameter prefix: How its name begins.
    /// - Throws: What the system said when it could not be created.
    package init(prefix: String = "pinhole-test") throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/\(prefix).XXXXXX".utf8CString)
        // mkdtemp creates with mode 0700.
        guard mkdtemp(&template) != nil else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of the file called `name` in it, which need not exist.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes `contents` to the file called `name` in it, with mode 0600 where it is new, and returns the file's path.
    @discardableResult
    package func write(_ contents: some Sequence<UInt8>, to name: String) throws -> String {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let isNew = !FileManager.default.fileExists(atPath: url.path)
        try Data(contents).write(to: url)
        if isNew { chmod(url.path, 0o600) }
        return url.path
    }

    /// Writes `text` to the file called `name` in it, and returns the file's path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(text.utf8, to: name)
    }

    /// Writes a script that can be run to the file called `name` in it, and returns the file's path.
    ///
    /// A process of its own writes it. A child that another test begins meanwhile would inherit the open file, and a file
    /// that is open for writing cannot be run.
    @discardableResult
    package func writeScript(_ text: String, to name: String) throws -> String {
        let draft = try write(text, to: "\(name).draft")
        let copy = try Process.run(
            URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", "cat \"$0\" >\"$1\" && chmod 755 \"$1\" && rm \"$0\"", draft, file(name)]
        )
        copy.waitUntilExit()
        guard copy.terminationStatus == 0 else { throw POSIXError(.EIO) }
        return file(name)
    }

    /// The bytes of the file called `name` in it.
    package func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
    }
}
