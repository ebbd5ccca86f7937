import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore

/// The messages of a WebSocket as text for users, one line each.
struct WebSocketText {
    /// The exchange that opened the WebSocket.
    let record: ExchangeRecord
    /// The first messages.
    let entries: [WebSocketTranscript.Entry]
    let style: Style
    /// The flag of the command that shows more messages; `nil` if the command has none.
    var flag: String? = "--messages"

    /// The messages of the WebSocket for a terminal.
    var lines: [String] {
        let count = Plain.count(record.messages, "message")
        var lines = [
            "", style.paint("WebSocket", .bold) + "  \(count): → from the client, ← from the server",
        ]
        let rows = entries.map { columns(of: $0) }
        let widths = (0..<4).map { column in rows.map { TextLayout.columns(of: $0[column]) }.max() ?? 0 }
        lines += rows.map { row in
            "  \(row[0]) \(row[1].leftPadded(to: widths[1]))  \(row[2].padded(to: widths[2]))  "
                + "\(row[3].leftPadded(to: widths[3]))  \(row[4])"
        }
        let rest = record.messages - Int64(entries.count)
        if rest > 0 { lines.append("  [… \(rest) more\(flag.map { "; \($0) \(record.messages)" } ?? "")]") }
        return lines
    }

    /// Returns the direction, time, kind, length and content of a message.
    private func columns(of entry: WebSocketTranscript.Entry) -> [String] {
        let message = entry.message
        return [
            message.sender == .client ? "→" : "←",
            Plain.duration(max(.zero, message.started - record.timings.started)),
            message.kind.name,
            Plain.size(message.length),
            ([preview(of: entry)] + remarks(of: entry).map { "[\(Plain.printable($0))]" })
                .filter { !$0.isEmpty }.joined(separator: "  "),
        ]
    }

    private func preview(of entry: WebSocketTranscript.Entry) -> String {
        if let code = entry.message.closeCode {
            return Plain.printable(
                [String(code), entry.message.closeReason].compactMap(\.self).joined(separator: " ")
            )
        }
        if let text = entry.text {
            return StreamText.cut(text)
        }
        // The payload of a ping is meant only for its sender, and is often a word.
        if entry.message.kind == .ping || entry.message.kind == .pong,
            entry.content.allSatisfy({ $0 >= 0x20 && $0 < 0x7f })
        {
            return String(decoding: entry.content, as: UTF8.self)
        }
        return StreamText.hexadecimal(entry.content)
    }

    private func remarks(of entry: WebSocketTranscript.Entry) -> [String] {
        let message = entry.message
        var remarks: [String] = []
        if message.isCompressed, entry.trouble == nil {
            remarks.append("\(Plain.size(Int64(entry.content.count))) inflated")
        }
        if message.frames > 1 { remarks.append("\(message.frames) frames") }
        if message.isTruncated { remarks.append("\(Plain.size(message.capturedLength)) recorded") }
        if !message.isComplete, message.kind != .unread { remarks.append("cut off") }
        remarks += message.notes.map(\.rawValue)
        return remarks + [message.detail, entry.trouble].compactMap(\.self)
    }
}

extension ExchangeRecord {
    /// The number and the bytes of WebSocket messages, as text; `nil` if the exchange did not become a WebSocket.
    var webSocketSummary: String? {
        guard notes.contains(.webSocket) else { return nil }
        let count = Plain.count(messages, "message")
        let size = Plain.size(messageBytes)
        return "WebSocket, \(count) of \(size)\(notes.contains(.webSocketBroken) ? ", protocol broken" : "")"
    }
}
