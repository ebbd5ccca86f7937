import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@Suite("WebSocketReader")
struct WebSocketReaderTests {
    /// An agreement on permessage-deflate.
    static var deflate: WebSocketAgreement {
        var agreement = WebSocketAgreement()
        agreement.deflate = PermessageDeflate()
        return agreement
    }

    @Test("reads the examples of RFC 6455 §5.7", arguments: Chunking.sizes)
    func examples(chunk: Int) throws {
        let fromServer: [UInt8] =
            [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f] + [0x01, 0x03, 0x48, 0x65, 0x6c]
            + [0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f] + [0x80, 0x02, 0x6c, 0x6f]
            + [0x82, 0x7e, 0x01, 0x00] + [UInt8](repeating: 7, count: 256)
            + [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 8, count: 65536)
        let run = FrameRun(fromServer, chunk: chunk, from: .server)
        #expect(run.failure == nil && run.rest.isEmpty)
        #expect(run.frames.map(\.head.opcode) == [.text, .text, .ping, .continuation, .binary, .binary])
        #expect(run.frames.map(\.head.isFinal) == [true, false, true, true, true, true])
        #expect(run.frames.map(\.payload.count) == [5, 3, 5, 2, 256, 65536])
        #expect(run.frames.allSatisfy { $0.hasEnded })
        let masked: [UInt8] = [
            0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
            0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
        ]
        let client = FrameRun(masked, chunk: chunk, from: .client)
        #expect(client.failure == nil)
        for frame in client.frames {
            var payload = frame.payload
            try #require(frame.head.mask).apply(to: &payload, from: 0)
            #expect(payload == Array("Hello".utf8))
        }
    }

    @Test("reads empty frames, and control frames only when they are whole")
    func small() {
        let empty = FrameRun([0x81, 0, 0x02, 0, 0x80, 0, 0x89, 0, 0x8a, 0, 0x88, 0], chunk: 1, from: .server)
        #expect(empty.frames.count == 6 && empty.frames.allSatisfy { $0.hasEnded })
        let half = FrameRun([0x89, 0x03, 1, 2], chunk: 1, from: .server)
        #expect(half.frames.isEmpty && half.rest.count == 4)
        let data = FrameRun([0x82, 0x03, 1, 2], chunk: 1, from: .server)
        #expect(data.frames.first?.payload == [1, 2] && data.frames.first?.hasEnded == false)
    }

    /// What must not be, from whom, and what it is called.
    static let faults: [(bytes: [UInt8], sender: Side, code: WebSocketFailure.Code)] = [
        ([0xc1, 0x00], .server, .reservedBits), ([0xa1, 0x00], .server, .reservedBits),
        ([0x91, 0x00], .server, .reservedBits), ([0xc9, 0x00], .server, .reservedBits),
        ([0x83, 0x00], .server, .reservedOpcode), ([0x87, 0x00], .server, .reservedOpcode),
        ([0x8b, 0x00], .server, .reservedOpcode), ([0x8f, 0x00], .server, .reservedOpcode),
        ([0x09, 0x00], .server, .fragmentedControl), ([0x08, 0x00], .server, .fragmentedControl),
        ([0x89, 0x7e, 0x00, 0x7e], .server, .longControl),
        ([0x8a, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0], .server, .longControl),
        ([0x81, 0x00], .client, .unmasked), ([0x81, 0x80, 1, 2, 3, 4], .server, .masked),
        ([0x80, 0x00], .server, .unexpectedContinuation), ([0x00, 0x00], .server, .unexpectedContinuation),
        ([0x81, 0x00, 0x80, 0x00], .server, .unexpectedContinuation),
        ([0x01, 0x00, 0x81, 0x00], .server, .unfinishedMessage),
        ([0x01, 0x00, 0x89, 0x00, 0x02, 0x00], .server, .unfinishedMessage),
        ([0x82, 0x7f, 0x80, 0, 0, 0, 0, 0, 0, 0], .server, .badLength),
        ([0x82, 0x7e, 0x00, 0x7d], .server, .longLength),
        ([0x82, 0x7f, 0, 0, 0, 0, 0, 0, 0xff, 0xff], .server, .longLength),
        ([0x88, 0x01, 0x03], .server, .badClosePayload),
        ([0x88, 0x00, 0x88, 0x00], .server, .frameAfterClose),
        ([0x88, 0x02, 0x03, 0xe8, 0x81, 0x00], .server, .frameAfterClose),
        ([0x88, 0x03, 0x03, 0xe8, 0xff], .server, .badCloseReason),
    ]

    @Test("refuses violations of the RFC at every size of pieces", arguments: faults.indices)
    func refusal(index: Int) {
        let fault = Self.faults[index]
        for chunk in [1, 2, 100] {
            let failure = FrameRun(fault.bytes, chunk: chunk, from: fault.sender).failure
            #expect(failure?.code == fault.code, "\(fault.bytes)")
            #expect(failure?.detail.contains("RFC 6455 §") == true)
        }
    }

    @Test("refuses fragments that are longer together than a length can say")
    func tooLong() throws {
        var reader = WebSocketReader(from: .server, agreement: .init())
        let first: [UInt8] = [0x02, 0x01, 0x00]
        #expect(try reader.next(first.span) != nil)
        #expect(try reader.next(first.span.extracting(droppingFirst: 2)) == .payload(1))
        #expect(try reader.next(first.span.extracting(droppingFirst: 3)) == .end)
        let second: [UInt8] = [0x80, 0x7f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
        var failure: WebSocketFailure?
        for _ in 1...2 {
            do throws(WebSocketFailure) { _ = try reader.next(second.span) } catch { failure = error }
            #expect(failure?.code == .messageTooLong)
        }
    }

    @Test("knows which close codes may be sent")
    func closeCodes() {
        for (code, mayBeSent) in [
            (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false),
            (1007, true), (1014, true), (1015, false), (1016, false), (2999, false), (3000, true),
            (4999, true), (5000, false), (65535, false),
        ] {
            let bytes: [UInt8] = [0x88, 0x02, UInt8(code >> 8), UInt8(code & 255)]
            let failure = FrameRun(bytes, chunk: 9, from: .server).failure
            #expect((failure == nil) == mayBeSent, "\(code)")
            if !mayBeSent { #expect(failure?.code == .badCloseCode) }
            #expect(WebSocketClose.mayBeSent(UInt16(code)) == mayBeSent)
        }
        #expect(
            FrameRun([0x88, 0x03, 0x03, 0xe8, 0xff], chunk: 9, from: .server).failure?.code == .badCloseReason
        )
    }

    @Test("allows reserved bits that were negotiated")
    func reservedBits() throws {
        let run = FrameRun(
            [0x41, 0x01, 7, 0x80, 0x01, 7, 0x81, 0],
            chunk: 1,
            from: .server,
            agreement: Self.deflate
        )
        #expect(run.failure == nil)
        #expect(run.frames.map(\.head.isCompressed) == [true, false, false])
        for bytes: [UInt8] in [[0xa1, 0], [0x01, 0, 0xc0, 0], [0xc9, 0], [0xe1, 0]] {
            let failure = FrameRun(bytes, chunk: 9, from: .server, agreement: Self.deflate).failure
            #expect(failure?.code == .reservedBits)
        }
        var other = WebSocketAgreement()
        other.unknown = ["x-own"]
        #expect(FrameRun([0xf1, 0, 0xb9, 0], chunk: 9, from: .server, agreement: other).failure == nil)
    }
}
