package import Glibc

/// An open file or folder that is closed exactly once.
package struct Descriptor: ~Copyable {
    /// The file descriptor.
    package let number: Int32

    /// Takes over a descriptor that is open.
    init(_ number: Int32) { self.number = number }

    /// Opens `path`, relative to `directory` if one is given.
    ///
    /// Child processes do not inherit the descriptor.
    package init(
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

    /// Gives the descriptor away without closing it.
    consuming func released() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// The status of the file (fstat(2)).
    package var status: stat {
        get throws(Errno) {
            var status = stat()
            guard fstat(number, &status) == 0 else { throw Errno.current }
            return status
        }
    }

    /// Reads the next `count` bytes, or fewer at the end of the file.
    package func read(upTo count: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(count, 64 * 1024))
        while bytes.count < count {
            let taken = Glibc.read(number, &chunk, min(chunk.count, count - bytes.count))
            if taken == 0 { break }
            if taken > 0 {
                bytes += chunk[..<taken]
            } else if errno != EINTR {
                throw Errno.current
            }
        }
        return bytes
    }

    /// Writes all of `bytes`.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Errno.current
            }
        }
    }

    /// Writes all of `bytes` and waits until they are on the disk.
    package func writeDurably(_ bytes: [UInt8]) throws(Errno) {
        try write(bytes)
        guard fsync(number) == 0 else { throw Errno.current }
    }

    /// Waits for an advisory lock on the whole file, which ends with the descriptor.
    package func lock(exclusively: Bool) throws(Errno) {
        while flock(number, exclusively ? LOCK_EX : LOCK_SH) != 0 {
            guard errno == EINTR else { throw Errno.current }
        }
    }
}
