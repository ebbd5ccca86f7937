import CFiles
import Glibc

/// A folder that stays open, so that another folder in its place changes nothing.
final class FolderHandle: Sendable {
    /// The descriptor, open for names alone (`O_PATH`).
    let number: Int32
    /// The paths of the folder from the root directory: with symbolic links resolved, and as the user named it.
    let paths: [String]

    /// Opens a folder that the user names.
    init(_ path: String) throws(Errno) {
        let number = open(path.isEmpty ? "." : path, pinhole_names_alone | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Errno.current }
        self.number = number
        paths = [FilePath.real(path), FilePath.absolute(path)]
    }

    /// Opens a folder beside this one; a symbolic link is refused.
    init(_ name: String, besides folder: FolderHandle) throws(Errno) {
        let parent = try FolderHandle("..", in: folder.number, path: FilePath.folder(of: folder.paths[0]))
        number = try Self.opened(name, in: parent.number, pinhole_names_alone | O_DIRECTORY | O_NOFOLLOW)
        paths = [parent.paths[0] + (parent.paths[0].hasSuffix("/") ? name : "/\(name)")]
    }

    /// Opens an entry of a folder without following a symbolic link.
    init(_ name: String, in folder: Int32, path: String = "") throws(Errno) {
        number = try Self.opened(name, in: folder, pinhole_names_alone | O_NOFOLLOW)
        paths = [path]
    }

    deinit { close(number) }

    private static func opened(_ name: String, in folder: Int32, _ flags: Int32) throws(Errno) -> Int32 {
        let number = openat(folder, name, flags | O_CLOEXEC)
        guard number >= 0 else { throw Errno.current }
        return number
    }

    /// The kind of file, `S_IFREG` and so on; 0 if the system does not say it.
    var kind: mode_t {
        var status = stat()
        return fstat(number, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    /// The text of a symbolic link that this handle is open for.
    var target: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(number, "", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Opens a file below the folder by openat2(2), which leaves the folder by no name and no link.
    ///
    /// - Throws: ``Errno``: EXDEV if the name leads out, ENOSYS or EPERM where the call is missing or forbidden.
    func opened(beneath name: String, _ flags: Int32) throws(Errno) -> Descriptor {
        // The call gives up when something is renamed at the same time.
        for _ in 0..<8 {
            let number = pinhole_open_beneath(self.number, name, flags | O_CLOEXEC)
            if number >= 0 { return Descriptor(number) }
            guard errno == EAGAIN || errno == EINTR else { throw Errno.current }
        }
        throw Errno(code: EXDEV)
    }
}
