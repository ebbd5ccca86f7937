/// The streams of a connection, found by their numbers.
///
/// The numbers of one side are consecutive odd numbers, so half of the number is a perfect hash. A look-up is one
/// probe; a `Dictionary` would hash and compare for each frame.
struct StreamTable {
    /// The streams, in no particular order.
    private var streams: [HTTP2Stream] = []
    /// The hash table, with open addressing: an index into `streams` plus one, or 0 if the cell is empty.
    private var cells: [Int32] = []

    private static let smallest = 16

    /// Returns the index of the stream `id`, which is valid until the next insertion or removal; `nil` if it does not
    /// exist.
    func index(of id: Int32) -> Int? {
        guard !cells.isEmpty else { return nil }
        var cell = home(of: id)
        while cells[cell] != 0 {
            let index = Int(cells[cell]) - 1
            if streams[index].id == id { return index }
            cell = (cell + 1) & (cells.count - 1)
        }
        return nil
    }

    /// The stream at an index that ``index(of:)`` has just returned.
    subscript(index: Int) -> HTTP2Stream {
        @inline(__always) _read { yield streams[index] }
        @inline(__always) _modify { yield &streams[index] }
    }

    /// Adds a stream, whose number must be new.
    mutating func insert(_ stream: HTTP2Stream) {
        if (streams.count + 1) * 2 > cells.count { rehash(max(Self.smallest, cells.count * 2)) }
        streams.append(stream)
        place(stream.id, at: streams.count - 1)
    }

    /// Removes the stream at `index`; the last stream moves to that index.
    mutating func remove(at index: Int) {
        vacate(cell(of: streams[index].id, at: index))
        let last = streams.removeLast()
        if index != streams.count {
            cells[cell(of: last.id, at: streams.count)] = Int32(index + 1)
            streams[index] = last
        }
        // The memory that a burst of streams took is freed with the last of them.
        if streams.isEmpty, cells.count > Self.smallest { self = StreamTable() }
    }

    /// The number of streams.
    var count: Int { streams.count }

    /// The numbers of all streams, in ascending order.
    var ids: [Int32] { streams.map(\.id).sorted() }

    private func home(of id: Int32) -> Int { Int(id >> 1) & (cells.count - 1) }

    private func cell(of id: Int32, at index: Int) -> Int {
        var cell = home(of: id)
        while cells[cell] != index + 1 { cell = (cell + 1) & (cells.count - 1) }
        return cell
    }

    private mutating func place(_ id: Int32, at index: Int) {
        var cell = home(of: id)
        while cells[cell] != 0 { cell = (cell + 1) & (cells.count - 1) }
        cells[cell] = Int32(index + 1)
    }

    /// Empties a cell, and moves up the entries behind it that were displaced by it.
    private mutating func vacate(_ cell: Int) {
        let mask = cells.count - 1
        var hole = cell
        var next = (hole + 1) & mask
        while cells[next] != 0 {
            let home = home(of: streams[Int(cells[next]) - 1].id)
            // The entry may move to the hole unless its home lies between the hole and itself.
            if (next - home) & mask >= (next - hole) & mask {
                cells[hole] = cells[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        cells[hole] = 0
    }

    private mutating func rehash(_ count: Int) {
        cells = [Int32](repeating: 0, count: count)
        for index in streams.indices { place(streams[index].id, at: index) }
    }
}
