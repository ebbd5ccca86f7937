import PinholeSession

/// A multipart body (RFC 2046 §5.1) as its parts, each with its header and its content.
enum MultipartLayout {
    /// The deepest multipart within another one that is laid out.
    private static let deepest = 3

    /// Returns the lines of the parts.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - type: The media type with its boundary.
    ///   - depth: The number of multiparts around this one.
    /// - Returns: The lines; `nil` if the type names no boundary, or if the body does not contain it.
    static func lines(_ bytes: [UInt8], type: String, depth: Int) -> [StyledLine]? {
        guard depth < deepest, let boundary = boundary(type) else { return nil }
        let parts = parts(bytes, boundary)
        guard !parts.isEmpty else { return nil }
        return parts.enumerated().flatMap { index, part in
            var line = StyledLine("part \(index + 1)", .bold)
            line.add("  \(Plain.size(Int64(part.content.count)))", .faint)
            let body = BodyLayout.lines(part.content, type: part.type, isWhole: true, depth: depth + 1)
            let head = part.head.map { indented(BodyLayout.field($0)) }
            return [line] + head + (body.isEmpty ? [] : [StyledLine()]) + body.map(indented)
        }
    }

    private struct Part {
        var head: [String]
        var content: [UInt8]

        /// The media type of the part; a part without one is text (RFC 7578 §4.4).
        var type: String {
            let line = head.first { $0.lowercased().hasPrefix("content-type:") }
            return line.map { String($0.dropFirst("content-type:".count)).trimmed } ?? "text/plain"
        }
    }

    private static func indented(_ line: StyledLine) -> StyledLine {
        var indented = StyledLine("  ")
        indented.add(line)
        return indented
    }

    private static func boundary(_ type: String) -> [UInt8]? {
        let parameter = type.split(separator: ";").dropFirst().lazy.map(\.trimmed)
            .first { $0.lowercased().hasPrefix("boundary=") }
        let value = parameter.map { $0.dropFirst("boundary=".count).filter { $0 != "\"" } } ?? ""
        return value.isEmpty ? nil : Array(value.utf8)
    }

    private static func parts(_ bytes: [UInt8], _ boundary: [UInt8]) -> [Part] {
        let delimiter = Array("--".utf8) + boundary
        var parts: [Part] = []
        var start: Int?
        for line in lines(of: bytes) {
            let text = bytes[line.start..<line.end]
            guard text.starts(with: delimiter) else { continue }
            let rest = text.dropFirst(delimiter.count)
            let isLast = rest.starts(with: Array("--".utf8))
            guard isLast || rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
            if let start { parts.append(part(bytes[start..<max(start, line.before)])) }
            start = isLast ? nil : line.next
            if isLast { return parts }
        }
        // The end is missing, as in a body that was recorded in part.
        if let start { parts.append(part(bytes[start...])) }
        return parts
    }

    /// A line: its bytes, the end of the line before without its break, and the start of the next one.
    private struct Line {
        let start: Int
        let end: Int
        let before: Int
        let next: Int
    }

    private static func lines(of bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var (start, before) = (0, 0)
        while start < bytes.count {
            let feed = bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
            let end = feed > start && bytes[feed - 1] == 0x0d ? feed - 1 : feed
            lines.append(Line(start: start, end: end, before: before, next: min(feed + 1, bytes.count)))
            (start, before) = (feed + 1, end)
        }
        return lines
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
        let bytes = Array(bytes)
        var head: [String] = []
        for line in lines(of: bytes) {
            guard line.end > line.start else { return Part(head: head, content: Array(bytes[line.next...])) }
            head.append(String(decoding: bytes[line.start..<line.end], as: UTF8.self))
        }
        return Part(head: head, content: [])
    }
}
