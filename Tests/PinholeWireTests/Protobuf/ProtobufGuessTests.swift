import PinholeWire
import Testing

/// What nothing is known of.
@Suite("ProtobufGuess")
struct ProtobufGuessTests {
    private func members(_ bytes: [UInt8]) throws -> [ProtobufMember] {
        try ProtobufDecoder(nil).members(bytes[...], type: nil)
    }

    @Test("guesses texts, messages, bytes and the meanings of numbers")
    func guesses() throws {
        let members = try members(
            [0x08, 0x96, 0x01, 0x10, 1, 0x1a, 3, 0x74, 0x65, 0x61, 0x22, 2, 0x08, 5, 0x2a, 2, 0xff, 0x00]
                + [0x32, 0, 0x3d, 0, 0, 0xc0, 0x3f, 0x42, 7, 0x0a, 5, 0x68, 0x65, 0x6c, 0x6c, 0x6f]
        )
        #expect(members.map(\.name) == ["1", "2", "3", "4", "5", "6", "7", "8"])
        #expect(members[0].node == .unsigned(150) && members[0].remark == "zigzag 75")
        #expect(members[1].node == .unsigned(1) && members[1].remark == "or true")
        #expect(members[2].node == .text("tea"))
        if case .message(let inner) = members[3].node {
            #expect(inner.map(\.node) == [.unsigned(5)])
        } else {
            Issue.record("\(members[3])")
        }
        #expect(members[4].node == .bytes([0xff, 0]))
        #expect(members[5].node == .text(""))
        #expect(members[6].node == .number(1.5))
        if case .message(let inner) = members[7].node {
            #expect(inner.map(\.node) == [.text("hello")])
        } else {
            Issue.record("\(members[7])")
        }
    }

    @Test("recognises a negative number")
    func negative() throws {
        let minusOne: [UInt8] = [0x08] + [UInt8](repeating: 0xff, count: 9) + [0x01]
        #expect(try members(minusOne).first?.remark == "or -1")
    }

    @Test("stops at its limits of depth and fields")
    func bounds() throws {
        var nested: [UInt8] = [0x08, 1]
        for _ in 0..<40 { nested = [0x0a, UInt8(nested.count)] + nested }
        var depth = 0
        var node = try members(nested).first?.node
        while case .message(let inner)? = node {
            depth += 1
            node = inner.first?.node
        }
        #expect(depth <= 17)
        let many = [UInt8](repeating: 8, count: 200_000)
        #expect(throws: ProtobufFailure.self) { try members(many) }
    }
}
