import Glibc

/// A file whose content is replaced atomically.
struct FileReplacement {
    /// The path of the file; for a symbolic link, the path of its target.
    private let path: String
    /// Whether the path is a symbolic link without a target.
    private let isDangling: Bool
    /// The maximum size in bytes, which no configuration exceeds.
    private static let most = 16 << 20

    /// Prepares the replacement of the file at `path`.
    init(path: String) {
        var resolved = path
        if let real = realpath(path, nil) {
            resolved = String(cString: real)
            free(real)
        }
        var facts = stat()
        isDangling = lstat(resolved, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
        self.path = resolved
    }

    /// Reads the content of the file; `nil` if the file does not exist.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read.
    func content() throws(CommandFailure) -> [UInt8]? {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("be read")
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw failure("be read") }
            guard count > 0 else { return content }
            content += piece.prefix(count)
            guard content.count <= Self.most else {
                throw CommandFailure("\(path) has more than \(Self.most) bytes")
            }
        }
    }

    /// Replaces the content of the file.
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - old: The content that the caller has read; `nil` if the file did not exist.
    /// - Throws: ``CommandFailure`` if the content has changed since then, or if writing fails; the old file stays.
    func write(_ bytes: [UInt8], replacing old: [UInt8]?) throws(CommandFailure) {
        guard !isDangling else {
            throw CommandFailure(
                "\(path) is a symbolic link to a file that is not there",
                remedy: "make that file, or remove the link"
            )
        }
        var facts = stat()
        let exists = stat(path, &facts) == 0
        // The file may contain a password, so a new one is readable only by its owner.
        let mode = exists ? facts.st_mode & 0o7777 : 0o600
        var template = Array("\(path).XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure("be written") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        defer { close(descriptor) }
        let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        do throws(CommandFailure) {
            guard FileDescriptorOutput.write(bytes, to: descriptor) else { throw failure("be written") }
            if exists, facts.st_uid != geteuid() || facts.st_gid != getegid() {
                guard fchown(descriptor, facts.st_uid, facts.st_gid) == 0 else {
                    throw failure("keep its owner")
                }
            }
            guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else { throw failure("be written") }
            guard try content() == old else {
                throw CommandFailure("\(path) was changed by somebody else at this moment")
            }
            guard rename(temporary, path) == 0 else { throw failure("be written") }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure("\(path) cannot \(what): \(String(cString: strerror(errno)))")
    }
}
