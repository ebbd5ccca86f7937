import PinholeModel

/// The events that wait for the writer, and the actions that wait for room.
///
/// The store's lock guards this value.
struct Waiting {
    /// The time at which the writer must be called.
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

    /// The largest number of events in an emptied array that is kept for reuse.
    private static let keptEvents = 4096

    /// The number of bytes of events that wait or are being written.
    var totalBytes: Int { bytes + writingBytes }

    /// Appends events of `size` bytes, and returns when the writer must be called for them.
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

    /// Returns all waiting events, to be written.
    mutating func take() -> [FlowEvent] {
        let taken = events
        events = spare
        spare = []
        writingBytes = bytes
        bytes = 0
        wake = .none
        return taken
    }

    /// The state before a batch was written.
    struct Before {
        /// Whether writing had failed, so that the writer was not called for later events.
        var wasStuck: Bool
        /// Whether the user had been told.
        var wasReported: Bool
    }

    /// Notes that the batch was written; its emptied array is reused.
    mutating func finish(_ emptied: [FlowEvent]) -> Before {
        let before = Before(wasStuck: phase == .stuck, wasReported: isReported)
        writingBytes = 0
        isReported = false
        if emptied.capacity <= Self.keptEvents { spare = emptied }
        if phase == .stuck { phase = .open }
        return before
    }

    /// Puts a batch that could not be written back, before the events that were added since.
    ///
    /// - Parameters:
    ///   - batch: The batch, as ``take()`` returned it.
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

    /// Refuses events from now on, and returns those that waited.
    mutating func close() -> [FlowEvent] {
        phase = .closed
        defer {
            events = []
            bytes = 0
            writingBytes = 0
        }
        return events
    }

    /// Keeps an action until there is room.
    mutating func append(_ action: @escaping @Sendable () -> Void) { relief.append(action) }

    /// Returns the actions that wait for room, and forgets them.
    mutating func takeActions() -> [@Sendable () -> Void] {
        defer { relief = [] }
        return relief
    }
}

extension FlowEvent {
    /// The approximate memory of the event, in bytes.
    var memorySize: Int {
        switch self {
        // The record has two handshakes and a ClientHello; the chains are shared with the leaf and session caches.
        case .flow: 4 << 10
        case .exchange(let record):
            768 + record.path.utf8.count + record.request.memorySize + (record.response?.memorySize ?? 0)
        case .bodyPart(_, _, let bytes), .bodyPiece(_, _, let bytes, _): 64 + bytes.count
        case .webSocketMessage(let message): 256 + message.inline.count
        case .webSocketPart(_, _, let bytes): 64 + bytes.count
        case .clientProcess: 128
        case .leftOut: 64
        case .packet(let packet): 128 + packet.bytes.count
        case .secret(let line): 64 + line.utf8.count
        }
    }
}

extension MessageRecord {
    fileprivate var memorySize: Int { head.count + body.inline.count + trailers.count }
}
