import PinholeStore

/// The list of exchanges: all numbers, and the items near the place that is shown.
///
/// A number takes eight bytes, so a million exchanges take 8 MB; their items are read when they come into view.
struct TopList: Equatable, Sendable {
    /// The numbers of the items, in the order of the list.
    private(set) var ids: [Int64] = []
    /// The items that were read.
    private(set) var items: [Int64: TrafficRow] = [:]
    /// The index of the selected item; 0 in an empty list.
    private(set) var cursor = 0
    /// The index of the first item on the screen.
    private(set) var offset = 0
    /// Whether the newest item stays selected.
    var isFollowing = true
    /// The number of rows on the screen.
    var height = 1 { didSet { reveal() } }
    /// Whether the list is in another order than by number.
    private(set) var isSorted = false
    /// Whether new items are missing, since their places in the order are unknown.
    private(set) var isStale = false
    private var asked: Set<Int64> = []

    /// The most items that are kept.
    private static let keptItems = 4000
    /// The most items that are asked for at one time, as the API permits.
    private static let askedAtOnce = 500

    /// The number of the selected item.
    var selected: Int64? { ids.indices.contains(cursor) ? ids[cursor] : nil }

    /// The numbers of the items on the screen.
    var shown: ArraySlice<Int64> { ids[min(offset, ids.count)..<min(ids.count, offset + height)] }

    /// Takes the numbers of a list that was read; the same item stays selected.
    mutating func replace(with ids: [Int64], isSorted: Bool) {
        let selected = selected
        self.ids = ids
        self.isSorted = isSorted
        isStale = false
        asked = []
        if let selected, let place = place(of: selected) { cursor = place }
        reveal()
    }

    /// Takes items that are new or have changed.
    mutating func take(_ new: [TrafficRow]) {
        for item in new {
            if place(of: item.id) == nil {
                if isSorted {
                    isStale = true
                    continue
                }
                insert(item.id)
            } else if isSorted {
                isStale = true
            }
            items[item.id] = item
        }
        trim()
        reveal()
    }

    /// Takes items that were asked for; what is missing among them was removed.
    mutating func fill(_ found: [TrafficRow], asked wanted: [Int64]) {
        asked.subtract(wanted)
        for item in found { items[item.id] = item }
        let gone = Set(wanted).subtracting(found.map(\.id))
        if !gone.isEmpty { remove { gone.contains($0) } }
        trim()
    }

    /// Forgets which items were asked for, since no answer comes any more.
    mutating func forgetQuestions() { asked = [] }

    /// Forgets the items, which may be old; the numbers stay.
    mutating func forgetItems() {
        items = [:]
        asked = []
    }

    /// Removes all items up to a number.
    mutating func removeAll(upTo last: Int64) { remove { $0 <= last } }

    /// Changes an item in place.
    mutating func change(_ id: Int64, _ change: (inout TrafficRow) -> Void) {
        guard var item = items[id] else { return }
        change(&item)
        items[id] = item
    }

    /// Selects another item, by its distance; the list then follows only if the last one is selected.
    mutating func move(by distance: Int) { select(cursor.addingClamped(distance)) }

    /// Selects an item by its index.
    mutating func select(_ index: Int) {
        cursor = max(0, min(index, ids.count - 1))
        isFollowing = !isSorted && cursor >= ids.count - 1
        reveal()
    }

    /// Selects the last item, and the newest one from now on.
    mutating func follow() {
        isFollowing = !isSorted
        cursor = max(0, ids.count - 1)
        reveal()
    }

    /// Returns the numbers of items on the screen and near it that must be read, and counts them as asked for.
    mutating func takeQuestions() -> [Int64] {
        let near = max(0, offset - height)..<min(ids.count, offset + 2 * height)
        guard near.lowerBound < near.upperBound, shown.contains(where: { isMissing($0) }) else { return [] }
        let missing = ids[near].filter(isMissing).prefix(Self.askedAtOnce)
        asked.formUnion(missing)
        return Array(missing)
    }

    private func isMissing(_ id: Int64) -> Bool { items[id] == nil && !asked.contains(id) }

    /// Returns the index of a number.
    func place(of id: Int64) -> Int? {
        if isSorted { return ids.firstIndex(of: id) }
        let place = insertionPoint(of: id)
        return place < ids.count && ids[place] == id ? place : nil
    }

    private func insertionPoint(of id: Int64) -> Int {
        if let last = ids.last, id > last { return ids.count }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ id: Int64) {
        let place = insertionPoint(of: id)
        ids.insert(id, at: place)
        if ids.count > 1, place <= cursor { cursor += 1 }
        if place < offset { offset += 1 }
    }

    private mutating func remove(_ isGone: (Int64) -> Bool) {
        let before = ids[..<min(cursor, ids.count)].count { isGone($0) }
        ids.removeAll(where: isGone)
        for id in items.keys.filter(isGone) { items[id] = nil }
        cursor = max(0, min(cursor - before, ids.count - 1))
        reveal()
    }

    /// Moves the part that is shown to the selected item.
    private mutating func reveal() {
        if isFollowing { cursor = max(0, ids.count - 1) }
        cursor = max(0, min(cursor, ids.count - 1))
        offset = max(0, min(offset, cursor, max(0, ids.count - height)))
        if cursor >= offset + height { offset = cursor - height + 1 }
    }

    private mutating func trim() {
        guard items.count > Self.keptItems else { return }
        let near = Set(
            ids[max(0, offset - Self.askedAtOnce)..<min(ids.count, offset + height + Self.askedAtOnce)]
        )
        items = items.filter { near.contains($0.key) }
    }
}

extension Int {
    /// Returns the sum, which stays within the range of numbers.
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? (other > 0 ? .max : .min) : sum
    }
}
