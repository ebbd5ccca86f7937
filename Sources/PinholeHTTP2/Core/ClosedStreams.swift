/// A record of how the latest streams of a connection were closed, and of which numbers were skipped.
///
/// The memory is bounded. Frames on a stream that is no longer recorded are ignored, as nghttp2 does.
struct ClosedStreams {
    /// The way in which a stream was closed, from the peer's point of view.
    enum End: UInt32 {
        /// The peer has sent END_STREAM.
        case ended
        /// The peer has sent RST_STREAM, but not END_STREAM.
        case resetByPeer
        /// We have answered a frame on the closed stream with RST_STREAM; later frames are ignored.
        case refused
        /// We have reset the stream, or GOAWAY has closed it: frames may still be on the way (RFC 9113 §5.1).
        case dropped
    }

    /// The number of streams that are recorded: twice the number that a client may have open
    /// (`HTTP2Limits.concurrentStreams`).
    static let capacity = 256
    /// The number of ranges of skipped stream numbers that are recorded; most clients skip none.
    static let rangeCapacity = 16

    /// A cell for each recorded stream: half of its number, and how it was closed.
    ///
    /// The number selects the cell.
    ///
    /// Clients open all streams, since push is off, so all numbers are odd. The array is empty until a stream is
    /// closed.
    private var cells: [UInt32] = []
    private var skipped: [ClosedRange<Int32>] = []
    /// The highest stream number that was opened.
    private(set) var latest: Int32 = 0

    private static let empty = UInt32.max

    /// The way in which a stream was closed; `nil` if the stream is open, idle, or no longer recorded.
    subscript(id: Int32) -> End? {
        guard !cells.isEmpty else { return nil }
        let cell = cells[Self.place(of: id)]
        return cell != Self.empty && cell >> 2 == UInt32(id >> 1) ? End(rawValue: cell & 3) : nil
    }

    /// Records how a stream was closed.
    mutating func note(_ end: End, of id: Int32) {
        if cells.isEmpty { cells = [UInt32](repeating: Self.empty, count: Self.capacity) }
        cells[Self.place(of: id)] = UInt32(id >> 1) << 2 | end.rawValue
    }

    /// Records that a stream was opened, which closes the idle streams below it (RFC 9113 §5.1.1).
    mutating func open(_ id: Int32) {
        guard id > latest else { return }
        if id > latest + 2 {
            if skipped.count == Self.rangeCapacity { skipped.removeFirst() }
            skipped.append(latest + 1...id - 1)
        }
        latest = id
    }

    /// Whether a stream number was skipped when a stream with a higher number was opened.
    func isSkipped(_ id: Int32) -> Bool { skipped.contains { $0.contains(id) } }

    private static func place(of id: Int32) -> Int { Int(id >> 1) & (capacity - 1) }
}
