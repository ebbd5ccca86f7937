/// The streams of a connection by number.
///
/// The numbers of one side are consecutive odd ones, so half of the number is a perfect hash: a
/// look-up is one probe, where a `Dictionary` would hash and compare for each frame.
struct StreamTable {
    /// Streams, in no order.
    private var streams: [HTTP2Stream] = []
    /// Open addressing: an index into `streams`, plus one; 0 where the cell is empty.
    private var cells: [Int32] = []

    private static let smallest = 16

    /// Where the stream `id` lies, until the next insertion or removal.
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

    /// The stream at a place that ``index(of:)`` has just named.
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

    /// Removes the stream at `index`; the last one takes its place.
    mutating func remove(at index: Int) {
        vacate(cell(of: streams[index].id))
        let last = streams.count - 1
        if index != last {
            cells[cell(of: streams[last].id)] = Int32(index + 1)
            streams.swapAt(index, last)
        }
        streams.removeLast()
        // What a burst has taken goes back with its last stream.
        if streams.isEmpty, cells.count > Self.smallest { self = StreamTable() }
    }

    /// The number of streams.
    var count: Int { streams.count }

    /// The numbers of all streams, in order.
    var ids: [Int32] { streams.map(\.id).sorted() }

    private func home(of id: Int32) -> Int { Int(id >> 1) & (cells.count - 1) }

    private func cell(of id: Int32) -> Int {
        var cell = home(of: id)
        while streams[Int(cells[cell]) - 1].id != id { cell = (cell + 1) & (cells.count - 1) }
        return cell
    }

    private mutating func place(_ id: Int32, at index: Int) {
        var cell = home(of: id)
        while cells[cell] != 0 { cell = (cell + 1) & (cells.count - 1) }
        cells[cell] = Int32(index + 1)
    }

    /// Empties a cell, and moves up what lies behind it only because the cell was taken.
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
