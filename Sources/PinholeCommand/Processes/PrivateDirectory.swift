import Glibc
import PinholeFiles
import PinholeSession

/// A temporary directory that only its owner can enter.
struct PrivateDirectory: Sendable {
    /// The absolute path.
    let path: String

    /// Creates the directory.
    ///
    /// - Parameter name: The beginning of the directory's name.
    /// - Throws: ``CommandFailure`` when it cannot be created.
    init(named name: String = "pinhole-run") throws(CommandFailure) {
        let parent = ProcessEnvironment.variables["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
        // mkdtemp creates with mode 0700.
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(
                "could not make a temporary directory in \(parent): \(String(cString: strerror(errno)))",
                remedy: "set TMPDIR to a directory that can be written"
            )
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The name of the file.
    /// - Returns: The path of the file.
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) -> String {
        let file = "\(path)/\(name)"
        try OutputFile.write(bytes, to: file, isNew: true)
        return file
    }

    /// Creates a directory in this one, for the files that a container sees.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be created.
    func folderForContainer() throws(CommandFailure) -> PrivateDirectory {
        let inner = PrivateDirectory(existing: "\(path)/container")
        guard mkdir(inner.path, 0o700) == 0 else {
            throw CommandFailure(
                "could not make \(inner.path): \(String(cString: strerror(errno)))",
                remedy: "set TMPDIR to a directory that can be written"
            )
        }
        return inner
    }

    /// Lets everybody read the files who sees the directory: a container, whose user is often another one.
    ///
    /// On this machine the directory around it still keeps other users out.
    func makeReadable() throws(CommandFailure) {
        for file in [path] + ((try? Folder.names(in: path)) ?? []).map({ "\(path)/\($0)" }) {
            guard chmod(file, file == path ? 0o755 : 0o644) == 0 else {
                throw CommandFailure("could not make \(file) readable: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Names a directory that exists already.
    init(existing path: String) { self.path = path }

    /// Removes the directory with its content.
    func remove() { Folder.remove(path) }
}
