import Glibc
import PinholeFiles

/// The preparations before a capture is opened for writing.
package enum NewCapture {
    /// Creates the state directory if the capture lies in it, and keeps a new capture out of git.
    ///
    /// The console of a new capture gets a new token, because the creator of the folder may know the old one.
    ///
    /// - Parameters:
    ///   - file: The capture.
    ///   - places: The user's directories.
    /// - Returns: A warning for the user; `nil` if there is none.
    /// - Throws: ``CommandFailure`` when the state directory cannot be used.
    package static func prepare(
        _ file: String,
        in places: Places = Places()
    ) throws(CommandFailure) -> String? {
        let folder = FilePath.folder(of: file)
        if access(file, F_OK) != 0, errno == ENOENT { unlink("\(file).token") }
        if let state = try? places.stateDirectory(), folder == state {
            try places.makeStateDirectory()
            return nil
        }
        guard !File.exists(at: file) else { return nil }
        return GitIgnore.cover(file)
    }
}

/// Keeps a file out of `git add`.
///
/// Pinhole does not run git, because the settings of a foreign checkout can make git run programs.
enum GitIgnore {
    /// Makes a `.gitignore` beside a file in a checkout, unless one covers the file already.
    ///
    /// - Parameter file: The file; the files that Pinhole puts beside it begin with its name.
    /// - Returns: A remedy for the user if the `.gitignore` does not cover the file; otherwise `nil`.
    static func cover(_ file: String) -> String? {
        let path = FilePath.absolute(file)
        let name = FilePath.name(of: path)
        let folder = FilePath.real(FilePath.folder(of: path))
        guard let root = checkout(of: folder), !isCovered(name, in: folder, below: root) else { return nil }
        let text = """
            # Made by Pinhole: a capture holds passwords and cookies.
            /.gitignore
            /\(escaped(name))*

            """
        let descriptor = open(
            "\(folder)/.gitignore",
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
            0o644
        )
        if descriptor >= 0 {
            FileDescriptorOutput.write(Array(text.utf8), to: descriptor)
            close(descriptor)
            return nil
        }
        return "git would add \(file), which holds passwords and cookies; add this line to "
            + "\(folder)/.gitignore: /\(escaped(name))*"
    }

    /// Returns `folder` or the nearest folder above it that contains `.git`; `nil` if there is none.
    private static func checkout(of folder: String) -> String? {
        var folder = folder
        while true {
            if File.exists(at: "\(folder)/.git") { return folder }
            guard folder != "/", !folder.isEmpty else { return nil }
            folder = FilePath.folder(of: folder)
        }
    }

    private static func isCovered(_ name: String, in folder: String, below root: String) -> Bool {
        var patterns: [String] = []
        var current = folder
        while true {
            let text = File.text(of: "\(current)/.gitignore") ?? ""
            for line in text.split(whereSeparator: \.isNewline) {
                var pattern = line.trimmed
                // A pattern that begins with a slash matches only in the folder of its `.gitignore`.
                if pattern.hasPrefix("/"), current == folder { pattern.removeFirst() }
                if !pattern.contains("/"), !pattern.hasPrefix("#") { patterns.append(pattern) }
            }
            guard current != root else { break }
            current = FilePath.folder(of: current)
        }
        // SQLite's journals and the token of the console lie beside a capture.
        return ["", "-wal", "-shm", ".token"].allSatisfy { suffix in
            patterns.contains { fnmatch($0, name + suffix, FNM_PERIOD) == 0 }
        }
    }

    private static func escaped(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            if "\\*?[]!# ".contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}
