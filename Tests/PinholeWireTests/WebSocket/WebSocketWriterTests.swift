import PinholeModel
import PinholeWire
import Testing

@Suite("WebSocketWriter")
struct WebSocketWriterTests {
    private static let key = WebSocketMaskKey(0x37, 0xfa, 0x21, 0x3d)

    private func failure(_ write: () throws -> [UInt8]) -> WebSocketFailure.Code? {
        do {
            _ = try write()
            return nil
        } catch { return (error as? WebSocketFailure)?.code }
    }

    @Test("writes the masked example of RFC 6455 §5.7")
    func example() throws {
        let frame = try WebSocketWriter.frame(.text, Array("Hello".utf8), mask: Self.key, from: .client)
        #expect(frame == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
    }

    @Test("the reader reads the written values", arguments: [0, 1, 125, 126, 65535, 65536], [true, false])
    func roundTrip(length: Int, isMasked: Bool) throws {
        let payload = (0..<length).map { UInt8($0 * 5 & 255) }
        let sender: Side = isMasked ? .client : .server
        let bytes = try WebSocketWriter.frame(
            .binary,
            payload,
            isFinal: false,
            mask: isMasked ? Self.key : nil,
            from: sender
        )
        let run = FrameRun(bytes, chunk: 1000, from: sender)
        let frame = try #require(run.frames.first)
        var read = frame.payload
        frame.head.mask?.apply(to: &read, from: 0)
        #expect(run.failure == nil && run.rest.isEmpty && read == payload && !frame.head.isFinal)
    }

    @Test("refuses forbidden fields")
    func refusals() throws {
        let long = [UInt8](repeating: 0, count: 126)
        let refused: [(WebSocketFailure.Code, () throws -> [UInt8])] = [
            (
                .longControl,
                {
                    try WebSocketWriter.frame(.ping, long, mask: nil, from: .server)
                }
            ),
            (
                .unmasked,
                {
                    try WebSocketWriter.frame(.text, [], mask: nil, from: .client)
                }
            ),
            (
                .masked,
                {
                    try WebSocketWriter.frame(.text, [], mask: Self.key, from: .server)
                }
            ),
            (
                .fragmentedControl,
                {
                    try WebSocketWriter.frame(.pong, [], isFinal: false, mask: nil, from: .server)
                }
            ),
            (
                .reservedBits,
                {
                    try WebSocketWriter.frame(.ping, [], isCompressed: true, mask: nil, from: .server)
                }
            ),
            (
                .badClosePayload,
                {
                    try WebSocketWriter.frame(.close, [3], mask: nil, from: .server)
                }
            ),
            (.badCloseCode, { try WebSocketWriter.closePayload(1006, "") }),
        ]
        for (code, write) in refused { #expect(failure(write) == code) }
    }

    @Test("cuts the reason of a close between characters")
    func reason() throws {
        let payload = try WebSocketWriter.closePayload(1001, String(repeating: "é", count: 100))
        #expect(payload.count == 124)
        #expect(try WebSocketWriter.frame(.close, payload, mask: nil, from: .server).count == 126)
    }

    @Test("a mask is the same however the payload is cut")
    func masking() {
        let payload = (0..<100).map { UInt8($0) }
        var whole = payload
        Self.key.apply(to: &whole, from: 0)
        for cut in 0...9 {
            var first = Array(payload.prefix(cut))
            var second = Array(payload.dropFirst(cut))
            Self.key.apply(to: &first, from: 0)
            Self.key.apply(to: &second, from: Int64(cut))
            #expect(first + second == whole)
        }
    }
}
