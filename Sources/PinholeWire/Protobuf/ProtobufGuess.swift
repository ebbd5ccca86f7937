/// Reads a message without a descriptor, and guesses its values from the wire types.
enum ProtobufGuess {
    /// Reads the fields of `bytes`.
    static func members(
        _ bytes: ArraySlice<UInt8>,
        depth: Int = 0,
        _ budget: inout ProtobufBudget
    ) throws(ProtobufFailure) -> [ProtobufMember] {
        var reader = ProtobufReader(bytes)
        var members: [ProtobufMember] = []
        while let field = try reader.next() {
            try budget.spend()
            members.append(try member(field, depth: depth, &budget))
        }
        return members
    }

    /// Reads a field; its name is its number.
    static func member(
        _ field: ProtobufReader.Field,
        depth: Int,
        _ budget: inout ProtobufBudget
    ) throws(ProtobufFailure) -> ProtobufMember {
        let name = String(field.number)
        switch field.value {
        case .varint(let value): return ProtobufMember(name, .unsigned(value), remark: meanings(of: value))
        case .fixed64(let value):
            let double = Double(bitPattern: value)
            if isPlausible(double) {
                return ProtobufMember(name, .number(double), remark: "fixed64 \(value)")
            }
            return ProtobufMember(name, .unsigned(value), remark: "fixed64")
        case .fixed32(let value):
            let float = Float(bitPattern: value)
            if isPlausible(Double(float)) {
                return ProtobufMember(name, .number(Double(float)), remark: "fixed32 \(value)")
            }
            return ProtobufMember(name, .unsigned(UInt64(value)), remark: "fixed32")
        case .bytes(let bytes): return ProtobufMember(name, node(bytes, depth: depth, &budget))
        case .group(let bytes):
            guard depth < ProtobufBudget.guessedDepth else {
                return ProtobufMember(name, .bytes(Array(bytes)), remark: "group")
            }
            let members = try members(bytes, depth: depth + 1, &budget)
            return ProtobufMember(name, .message(members), remark: "group")
        }
    }

    /// Guesses between text, message and bytes.
    ///
    /// Text may happen to be a valid message, but a message is hardly ever readable text.
    private static func node(
        _ bytes: ArraySlice<UInt8>,
        depth: Int,
        _ budget: inout ProtobufBudget
    ) -> ProtobufNode {
        guard let first = bytes.first else { return .text("") }
        let text = readable(bytes)
        // A message that begins with the tag of field 1 begins with a line feed, so text that begins
        // otherwise stays text.
        if let text, first >= 0x20 { return .text(text) }
        if depth < ProtobufBudget.guessedDepth {
            var spent = budget
            let members = try? members(bytes, depth: depth + 1, &spent)
            budget = spent
            if let members { return .message(members) }
        }
        return text.map(ProtobufNode.text) ?? .bytes(Array(bytes))
    }

    /// The bytes as text; `nil` if they are not UTF-8 or contain control characters.
    private static func readable(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Other readings of a varint besides an unsigned number.
    private static func meanings(of value: UInt64) -> String? {
        if value <= 1 { return value == 1 ? "or true" : "or false" }
        if value > UInt64(Int64.max) { return "or \(Int64(bitPattern: value))" }
        let zigzag = Int64(value >> 1) ^ -Int64(value & 1)
        return "zigzag \(zigzag)"
    }

    /// Whether a program is likely to have written this number.
    private static func isPlausible(_ number: Double) -> Bool {
        number == 0 || (number.isFinite && (1e-9...1e15).contains(number.magnitude))
    }
}
