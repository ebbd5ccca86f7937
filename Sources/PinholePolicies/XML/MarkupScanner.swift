import PinholeTrust

/// The characters of an XML document, which are read one after another.
struct MarkupScanner {
    private let bytes: [UInt8]
    private var position = 0
    /// The line of the next character, from 1.
    private(set) var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all characters were read.
    var isAtEnd: Bool { position >= bytes.count }

    /// The next byte.
    var current: UInt8? { isAtEnd ? nil : bytes[position] }

    func failure(_ text: String) -> PolicyFailure { PolicyFailure("line \(line): \(text)") }

    /// Skips `text` if it comes next.
    mutating func skip(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        advance(text.utf8.count)
        return true
    }

    /// Skips white space; returns whether there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = position
        while let byte = current, Self.isSpace(byte) { advance(1) }
        return position > start
    }

    /// Takes everything up to `end`, and skips that.
    mutating func take(until end: String, of what: String) throws(PolicyFailure) -> ArraySlice<UInt8> {
        let start = position
        let begun = line
        let mark = Array(end.utf8)
        while !isAtEnd {
            if bytes[position...].starts(with: mark) {
                let content = bytes[start..<position]
                advance(mark.count)
                return content
            }
            advance(1)
        }
        throw failure("expected “\(end)” for \(what) that begins in line \(begun), found the end")
    }

    /// Takes a name.
    mutating func name(of what: String) throws(PolicyFailure) -> String {
        let start = position
        while let byte = current, Self.isNameByte(byte) { advance(1) }
        let name = bytes[start..<position]
        // Digits, “-” and “.” begin no name.
        guard let first = name.first, Self.isNameByte(first), !(0x2d...0x39).contains(first),
            name.count <= 256
        else {
            throw failure("expected the name of \(what)")
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// Takes `="value"`.
    mutating func attributeValue(of name: String) throws(PolicyFailure) -> String {
        skipSpace()
        guard skip("=") else { throw failure("expected “=” after the attribute “\(name)”") }
        skipSpace()
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw failure("expected the value of “\(name)” in quotation marks")
        }
        advance(1)
        let start = position
        while let byte = current, byte != quote {
            guard byte != UInt8(ascii: "<") else {
                throw failure("expected no “<” in the value of “\(name)”")
            }
            advance(1)
        }
        let raw = bytes[start..<position]
        guard current == quote else {
            throw failure("expected the end of the value of “\(name)”, found the end")
        }
        advance(1)
        return try resolve(raw)
    }

    /// Takes text up to the next tag.
    mutating func text() throws(PolicyFailure) -> String {
        let start = position
        while let byte = current, byte != UInt8(ascii: "<") { advance(1) }
        return try resolve(bytes[start..<position])
    }

    /// Replaces the five references that XML itself knows, and characters by number; there are no others.
    private func resolve(_ raw: ArraySlice<UInt8>) throws(PolicyFailure) -> String {
        guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
        var text: [UInt8] = []
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                text.append(byte)
                continue
            }
            let name = rest.prefix(12).prefix { $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(name.count)
            guard rest.popFirst() == UInt8(ascii: ";") else {
                throw failure("expected “;” after “&”; write &amp; for “&”")
            }
            text += try character(String(decoding: name, as: UTF8.self)).utf8
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func character(_ reference: String) throws(PolicyFailure) -> String {
        switch reference {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let isHexadecimal = reference.hasPrefix("#x")
            let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
            guard reference.hasPrefix("#"), digits.first?.isHexDigit == true,
                let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0,
                let scalar = Unicode.Scalar(number)
            else {
                throw failure(
                    "expected &lt; &gt; &amp; &quot; &apos; or a character by number, found &\(reference);"
                )
            }
            return String(scalar)
        }
    }

    private mutating func advance(_ count: Int) {
        let end = min(position + count, bytes.count)
        for byte in bytes[position..<end] where byte == 0x0a { line += 1 }
        position = end
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3a, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x80...0xff: true
        default: false
        }
    }
}
