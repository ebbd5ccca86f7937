import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeHTTP2

/// Errors after which nghttp2 allows only the deletion of its session.
@Suite("Fatal errors of the library")
struct FatalErrorTests {
    /// Bytes that end in a fatal error, with the code of the GOAWAY and its last stream.
    private static let endings: [(bytes: [UInt8], code: HTTP2ErrorCode, last: UInt32)] = [
        (Array("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n".utf8), .protocolError, 0),
        (
            Frame.preface + Frame.settings() + Frame.settingsACK + Frame.headers(1, flags: Frame.endHeaders)
                + Frame.headers(3, flags: Frame.endHeaders) + Frame.reset(3) + Frame.headers(3, flags: 0)
                + (0..<2000).flatMap { _ in Frame.continuation(3, [], flags: 0) },
            .enhanceYourCalm, 3
        ),
    ]

    @Test("are followed by GOAWAY with the last stream, and by no other frame", arguments: endings.indices)
    func goAway(index: Int) throws {
        let ending = Self.endings[index]
        let peer = HandMadePeer(.server, chunk: 100)
        peer.feed(ending.bytes)
        // Our preface comes first all the same (RFC 9113 §3.4).
        #expect(peer.frames.first?.type == 4)
        let frame = try #require(peer.frames.last)
        #expect(frame.type == 7 && frame.number(at: 0) == ending.last)
        #expect(peer.goAway == ending.code && peer.session.failure?.code == ending.code)
        let written = peer.output.count
        let session = peer.session
        for stream in session.streams {
            session.release(1, on: stream)
            session.reset(stream, .cancel)
        }
        session.isShort = true
        session.isShort = false
        session.goAway()
        #expect(session.remoteSettings.initialWindowSize == 65535)
        peer.feed(Frame.ping())
        #expect(peer.output.count == written)
        #expect(session.isFinished && !session.hasOutput)
    }
}
