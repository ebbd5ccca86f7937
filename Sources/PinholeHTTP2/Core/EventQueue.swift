/// A queue of events, in the order in which they happened.
struct EventQueue {
    private var events: [HTTP2Event] = []
    private var head = 0
    /// The approximate size of the waiting events, in bytes.
    private(set) var weight = 0

    /// The size of an event without the bytes in it.
    private static let base = 64

    /// Adds an event that contains `bytes` bytes.
    mutating func append(_ event: HTTP2Event, bytes: Int = 0) {
        weight += bytes + Self.base
        events.append(event)
    }

    /// Adds `count` to the last event if it reports data on `stream`; otherwise adds a new event.
    mutating func appendData(_ stream: HTTP2StreamID, _ count: Int) {
        if head < events.count, case .data(stream, let before) = events[events.count - 1] {
            events[events.count - 1] = .data(stream, before + count)
        } else {
            append(.data(stream, count))
        }
    }

    /// Removes and returns the oldest event; `nil` if there is none.
    mutating func next() -> HTTP2Event? {
        guard head < events.count else { return nil }
        // The event is swapped out, because a copy would retain every reference in it a second time.
        var event = HTTP2Event.closed(HTTP2StreamID(rawValue: 0))
        swap(&event, &events[head])
        head += 1
        if head == events.count {
            events.removeAll(keepingCapacity: events.capacity <= 64)
            head = 0
            weight = 0
        }
        return event
    }
}
