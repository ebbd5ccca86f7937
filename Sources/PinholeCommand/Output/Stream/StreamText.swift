import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeWire

/// The messages of a stream, as text for users.
struct StreamText {
    let transcript: StreamTranscript
    let style: Style
    /// The flag of the command that shows more messages; `nil` if the command has none.
    var flag: String? = "--messages"

    /// The most characters of a text that are shown.
    static let characters = 160
    /// The most bytes that are shown of a message that is no text.
    private static let bytes = 24

    /// The events or messages of the stream for a terminal.
    var lines: [String] {
        let isCut = transcript.formats.request != nil || transcript.formats.response != nil
        let count = Plain.count(transcript.count, isCut ? "message" : "piece")
        var lines = ["", style.paint("stream", .bold) + "  \(count): → from the client, ← from the server"]
        let rows = transcript.entries.map { (columns(of: $0), details(of: $0)) }
        let widths = (0..<4).map { column in rows.map { TextLayout.columns(of: $0.0[column]) }.max() ?? 0 }
        for (row, details) in rows {
            let front =
                "  \(row[0]) \(row[1].leftPadded(to: widths[1]))  \(row[2].leftPadded(to: widths[2]))  "
                + row[3].leftPadded(to: widths[3])
            lines.append(row[4].isEmpty ? front : "\(front)  \(row[4])")
            lines += details.map { String(repeating: " ", count: 6) + $0 }
        }
        let rest = transcript.count - transcript.entries.count
        if rest > 0 { lines.append("  [… \(rest) more\(flag.map { "; \($0) \(transcript.count)" } ?? "")]") }
        lines += transcript.troubles.map { "  [\(Plain.printable($0))]" }
        if let status = transcript.status { lines += ["  \(Self.text(status))"] + details(of: status) }
        if let timeout = transcript.timeout { lines.append("  deadline: \(Plain.duration(timeout))") }
        return lines
    }

    private static func text(_ status: GRPCStatus) -> String {
        let code = status.code.map { "\($0)" } ?? "(no number)"
        let parts = [code, status.name, status.message.map(Plain.printable)].compactMap(\.self)
        return "gRPC status " + parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the lines of the `google.rpc.Status` in the trailers, with the type of each of its messages.
    private func details(of status: GRPCStatus) -> [String] {
        guard let details = status.details else { return [] }
        let name = GRPCStatus.name(of: details.code).map { " \($0)" } ?? ""
        var lines = ["    details \(details.code)\(name) \(Self.cut(details.message))"]
        for detail in details.details {
            lines.append("      \(Self.cut(detail.typeURL))  \(Plain.size(Int64(detail.value.count)))")
            let text = transcript.members(of: detail).map { ProtobufText($0).lines }
            lines += (text ?? [Self.hexadecimal(detail.value)]).map { "        \($0)" }
        }
        return lines
    }

    /// Returns the direction, time, offset, length and content of a message.
    private func columns(of entry: StreamEntry) -> [String] {
        var says = summary(of: entry)
        if let compression = entry.compression { says.append("[\(Plain.printable(compression))]") }
        if !entry.isComplete, entry.trouble == nil { says.append("[cut off]") }
        if let trouble = entry.trouble { says.append("[\(Plain.printable(trouble))]") }
        return [
            entry.owner == .request ? "→" : "←",
            Plain.duration(max(.zero, entry.time - transcript.record.timings.started)),
            "@\(entry.offset)",
            Plain.size(Int64(entry.length)),
            says.filter { !$0.isEmpty }.joined(separator: "  "),
        ]
    }

    private func summary(of entry: StreamEntry) -> [String] {
        switch entry.content {
        case .event(let event): Self.summary(of: event)
        case .json(let text), .text(let text): [Self.cut(text)]
        case .protobuf(let members): members.isEmpty ? ["(an empty message)"] : []
        case .trailers: ["trailers"]
        case .bytes(let bytes): [Self.hexadecimal(bytes)]
        }
    }

    private static func summary(of event: ServerSentEvent) -> [String] {
        var parts = [event.isDispatched ? cut(event.type ?? "message") : "(no event)"]
        if let id = event.id { parts.append("id \(cut(id))") }
        if let retry = event.retry { parts.append("retry \(retry) ms") }
        if event.data.count == 1 { parts.append(cut(event.data[0])) }
        return parts + event.comments.map { ": \(cut($0))" }
    }

    /// Returns the lines below the line of a message.
    private func details(of entry: StreamEntry) -> [String] {
        switch entry.content {
        case .event(let event) where event.data.count > 1: return event.data.map(Self.cut)
        case .trailers(let fields): return fields.pairs.map { Plain.printable("\($0.name): \($0.value)") }
        case .protobuf(let members):
            let text = ProtobufText(members)
            return text.lines + (text.isCut ? ["[… more with --json]"] : [])
        case .event, .json, .text, .bytes: return []
        }
    }

    /// Returns the first characters of a text.
    static func cut(_ text: String) -> String {
        Plain.printable(String(text.prefix(characters))) + (text.count > characters ? "…" : "")
    }

    /// Returns the first bytes as pairs of hexadecimal digits.
    static func hexadecimal(_ content: [UInt8]) -> String {
        let digits = content.prefix(bytes).map { Hexadecimal.encode([$0]) }
        return digits.joined(separator: " ") + (content.count > bytes ? " …" : "")
    }
}
