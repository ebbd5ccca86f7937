import PinholeFormats
import PinholeModel
import PinholeSession
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
        if let remedy = record.remedy { lines.append(row("advice", remedy)) }
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
        if !isCut {
            let content = content(message, body)
            if !content.lines.isEmpty { lines += [""] + content.lines.map { $0.isEmpty ? "" : "  \($0)" } }
            // A remark is not indented, so that no line of a body looks like one.
            lines += content.remarks.map { style.paint("[\($0)]", .faint) }
        }
        let trailers = Self.text(message.trailers)
        guard !trailers.isEmpty else { return lines }
        return lines + ["", style.paint("trailers of the \(title)", .bold)] + trailers.map { "  \($0)" }
    }

    /// Returns the length of a body, and how much of it is missing.
    func summary(of body: BodyRecord) -> String {
        var parts = ["body \(Plain.size(body.length))"]
        if body.isTruncated { parts.append("\(Plain.size(body.capturedLength)) recorded") }
        if !body.isComplete { parts.append(record.outcome == nil ? "not over" : "cut off") }
        return parts.joined(separator: ", ")
    }

    /// Returns the lines of a body, and remarks on it: its decoded text, which is laid out on a terminal.
    private func content(_ message: MessageRecord, _ body: [UInt8]) -> (lines: [String], remarks: [String]) {
        guard !body.isEmpty else { return ([], []) }
        let decoded = DecodedBody(message, body)
        let type = message.fields.first("content-type") ?? ""
        var (lines, remark) = laid(decoded.bytes, type, isWhole: !message.body.isTruncated)
        var remarks = [remark].compactMap(\.self)
        if let failure = decoded.failure {
            remarks.append("\(decoded.bytes.count) bytes were decoded: \(failure)")
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return (lines, remarks)
    }

    private func laid(_ bytes: [UInt8], _ type: String, isWhole: Bool) -> (lines: [String], remark: String?) {
        let more = "\(bytes.count) bytes \(isWhole ? "in all" : "recorded"); --body prints them"
        if ProtobufDecoder.isNamed(by: type),
            let members = try? ProtobufDecoder(nil).members(bytes[...], type: nil)
        {
            let text = ProtobufText(members)
            let lines = width == nil ? text.lines : BodyLayout.members(text).map { $0.painted(style) }
            return (lines, text.isCut ? more : nil)
        }
        let part = bytes.count > 4 * Self.shown ? Array(bytes.prefix(4 * Self.shown)) : bytes
        if width != nil, type.lowercased().hasPrefix("multipart/") {
            let lines = BodyLayout.lines(part, type: type, isWhole: true).map { $0.painted(style) }
            return (lines, part.count < bytes.count ? more : nil)
        }
        guard
            let (text, isRepaired) = BodyLayout.text(
                part,
                type: type,
                isWhole: part.count == bytes.count && isWhole
            )
        else {
            return (
                [],
                "\(bytes.count) bytes that are no text; pinhole flows show --body \(record.id.rawValue) > FILE"
            )
        }
        let shown = String(text.prefix(Self.shown))
        let isCut = shown.utf8.count < text.utf8.count || part.count < bytes.count
        let remark =
            isCut
            ? more : isRepaired ? "“\u{fffd}” stands for bytes that are not UTF-8; --body prints them" : nil
        guard width != nil else { return (TerminalText.lines(shown), remark) }
        // The text is UTF-8 now, whatever the type or the document declares.
        let media = String(type.prefix { $0 != ";" }) + "; charset=utf-8"
        let lines = BodyLayout.lines(Array(shown.utf8), type: media, isWhole: isWhole && !isCut)
        return (lines.map { $0.painted(style) }, remark)
    }

    private static func text(_ head: [UInt8]) -> [String] {
        TerminalText.lines(String(decoding: head, as: UTF8.self), omittingEmpty: true)
    }
}
