import Glibc

/// An open descriptor that is closed once.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Opens `path`, relative to `directory` where that is given.
    init(
        opening path: String,
        in directory: Int32 = AT_FDCWD,
        flags: Int32,
        mode: mode_t = 0
    ) throws(Errno) {
        let number = openat(directory, path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw Errno.current }
        self.number = number
    }

    deinit { close(number) }

    /// What the file system says about it.
    var status: stat {
        get throws(Errno) {
            var status = stat()
            guard fstat(number, &status) == 0 else { throw Errno.current }
            return status
        }
    }

    /// Everything that is left to read, `limit` bytes and one at most.
    func readAll(limit: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            let count = read(number, &chunk, min(chunk.count, limit + 1 - bytes.count))
            if count == 0 { break }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno != EINTR {
                throw Errno.current
            }
        }
        return bytes
    }

    /// Writes all of `bytes` and waits until they are on the disk.
    func writeDurably(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Errno.current
            }
        }
        guard fsync(number) == 0 else { throw Errno.current }
    }

    /// Waits for an advisory lock on the whole file, which ends with the descriptor.
    func lock(exclusively: Bool) throws(Errno) {
        while flock(number, exclusively ? LOCK_EX : LOCK_SH) != 0 {
            guard errno == EINTR else { throw Errno.current }
        }
    }
}

/// An error number of the system.
struct Errno: Error, Equatable, CustomStringConvertible {
    let code: Int32

    static var current: Errno { Errno(code: errno) }

    var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
