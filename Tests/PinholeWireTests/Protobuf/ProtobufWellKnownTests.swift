import PinholeWire
import Testing

@Suite("ProtobufWellKnown")
struct ProtobufWellKnownTests {
    private func node(_ place: UInt8, _ bytes: [UInt8]) throws -> ProtobufNode? {
        let schema = try ProtobufSchema(descriptorSet: DescriptorBytes.set)
        let message = DescriptorBytes.bytes(place, bytes)
        return try ProtobufDecoder(schema).members(message[...], type: "shop.Tea").first?.node
    }

    @Test("writes moments and durations as JSON does")
    func texts() throws {
        #expect(try node(5, [0x08, 1]) == .text("1970-01-01T00:00:01Z"))
        // 125,000,000 ns.
        #expect(try node(5, [0x08, 1, 0x10, 0xc0, 0xb2, 0xcd, 0x3b]) == .text("1970-01-01T00:00:01.125Z"))
        #expect(try node(9, [0x08, 3, 0x10, 1]) == .text("3.000000001s"))
        let minusOne: [UInt8] = [UInt8](repeating: 0xff, count: 9) + [1]
        #expect(try node(9, [0x08] + minusOne) == .text("-1s"))
    }

    @Test("shows a well-known type with a value out of range as a message")
    func outOfRange() throws {
        let huge: [UInt8] = [0x08] + [UInt8](repeating: 0xff, count: 8) + [0x7f]
        if case .message? = try node(5, huge) { return }
        Issue.record("a moment")
    }
}
