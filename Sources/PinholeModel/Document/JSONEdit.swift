/// A JSON text in which single members are set; all other bytes stay as they were written.
package struct JSONEdit: Sendable, Equatable {
    /// The edited text in UTF-8.
    package private(set) var text: [UInt8]

    /// Creates an edit of a JSON object.
    ///
    /// - Parameter text: The text in UTF-8; an empty text is taken as an object without members.
    package init(_ text: [UInt8]) {
        let isEmpty = text.allSatisfy(Self.isSpace)
        self.text = isEmpty ? Array("{}\n".utf8) : text
    }

    /// Sets a member.
    ///
    /// Missing objects on the path are added after the existing members.
    ///
    /// - Parameters:
    ///   - path: The names on the path to the member, from the outermost.
    ///   - value: The new value, as JSON.
    /// - Throws: ``DocumentFailure`` if the text, or a value on the path, is not an object.
    package mutating func set(_ path: [String], to value: String) throws(DocumentFailure) {
        text = try Self.setting(path[...], of: text, to: value, depth: 1)
    }

    private static func setting(
        _ path: ArraySlice<String>,
        of text: [UInt8],
        to value: String,
        depth: Int
    ) throws(DocumentFailure) -> [UInt8] {
        guard let name = path.first else { return Array(value.utf8) }
        let (parsed, quoted) = try JSONValue.parse(text, quoting: name)
        guard case .object(let members) = parsed else {
            throw DocumentFailure(path: "", expected: "an object {…}", found: parsed.summary)
        }
        let old = quoted.map(Array.init) ?? Array("{}".utf8)
        let new = try setting(path.dropFirst(), of: old, to: value, depth: depth + 1)
        if let quoted { return text[..<quoted.startIndex] + new + text[quoted.endIndex...] }
        return inserting(name, new, into: text, isFirst: members.isEmpty, depth: depth)
    }

    /// Returns the text with a member added after the last one.
    private static func inserting(
        _ name: String,
        _ value: [UInt8],
        into text: [UInt8],
        isFirst: Bool,
        depth: Int
    ) -> [UInt8] {
        let brace = text.lastIndex(of: 0x7d) ?? text.endIndex
        let last = text[..<brace].lastIndex { !isSpace($0) } ?? text.startIndex
        let rest = text[text.index(after: last)...]
        let (indent, outer) = (
            String(repeating: "  ", count: depth), String(repeating: "  ", count: depth - 1)
        )
        let hasBreak = rest.prefix { $0 != 0x7d }.contains(0x0a)
        var result = Array(text[...last])
        result += Array("\(isFirst ? "" : ",")\n\(indent)\"\(name)\": ".utf8)
        result += value
        if !hasBreak { result += Array("\n\(outer)".utf8) }
        return result + rest
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }
}

extension JSONValue {
    /// Returns the texts of the elements of a list.
    ///
    /// - Parameter text: The list, as ``parse(_:quoting:)`` returns it.
    /// - Returns: The texts of the elements, without the white space around them; empty if the text is not a list.
    package static func elements(of text: some Sequence<UInt8>) -> [String] {
        var elements: [[UInt8]] = []
        var current: [UInt8] = []
        var (depth, isInText, isEscaped) = (0, false, false)
        for byte in text {
            let isOuter = depth == 1 && !isInText
            if isOuter && (byte == 0x2c || byte == 0x5d) {
                elements.append(current)
                current = []
            } else if depth > 0 {
                current.append(byte)
            }
            if isInText {
                if byte == 0x22, !isEscaped { isInText = false }
                isEscaped = byte == 0x5c && !isEscaped
                continue
            }
            switch byte {
            case 0x22: isInText = true
            case 0x5b, 0x7b: depth += 1
            case 0x5d, 0x7d: depth -= 1
            default: break
            }
        }
        return elements.map { element in
            let start = element.drop { $0 <= 0x20 }
            let end = start.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start.startIndex
            return String(decoding: start[..<end], as: UTF8.self)
        }.filter { !$0.isEmpty }
    }
}
