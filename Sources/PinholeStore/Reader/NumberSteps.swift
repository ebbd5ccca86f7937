/// Numbers in any order, each as the difference from the one before in LEB128; the last bit is the sign, 1 for down.
package struct NumberSteps: Sendable {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []
    private var last: Int64 = 0

    /// Creates an empty list.
    package init() {}

    /// Appends a number.
    package mutating func append(_ id: Int64) {
        // A damaged file may hold any number, and arithmetic must not trap.
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
