import PinholeModel

extension ByteQueue {
    /// Appends bytes that somebody else owns.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(capacity: bytes.count) { room in
            room.withUnsafeMutableBufferPointer { buffer, count in
                count = buffer.update(fromContentsOf: bytes)
            }
        }
    }
}
