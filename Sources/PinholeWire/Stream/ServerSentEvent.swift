/// A block of an event stream, up to its empty line (WHATWG HTML §9.2.6).
package struct ServerSentEvent: Sendable, Equatable {
    /// The event's type; `nil` if the block names none, which means `message`.
    package var type: String?
    /// The lines of the data.
    ///
    /// If there are none, a client dispatches no event.
    package var data: [String] = []
    /// The last event ID that the block sets; `nil` if it sets none.
    package var id: String?
    /// The reconnection time that the block sets, in milliseconds; `nil` if it sets none.
    package var retry: Int64?
    /// The comments in the block.
    package var comments: [String] = []

    /// Whether a client dispatches an event.
    package var isDispatched: Bool { !data.isEmpty }

    /// Whether the block has no content at all.
    var isEmpty: Bool { data.isEmpty && type == nil && id == nil && retry == nil && comments.isEmpty }

    /// Reads a line of the block.
    mutating func take(_ line: ArraySlice<UInt8>) {
        let colon = line.firstIndex(of: 0x3a)
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == 0x20 { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        guard colon != line.startIndex else { return comments.append(text) }
        switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
        case "event": type = text.isEmpty ? nil : text
        case "data": data.append(text)
        case "id" where !value.contains(0): id = text
        case "retry" where !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }:
            retry = Int64(text)
        default: break
        }
    }
}
