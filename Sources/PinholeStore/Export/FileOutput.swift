import Glibc

/// Bytes on their way to a descriptor, written in large pieces.
struct FileOutput: ~Copyable {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    private static let pieceBytes = 256 << 10

    /// Writes to `descriptor`, which stays open.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Lets `fill` append bytes, and writes when a piece is full.
    mutating func append(_ fill: (inout [UInt8]) throws(CaptureFailure) -> Void) throws(CaptureFailure) {
        try fill(&buffer)
        if buffer.count >= Self.pieceBytes { try flush() }
    }

    /// Appends `bytes`.
    mutating func append(_ bytes: [UInt8]) throws(CaptureFailure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.pieceBytes { try flush() }
    }

    /// Writes what is left.
    mutating func flush() throws(CaptureFailure) {
        var offset = 0
        while offset < buffer.count {
            let written = buffer.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
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
        // A piece that was much larger than most gives its memory back.
        buffer.removeAll(keepingCapacity: buffer.capacity <= 4 * Self.pieceBytes)
    }
}
