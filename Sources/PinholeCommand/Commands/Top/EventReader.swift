import PinholeWire

/// Reads server-sent events from the pieces of an endless answer.
struct EventReader {
    private var bytes: [UInt8] = []

    /// The most bytes of one event; the console's own events are far below.
    private static let limit = 16 << 20

    /// Takes a piece.
    ///
    /// - Parameter piece: The bytes that came.
    /// - Returns: The events that are complete.
    mutating func take(_ piece: [UInt8]) -> [ServerSentEvent] {
        let searched = max(0, bytes.count - 1)
        bytes += piece
        // An empty line ends an event, and the console ends lines by LF.
        let end = bytes.indices[searched...].dropFirst().last { bytes[$0] == 0x0a && bytes[$0 - 1] == 0x0a }
        guard let end else {
            if bytes.count > Self.limit { bytes = [] }
            return []
        }
        var cutter = StreamCutter(Array(bytes[...end]), .eventStream)
        bytes.removeSubrange(...end)
        var events: [ServerSentEvent] = []
        while let message = cutter?.next() {
            if case .event(let event) = message.content, event.isDispatched { events.append(event) }
        }
        return events
    }
}
