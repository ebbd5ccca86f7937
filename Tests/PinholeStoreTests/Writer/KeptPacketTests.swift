import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Kept packets")
struct KeptPacketTests {
    /// A ClientHello as far as its random, behind a CONNECT.
    private static let opening =
        Array("CONNECT a:443 HTTP/1.1\r\n\r\n".utf8) + [22, 3, 1, 0, 40, 1, 0, 0, 36, 3, 3]
        + [UInt8](repeating: 0xab, count: 32) + [0, 0]
    private static let secret = "CLIENT_RANDOM \(String(repeating: "ab", count: 32)) 0123"

    private static func packet(
        _ flow: Int64,
        _ kind: KeptPacket.Kind,
        _ bytes: [UInt8] = []
    ) -> FlowEvent {
        .packet(
            KeptPacket(
                flow: FlowID(rawValue: flow),
                connection: 0,
                kind: kind,
                time: epoch + .seconds(flow),
                bytes: bytes
            )
        )
    }

    private static func fill(_ path: String, _ flows: ClosedRange<Int64>) throws {
        let store = try CaptureStore.open(CaptureStore.Options(path: path), now: epoch) { _ in }
        for flow in flows {
            store.record([
                .flow(.failed(flow)), packet(flow, .opened, Array("127.0.0.1:1 127.0.0.1:2".utf8)),
                packet(flow, .received, opening), .secret(secret), packet(flow, .closed),
            ])
            store.flush()
        }
        store.close()
    }

    private static func count(_ reader: CaptureReader) throws -> [Int64?] {
        try reader.read { db in
            try ["packet", "secret"].map { try db.number($0, "SELECT count(*) FROM \($0)") }
        }
    }

    @Test("a flow's packets come back in order, with the secrets of its ClientHello")
    func reading() throws {
        let scratch = try ScratchDirectory()
        try Self.fill(scratch.capture, 1...2)
        let reader = try CaptureReader(path: scratch.capture)
        var kinds: [KeptPacket.Kind] = []
        try reader.packets(of: FlowID(rawValue: 2)) { packet throws(CaptureFailure) in
            kinds.append(packet.kind)
        }
        #expect(kinds == [.opened, .received, .closed])
        #expect(try reader.secrets(of: FlowID(rawValue: 1)).first == Self.secret)
        #expect(try reader.secrets(of: FlowID(rawValue: 3)).isEmpty)
    }

    @Test("packets go with their flow, and secrets with the packets that they could decrypt")
    func removal() throws {
        let scratch = try ScratchDirectory()
        try Self.fill(scratch.capture, 1...3)
        let reader = try CaptureReader(path: scratch.capture)
        let editor = try CaptureEditor(path: scratch.capture)
        #expect(try Self.count(reader) == [9, 3])
        try editor.remove([1])
        #expect(try Self.count(reader) == [6, 2])
        try editor.removeAll(upTo: 3)
        #expect(try Self.count(reader) == [0, 0])
    }

    @Test("packets of an open flow go when they are too old, and new ones stay")
    func retention() throws {
        let scratch = try ScratchDirectory()
        let first = try CaptureStore.open(CaptureStore.Options(path: scratch.capture), now: epoch) { _ in }
        // The record of the flow itself is gone.
        first.record([
            Self.packet(1, .opened), Self.packet(2, .received, Self.opening), .secret(Self.secret),
            Self.packet(299, .received, [1]),
        ])
        first.close()
        var options = CaptureStore.Options(path: scratch.capture)
        options.retention.maxAge = .seconds(100)
        let second = try CaptureStore.open(options, now: epoch + .seconds(300))
        second.flush()
        second.close()
        let reader = try CaptureReader(path: scratch.capture)
        #expect(try Self.count(reader) == [1, 0])
    }

    @Test("a copy has the packets and secrets of its flows")
    func copying() throws {
        let scratch = try ScratchDirectory()
        try Self.fill(scratch.capture, 1...1)
        let path = scratch.path + "/copy.sqlite"
        let copy = CaptureCopy(into: path, now: epoch)
        _ = try copy.add(scratch.capture, TrafficFilter())
        try copy.finish()
        let reader = try CaptureReader(path: path)
        #expect(try Self.count(reader) == [3, 1])
    }
}
