/// Numbers in any order as LEB128 of the difference of each to the one before, whose sign is the last bit: 0 up, 1 down.
package struct NumberSteps: Sendable {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []
    private var last: Int64 = 0

    /// Begins without a number.
    package init() {}

    /// Appends a number.
    ///
    /// - Parameter id: The number.
    package mutating func append(_ id: Int64) {
        // Whatever a file holds, nothing may trap.
        let difference = id &- last
        last = id
        // -1, 1, -2, 2 … become 1, 2, 3, 4 …
        var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
