/// The sort key of a row; the bytes of a text are valid until the statement steps.
enum SortValue {
    case missing
    case number(Int64)
    case text(UnsafeRawBufferPointer)
}

/// The numbers of exchanges and flows, each with its sort key.
///
/// Texts are compared by their bytes; the case of ASCII letters does not matter, as in filters.
struct SortKeys {
    private var ids: [Int64] = []
    private var items: [RadixItem] = []
    /// The texts, one after the other; ``starts`` has the place at which each begins.
    private var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var missing: [Int64] = []

    /// The number of bytes of a text that count, so that the keys of a million URLs fit into memory.
    private static let longest = 256

    /// Appends a number that is higher than all before, with its key.
    mutating func append(_ id: Int64, _ value: SortValue) {
        switch value {
        case .missing:
            missing.append(id)
        case .number(let number):
            // With the sign bit inverted, negative numbers come first.
            items.append(RadixItem(key: UInt64(bitPattern: number) ^ 1 << 63, place: ids.count))
            ids.append(id)
        case .text(let text):
            items.append(RadixItem(key: 0, place: ids.count))
            ids.append(id)
            starts.append(bytes.count)
            bytes.append(contentsOf: text.prefix(Self.longest))
        }
    }

    /// Returns the numbers in order; those without a key come last.
    consuming func sorted(isDescending: Bool) -> [Int64] {
        var sorter = RadixSorter()
        if starts.isEmpty {
            sorter.sort(&items, in: items.indices)
        } else {
            sortTexts(&sorter)
        }
        var sorted: [Int64] = []
        sorted.reserveCapacity(ids.count + missing.count)
        if isDescending {
            for item in items.reversed() { sorted.append(ids[item.place]) }
            sorted += missing.reversed()
        } else {
            for item in items { sorted.append(ids[item.place]) }
            sorted += missing
        }
        return sorted
    }

    /// Sorts by the first eight bytes, and then sorts equal items by the next eight.
    private mutating func sortTexts(_ sorter: inout RadixSorter) {
        starts.append(bytes.count)
        bytes += repeatElement(0, count: 8)
        var open = [(items: items.indices, depth: 0)]
        while let (range, depth) = open.popLast() {
            for index in range { items[index].key = piece(of: items[index].place, at: depth) }
            sorter.sort(&items, in: range)
            var first = range.lowerBound
            while first < range.upperBound {
                let key = items[first].key
                var end = first + 1
                while end < range.upperBound, items[end].key == key { end += 1 }
                // Only the bytes after the end of a text are zero.
                if end - first > 1, key & 0xff != 0 { open.append((first..<end, depth + 8)) }
                first = end
            }
        }
    }

    /// Returns eight bytes of a text, with zeros after its end.
    private func piece(of place: Int, at depth: Int) -> UInt64 {
        let start = starts[place] + depth
        let rest = starts[place + 1] - start
        guard rest > 0 else { return 0 }
        let piece = bytes.withUnsafeBytes {
            Self.folded(UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self)))
        }
        return rest >= 8 ? piece : piece & ~(.max >> UInt64(rest * 8))
    }

    /// Folds eight bytes at once: ASCII letters to lower case, and 0 to 1, because 0 marks the end.
    private static func folded(_ piece: UInt64) -> UInt64 {
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        let low = piece & ~tops
        // The top bit of each byte shows whether it is beyond a bound; no addition carries into the next byte.
        let fromA = low + ones * UInt64(0x80 - UInt8(ascii: "A"))
        let beyondZ = low + ones * UInt64(0x7f - UInt8(ascii: "Z"))
        let capitals = fromA & ~beyondZ & ~piece & tops
        let zeros = ~((low + ~tops) | piece) & tops
        return piece | capitals >> 2 | zeros >> 7
    }
}
