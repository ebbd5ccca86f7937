import Foundation
import PinholeContent
import PinholeModel
import PinholeStore
import Testing

@Suite("WebSocketTranscript")
struct WebSocketTranscriptTests {
    /// An exchange that became a WebSocket.
    static func opening(_ id: Int64 = 2, extensions: String = "") throws -> ExchangeRecord {
        var record = try ExchangeRecord.sample(
            id,
            responseHead: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + extensions + "\r\n",
            responseBody: []
        )
        record.notes = [.upgraded, .webSocket]
        return record
    }

    /// A complete message.
    static func message(
        _ number: Int64,
        _ kind: WebSocketMessage.Kind,
        _ payload: [UInt8],
        of exchange: Int64 = 2,
        from sender: Side = .server,
        isCompressed: Bool = false
    ) -> WebSocketMessage {
        var message = WebSocketMessage(
            exchange: ExchangeID(rawValue: exchange),
            number: number,
            sender: sender,
            kind: kind,
            started: epoch + .milliseconds(number)
        )
        message.ended = message.started + .microseconds(7)
        message.inline = payload
        message.length = Int64(payload.count)
        message.capturedLength = message.length
        message.isComplete = true
        message.isCompressed = isCompressed
        return message
    }

    private func entries(
        _ record: ExchangeRecord,
        _ events: [FlowEvent]
    ) throws -> [WebSocketTranscript.Entry] {
        let scratch = try ScratchDirectory()
        let store = try CaptureStore.open(.init(path: scratch.capture), now: epoch)
        store.record([.exchange(record)] + events)
        store.close()
        let reader = try CaptureReader(path: scratch.capture)
        let transcript = WebSocketTranscript(of: try #require(try reader.exchange(record.id)), in: reader)
        var entries: [WebSocketTranscript.Entry] = []
        while let entry = try transcript.next() { entries.append(entry) }
        return entries
    }

    /// “Hello” twice, as RFC 7692 §7.2.3.2 compresses it: the second refers to the first.
    private static let hello: [[UInt8]] = [
        [0xf2, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00], [0xf2, 0x00, 0x11, 0x00, 0x00],
    ]
    /// “Hello” in a block that is final (RFC 7692 §7.2.3.4).
    private static let final: [UInt8] = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00]
    private static let deflate = "Sec-WebSocket-Extensions: permessage-deflate\r\n"

    @Test("gives back every field of a message, the last record of each, and its parts in order")
    func fields() throws {
        var long = Self.message(1, .binary, [1, 2], from: .client)
        long.length = 1000
        long.capturedLength = 6
        long.frames = 3
        long.isComplete = false
        long.notes = [.dropped]
        var unread = Self.message(2, .unread, [])
        unread.detail = "The server sent rubbish."
        var later = unread
        later.inline = [9]
        (later.length, later.capturedLength) = (1, 1)
        var injected = Self.message(3, .text, Array("é".utf8))
        injected.notes = [.invalidText, .injected]
        let found = try entries(
            try Self.opening(),
            [
                .webSocketMessage(unread), .webSocketPart(long.exchange, number: 1, [3, 4]),
                .webSocketPart(ExchangeID(rawValue: 3), number: 1, [0]),
                .webSocketPart(long.exchange, number: 1, [5, 6]), .webSocketMessage(long),
                .webSocketMessage(later), .webSocketMessage(injected),
            ]
        )
        #expect(found.map(\.message) == [long, later, injected])
        #expect(found.map(\.content) == [[1, 2, 3, 4, 5, 6], [9], Array("é".utf8)])
        #expect(found.map(\.text) == [nil, nil, "é"])
    }

    @Test("inflates with the window of each sender", arguments: [Side.client, .server])
    func takeover(sender: Side) throws {
        let found = try entries(
            try Self.opening(extensions: Self.deflate),
            [
                .webSocketMessage(Self.message(1, .text, Self.hello[0], from: sender, isCompressed: true)),
                .webSocketMessage(Self.message(2, .text, Array("plain".utf8), from: sender)),
                .webSocketMessage(Self.message(3, .text, Self.hello[1], from: sender, isCompressed: true)),
                .webSocketMessage(Self.message(4, .text, Self.final, from: sender, isCompressed: true)),
                .webSocketMessage(Self.message(5, .text, Self.hello[1], from: sender, isCompressed: true)),
                .webSocketMessage(Self.message(6, .text, [0x00], from: sender, isCompressed: true)),
                .webSocketMessage(
                    Self.message(7, .text, Self.hello[1], from: sender.opposite, isCompressed: true)
                ),
            ]
        )
        #expect(found.prefix(6).map(\.text) == ["Hello", "plain", "Hello", "Hello", "Hello", ""])
        #expect(found.last?.text == nil && found.last?.trouble?.contains("not valid") == true)
        #expect(found.last?.content == Self.hello[1])
    }

    @Test("decodes each message alone without context takeover")
    func reset() throws {
        let extensions = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n"
        var cut = Self.message(2, .text, Self.hello[0], isCompressed: true)
        cut.isComplete = false
        let found = try entries(
            try Self.opening(extensions: extensions),
            [
                .webSocketMessage(Self.message(1, .text, Self.hello[0], isCompressed: true)),
                .webSocketMessage(cut),
                .webSocketMessage(Self.message(3, .text, Self.hello[0], isCompressed: true)),
                .webSocketMessage(Self.message(4, .text, Self.hello[1], isCompressed: true)),
            ]
        )
        #expect(found.map(\.text) == ["Hello", nil, "Hello", nil])
        #expect(found[1].trouble == "not all of the message was captured")
    }

    @Test("does not guess where an earlier message is missing, or nothing was agreed upon")
    func lost() throws {
        var truncated = Self.message(1, .text, Self.hello[0], isCompressed: true)
        truncated.length += 1
        let found = try entries(
            try Self.opening(extensions: Self.deflate),
            [
                .webSocketMessage(truncated),
                .webSocketMessage(Self.message(2, .text, Self.hello[0], isCompressed: true)),
                .webSocketMessage(Self.message(4, .text, Self.hello[0], from: .client, isCompressed: true)),
            ]
        )
        #expect(found.allSatisfy { $0.text == nil })
        #expect(found[1].trouble == found[2].trouble && found[1].trouble?.contains("earlier") == true)
        let none = try entries(
            try Self.opening(),
            [.webSocketMessage(Self.message(1, .text, Self.hello[0], isCompressed: true))]
        )
        #expect(none.first?.trouble?.contains("not agreed upon") == true)
    }

    @Test("stops at a decompression bomb, and marks the following messages")
    func bomb() throws {
        let inflater = WebSocketInflater(
            {
                var agreement = WebSocketAgreement()
                agreement.deflate = PermessageDeflate()
                return agreement
            }(),
            limit: 4
        )
        let first = Self.message(1, .text, Self.hello[0], isCompressed: true)
        #expect(throws: WebSocketInflater.Failure.tooLong(limit: 4)) {
            try inflater.content(Self.hello[0], of: first)
        }
        #expect(throws: WebSocketInflater.Failure.contextLost) {
            try inflater.content(Self.hello[1], of: first)
        }
    }
}
