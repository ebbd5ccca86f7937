import PinholeModel

/// Events in the order in which they happened, until they are asked for.
struct EventQueue {
    private var events: [HTTP2Event] = []
    private var head = 0
    /// What the waiting events weigh, in bytes, roughly.
    private(set) var weight = 0

    /// What one event weighs beyond its bytes.
    private static let base = 64

    /// Adds an event that weighs `bytes`.
    mutating func append(_ event: HTTP2Event, bytes: Int = 0) {
        weight += bytes + Self.base
        events.append(event)
    }

    /// Adds bytes to the last event if it says that data came on `stream`, or a new event.
    mutating func appendData(_ stream: HTTP2StreamID, _ count: Int) {
        if head < events.count, case .data(stream, let before) = events[events.count - 1] {
            events[events.count - 1] = .data(stream, before + count)
        } else {
            append(.data(stream, count))
        }
    }

    /// The oldest event, which leaves the queue.
    mutating func next() -> HTTP2Event? {
        guard head < events.count else { return nil }
        let event = events[head]
        head += 1
        if head == events.count {
            events.removeAll(keepingCapacity: events.capacity <= 64)
            head = 0
            weight = 0
        }
        return event
    }

    /// Whether none waits.
    var isEmpty: Bool { head == events.count }
}
