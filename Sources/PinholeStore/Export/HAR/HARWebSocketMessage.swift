import PinholeModel

/// A message of a WebSocket, in the form of `_webSocketMessages` of Chromium's DevTools.
struct HARWebSocketMessage {
    /// The message, decoded.
    let entry: WebSocketTranscript.Entry

    /// Writes the object.
    ///
    /// As in Chromium, `data` is text for a text message, otherwise Base64. Control frames are among the messages, with
    /// their opcodes.
    func write(to json: inout JSONText) {
        let message = entry.message
        json.object { json in
            json.member("type", message.sender == .client ? "send" : "receive")
            json.member("time", json: Array(Self.seconds(message.started).utf8)[...])
            json.member("opcode", message.kind.rawValue)
            if let text = entry.text {
                json.member("data", text)
            } else {
                json.member("data", base64: entry.content)
                if message.kind == .text { json.member("_encoding", "base64") }
            }
            if message.isTruncated { json.member("_truncated", true) }
            if !message.isComplete { json.member("_incomplete", true) }
            if !message.notes.isEmpty {
                json.name("_notes")
                json.array { json in
                    for note in message.notes { json.string(note.rawValue) }
                }
            }
            if let comment = entry.trouble ?? message.detail { json.member("comment", comment) }
        }
    }

    /// Returns the seconds since 1970, to the microsecond.
    private static func seconds(_ moment: Timestamp) -> String {
        let (whole, rest) = moment.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = "\(abs(rest))"
        return "\(whole).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }
}
