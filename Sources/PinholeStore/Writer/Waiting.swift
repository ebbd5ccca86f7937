import PinholeModel

/// What waits for the writer, and who waits for room.
///
/// It is guarded by the store's mutex.
struct Waiting {
    /// When the writer has to be called.
    enum Wake {
        case none
        case later
        case now
    }

    enum Phase {
        /// Events are taken and written.
        case open
        /// Writing failed and is tried again; events are taken and wait.
        case stuck
        /// Events are refused.
        case closed
    }

    private(set) var phase = Phase.open
    private var events: [FlowEvent] = []
    private var bytes = 0
    private var writingBytes = 0
    /// The emptied array of the last batch, so that two arrays take turns and none is allocated.
    private var spare: [FlowEvent] = []
    private var wake = Wake.none
    private var isReported = false
    private var relief: [@Sendable () -> Void] = []

    /// An array that has grown beyond this many events is not kept.
    private static let keptEvents = 4096

    /// Bytes that wait or are being written.
    var totalBytes: Int { bytes + writingBytes }

    /// Appends events of `size` bytes, and says when the writer has to be called for them.
    mutating func append(_ new: [FlowEvent], size: Int, batch: Int) -> Wake {
        events.append(contentsOf: new)
        bytes += size
        guard phase == .open else { return .none }
        let isBatch = bytes >= batch
        switch wake {
        case .now: return .none
        case .later where !isBatch: return .none
        case .none, .later:
            wake = isBatch ? .now : .later
            return wake
        }
    }

    /// Hands out what waits, to be written.
    mutating func take() -> [FlowEvent] {
        let taken = events
        events = spare
        spare = []
        writingBytes = bytes
        bytes = 0
        wake = .none
        return taken
    }

    /// What was so before a batch was written.
    struct Before {
        /// Writing had failed, so nobody has been called for what came since.
        var wasStuck: Bool
        /// The user had been told.
        var wasReported: Bool
    }

    /// Notes that the batch was written; its emptied array is used again.
    mutating func finish(_ emptied: [FlowEvent]) -> Before {
        let before = Before(wasStuck: phase == .stuck, wasReported: isReported)
        writingBytes = 0
        isReported = false
        if emptied.capacity <= Self.keptEvents { spare = emptied }
        if phase == .stuck { phase = .open }
        return before
    }

    /// Puts a batch that could not be written before what came since.
    ///
    /// - Parameters:
    ///   - batch: What was taken.
    ///   - reporting: Whether the user must know.
    /// - Returns: Whether to tell the user now, which happens once.
    mutating func putBack(_ batch: [FlowEvent], reporting: Bool) -> Bool {
        events = batch + events
        bytes += writingBytes
        writingBytes = 0
        phase = .stuck
        guard reporting, !isReported else { return false }
        isReported = true
        return true
    }

    /// Refuses events from now on; returns how many waited.
    mutating func close() -> Int {
        phase = .closed
        defer {
            events = []
            bytes = 0
            writingBytes = 0
        }
        return events.count
    }

    /// Keeps an action for when there is room.
    mutating func append(_ action: @escaping @Sendable () -> Void) { relief.append(action) }

    /// Hands out the actions that wait for room.
    mutating func takeRelief() -> [@Sendable () -> Void] {
        defer { relief = [] }
        return relief
    }
}

extension FlowEvent {
    /// About how much memory it holds.
    var memorySize: Int {
        switch self {
        // Two handshakes and a ClientHello; the chains are shared with the leaf and session caches.
        case .flow: 4 << 10
        case .exchange(let record):
            768 + record.path.utf8.count + record.request.memorySize + (record.response?.memorySize ?? 0)
        case .bodyPart(_, _, let bytes), .bodyPiece(_, _, let bytes, _): 64 + bytes.count
        case .webSocketMessage(let message): 256 + message.inline.count
        case .webSocketPart(_, _, let bytes): 64 + bytes.count
        case .clientProcess: 128
        case .leftOut: 64
        }
    }
}

extension MessageRecord {
    fileprivate var memorySize: Int { head.count + body.inline.count + trailers.count }
}
