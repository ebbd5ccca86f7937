import Testing

@testable import PinholeWire

@Suite("ProtobufWriter")
struct ProtobufWriterTests {
    @Test("a message of any length is read back", arguments: [0, 1, 127, 128, 16383, 16384])
    func lengths(count: Int) throws {
        let content = [UInt8](repeating: 7, count: count)
        var writer = ProtobufWriter()
        writer.message(16) { inner in
            inner.present(1, content)
            inner.message(2) { $0.varint(3, -1) }
        }
        writer.fixed64(4, 1 << 63)
        writer.text(5, "Zoë")
        writer.present(6, double: 0)
        writer.present(7, varint: 0)
        writer.varint(8, 0)
        var reader = ProtobufReader(writer.bytes[...])
        guard case .bytes(let message) = try reader.next()?.value else {
            Issue.record("the message was not written as bytes")
            return
        }
        #expect(try reader.next() == .init(number: 4, value: .fixed64(1 << 63)))
        #expect(try reader.next() == .init(number: 5, value: .bytes(Array("Zoë".utf8)[...])))
        #expect(try reader.next() == .init(number: 6, value: .fixed64(0)))
        #expect(try reader.next() == .init(number: 7, value: .varint(0)))
        #expect(try reader.next() == nil)
        var inner = ProtobufReader(message)
        #expect(try inner.next() == .init(number: 1, value: .bytes(content[...])))
        let number: [UInt8] = [0x18] + [UInt8](repeating: 0xff, count: 9) + [1]
        #expect(try inner.next() == .init(number: 2, value: .bytes(number[...])))
        #expect(try inner.next() == nil)
    }
}
