import PinholeModel

extension ByteQueue {
    /// Appends a copy of bytes in memory that the queue does not own.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(capacity: bytes.count) { room in
            room.withUnsafeMutableBufferPointer { buffer, count in
                count = buffer.update(fromContentsOf: bytes)
            }
        }
    }
}
