import PinholeTestKit
import Testing

@testable import PinholeHTTP2

@Suite("FrameWatch")
struct FrameWatchTests {
    /// A finding, with the number of bytes up to the end of its head, and whether the watch was settled then.
    struct Found: Equatable {
        let finding: FrameWatch.Finding
        let end: Int
        let isSettled: Bool
    }

    /// Scans pieces, of which nghttp2 takes the findings' predecessors and the rest, as ``HTTP2Session`` does.
    static func scan(_ pieces: [[UInt8]], ofClient: Bool, settles: Bool = false) -> [Found] {
        var watch = FrameWatch(ofClient: ofClient)
        var found: [Found] = []
        var before = 0
        for piece in pieces {
            var offset = 0
            if settles { watch.settle() }
            while let finding = watch.next(in: piece.span, from: &offset) {
                found.append(Found(finding: finding, end: before + offset, isSettled: watch.isSettled))
                if settles { watch.settle() }
            }
            #expect(offset == piece.count)
            before += piece.count
        }
        return found
    }

    private static let block = HPACK.literals(Frame.request)

    /// Frames, each with what is to be found at which of its bytes.
    private static let frames: [(bytes: [UInt8], finding: FrameWatch.Finding?, end: Int)] = [
        (Frame.settings([4: 100]), nil, 0), (Frame.settingsACK, nil, 0), (Frame.headers(1, flags: 4), nil, 0),
        (Frame.data(1, "body"), .data(1, isEmpty: false, endsStream: false), 9),
        (Frame.data(1), .data(1, isEmpty: true, endsStream: false), 9),
        (Frame.any(0, flags: 9, stream: 1, [2, 0, 0]), .data(1, isEmpty: false, endsStream: true), 9),
        (Frame.any(0, stream: 0xffff_ffff, [0]), .data(.max, isEmpty: false, endsStream: false), 9),
        // A payload that looks like frames.
        (Frame.any(0x42, stream: 3, Frame.data(9, "x") + Frame.reset(9)), nil, 0),
        (Frame.ping(), nil, 0), (Frame.any(2, stream: 3, [0, 0, 0, 5, 1]), nil, 0),
        (Frame.any(2, stream: 3, [0, 0, 0, 3, 1]), .selfDependency(3), 13),
        (Frame.any(2, stream: 3, [0x80, 0, 0, 3, 1]), .selfDependency(3), 13),
        // nghttp2 refuses these itself.
        (Frame.any(2, stream: 3, [0, 0, 0, 3]), nil, 0), (Frame.any(2, stream: 0, [0, 0, 0, 0, 1]), nil, 0),
        (Frame.any(16, stream: 0, [0, 0, 1]), nil, 0),
        (Frame.priorityUpdate(7, ""), .priorityUpdate(of: 7, on: 0), 13),
        (Frame.priorityUpdate(0, "u=1", stream: 5), .priorityUpdate(of: 0, on: 5), 13),
        (Frame.windowUpdate(3, 0), .emptyCredit(3), 13), (Frame.windowUpdate(3, 5), nil, 0),
        (Frame.windowUpdate(0, 0), nil, 0), (Frame.any(8, stream: 3, [0, 0, 0]), nil, 0),
        // Nothing is to be found inside a head.
        (Frame.block(5, Array(block.prefix(7)), flags: 1) + Frame.data(1, "x"), nil, 0),
        (
            Frame.continuation(5, Array(block.dropFirst(7)), flags: 0)
                + Frame.any(2, stream: 3, [0, 0, 0, 3, 1]), nil, 0
        ),
        (Frame.continuation(5, []), nil, 0), (Frame.reset(5), nil, 0),
        (Frame.data(5, "x", flags: 1), .data(5, isEmpty: false, endsStream: true), 9),
    ]

    private static func recorded(ofClient: Bool) -> (bytes: [UInt8], found: [Found]) {
        var bytes = ofClient ? Frame.preface : []
        var found: [Found] = []
        var isSettled = true
        for frame in frames {
            switch frame.finding {
            case .data(_, isEmpty: _, endsStream: true): isSettled = false
            case nil where frame.bytes[3] == 3 || frame.bytes[3] == 1 && frame.bytes[4] & 1 == 1:
                isSettled = false
            default: break
            }
            if let finding = frame.finding {
                found.append(Found(finding: finding, end: bytes.count + frame.end, isSettled: isSettled))
            }
            bytes += frame.bytes
        }
        return (bytes, found)
    }

    @Test("finds the same frames at the same places, wherever the input is cut", arguments: [true, false])
    func cuts(ofClient: Bool) {
        let (bytes, found) = Self.recorded(ofClient: ofClient)
        #expect(Self.scan([bytes], ofClient: ofClient) == found)
        for cut in 0...bytes.count {
            let pieces = [Array(bytes.prefix(cut)), Array(bytes.dropFirst(cut))]
            #expect(Self.scan(pieces, ofClient: ofClient) == found, "cut at \(cut)")
        }
        for size in Chunking.sizes {
            #expect(
                Self.scan(Chunking.chunks(of: bytes, size: size), ofClient: ofClient) == found,
                "size \(size)"
            )
        }
    }

    @Test("is settled again after the reset was reported")
    func settling() {
        let bytes = Frame.reset(1) + Frame.data(3, "x") + Frame.data(3, "y", flags: 1) + Frame.data(5, "z")
        let found = Self.scan([bytes], ofClient: false, settles: true)
        #expect(found.map(\.isSettled) == [false, false, true])
    }

    @Test("is not settled while a part of RST_STREAM is missing")
    func cutReset() {
        let bytes = Frame.reset(1) + Frame.data(3, "x")
        let reset = Frame.reset(1).count
        for cut in 0...bytes.count {
            let pieces = [Array(bytes.prefix(cut)), Array(bytes.dropFirst(cut))]
            let found = Self.scan(pieces, ofClient: false, settles: true)
            #expect(found.map(\.isSettled) == [reset...reset + 8 ~= cut], "cut at \(cut)")
        }
    }
}
