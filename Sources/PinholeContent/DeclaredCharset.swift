import Glibc

/// The character encoding that a Content-Type or the content itself declares, or that browsers assume, if it is not UTF-8.
///
/// Labels mean what they mean in browsers (the Encoding Standard, §4.2): `iso-8859-1` is windows-1252.
package struct DeclaredCharset: Sendable, Equatable {
    /// The label in lower case.
    package let label: String

    /// The most bytes that are converted; a longer body is read as UTF-8.
    private static let limit = 64 << 20

    /// Reads the parameter `charset` of a media type; `nil` without one, for UTF-8, and for JSON.
    ///
    /// JSON is always UTF-8 (RFC 8259 §8.1).
    ///
    /// - Parameter type: The value of Content-Type; `nil` without one.
    package init?(_ type: String?) {
        guard !Self.isJSON(Self.media(type)), let parameter = Self.parameter(type) else { return nil }
        self.init(label: parameter)
    }

    /// Reads the parameter `charset` of a media type; without one, the declaration in an XML or HTML document, or a
    /// byte order mark; without any of them, that of a text that is not in UTF-8.
    ///
    /// - Parameters:
    ///   - type: The value of Content-Type; `nil` without one.
    ///   - content: The content without content codings, or its beginning.
    ///   - isWhole: Whether the last character is whole.
    package init?(_ type: String?, of content: [UInt8], isWhole: Bool = false) {
        let media = Self.media(type)
        let parameter = Self.parameter(type)
        if Self.isJSON(media) {
            // A document that is not in UTF-8, as JSON should be, is in the encoding that it declares.
            guard let parameter, let declared = Self(label: parameter), !Self.isUTF8(content) else {
                return nil
            }
            self = declared
            return
        }
        if parameter != nil {
            guard let declared = Self(type)?.known(in: media, content, isWhole) else { return nil }
            self = declared
            return
        }
        if content.starts(with: [0xff, 0xfe]) || content.starts(with: [0xfe, 0xff]) {
            guard media.isEmpty || Self.isText(media) else { return nil }
            self.init(label: "utf-16")
            return
        }
        // A mark of UTF-8 wins over the declarations within (HTML, §13.2.3.2).
        let isMarked = content.starts(with: [0xef, 0xbb, 0xbf])
        if !isMarked, media == "text/html" || content.starts(with: "<?xml".utf8) {
            let head = String(decoding: content.prefix(Self.headLength), as: UTF8.self).lowercased()
            if let label = Self.xmlLabel(head) ?? (media == "text/html" ? Self.htmlLabel(head) : nil) {
                // The declaration was read as ASCII, so the document is in neither of these (HTML, §13.2.3.2).
                guard !label.hasPrefix("utf-16"), !label.hasPrefix("utf-32") else { return nil }
                guard let declared = Self(label: label)?.known(in: media, content, isWhole) else {
                    return nil
                }
                self = declared
                return
            }
        }
        guard !isMarked, Self.isLegacy(media, content, isWhole) else { return nil }
        self = .usual
    }

    /// Returns this encoding; for a text in an unknown one, the usual.
    private func known(in media: String, _ content: [UInt8], _ isWhole: Bool) -> DeclaredCharset {
        utf8(of: []) == nil && Self.isLegacy(media, content, isWhole) ? .usual : self
    }

    /// Whether a content is text of bytes that are not UTF-8.
    private static func isLegacy(_ media: String, _ content: [UInt8], _ isWhole: Bool) -> Bool {
        media.hasPrefix("text/") && media != "text/xml" && !content.contains(0)
            && (isWhole ? String(validating: content, as: UTF8.self) == nil : !isUTF8(content))
    }

    /// The encoding of a text that declares none, and is not in UTF-8 (the Encoding Standard, HTML §13.2.3.2).
    private static let usual = DeclaredCharset(known: "windows-1252")

    private init(known label: String) { self.label = label }

    /// The part of a document in which its encoding stands (HTML, §13.2.3.2).
    private static let headLength = 1024

    /// Returns the encoding of an XML declaration, which stands at the very beginning (XML 1.0, §2.8).
    private static func xmlLabel(_ head: String) -> String? {
        guard head.hasPrefix("<?xml"), let end = head.firstRange(of: "?>") else { return nil }
        return value(of: "encoding", in: head[..<end.lowerBound])
    }

    /// Returns the encoding of the first `meta` element that declares one.
    private static func htmlLabel(_ head: String) -> String? {
        var rest = head[...]
        while let start = rest.firstRange(of: "<meta") {
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: ">") else { return nil }
            if let label = value(of: "charset", in: rest[..<end]) { return label }
        }
        return nil
    }

    private static func value(of name: String, in text: Substring) -> String? {
        guard let found = text.firstRange(of: name) else { return nil }
        let rest = trimmed(text[found.upperBound...])
        guard rest.first == "=" else { return nil }
        let value = trimmed(rest.dropFirst()).drop { $0 == "\"" || $0 == "'" }
        return String(value.prefix { !"\"'/;>".contains($0) && !$0.isWhitespace })
    }

    private static func media(_ type: String?) -> String {
        (type ?? "").split(separator: ";", omittingEmptySubsequences: false).first
            .map { trimmed($0).lowercased() } ?? ""
    }

    private static func isJSON(_ media: String) -> Bool {
        media == "application/json" || media.hasSuffix("+json")
    }

    /// Whether bytes are UTF-8, or the beginning of such a text, which may end within a character.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        let open = bytes.suffix(3).reversed().prefix { $0 >= 0x80 }.count
        return (0...open).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    private static func isText(_ media: String) -> Bool {
        media.hasPrefix("text/") || media.hasSuffix("/xml") || media.hasSuffix("+xml")
    }

    private static func parameter(_ type: String?) -> String? {
        (type ?? "").split(separator: ";", omittingEmptySubsequences: false).dropFirst().lazy.map(trimmed)
            .first { $0.lowercased().hasPrefix("charset=") }
            .map { parameter in
                parameter.dropFirst("charset=".count).lowercased()
                    .filter { $0 != "\"" && $0 != "'" && $0 != " " }
            }
    }

    private init?(label: String) {
        // An unusual label must not reach the C library, which reads "//" and "/" as options and names of files.
        guard !label.isEmpty, label.count <= 40, !["utf-8", "utf8"].contains(label),
            label.utf8.allSatisfy(Self.isOfLabel)
        else { return nil }
        self.label = label
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x5f: true
        default: false
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? start[..<start.startIndex]
    }

    /// Returns the text in UTF-8; `nil` if the encoding is unknown, or if the bytes are not in it.
    package func utf8(of bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= Self.limit else { return nil }
        if isWestern { return Self.utf8(ofWestern: bytes) }
        // The mark at the beginning says the order of bytes, and is no part of the text.
        let text = convert(bytes, from: name, to: "UTF-8")
        return text.map { $0.starts(with: [0xef, 0xbb, 0xbf]) ? Array($0.dropFirst(3)) : $0 }
    }

    /// Returns the bytes of a text of UTF-8 in this encoding; `nil` if the encoding is unknown, or lacks a character.
    package func bytes(of text: [UInt8]) -> [UInt8]? {
        guard text.count <= Self.limit else { return nil }
        guard isWestern else { return convert(text, from: "UTF-8", to: name) }
        guard let string = String(validating: text, as: UTF8.self) else { return nil }
        var bytes: [UInt8] = []
        for scalar in string.unicodeScalars {
            if let index = Self.western.firstIndex(of: scalar.value) {
                bytes.append(UInt8(0x80 + index))
            } else if let byte = UInt8(exactly: scalar.value), !(0x80..<0xa0).contains(byte) {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return bytes
    }

    private var isWestern: Bool {
        [
            "iso-8859-1", "iso8859-1", "latin1", "l1", "windows-1252", "cp1252", "x-cp1252", "us-ascii",
            "ascii",
        ]
        .contains(label)
    }

    /// The name of the encoding in the C library.
    private var name: String {
        switch label {
        case "gb2312", "gbk", "x-gbk": "GB18030"
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j": "CP932"
        case "ks_c_5601-1987", "euc-kr", "korean": "CP949"
        case "big5": "BIG5-HKSCS"
        // Without a mark, browsers read it as little-endian, and the C library by the order of the machine.
        case "utf-16": "UTF-16"
        default: label
        }
    }

    /// The characters of the bytes 0x80 to 0x9f in windows-1252.
    private static let western: [UInt32] = [
        0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8d,
        0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161,
        0x203a,
        0x0153, 0x9d, 0x017e, 0x0178,
    ]

    private static func utf8(ofWestern bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            guard byte >= 0x80 else {
                text.append(byte)
                continue
            }
            let value = byte < 0xa0 ? western[Int(byte) - 0x80] : UInt32(byte)
            if let scalar = Unicode.Scalar(value) { text.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
        }
        return text
    }

    /// Converts bytes by the C library.
    ///
    /// - Returns: The bytes; `nil` if it does not know an encoding, or if the bytes are not in it.
    private func convert(_ bytes: [UInt8], from source: String, to target: String) -> [UInt8]? {
        let converter = iconv_open(target, source)
        guard Int(bitPattern: converter) != -1 else { return nil }
        defer { iconv_close(converter) }
        var input = bytes
        // UTF-8 takes at most three bytes for a byte of another encoding; UTF-16 and UTF-32 take at most four for a byte of
        // UTF-8, and four for a mark.
        var output = [UInt8](repeating: 0, count: 4 * bytes.count + 8)
        var (left, room) = (input.count, output.count)
        let isDone = input.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                var from = input.baseAddress?.assumingMemoryBound(to: CChar.self)
                var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                guard iconv(converter, &from, &left, &to, &room) != -1 else { return false }
                return iconv(converter, nil, nil, &to, &room) != -1
            }
        }
        return isDone && left == 0 ? Array(output.prefix(output.count - room)) : nil
    }
}
