import PinholeTestKit
import Testing

@testable import PinholeWire

/// Events, records and frames, cut as their specifications say; and whatever else comes.
@Suite("StreamCutter")
struct StreamCutterTests {
    private static func cut(_ body: [UInt8], _ format: StreamFormat) -> [(StreamMessage, String)] {
        guard var cutter = StreamCutter(body, format) else { return [] }
        var messages: [(StreamMessage, String)] = []
        while let message = cutter.next() {
            messages.append((message, String(decoding: cutter.payload(of: message), as: UTF8.self)))
        }
        return messages
    }

    private static func events(_ text: String) -> [ServerSentEvent] {
        cut(Array(text.utf8), .eventStream).compactMap { message, _ in
            if case .event(let event) = message.content, message.isComplete { return event }
            return nil
        }
    }

    @Test("reads event streams as WHATWG HTML §9.2.6 does", arguments: ["\n", "\r\n", "\r"])
    func events(end: String) {
        let text = [
            ": first", "event: tick", "data: one", "data:  two", "id: 7", "retry: 2500", "odd: x", "", "data",
            "",
            "data:last", "id", "retry: 2x", "", ": alone", "", "", "unknown", "", "data: cut",
        ].joined(separator: end)
        for mark in ["", "\u{feff}"] {
            let events = Self.events(mark + text)
            #expect(events.count == 4)
            var first = ServerSentEvent()
            first.type = "tick"
            first.data = ["one", " two"]
            first.id = "7"
            first.retry = 2500
            first.comments = ["first"]
            #expect(events.first == first)
            #expect(events.dropFirst().map(\.data) == [[""], ["last"], []])
            #expect(events.map(\.id) == ["7", nil, "", nil])
            #expect(events.map(\.isDispatched) == [true, true, true, false])
        }
        let last = Self.cut(Array(text.utf8), .eventStream).last
        #expect(last?.0.isComplete == false)
        #expect(last?.0.trouble?.contains("a client drops it") == true)
    }

    @Test("reports the position of an event")
    func offsets() {
        let body = Array("\n\ndata: a\n\n\ndata: b\r\n\r\n".utf8)
        let messages = Self.cut(body, .eventStream).map(\.0)
        #expect(messages.map(\.offset) == [2, 12])
        #expect(messages.map(\.length) == [9, 11])
    }

    @Test("gives an event without an end up")
    func endless() {
        let messages = Self.cut([UInt8](repeating: 0x61, count: 5 << 20), .eventStream)
        #expect(messages.count == 1)
        #expect(messages.first?.0.trouble?.contains("longer than") == true)
    }

    @Test("cuts lines, and passes empty ones over")
    func lines() {
        let messages = Self.cut(Array("{}\r\n\n \n[1]\n\"a\"".utf8), .jsonLines)
        #expect(messages.map(\.1) == ["{}", "[1]", "\"a\""])
        #expect(messages.map(\.0.offset) == [0, 7, 11])
        #expect(messages.allSatisfy { $0.0.isComplete })
    }

    @Test("cuts JSON text sequences, and marks a value that may be incomplete")
    func sequences() {
        let messages = Self.cut(Array("x\u{1e}{}\n\u{1e}\u{1e}\u{1e}[1]\r\n\u{1e}tr".utf8), .jsonSequence)
        #expect(messages.map(\.1) == ["x", "{}", "[1]", "tr"])
        #expect(messages.map(\.0.isComplete) == [false, true, true, false])
        #expect(messages.first?.0.content == .unread)
        #expect(Self.cut([UInt8](repeating: 0x1e, count: 200_000), .jsonSequence).isEmpty)
    }

    @Test("cuts frames, and knows trailers and compressed ones")
    func frames() {
        let body: [UInt8] = [0, 0, 0, 0, 1, 65, 1, 0, 0, 0, 2, 66, 67, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 1, 68]
        let messages = Self.cut(body, .grpcWeb)
        #expect(messages.map(\.1) == ["A", "BC", "", "D"])
        #expect(messages.map(\.0.offset) == [0, 6, 13, 18])
        let frames = messages.compactMap { message, _ -> StreamFrame? in
            if case .frame(let frame) = message.content { return frame }
            return nil
        }
        #expect(frames.map(\.isCompressed) == [false, true, false, false])
        #expect(frames.map(\.role) == [.message, .message, .message, .trailers])
        #expect(messages.allSatisfy { $0.0.trouble == nil })
        // The same flag means nothing to gRPC, and the end to Connect.
        #expect(Self.cut(body, .grpc).last?.0.trouble?.contains("0x80") == true)
        let end = Self.cut([2, 0, 0, 0, 2, 0x7b, 0x7d], .connect).first?.0
        #expect(end?.content == Self.cut([2, 0, 0, 0, 2, 0x7b, 0x7d], .connect).first?.0.content)
        if case .frame(let frame)? = end?.content { #expect(frame.role == .endOfStream) }
    }

    @Test("tells a frame that is longer than the body, and a prefix that is cut off")
    func shortFrames() {
        let long = Self.cut([0, 0xff, 0xff, 0xff, 0xff, 1, 2], .grpc)
        #expect(long.count == 1)
        #expect(long.first?.0.isComplete == false)
        #expect(long.first?.0.trouble == "its prefix states 4294967295 bytes, and 2 came")
        let cut = Self.cut([0, 0, 0, 0, 0, 0, 0], .grpc)
        #expect(cut.map(\.0.isComplete) == [true, false])
        #expect(cut.last?.0.trouble == "2 bytes; a prefix has 5")
    }

    @Test("cuts any bytes into pieces that follow each other", arguments: StreamFormat.allCases)
    func anything(format: StreamFormat) {
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            let alphabet: [UInt8] = [0, 1, 2, 0x0a, 0x0d, 0x1e, 0x3a, 0x64, 0x7b, 0x80, 0xff]
            let body = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            var end = 0
            for (message, _) in Self.cut(body, format) {
                #expect(message.offset >= end && message.length > 0)
                end = message.offset + message.length
            }
            #expect(end <= body.count)
        }
    }
}
