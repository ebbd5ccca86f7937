/// Reads the fields of a message in their order, by their wire types.
package struct ProtobufReader {
    /// A value with its wire type.
    package enum Value: Equatable {
        /// A number of variable length.
        case varint(UInt64)
        /// Eight bytes.
        case fixed64(UInt64)
        /// Four bytes.
        case fixed32(UInt32)
        /// A text, bytes, a message, or packed numbers.
        case bytes(ArraySlice<UInt8>)
        /// A group, as the bytes between its start and its end.
        case group(ArraySlice<UInt8>)
    }

    /// A number with what it stands for.
    package struct Field: Equatable {
        /// The declaration of the message has a name for it.
        package var number: Int
        /// The content by its wire type.
        package var value: Value
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// The largest depth of nested groups.
    private static let groupDepth = 32

    /// Reads a message.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The offset of the next field.
    var offset: Int { position - bytes.startIndex }

    /// Reads the next field; `nil` at the end.
    ///
    /// - Throws: ``ProtobufFailure`` for bytes that are no message.
    package mutating func next() throws(ProtobufFailure) -> Field? {
        guard position < bytes.endIndex else { return nil }
        let tag = try tag()
        guard tag.wire != 4 else { throw fault("a group ends that has not begun") }
        return Field(number: tag.number, value: try value(tag.number, wire: tag.wire, depth: 0))
    }

    /// Whether more bytes follow.
    var hasMore: Bool { position < bytes.endIndex }

    private mutating func tag() throws(ProtobufFailure) -> (number: Int, wire: UInt64) {
        let tag = try varint()
        let number = tag >> 3
        guard (1...0x1fff_ffff).contains(number) else { throw fault("there is no field number \(number)") }
        return (Int(number), tag & 7)
    }

    private mutating func value(
        _ number: Int,
        wire: UInt64,
        depth: Int
    ) throws(ProtobufFailure) -> Value {
        switch wire {
        case 0: return .varint(try varint())
        case 1: return .fixed64(try fixed(8))
        case 2:
            let length = try varint()
            guard length <= UInt64(bytes.endIndex - position) else {
                throw fault("field \(number) states \(length) bytes, and \(bytes.endIndex - position) follow")
            }
            let start = position
            position += Int(length)
            return .bytes(bytes[start..<position])
        case 3: return .group(try group(number, depth: depth))
        case 5: return .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
        default: throw fault("there is no wire type \(wire)")
        }
    }

    private mutating func group(_ number: Int, depth: Int) throws(ProtobufFailure) -> ArraySlice<UInt8> {
        guard depth < Self.groupDepth else { throw fault("groups are nested deeper than \(Self.groupDepth)") }
        let start = position
        while true {
            let end = position
            guard position < bytes.endIndex else { throw fault("group \(number) does not end") }
            let tag = try tag()
            if tag.wire == 4 {
                guard tag.number == number else { throw fault("group \(number) is ended by \(tag.number)") }
                return bytes[start..<end]
            }
            _ = try value(tag.number, wire: tag.wire, depth: depth + 1)
        }
    }

    /// Reads the next varint; packed fields consist of them.
    mutating func varint() throws(ProtobufFailure) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard position < bytes.endIndex else { throw fault("a number is cut off") }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw fault("a number has more than ten bytes")
    }

    /// Reads the next number of `count` bytes, lowest byte first.
    mutating func fixed(_ count: Int) throws(ProtobufFailure) -> UInt64 {
        guard bytes.endIndex - position >= count else { throw fault("a number of \(count) bytes is cut off") }
        defer { position += count }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func fault(_ text: String) -> ProtobufFailure { ProtobufFailure("\(text), at byte \(offset)") }
}
