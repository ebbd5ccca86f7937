import Glibc

/// Writes bytes to a descriptor in large pieces.
package struct FileOutput: ~Copyable {
    private let descriptor: Int32
    /// Whether the descriptor is a socket; a peer that stopped reading must not end the process by SIGPIPE.
    private let isSocket: Bool
    private var buffer: [UInt8] = []

    private static let pieceBytes = 256 << 10

    /// Creates an output to `descriptor`, which stays open.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var facts = stat()
        isSocket = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
    }

    /// Appends `bytes`.
    ///
    /// - Throws: ``CaptureFailure`` if they cannot be written.
    package mutating func append(_ bytes: [UInt8]) throws(CaptureFailure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.pieceBytes { try flush() }
    }

    /// Writes the remaining bytes.
    ///
    /// - Throws: ``CaptureFailure`` if they cannot be written.
    package mutating func flush() throws(CaptureFailure) {
        var offset = 0
        while offset < buffer.count {
            let written = buffer.withUnsafeBytes { bytes in
                let start = bytes.baseAddress.map { $0 + offset }
                guard isSocket else { return write(descriptor, start, bytes.count - offset) }
                return send(descriptor, start, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            if written > 0 {
                offset += written
            } else if errno == EAGAIN {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, -1)
            } else if errno != EINTR {
                throw .output(String(cString: strerror(errno)))
            }
        }
        // A buffer that has grown much larger than usual is freed.
        buffer.removeAll(keepingCapacity: buffer.capacity <= 4 * Self.pieceBytes)
    }
}
