/// Ascending numbers as unsigned LEB128 of the difference of each to the one before: a byte for most.
package struct NumberDifferences: Sendable {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []
    /// The last number; 0 where there is none.
    package private(set) var last: Int64 = 0

    /// Begins without a number.
    package init() {}

    /// Appends a number.
    ///
    /// - Parameter id: The number; one that is no greater than the last is left out, whatever a file holds.
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

    /// Appends numbers that were encoded behind `first`, which is appended, too.
    mutating func append(_ first: Int64, then rest: [UInt8], upTo last: Int64) {
        append(first)
        bytes += rest
        self.last = max(self.last, last)
    }
}
