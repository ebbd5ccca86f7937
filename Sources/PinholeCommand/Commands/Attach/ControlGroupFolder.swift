import CLinux
import Glibc
import PinholeFiles

/// The open folder of a cgroup: root writes to no file and removes no folder of another file system.
struct ControlGroupFolder: ~Copyable {
    /// The time between two attempts to remove a cgroup, in microseconds.
    private static let pause: UInt32 = 50_000

    private let folder: Descriptor

    /// Opens the folder of a cgroup.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - directory: The open folder to which the path is relative.
    /// - Throws: ``Errno`` if the folder cannot be opened; `ENOTSUP` if it is no cgroup of the unified hierarchy.
    init(_ path: String, in directory: Int32 = AT_FDCWD) throws(Errno) {
        let folder = try Descriptor(opening: path, in: directory, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard pinhole_is_cgroup(folder.number) != 0 else { throw Errno(code: ENOTSUP) }
        self.folder = folder
    }

    /// Makes a cgroup in this one.
    ///
    /// - Throws: ``Errno`` if it cannot be made, or exists already.
    func make(_ name: String) throws(Errno) {
        guard mkdirat(folder.number, name, 0o755) == 0 else { throw Errno.current }
    }

    /// Moves a process into this cgroup; a process that has ended meanwhile needs no move.
    func move(_ process: Int32) throws(Errno) {
        let file = try Descriptor(opening: Self.file, in: folder.number, flags: O_WRONLY | O_NOFOLLOW)
        do throws(Errno) {
            try file.write(Array("\(process)".utf8))
        } catch {
            guard error.code == ESRCH else { throw error }
        }
    }

    /// The numbers of the processes in this cgroup.
    private var processes: [Int32] {
        get throws(Errno) {
            let file = try Descriptor(opening: Self.file, in: folder.number, flags: O_RDONLY | O_NOFOLLOW)
            return String(decoding: try file.read(upTo: .max), as: UTF8.self)
                .split(separator: "\n").compactMap { Int32($0) }
        }
    }

    private static let file = "cgroup.procs"

    /// Moves all processes of a cgroup into the cgroup around it, and removes it.
    ///
    /// A process can start others meanwhile, so this is repeated.
    ///
    /// - Parameters:
    ///   - path: The folder of the cgroup.
    ///   - patience: The time after which it is given up.
    /// - Throws: ``Errno`` of the last attempt, if the cgroup still exists.
    static func remove(_ path: String, within patience: Duration) throws(Errno) {
        let end = ContinuousClock.now + patience
        while true {
            do throws(Errno) {
                let parent = try ControlGroupFolder(FilePath.folder(of: path))
                return try parent.empty(FilePath.name(of: path))
            } catch {
                // The cgroup can be gone after any error; a failed attempt to make it leaves none either.
                guard exists(path) else { return }
                guard ContinuousClock.now < end else { throw error }
                usleep(pause)
            }
        }
    }

    /// Whether a path leads to something, or may do so.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || ![ENOENT, ENOTDIR].contains(errno)
    }

    private func empty(_ name: String) throws(Errno) {
        var failure: Errno?
        for process in try ControlGroupFolder(name, in: folder.number).processes {
            do throws(Errno) { try move(process) } catch { failure = error }
        }
        guard unlinkat(folder.number, name, AT_REMOVEDIR) == 0 else { throw failure ?? Errno.current }
    }
}
