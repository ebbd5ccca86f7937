import PinholeTestKit
import Testing

@testable import PinholeWire

@Suite("ProtobufReader")
struct ProtobufReaderTests {
    private func fields(_ bytes: [UInt8]) throws -> [ProtobufReader.Field] {
        var reader = ProtobufReader(bytes[...])
        var fields: [ProtobufReader.Field] = []
        while let field = try reader.next() { fields.append(field) }
        return fields
    }

    @Test("reads every wire type")
    func wireTypes() throws {
        let fields = try fields(
            [0x08, 0x96, 0x01, 0x12, 1, 65, 0x1d, 1, 0, 0, 0, 0x21, 2, 0, 0, 0, 0, 0, 0, 0, 0x2b, 8, 1, 0x2c]
        )
        #expect(fields.map(\.number) == [1, 2, 3, 4, 5])
        #expect(
            fields.map(\.value) == [
                .varint(150), .bytes([65]), .fixed32(1), .fixed64(2), .group([8, 1]),
            ]
        )
    }

    @Test(
        "refuses invalid messages",
        arguments: [
            [0x08], [0x08, 0xff], [0x00, 1], [0x0c], [0x0e, 1], [0x0f, 1], [0x12, 5, 1], [0x0d, 1, 2],
            [0x09, 1],
            [0x0b, 8, 1], [0x0b, 0x14], [0x08] + [UInt8](repeating: 0xff, count: 11),
            [0x12, 0xff, 0xff, 0xff, 0xff, 0x0f],
        ] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) {
        #expect(throws: ProtobufFailure.self) { try fields(bytes) }
    }

    @Test("refuses groups that are nested too deeply")
    func nested() {
        #expect(throws: ProtobufFailure.self) { try fields([UInt8](repeating: 0x0b, count: 100_000)) }
    }

    @Test("reads any bytes to an end or a refusal")
    func anything() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? fields(bytes)
            _ = try? ProtobufDecoder(nil).members(bytes[...], type: nil)
            _ = try? ProtobufSchema(descriptorSet: bytes)
        }
    }
}
