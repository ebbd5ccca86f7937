import PinholeContent
import PinholeModel
import PinholeWire

/// The lines of a body, by its type: JSON, XML, a form, multipart, Protocol Buffers, text, or bytes.
enum BodyLayout {
    /// The most bytes that are shown as hexadecimal digits.
    private static let hexadecimalBytes = 64 << 10
    private static let bytesPerLine = 16

    /// Returns the lines of a body.
    ///
    /// - Parameters:
    ///   - bytes: The bytes without content codings.
    ///   - declared: The media type of the message; empty if it has none.
    ///   - isWhole: Whether these are all bytes of the body.
    ///   - asBytes: Whether hexadecimal digits are wanted in any case.
    ///   - depth: The number of multiparts around the body.
    /// - Returns: The lines.
    static func lines(
        _ bytes: [UInt8],
        type declared: String,
        isWhole: Bool,
        asBytes: Bool = false,
        depth: Int = 0
    ) -> [StyledLine] {
        guard !bytes.isEmpty else { return [] }
        guard !asBytes else { return hexadecimal(bytes) }
        let type = declared.lowercased()
        if ProtobufDecoder.isNamed(by: type), isWhole,
            let members = try? ProtobufDecoder(nil).members(bytes[...], type: nil)
        {
            return self.members(ProtobufText(members))
        }
        if type.hasPrefix("multipart/"),
            let lines = MultipartLayout.lines(bytes, type: declared, depth: depth)
        {
            return lines
        }
        guard let text = text(bytes, type: declared, isWhole: isWhole)?.text else {
            return hexadecimal(bytes)
        }
        if isXML(text, type: type) { return XMLLayout(text).lines }
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

    static func plain(_ text: String) -> [StyledLine] {
        TerminalText.lines(text.replacing("\t", with: "    ")).map { StyledLine($0) }
    }

    /// Returns the bytes as text of the declared encoding, or of UTF-8 without NUL.
    ///
    /// - Parameters:
    ///   - bytes: The bytes without content codings.
    ///   - type: The media type, which may declare an encoding.
    ///   - isWhole: Whether the last character is whole.
    /// - Returns: The text, and whether U+FFFD stands for bytes that are wrong in a type of texts; `nil` if the bytes are no text.
    static func text(
        _ bytes: [UInt8],
        type: String,
        isWhole: Bool
    ) -> (text: String, isRepaired: Bool)? {
        let charset = DeclaredCharset(type, of: bytes, isWhole: isWhole)
        let text = (0...(isWhole ? 0 : 3)).lazy.compactMap { cut in
            let bytes = Array(bytes.dropLast(cut))
            let content = charset?.utf8(of: bytes) ?? bytes
            return content.contains(0) ? nil : String(validating: content, as: UTF8.self)
        }.first
        if let text { return (text, false) }
        let texts = ["text/", "json", "xml", "javascript", "x-www-form-urlencoded"]
        guard !bytes.contains(0), texts.contains(where: type.lowercased().contains) else { return nil }
        return (String(decoding: bytes, as: UTF8.self), true)
    }

    /// Whether a text is XML; HTML is none, since its white space and open elements have a meaning.
    private static func isXML(_ text: String, type: String) -> Bool {
        let start = text.prefix(200).drop { $0.isWhitespace || $0 == "\u{feff}" }
        guard !type.contains("html"), start.hasPrefix("<") else { return false }
        return type.contains("xml") || start.hasPrefix("<?xml")
    }

    /// Returns the lines of a message of Protocol Buffers with the names of its fields in colour.
    static func members(_ message: ProtobufText) -> [StyledLine] {
        message.lines.map(field)
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
