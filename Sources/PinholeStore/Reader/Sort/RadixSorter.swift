/// What is sorted: a key, and whose it is.
struct RadixItem: Equatable {
    var key: UInt64
    var place: Int
}

/// Sorts by keys, digit by digit from the last: equal ones stay in their order, and no two are ever compared.
///
/// A million items take some ten milliseconds, where comparing them takes some hundred.
struct RadixSorter {
    private var spare: [RadixItem] = []

    /// Items that are sorted by insertion.
    private static let few = 24

    /// Sorts a part of `items` by their keys.
    mutating func sort(_ items: inout [RadixItem], in range: Range<Int>) {
        guard range.count > Self.few else { return Self.insert(&items, range) }
        if spare.count < range.count {
            spare = Array(repeating: RadixItem(key: 0, place: 0), count: range.count)
        }
        items.withUnsafeMutableBufferPointer { items in
            spare.withUnsafeMutableBufferPointer { spare in
                Self.sort(
                    UnsafeMutableBufferPointer(rebasing: items[range]),
                    UnsafeMutableBufferPointer(rebasing: spare.prefix(range.count))
                )
            }
        }
    }

    private static func insert(_ items: inout [RadixItem], _ range: Range<Int>) {
        for index in range.dropFirst() {
            let item = items[index]
            var place = index
            while place > range.lowerBound, items[place - 1].key > item.key {
                items[place] = items[place - 1]
                place -= 1
            }
            items[place] = item
        }
    }

    private static func sort(
        _ items: UnsafeMutableBufferPointer<RadixItem>,
        _ spare: UnsafeMutableBufferPointer<RadixItem>
    ) {
        let first = items[0].key
        var varying: UInt64 = 0
        var last: UInt64 = 0
        var isSorted = true
        for item in items {
            varying |= item.key ^ first
            isSorted = isSorted && item.key >= last
            last = item.key
        }
        guard !isSorted else { return }
        var (from, to) = (items, spare)
        // A digit that is the same in all of them says nothing.
        for shift in stride(from: 0 as UInt64, to: 64, by: 8) where varying >> shift & 0xff != 0 {
            distribute(from, to, by: shift)
            swap(&from, &to)
        }
        if from.baseAddress != items.baseAddress { _ = items.update(fromContentsOf: from) }
    }

    private static func distribute(
        _ from: UnsafeMutableBufferPointer<RadixItem>,
        _ to: UnsafeMutableBufferPointer<RadixItem>,
        by shift: UInt64
    ) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
            places.initialize(repeating: 0)
            for item in from { places[Int(truncatingIfNeeded: item.key >> shift & 0xff)] += 1 }
            var sum = 0
            for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
            for item in from {
                let digit = Int(truncatingIfNeeded: item.key >> shift & 0xff)
                to[places[digit]] = item
                places[digit] += 1
            }
        }
    }
}
