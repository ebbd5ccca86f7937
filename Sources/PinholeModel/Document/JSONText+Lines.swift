extension JSONText {
    /// The width up to which an object of plain values stays on one line.
    private static let width = 110

    /// Returns a value as a text for people and their diffs: two spaces a level, members sorted by name.
    ///
    /// An object whose values are all plain, such as a field, stays on one line if it fits.
    package static func laidOut(_ value: JSONValue) -> [UInt8] {
        var text: [UInt8] = []
        lay(value, 0, into: &text)
        text.append(0x0a)
        return text
    }

    private static func lay(_ value: JSONValue, _ depth: Int, into text: inout [UInt8]) {
        let parts: [(name: String?, value: JSONValue)]
        let brackets: (open: UInt8, close: UInt8)
        switch value {
        case .array(let elements):
            parts = elements.map { (nil, $0) }
            brackets = (0x5b, 0x5d)
        case .object(let members):
            parts = members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            brackets = (0x7b, 0x7d)
            let line = members.values.allSatisfy(\.isPlain) ? plainLine(parts) : nil
            if let line, line.count + 2 * depth <= width { return text.append(contentsOf: line) }
        case .null, .boolean, .integer, .number, .string:
            return text.append(contentsOf: compact(value))
        }
        text.append(brackets.open)
        for (index, part) in parts.enumerated() {
            if index > 0 { text.append(0x2c) }
            breakLine(depth + 1, in: &text)
            if let name = part.name { text += compact(.string(name)) + [0x3a, 0x20] }
            lay(part.value, depth + 1, into: &text)
        }
        if !parts.isEmpty { breakLine(depth, in: &text) }
        text.append(brackets.close)
    }

    private static func plainLine(_ parts: [(name: String?, value: JSONValue)]) -> [UInt8] {
        let members = parts.map { compact(.string($0.name ?? "")) + [0x3a, 0x20] + compact($0.value) }
        return [0x7b] + members.joined(separator: [0x2c, 0x20]) + [0x7d]
    }

    private static func breakLine(_ depth: Int, in text: inout [UInt8]) {
        text.append(0x0a)
        text.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }

    private static func compact(_ value: JSONValue) -> [UInt8] {
        var text = JSONText()
        text.value(value)
        return text.take()
    }
}

extension JSONValue {
    /// Whether the value is neither an object nor an array.
    fileprivate var isPlain: Bool {
        switch self {
        case .null, .boolean, .integer, .number, .string: true
        case .array, .object: false
        }
    }
}
