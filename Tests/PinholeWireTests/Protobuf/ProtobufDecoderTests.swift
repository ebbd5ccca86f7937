import PinholeWire
import Testing

/// Messages by their descriptors.
@Suite("ProtobufDecoder")
struct ProtobufDecoderTests {
    private func members(_ bytes: [UInt8], _ type: String = "shop.Tea") throws -> [ProtobufMember] {
        let schema = try ProtobufSchema(descriptorSet: DescriptorBytes.set)
        return try ProtobufDecoder(schema).members(bytes[...], type: type)
    }

    @Test(
        "knows bodies that are one message by their type",
        arguments: [
            ("application/x-protobuf", true), ("application/protobuf; messageType=a.B", true),
            ("application/vnd.google.protobuf", true), ("application/vnd.a+proto", true),
            ("Application/X-Protobuf", true), ("application/grpc+proto", false), ("application/json", false),
            ("application/connect+proto", false), ("", false),
        ]
    )
    func names(type: String, isMessage: Bool) {
        #expect(ProtobufDecoder.isNamed(by: type) == isMessage)
        #expect(!ProtobufDecoder.isNamed(by: nil))
    }

    @Test("names fields and values of enumerations, and joins repeated fields, packed or not")
    func names() throws {
        let members = try members(
            DescriptorBytes.text(1, "Assam") + [0x12, 3, 1, 4, 5] + [0x10, 6] + [0x18, 1]
                + DescriptorBytes.bytes(4, DescriptorBytes.text(1, "big") + [0x10, 7])
                + DescriptorBytes.bytes(4, [0x10, 8]) + [0x3a, 8, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f] + [0x40, 9]
        )
        #expect(members.map(\.name) == ["name", "someReadings", "kind", "cups", "weights", "big"])
        #expect(members[0].node == .text("Assam"))
        #expect(members[1].node == .list([.integer(-1), .integer(2), .integer(-3), .integer(3)]))
        #expect(members[2].node == .name("GREEN"))
        if case .message(let cups) = members[3].node {
            #expect(cups.map(\.name) == ["big", ""] && cups.map(\.node) == [.long("7"), .long("8")])
        } else {
            Issue.record("\(members[3])")
        }
        #expect(members[4].node == .list([.number(1.5)]))
        #expect(members[5].node == .long("9"))
    }

    @Test("reads the fields of a message, and the last value of a field that is not repeated")
    func nested() throws {
        let inner = DescriptorBytes.bytes(6, DescriptorBytes.text(1, "a"))
        let members = try members(inner + DescriptorBytes.bytes(6, [0x18, 5]))
        if case .message(let fields)? = members.first?.node {
            #expect(fields.map(\.node) == [.integer(5)])
        } else {
            Issue.record("\(members)")
        }
        let any =
            DescriptorBytes.text(1, "type.googleapis.com/shop.Tea")
            + DescriptorBytes.bytes(2, DescriptorBytes.text(1, "b"))
        let wrapped = try self.members(DescriptorBytes.bytes(10, any))
        if case .message(let parts)? = wrapped.first?.node, case .message(let tea)? = parts.last?.node {
            #expect(tea.map(\.node) == [.text("b")])
        } else {
            Issue.record("\(wrapped)")
        }
    }

    @Test("guesses fields that the descriptor does not know or declares with another type")
    func unknown() throws {
        let members = try members([0x78, 3, 0x08, 4, 0x12, 1, 0xff])
        #expect(members.map(\.name).prefix(2) == ["15", "1"])
        #expect(members.first?.remark?.contains("not in the descriptor") == true)
        #expect(members.dropFirst().first?.remark == "name has another type in the descriptor")
        #expect(try self.members([0x08, 1], "shop.Pot").map(\.node) == [.unsigned(1)])
    }

    @Test("refuses messages that are nested deeper than its limit")
    func depth() {
        var nested: [UInt8] = [0x18, 1]
        for _ in 0..<100 where nested.count < 16_000 { nested = DescriptorBytes.bytes(6, nested) }
        #expect(throws: ProtobufFailure.self) { try members(nested) }
    }
}
