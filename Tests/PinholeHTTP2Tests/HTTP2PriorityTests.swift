import PinholeModel
import Testing

@testable import PinholeHTTP2

@Suite("HTTP2 priorities")
struct HTTP2PriorityTests {
    private let urgent = Array("u=0, i".utf8)

    /// An engine that is a client, before a server that announces this.
    private func client(_ settings: KeyValuePairs<UInt16, UInt32>) -> HandMadePeer {
        let peer = HandMadePeer(.client)
        peer.open(settings)
        return peer
    }

    private func updates(_ peer: HandMadePeer) -> [SeenFrame] {
        peer.collect()
        return peer.frames.filter { $0.type == 16 }
    }

    @Test("are sent to a server that does without those of RFC 7540, behind the head")
    func sent() throws {
        let peer = client([9: 1])
        let stream = try peer.session.request(.get(), endsStream: true)
        #expect(peer.session.prioritize(urgent, on: stream))
        #expect(updates(peer).map(\.payload) == [Frame.bytes(1) + urgent])
        #expect(peer.frames.last { $0.type == 1 || $0.type == 16 }?.type == 16)
        #expect(peer.session.prioritize([], on: stream))
        #expect(updates(peer).last?.payload == Frame.bytes(1))
    }

    @Test("wait until the server has room for the request; the last one counts")
    func waiting() throws {
        let peer = client([9: 1, 3: 1])
        let first = try peer.session.request(.get(), endsStream: true)
        let second = try peer.session.request(.get(), endsStream: true)
        #expect(peer.session.prioritize(Array("u=7".utf8), on: second))
        #expect(peer.session.prioritize(urgent, on: second))
        #expect(updates(peer) == [])
        peer.feed(Frame.headers(UInt32(first.rawValue), [":status": "200"]))
        #expect(updates(peer).map(\.payload) == [Frame.bytes(3) + urgent])
    }

    @Test(
        "priority updates that are too long, for unknown or closed streams or for old servers are not sent",
        arguments: [0, 1]
    )
    func refused(announced: UInt32) throws {
        let peer = client(announced == 0 ? [:] : [9: announced])
        let stream = try peer.session.request(.get(), endsStream: true)
        peer.collect()
        let isLong = peer.session.prioritize([UInt8](repeating: 0x61, count: 257), on: stream)
        #expect(!isLong)
        #expect(!peer.session.prioritize(urgent, on: HTTP2StreamID(rawValue: 9)))
        if announced == 0 {
            #expect(peer.session.prioritize(urgent, on: stream))
        } else {
            peer.session.reset(stream, .cancel)
            #expect(!peer.session.prioritize(urgent, on: stream))
        }
        #expect(updates(peer) == [])
    }

    @Test("are none of a server's")
    func server() {
        let peer = HandMadePeer(.server)
        peer.open()
        peer.feed(Frame.headers(1))
        #expect(!peer.session.prioritize(urgent, on: HTTP2StreamID(rawValue: 1)))
        #expect(updates(peer) == [])
    }
}
