import PinholeModel
import PinholeWire

/// The lines of a body, by what it is: JSON, a form, Protocol Buffers, text, or bytes.
enum BodyLayout {
    /// The most bytes that are shown as hexadecimal digits.
    private static let hexadecimalBytes = 64 << 10
    private static let bytesPerLine = 16

    /// Returns the lines of a body.
    ///
    /// - Parameters:
    ///   - bytes: The bytes without content codings.
    ///   - type: The media type of the message; empty if it has none.
    ///   - isWhole: Whether these are all bytes of the body.
    ///   - asBytes: Whether hexadecimal digits are wanted in any case.
    /// - Returns: The lines.
    static func lines(_ bytes: [UInt8], type: String, isWhole: Bool, asBytes: Bool = false) -> [StyledLine] {
        guard !bytes.isEmpty else { return [] }
        guard !asBytes else { return hexadecimal(bytes) }
        let type = type.lowercased()
        if ProtobufDecoder.isNamed(by: type), isWhole,
            let members = try? ProtobufDecoder(nil).members(bytes[...], type: nil)
        {
            return ProtobufText(members).lines.map { StyledLine($0) }
        }
        guard let text = text(bytes, isWhole: isWhole) else { return hexadecimal(bytes) }
        if isJSON(text, type: type, isWhole: isWhole) { return JSONLayout(text).lines }
        if type.hasPrefix("application/x-www-form-urlencoded") { return form(text) }
        return plain(text)
    }

    /// Returns a field line with its name coloured.
    static func field(_ text: String) -> StyledLine {
        guard let colon = text.firstIndex(of: ":") else { return StyledLine(text) }
        var line = StyledLine(text[..<colon], .of(.blue))
        line.add(text[colon...])
        return line
    }

    /// Returns a text in its own lines.
    static func plain(_ text: String) -> [StyledLine] {
        TerminalText.lines(text.replacing("\t", with: "    ")).map { StyledLine($0) }
    }

    /// Returns the bytes as text if they are UTF-8 without NUL; the last character may be cut off.
    private static func text(_ bytes: [UInt8], isWhole: Bool) -> String? {
        guard !bytes.contains(0) else { return nil }
        return (0...(isWhole ? 0 : 3)).lazy
            .compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }.first
    }

    private static func isJSON(_ text: String, type: String, isWhole: Bool) -> Bool {
        guard let first = text.first(where: { !$0.isWhitespace }) else { return false }
        guard isWhole else { return type.contains("json") && (first == "{" || first == "[") }
        guard type.contains("json") || first == "{" || first == "[" else { return false }
        return (try? JSONValue(parsing: Array(text.utf8))) != nil
    }

    /// Returns the pairs of a form, each on a line.
    private static func form(_ text: String) -> [StyledLine] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map {
                String(decoding: PercentCoding.decode($0.utf8, plusIsSpace: true), as: UTF8.self)
            }
            var line = StyledLine(decoded.first ?? "", .of(.blue))
            line.add(" = ")
            line.add(decoded.dropFirst().first ?? "")
            return line
        }
    }

    /// Returns lines of 16 bytes: the offset, the digits, and the printable characters of ASCII.
    private static func hexadecimal(_ bytes: [UInt8]) -> [StyledLine] {
        let shown = bytes.prefix(hexadecimalBytes)
        var lines = stride(from: 0, to: shown.count, by: bytesPerLine).map { start in
            let row = Array(shown[start..<min(shown.count, start + bytesPerLine)])
            let digits = row.map { Hexadecimal.encode([$0]) }
            let halves = [digits.prefix(8), digits.dropFirst(8)].map { $0.joined(separator: " ") }
            var line = StyledLine(String(start, radix: 16).leftPadded(to: 6) + "  ", .faint)
            line.add(halves.joined(separator: "  ").padded(to: 3 * bytesPerLine) + "  ")
            line.add(
                String(row.map { 0x20..<0x7f ~= $0 ? Character(Unicode.Scalar($0)) : "." }),
                .of(.cyan)
            )
            return line
        }
        if shown.count < bytes.count {
            lines.append(
                StyledLine("[\(bytes.count - shown.count) more bytes; w writes all to a file]", .faint)
            )
        }
        return lines
    }
}
