/// A JSON text (RFC 8259) that is written piece by piece, so that a file of any length needs little memory.
///
/// Commas are written automatically, before every value except the first of an object or array.
package struct JSONText {
    /// The bytes written since the last ``take()``.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Creates an empty text, with room for a number of bytes.
    package init(reserving bytes: Int = 0) { self.bytes.reserveCapacity(bytes) }

    /// Returns the bytes written since the last call, and forgets them.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: bytes.capacity < 1 << 20) }
        return bytes
    }

    /// Writes an object with the members that `members` writes.
    package mutating func object(_ members: (inout JSONText) -> Void) {
        begin(0x7b)
        members(&self)
        end(0x7d)
    }

    /// Writes an array with the elements that `elements` writes.
    package mutating func array(_ elements: (inout JSONText) -> Void) {
        begin(0x5b)
        elements(&self)
        end(0x5d)
    }

    /// Opens an object (`{`) or array (`[`).
    package mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    /// Closes an object (`}`) or array (`]`).
    package mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    /// Ends a line; the next value is a separate JSON text.
    package mutating func endLine() {
        bytes.append(0x0a)
        needsComma = false
    }

    /// Writes the name of the next member; its value must follow.
    package mutating func name(_ name: String) {
        string(name)
        bytes.append(0x3a)
        needsComma = false
    }

    /// Writes a member that is a text, or `null` if there is none.
    package mutating func member(_ name: String, _ text: String?) {
        self.name(name)
        if let text { string(text) } else { raw("null") }
    }

    /// Writes a member whose value is already JSON.
    package mutating func member(_ name: String, json value: ArraySlice<UInt8>) {
        self.name(name)
        separate()
        bytes.append(contentsOf: value)
    }

    /// Writes a member that is a number.
    package mutating func member(_ name: String, _ number: some BinaryInteger) {
        self.name(name)
        raw(String(number))
    }

    /// Writes a member that is a number, without the generic call that other integers need.
    package mutating func member(_ name: String, _ number: Int64) {
        self.name(name)
        element(number)
    }

    /// Writes an element that is a number.
    package mutating func element(_ number: Int64) {
        let comma = takeComma()
        bytes.append(addingCapacity: Self.longestNumber + 1) { output in
            if comma { output.append(0x2c) }
            Self.write(number, to: &output)
        }
    }

    /// Writes a member that is an array of numbers.
    package mutating func member(_ name: String, _ numbers: [UInt16]) {
        self.name(name)
        bytes.append(addingCapacity: numbers.count * 6 + 2) { output in
            output.append(0x5b)
            for index in numbers.indices {
                if index > 0 { output.append(0x2c) }
                Self.write(Int64(numbers[index]), to: &output)
            }
            output.append(0x5d)
        }
        needsComma = true
    }

    /// The number of bytes of the longest number, which is negative.
    private static let longestNumber = 20

    /// Writes the digits of a number, for which a `String` would be made and copied.
    private static func write(_ number: Int64, to output: inout OutputSpan<UInt8>) {
        if number < 0 { output.append(0x2d) }
        var rest = number.magnitude
        var digits = InlineArray<20, UInt8>(repeating: 0x30)
        var first = digits.count - 1
        while rest > 9 {
            let next = rest / 10
            digits[first] = 0x30 | UInt8(truncatingIfNeeded: rest &- next &* 10)
            rest = next
            first -= 1
        }
        digits[first] = 0x30 | UInt8(truncatingIfNeeded: rest)
        for index in first..<digits.count { output.append(digits[index]) }
    }

    /// Writes a member that is true or false.
    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        raw(value ? "true" : "false")
    }

    /// Writes a member that is a duration in milliseconds, or -1 if there is none.
    package mutating func member(_ name: String, milliseconds duration: Duration?) {
        self.name(name)
        guard let duration else { return raw("-1") }
        let microseconds = max(duration.microseconds, 0)
        let fraction = String(microseconds % 1000 + 1000).dropFirst()
        raw(fraction == "000" ? "\(microseconds / 1000)" : "\(microseconds / 1000).\(fraction)")
    }

    /// Writes a member that is Base64 (RFC 4648 §4).
    package mutating func member(_ name: String, base64 content: [UInt8]) {
        self.name(name)
        separate()
        bytes.append(0x22)
        Base64.append(content, to: &bytes)
        bytes.append(0x22)
    }

    /// Writes a text, with escapes for characters that are unsafe on a terminal; a parser reads the same text.
    package mutating func string(_ text: String) {
        let content = text.utf8.span
        guard Self.isPlain(content) else { return escaped(text) }
        let comma = takeComma()
        bytes.append(addingCapacity: content.count + 3) { output in
            if comma { output.append(0x2c) }
            output.append(0x22)
            for index in content.indices { output.append(content[index]) }
            output.append(0x22)
        }
    }

    private mutating func escaped(_ text: String) {
        separate()
        bytes.append(0x22)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                append(ascii: UInt8(truncatingIfNeeded: scalar.value))
            } else if scalar.isUnseen {
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] { append(escaping: unit) }
            } else {
                bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        bytes.append(0x22)
    }

    /// Whether a text needs no escapes.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        // Eight bytes at once; a byte that is not plain is found, or one that is plain but follows such a byte.
        let ones: UInt64 = 0x0101_0101_0101_0101
        while index <= bytes.count - 8 {
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let (quote, backslash) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5c))
            let others =
                (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | word | (word &+ ones)
            guard others & (ones &* 0x80) == 0 else { return false }
            index += 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            guard byte >= 0x20, byte < 0x7f, byte != 0x22, byte != 0x5c else { return false }
            index += 1
        }
        return true
    }

    private mutating func append(ascii byte: UInt8) {
        switch byte {
        case 0x22, 0x5c: bytes.append(contentsOf: [0x5c, byte])
        case 0x0a: bytes.append(contentsOf: [0x5c, 0x6e])
        case 0x0d: bytes.append(contentsOf: [0x5c, 0x72])
        case 0x09: bytes.append(contentsOf: [0x5c, 0x74])
        // DEL is legal in JSON, but must not reach a terminal.
        case 0..<0x20, 0x7f: append(escaping: UInt16(byte))
        default: bytes.append(byte)
        }
    }

    /// Writes a UTF-16 code unit as `\u0085` (RFC 8259 §7).
    private mutating func append(escaping unit: UInt16) {
        let digits = String(unit, radix: 16)
        bytes.append(contentsOf: [0x5c, 0x75])
        bytes.append(contentsOf: repeatElement(0x30, count: 4 - digits.utf8.count))
        bytes.append(contentsOf: digits.utf8)
    }

    /// Writes a value; members of objects are sorted by name.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .boolean(let flag): raw(flag ? "true" : "false")
        case .integer(let number): raw(String(number))
        case .number(let value): number(value)
        case .string(let text): string(text)
        case .array(let elements):
            array { json in
                for element in elements { json.value(element) }
            }
        case .object(let members):
            object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    json.value(value)
                }
            }
        }
    }

    /// Writes a number; a whole number has no fraction.
    mutating func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        let text = value.description
        raw(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Sorts the members that were written last by name.
    ///
    /// - Parameter members: The name of each member, and the place where it begins, including its comma.
    mutating func sort(_ members: [(name: String, start: Int)]) {
        let sorted = members.indices.sorted { members[$0].name < members[$1].name }
        guard let first = members.first?.start, sorted != Array(members.indices) else { return }
        let ends = members.dropFirst().map(\.start) + [bytes.count]
        var ordered: [UInt8] = []
        ordered.reserveCapacity(bytes.count - first)
        for index in sorted {
            // The member that was written first has no comma before it.
            let start = members[index].start + (index == 0 ? 0 : 1)
            if !ordered.isEmpty { ordered.append(0x2c) }
            ordered.append(contentsOf: bytes[start..<ends[index]])
        }
        bytes.replaceSubrange(first..., with: ordered)
    }

    mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func separate() {
        if takeComma() { bytes.append(0x2c) }
    }

    /// Returns whether a comma must come first; one comes before the value after this one.
    private mutating func takeComma() -> Bool {
        defer { needsComma = true }
        return needsComma
    }
}
