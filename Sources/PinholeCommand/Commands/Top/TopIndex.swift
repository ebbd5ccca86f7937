/// The numbers of a list as the control API sends them.
enum TopIndex {
    /// Returns the numbers.
    ///
    /// - Parameters:
    ///   - bytes: The difference of each number to the one before, as unsigned LEB128.
    ///   - isSorted: Whether the sign of a difference is its lowest bit.
    /// - Returns: The numbers, up to the first one that is no LEB128.
    static func ids(_ bytes: [UInt8], isSorted: Bool) -> [Int64] {
        var ids: [Int64] = []
        ids.reserveCapacity(bytes.count)
        var (value, shift, last): (UInt64, UInt64, Int64) = (0, 0, 0)
        for byte in bytes {
            guard shift < 63 else { break }
            value |= UInt64(byte & 0x7f) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            let half = Int64(value >> 1)
            last &+= isSorted ? (value & 1 == 0 ? half : -half - 1) : Int64(truncatingIfNeeded: value)
            ids.append(last)
            (value, shift) = (0, 0)
        }
        return ids
    }
}
