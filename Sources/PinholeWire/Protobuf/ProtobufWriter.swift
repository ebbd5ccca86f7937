/// Writes the fields of a message in the order of the calls (the wire format of Protocol Buffers).
///
/// A field with its default value is left out, as proto3 does.
package struct ProtobufWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty message.
    package init() {}

    /// Writes a number, as `int64`, `uint32`, `bool` and enumerations are.
    package mutating func varint(_ number: Int, _ value: Int64) {
        guard value != 0 else { return }
        tag(number, wire: 0)
        varint(UInt64(bitPattern: value))
    }

    /// Writes a number of eight bytes, as `fixed64` and `double` are.
    package mutating func fixed64(_ number: Int, _ value: UInt64) {
        guard value != 0 else { return }
        tag(number, wire: 1)
        little(value)
    }

    /// Writes bytes.
    package mutating func bytes(_ number: Int, _ value: some Collection<UInt8>) {
        if !value.isEmpty { present(number, value) }
    }

    /// Writes a text.
    package mutating func text(_ number: Int, _ value: String) { bytes(number, value.utf8) }

    /// Writes a message, also an empty one, with the fields that `fields` writes.
    package mutating func message(_ number: Int, _ fields: (inout ProtobufWriter) -> Void) {
        tag(number, wire: 2)
        let start = bytes.count
        fields(&self)
        // Most messages are short, and moving them by a byte or two is quicker than collecting them apart.
        var length = ProtobufWriter()
        length.varint(UInt64(bytes.count - start))
        bytes.insert(contentsOf: length.bytes, at: start)
    }

    /// Writes a member of a `oneof`, which is written also with its default value.
    package mutating func present(_ number: Int, _ value: some Collection<UInt8>) {
        tag(number, wire: 2)
        varint(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// Writes a number of a `oneof`, also if it is 0.
    package mutating func present(_ number: Int, varint value: Int64) {
        tag(number, wire: 0)
        varint(UInt64(bitPattern: value))
    }

    /// Writes a number with a fraction of a `oneof`, also if it is 0.
    package mutating func present(_ number: Int, double value: Double) {
        tag(number, wire: 1)
        little(value.bitPattern)
    }

    /// Appends a number, lowest byte first.
    private mutating func little(_ value: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    private mutating func tag(_ number: Int, wire: UInt64) { varint(UInt64(number) << 3 | wire) }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
