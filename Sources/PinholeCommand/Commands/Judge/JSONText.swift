import PinholeModel

/// Writes JSON into bytes, for output of many lines.
enum JSONText {
    /// Appends `value`, the members of objects sorted by name.
    static func append(_ value: JSONValue, to output: inout [UInt8]) {
        switch value {
        case .string(let text): append(text, to: &output)
        case .array(let elements):
            output.append(0x5b)
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(0x2c) }
                append(element, to: &output)
            }
            output.append(0x5d)
        case .object(let members):
            output.append(0x7b)
            for (index, name) in members.keys.sorted().enumerated() {
                if index > 0 { output.append(0x2c) }
                append(name, to: &output)
                output.append(0x3a)
                append(members[name] ?? .null, to: &output)
            }
            output.append(0x7d)
        case .null, .boolean, .integer, .number: output += value.summary.utf8
        }
    }

    /// Appends `text` in quotes.
    static func append(_ text: String, to output: inout [UInt8]) {
        output.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5c: output += [0x5c, byte]
            case 0..<0x20:
                output += "\\u00".utf8
                for digit in [byte >> 4, byte & 15] {
                    output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
                }
            default: output.append(byte)
            }
        }
        output.append(0x22)
    }
}
