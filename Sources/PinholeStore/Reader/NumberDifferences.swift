/// Ascending numbers, each as the difference from the one before in unsigned LEB128, mostly one byte.
package struct NumberDifferences: Sendable {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []
    /// The last number; 0 if there is none.
    package private(set) var last: Int64 = 0

    /// Creates an empty list.
    package init() {}

    /// Appends a number.
    ///
    /// - Parameter id: The number; one that is not greater than the last is left out, as a damaged file may hold it.
    package mutating func append(_ id: Int64) {
        guard id > last else { return }
        var rest = UInt64(id - last)
        last = id
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Appends `first`, and then numbers that were encoded as a continuation of it.
    mutating func append(_ first: Int64, then rest: [UInt8], upTo last: Int64) {
        append(first)
        bytes += rest
        self.last = max(self.last, last)
    }
}
