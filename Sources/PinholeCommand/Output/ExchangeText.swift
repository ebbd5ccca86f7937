import PinholeContent
import PinholeFormats
import PinholeModel
import PinholeStore
import PinholeWire

/// The details of an exchange, as text for users.
struct ExchangeText {
    let record: ExchangeRecord
    let request: [UInt8]
    let response: [UInt8]
    /// The time to set up a connection that stood before the request; `nil` if it was a part of the exchange.
    let setUpBefore: Duration?
    /// The messages of a body that is a stream; they are shown elsewhere.
    let stream: StreamTranscript?
    let style: Style
    /// The columns of the terminal, by which all but messages is wrapped; `nil` to wrap nothing.
    let width: Int?

    /// The maximum count of characters of a body that are shown.
    private static let shown = 4000

    /// The details of the exchange for a terminal.
    var lines: [String] {
        var lines = overview
        lines += message("request", record.request, request, stream?.formats.request != nil)
        if let message = record.response {
            lines += self.message("response", message, response, stream?.formats.response != nil)
        }
        return lines
    }

    /// The details without the messages.
    var overview: [String] {
        let end = record.outcome.map { $0.detail ?? "completed" } ?? "not over"
        let outcome = record.trouble ?? end
        var lines = [
            style.paint("exchange \(record.id.rawValue)", .bold) + "  \(Plain.printable(record.method)) "
                + Plain.printable(record.url),
            row("started", record.timings.started.iso8601Milliseconds),
            row("outcome", outcome),
        ]
        if let advice = record.advice { lines.append(row("advice", advice)) }
        if let user = record.proxyUser { lines.append(row("user", user)) }
        if !record.notes.isEmpty {
            lines.append(row("notes", record.notes.map(\.rawValue).joined(separator: ", ")))
        }
        lines += record.notes.compactMap(\.explanation).map { row("note", $0) }
        for hit in record.rules { lines.append(row("rule", "\(hit.rule) (\(hit.kind)): \(hit.effect)")) }
        lines.append(row("timings", timings))
        return lines
    }

    /// Returns a detail with its name.
    func row(_ name: String, _ value: String) -> String {
        TextLayout.hanging(style.paint(name.padded(to: 10), .faint) + Plain.printable(value), width, hang: 10)
    }

    private var timings: String {
        let timings = record.timings
        let queue = ("queue", timings.blocked)
        let setUp = [("DNS", timings.resolve), ("connect", timings.connect), ("TLS", timings.tls)]
        let rest = [
            ("first byte", timings.responseStarted.map { $0 - timings.started }),
            ("total", timings.ended.map { $0 - timings.started }),
        ]
        func text(_ parts: [(String, Duration?)]) -> String {
            parts.compactMap { name, value in value.map { "\(name) \(Plain.duration($0))" } }
                .joined(separator: ", ")
        }
        // The answer did not wait for a connection that stood before.
        guard setUpBefore != nil else { return text([queue] + setUp + rest) }
        return "before the request \(text(setUp)); from it on \(text([queue] + rest))"
    }

    private func message(
        _ title: String,
        _ message: MessageRecord,
        _ body: [UInt8],
        _ isCut: Bool
    ) -> [String] {
        var lines = ["", style.paint(title, .bold) + "  \(summary(of: message.body))"]
        lines += Self.text(message.head).map { "  \($0)" }
        if !isCut { lines += self.body(message, body).map { "  \($0)" } }
        lines += Self.text(message.trailers).map { "  \($0)" }
        return lines
    }

    /// Returns the length of a body, and how much of it is missing.
    func summary(of body: BodyRecord) -> String {
        var parts = ["body \(Plain.size(body.length))"]
        if body.isTruncated { parts.append("\(Plain.size(body.capturedLength)) recorded") }
        if !body.isComplete { parts.append(record.outcome == nil ? "not over" : "cut off") }
        return parts.joined(separator: ", ")
    }

    /// Returns the lines of a body: its decoded text.
    private func body(_ message: MessageRecord, _ body: [UInt8]) -> [String] {
        guard !body.isEmpty else { return [] }
        let codings = message.fields.list("content-encoding").map { $0.lowercased() }
        let content = ContentStream(codings: codings)
        content.append(body)
        if message.body.isComplete, !message.body.isTruncated { content.finish() }
        // A body that cannot be decoded at all is shown as it came.
        let decoded = content.failure != nil && content.content.isEmpty ? body : content.content
        return (protobuf(message, decoded) ?? text(of: decoded, isWhole: !message.body.isTruncated))
            + (content.failure.map { ["[\(decoded.count) bytes were decoded: \($0)]"] } ?? [])
    }

    /// Returns the lines of a message of Protocol Buffers; `nil` for any other body.
    private func protobuf(_ message: MessageRecord, _ decoded: [UInt8]) -> [String]? {
        guard ProtobufDecoder.isNamed(by: message.fields.first("content-type")),
            let members = try? ProtobufDecoder(nil).members(decoded[...], type: nil)
        else { return nil }
        let text = ProtobufText(members)
        return text.lines + (text.isCut ? ["[… \(decoded.count) bytes in all]"] : [])
    }

    private func text(of decoded: [UInt8], isWhole: Bool) -> [String] {
        guard
            let text = String(validating: decoded.prefix(4 * Self.shown), as: UTF8.self)
                ?? Self.ascii(decoded)
        else {
            return [
                "[\(decoded.count) bytes that are no text; pinhole flows export --raw \(record.id.rawValue)]"
            ]
        }
        var lines = TerminalText.lines(text.prefix(Self.shown))
        if text.count > Self.shown {
            lines.append("[… \(decoded.count) bytes \(isWhole ? "in all" : "recorded")]")
        }
        return lines
    }

    /// Decodes a prefix of a text, which may end within a character.
    private static func ascii(_ bytes: [UInt8]) -> String? {
        (1...3).lazy.compactMap { String(validating: bytes.prefix(4 * shown).dropLast($0), as: UTF8.self) }
            .first
    }

    private static func text(_ head: [UInt8]) -> [String] {
        TerminalText.lines(String(decoding: head, as: UTF8.self), omittingEmpty: true)
    }
}
