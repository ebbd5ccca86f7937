package import PinholeModel
package import PinholeStore

/// The details of a WebSocket message.
package struct WebSocketMessageJSON: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("sender", values: Side.allCases.map(\.rawValue)),
        FieldJSON("sinceStart", "Milliseconds since the exchange began."),
        FieldJSON("undecoded", "Why the content was not decompressed."),
        FieldJSON("base64", format: .base64),
    ]

    let number: Int64
    let sender: String
    let kind: String
    let started: String
    /// The milliseconds from the beginning of the exchange to the beginning of the message.
    let sinceStart: Double
    let milliseconds: Double
    let frames: Int64
    let bytes: Int64
    let recordedBytes: Int64
    let isComplete: Bool
    let isCompressed: Bool
    let closeCode: UInt16?
    let closeReason: String?
    let notes: [String]
    let detail: String?
    let undecoded: String?
    let text: String?
    let base64: String?

    /// Takes the facts of a message.
    ///
    /// - Parameters:
    ///   - entry: The message.
    ///   - began: The time at which the exchange began that became the WebSocket.
    package init(_ entry: WebSocketTranscript.Entry, exchangeBegan began: Timestamp) {
        let message = entry.message
        number = message.number
        sender = message.sender.rawValue
        kind = message.kind.name
        started = message.started.iso8601Milliseconds
        sinceStart = Double(max(.zero, message.started - began).microseconds) / 1000
        milliseconds = Double((message.ended - message.started).microseconds) / 1000
        frames = message.frames
        bytes = message.length
        recordedBytes = message.capturedLength
        isComplete = message.isComplete
        isCompressed = message.isCompressed
        closeCode = message.closeCode
        closeReason = message.closeReason
        notes = message.notes.map(\.rawValue)
        detail = message.detail
        undecoded = entry.trouble
        text = entry.text
        base64 = entry.text == nil ? Base64.encode(entry.content) : nil
    }
}
