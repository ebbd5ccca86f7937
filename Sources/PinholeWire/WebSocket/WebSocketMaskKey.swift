/// The four bytes with which a client masks a payload for intermediaries (RFC 6455 §5.3).
package struct WebSocketMaskKey: Sendable, Equatable {
    /// The four bytes as a number; the first byte is the lowest.
    private let bits: UInt32

    /// Creates a key from four bytes, in their order in the frame.
    package init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        bits = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16 | UInt32(fourth) << 24
    }

    /// The four bytes, in their order in the frame.
    package var bytes: [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bits >> $0) }
    }

    /// Masks or unmasks a piece of a payload.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - offset: The position of the first byte in the payload.
    package func apply(to bytes: inout [UInt8], from offset: Int64) {
        // The key is rotated to the first byte, so that the loop needs no 64-bit counter.
        let turn = UInt32(truncatingIfNeeded: (offset & 3) << 3)
        let key = bits >> turn | bits << ((32 - turn) & 31)
        for index in bytes.indices {
            bytes[index] ^= UInt8(truncatingIfNeeded: key >> UInt32(truncatingIfNeeded: (index & 3) << 3))
        }
    }
}
