import PinholeModel
import PinholeRules
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

@Suite("WebSocketEditor")
struct WebSocketEditorTests {
    /// A WebSocket with rules, and what came of it.
    private struct Run {
        var relay: WebSocketRelay
        var events: [FlowEvent] = []
        let now = Timestamp(microseconds: 0)
        /// What reached each side.
        var client: [UInt8] = []
        var server: [UInt8] = []

        init(_ json: String?, _ agreement: WebSocketAgreement = WebSocketAgreement()) throws {
            let tap = WebSocketTap(
                ExchangeID(rawValue: 1),
                agreement: agreement,
                limits: Limits(),
                keepsPayloads: true
            )
            let rules = try json.flatMap { try WebSocketEditorTests.rules($0) }
            relay = WebSocketRelay(tap, rules: rules, agreement: agreement)
        }

        mutating func take(_ output: WebSocketOutput) {
            client += output.toClient.prefix()
            server += output.toServer.prefix()
        }

        mutating func open() { take(relay.open(at: now, into: &events)) }

        mutating func pass(_ bytes: [UInt8], from side: Side = .server, chunk: Int = .max) {
            for piece in Chunking.chunks(of: bytes, size: min(chunk, max(1, bytes.count))) {
                if relay.isEditing {
                    take(relay.pass(piece[...], from: side, at: now, into: &events))
                } else {
                    relay.watch(piece[...], from: side, at: now, into: &events)
                    if side == .client { server += piece } else { client += piece }
                }
            }
        }

        mutating func inject(_ text: String, to side: Side) throws(WebSocketFailure) {
            take(try relay.inject(.text, Array(text.utf8), to: side, at: now, into: &events))
        }

        /// What reached a side since the last time.
        mutating func arrived(at side: Side = .client) -> [UInt8] {
            defer { if side == .client { client = [] } else { server = [] } }
            return side == .client ? client : server
        }

        /// The messages that reached the server, unmasked.
        mutating func unmasked() throws -> [String] {
            var reader = WebSocketReader(from: .client, agreement: WebSocketAgreement())
            var rest = arrived(at: .server)[...]
            var texts: [String] = []
            var mask: WebSocketMaskKey?
            while let element = try reader.next(rest.span) {
                switch element {
                case .head(let head):
                    mask = head.mask
                    if head.payloadLength == 0 { texts.append("") }
                    rest = rest.dropFirst(head.headerLength)
                case .payload(let count):
                    var bytes = Array(rest.prefix(count))
                    mask?.apply(to: &bytes, from: 0)
                    texts.append(String(decoding: bytes, as: UTF8.self))
                    rest = rest.dropFirst(count)
                case .end: break
                }
            }
            return texts
        }

        var messages: [WebSocketMessage] {
            events.compactMap { if case .webSocketMessage(let message) = $0 { message } else { nil } }
        }
    }

    private static func rules(_ json: String) throws -> MessageRules? {
        let set = try RuleSet(JSONValue(parsing: Array("[\(json)]".utf8)), path: "rules")
        let request = RuleRequest(
            scheme: .https,
            authority: Authority(host: .name("a.test"), port: 443),
            method: "GET",
            path: "/",
            fields: HeaderFields()
        )
        let response = RuleResponse(status: 101, fields: HeaderFields())
        return RuleBook(set).messages(of: request, response, flow: { nil })?.rules
    }

    private static func frame(
        _ text: String,
        isFinal: Bool = true,
        _ opcode: WebSocketOpcode = .text
    ) -> [UInt8] {
        (try? WebSocketWriter.frame(opcode, Array(text.utf8), isFinal: isFinal, mask: nil, from: .server))
            ?? []
    }

    private static func masked(_ text: String, _ opcode: WebSocketOpcode = .text) -> [UInt8] {
        (try? WebSocketWriter.frame(opcode, Array(text.utf8), mask: TapRun.key, from: .client)) ?? []
    }

    private static func compressed(_ payload: [UInt8]) -> [UInt8] {
        (try? WebSocketWriter.frame(.text, payload, isCompressed: true, mask: nil, from: .server)) ?? []
    }

    private let begin = frame("ab", isFinal: false)
    private let ping = frame("p", .ping)
    private let finish = frame("cd", .continuation)

    @Test("forwards unchanged messages frame by frame", arguments: Chunking.sizes)
    func unchanged(chunk: Int) throws {
        var run = try Run(#"{"do": "dropMessage", "find": "never"}"#)
        let bytes =
            Self.frame("one") + begin + finish + Self.frame("", .binary) + Self.frame("\u{3}\u{e8}", .ping)
        run.pass(bytes, chunk: chunk)
        #expect(run.arrived() == bytes)
        #expect(
            run.messages.map(\.kind) == [.text, .text, .binary, .ping]
                && run.messages.allSatisfy { $0.notes == [] }
        )
        let upward = Self.masked("x") + Self.masked("y", .binary)
        run.pass(upward, from: .client, chunk: chunk)
        #expect(run.arrived(at: .server) == upward)
    }

    @Test("control frames pass between the frames of a message that is held")
    func controls() throws {
        var run = try Run(#"{"do": "dropMessage", "find": "never"}"#)
        run.pass(begin + ping)
        #expect(run.arrived() == ping)
        run.pass(finish)
        #expect(run.arrived() == begin + finish)
    }

    @Test("drops all frames of a matching message, and names the rule", arguments: [1, 3, 99])
    func drops(chunk: Int) throws {
        var run = try Run(
            #"""
            {"name": "no b", "do": "dropMessage", "from": "server", "find": "bc"},
            {"do": "dropMessage", "type": "ping"}
            """#
        )
        run.pass(Self.frame("one") + begin + ping + finish + Self.frame("two"), chunk: chunk)
        #expect(run.arrived() == Self.frame("one") + Self.frame("two"))
        let dropped = run.messages.filter { $0.notes == [.dropped] }
        #expect(Set(dropped.map(\.kind)) == [.ping, .text])
        #expect(dropped.contains { $0.detail == "by the rule “no b”" && $0.inline == Array("abcd".utf8) })
        run.pass(Self.masked("abcd"), from: .client)
        #expect(run.arrived(at: .server) == Self.masked("abcd"))
    }

    @Test("rewrites text, masks frames to a server, and leaves invalid text")
    func rewrites() throws {
        var run = try Run(
            #"""
            {"do": "rewriteMessage", "find": "price\": (\\d)\\d*", "with": "price\": ${1}00"},
            {"do": "rewriteMessage", "from": "client", "type": "binary", "text": "other"}
            """#
        )
        run.pass(Self.frame(#"{"price": 12}"#) + Self.frame("none"))
        #expect(run.arrived() == Self.frame(#"{"price": 100}"#) + Self.frame("none"))
        #expect(run.messages.map(\.notes) == [[.dropped], [.injected], []])
        run.pass(Self.masked("bytes", .binary), from: .client)
        #expect(try run.unmasked() == ["other"])
    }

    @Test("sends messages at the beginning, and after matching messages, to either side")
    func injects() throws {
        var run = try Run(
            #"""
            {"do": "injectMessage", "to": "client", "text": "hello"},
            {"do": "injectMessage", "to": "server", "text": "late", "after": {"from": "server", "find": "go"}},
            {"do": "injectMessage", "to": "client", "base64": "AAE=", "after": {"from": "client"}}
            """#
        )
        run.open()
        #expect(run.arrived() == Self.frame("hello"))
        run.pass(Self.frame("go"))
        #expect(run.arrived() == Self.frame("go"))
        #expect(try run.unmasked() == ["late"])
        run.pass(begin)
        run.pass(Self.masked("x"), from: .client)
        #expect(run.arrived() == [0x82, 0x02, 0x00, 0x01])
        run.pass(finish)
        #expect(run.arrived() == begin + finish)
        run.pass([0x88, 0x02, 0x03, 0xe8])
        _ = run.arrived()
        run.pass(Self.masked("x"), from: .client)
        #expect(run.arrived() == [])
    }

    /// “one”, “one more”, “one more”, by one compressor of zlib, as permessage-deflate sends them.
    private let deflated: [[UInt8]] = DeflatedTexts.takeover

    @Test("after a change of a compressed message, later ones are sent uncompressed")
    func context() throws {
        var agreement = WebSocketAgreement()
        agreement.deflate = PermessageDeflate()
        var run = try Run(#"{"do": "dropMessage", "find": "^two"}"#, agreement)
        let frames = deflated.map { Self.compressed($0) }
        run.pass(frames[0])
        #expect(run.arrived() == frames[0])
        run.pass(frames[1] + frames[2])
        #expect(run.arrived() == Self.frame(DeflatedTexts.texts[2]))
        #expect(run.messages.map(\.notes) == [[], [.dropped], []] && run.messages.allSatisfy(\.isCompressed))
    }

    @Test("later messages stay unchanged without context takeover")
    func noContext() throws {
        var agreement = WebSocketAgreement()
        agreement.deflate = PermessageDeflate()
        agreement.deflate?.serverNoContextTakeover = true
        var run = try Run(#"{"do": "rewriteMessage", "find": "^two", "with": "2"}"#, agreement)
        let frames = DeflatedTexts.reset.map { Self.compressed($0) }
        run.pass(frames.flatMap(\.self))
        let changed = DeflatedTexts.texts[1].replacing("two", with: "2", maxReplacements: 1)
        #expect(run.arrived() == frames[0] + Self.frame(changed) + frames[2])
    }

    @Test("a message that is too long passes unread, and is not held", arguments: [false, true])
    func long(isCompressed: Bool) throws {
        var agreement = WebSocketAgreement()
        if isCompressed { agreement.deflate = PermessageDeflate() }
        var run = try Run(#"{"do": "dropMessage", "find": "x"}"#, agreement)
        let payload = [UInt8](repeating: 0x78, count: WebSocketEditorLane.limit + 100_000)
        let frame = try WebSocketWriter.frame(
            .text,
            payload,
            isFinal: false,
            isCompressed: isCompressed,
            mask: nil,
            from: .server
        )
        run.pass(frame, chunk: 65_536)
        #expect(run.arrived() == frame)
        if !isCompressed { try run.inject("own", to: .client) }
        #expect(run.arrived() == [])
        run.pass(ping + Self.frame("x", .continuation))
        #expect(
            run.arrived() == ping + Self.frame("x", .continuation) + (isCompressed ? [] : Self.frame("own"))
        )
        run.pass(Self.frame("x"))
        // Who may refer to what was not read cannot be read either.
        #expect(run.arrived() == (isCompressed ? Self.frame("x") : []))
    }

    @Test("passes everything on after a violation", arguments: [1, 99])
    func violation(chunk: Int) throws {
        var run = try Run(#"{"do": "dropMessage"}"#)
        let bytes: [UInt8] = begin + [0xf3, 1, 2, 3] + Self.frame("x")
        run.pass(bytes, chunk: chunk)
        #expect(run.arrived() == bytes)
        #expect(throws: WebSocketFailure.self) { try run.inject("x", to: .client) }
    }

    @Test("a truncated message is forwarded at the end")
    func cutOff() throws {
        var run = try Run(#"{"do": "dropMessage"}"#)
        run.pass(begin + finish.prefix(3))
        #expect(run.arrived() == [])
        run.take(run.relay.finish(.server, at: run.now, into: &run.events))
        #expect(run.arrived() == begin + finish.prefix(3))
    }

    @Test("a user's message waits for the end of a message that is being relayed", arguments: [1, 3, 99])
    func own(chunk: Int) throws {
        var run = try Run(nil)
        try run.inject("a", to: .client)
        #expect(run.arrived() == Self.frame("a"))
        run.pass(Array(begin.prefix(3)))
        try run.inject("b", to: .client)
        try run.inject("c", to: .server)
        #expect(run.arrived() == Array(begin.prefix(3)))
        #expect(try run.unmasked() == ["c"])
        let rest = Array(begin.dropFirst(3)) + ping + finish
        run.pass(rest + Self.frame("two"), chunk: chunk)
        #expect(run.arrived() == rest + Self.frame("b") + Self.frame("two"))
        #expect(!run.relay.isEditing)
        run.pass([0x88, 0x02, 0x03, 0xe8])
        #expect(throws: WebSocketFailure.self) { try run.inject("d", to: .client) }
    }
}
