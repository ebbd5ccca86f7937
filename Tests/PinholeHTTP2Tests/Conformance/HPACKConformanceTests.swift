import PinholeModel
import Testing

@testable import PinholeHTTP2

/// RFC 7541: header blocks.
///
/// What cannot be decoded ends the connection, since the tables are lost.
@Suite("Conformance: HPACK")
struct HPACKConformanceTests {
    private static let one = HTTP2StreamID(rawValue: 1)
    private static let request = HPACK.literals(Frame.request)
    private static let lost = ConformanceCase.Outcome.connection(.compressionError)

    /// A request whose block is followed by `bytes`.
    private static func block(
        _ section: String,
        _ rule: String,
        before: [UInt8] = [],
        after: [UInt8] = [],
        _ outcome: ConformanceCase.Outcome = lost
    ) -> ConformanceCase {
        .server("7541 §\(section)", rule, [.peer(Frame.block(1, before + request + after))], outcome)
    }

    /// A literal whose value is coded by Huffman.
    private static func huffman(_ value: [UInt8]) -> [UInt8] {
        [0] + HPACK.string("x") + [UInt8(0x80 | value.count)] + value
    }

    static let tables: [ConformanceCase] = [
        block("6.1", "index 0", after: [0x80]),
        block("2.3.3", "an index beyond both tables", after: [0x80 | 62]),
        block("2.3.3", "an index far beyond both tables", after: [0xff, 0xff, 0xff, 0x7f]),
        block("6.2", "the index of a name beyond both tables", after: [0x7f, 0x20, 0x00]),
        .server(
            "7541 §6.1",
            "all fields from the static table",
            [.peer(Frame.block(1, [0x82, 0x87, 0x84, 0x01, 0x01, 0x61]))],
            .event(.request([":method": "GET", ":scheme": "https", ":path": "/", ":authority": "a"]))
        ),
        .server(
            "7541 §2.3.2",
            "a field that is indexed and used again",
            [
                .peer(
                    Frame.block(1, request + HPACK.literal("x", "y", first: 0x40))
                        + Frame.block(3, request + [0x80 | 62])
                )
            ],
            .event(.request(HTTP2StreamID(rawValue: 3), .get("/", ["x": "y"]), endsStream: true))
        ),
        .server(
            "7541 §4.4",
            "an entry larger than the table empties it",
            [
                .peer(
                    Frame.block(1, request + HPACK.literal("x", "y", first: 0x40))
                        + Frame.block(
                            3,
                            request + HPACK.literal("x", String(repeating: "y", count: 4096), first: 0x40)
                        ) + Frame.block(5, request + [0x80 | 62])
                )
            ],
            lost
        ),
        block("4.2", "a table size beyond the announced one", before: [0x3f, 0xe2, 0x1f]),
        block("4.2", "the announced table size", before: [0x3f, 0xe1, 0x1f], .event(.request())),
        block(
            "4.2",
            "a table size of 0, then a larger one",
            before: [0x20, 0x3f, 0xe1, 0x1f],
            .event(.request())
        ),
        block("4.2", "a table size after a field", after: [0x20]),
        block(
            "4.2",
            "a table size far beyond what 32 bits hold",
            before: [0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]
        ),
        // The peer has acknowledged a smaller table, and must say so before it uses it.
        .server(
            "7541 §4.2",
            "no table size after the announced one shrank",
            settings: .smallTable,
            [.peer(Frame.block(1, request))],
            lost
        ),
        .server(
            "7541 §4.2",
            "a table size after the announced one shrank",
            settings: .smallTable,
            [.peer(Frame.block(1, [0x3f, 0x21] + request))],
            .event(.request())
        ),
    ]

    static let literals: [ConformanceCase] = [
        block(
            "5.1",
            "an integer that does not end",
            after: [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
        ),
        block(
            "5.1",
            "the length of a name that does not end",
            after: [0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
        ),
        block("5.2", "a name that is longer than the block", after: [0x00, 0x05, 0x61]),
        block("5.2", "a value that is longer than the block", after: [0x00, 0x01, 0x61, 0x05]),
        block("5.2", "a value by Huffman", after: huffman([0x1f]), .event(.request(.get("/", ["x": "a"])))),
        block("5.2", "padding of eight bits", after: huffman([0x1f, 0xff])),
        block("5.2", "padding of zeros", after: huffman([0x18])),
        block("5.2", "EOS in a value", after: huffman([0xff, 0xff, 0xff, 0xff])),
        block("5.2", "an empty value by Huffman", after: huffman([]), .event(.request(.get("/", ["x": ""])))),
        block(
            "6.2.3",
            "a literal that is never indexed",
            after: HPACK.literal("x", "y", first: 0x10),
            .event(.request(.get("/", ["x": "y"])))
        ),
        block("6.2", "a block that ends after the first byte of a literal", after: [0x40]),
    ]

    @Test("and its tables", arguments: tables, [1, 4096])
    func tablesRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("and its literals", arguments: literals, [1, 4096])
    func literalsRules(rule: ConformanceCase, chunk: Int) throws { try rule.play(chunk: chunk) }

    @Test("after a refused message the tables of HPACK are kept, and the next message is decoded")
    func refusedHead() throws {
        let peer = HandMadePeer(.server)
        peer.open()
        peer.feed(Frame.block(1, Self.request + HPACK.literal("connection", "x", first: 0x40)))
        peer.feed(Frame.block(3, Self.request + HPACK.literal("x", "y", first: 0x40)))
        peer.feed(Frame.block(5, Self.request + [0x80 | 62]))
        #expect(peer.resets == [1: .protocolError])
        let five = HTTP2StreamID(rawValue: 5)
        #expect(peer.events.contains(.request(five, .get("/", ["x": "y"]), endsStream: true)))
    }

    @Test("hands on that a field must not be indexed")
    func neverIndexed() throws {
        let peer = HandMadePeer(.server)
        peer.open()
        peer.feed(Frame.block(1, Self.request + HPACK.literal("x", "secret", first: 0x10)))
        guard case .request(_, let fields, _)? = peer.events.dropFirst().first else {
            Issue.record("no request in \(peer.events)")
            return
        }
        #expect(fields.isNeverIndexed(at: 4) && !fields.isNeverIndexed(at: 3))
        let other = HandMadePeer(.client)
        other.open()
        _ = try other.session.request(fields, endsStream: true)
        other.collect()
        let block = try #require(other.frames.last { $0.type == 1 }).payload
        // 0001 0000: a literal with a new name that is never indexed (§6.2.3).
        #expect(block.contains(0x10))
    }
}

extension HTTP2Settings {
    /// A table of 64 bytes.
    fileprivate static var smallTable: HTTP2Settings {
        var settings = HTTP2Settings()
        settings.headerTableSize = 64
        return settings
    }
}
