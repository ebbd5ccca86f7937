/// Reads the heads of frames in the input, and finds the frames that nghttp2 skips without a callback.
///
/// nghttp2 does not report DATA on a closed stream, PRIORITY, or a PRIORITY_UPDATE that is longer than its buffer. A
/// WINDOW_UPDATE with an increment of 0 ends the connection unless its stream is closed, and a stream that nghttp2
/// refuses is closed when its RST_STREAM is made. The input may be cut anywhere: the watch keeps the part of a head
/// that it has read.
struct FrameWatch {
    /// A frame about which nghttp2 may say nothing.
    enum Finding: Equatable {
        /// A DATA frame on a stream.
        case data(Int32, isEmpty: Bool, endsStream: Bool)
        /// A PRIORITY frame by which a stream depends on itself.
        case selfDependency(Int32)
        /// A PRIORITY_UPDATE for the stream `of`, in a frame on the stream `on`, which should be 0.
        case priorityUpdate(of: Int32, on: Int32)
        /// A WINDOW_UPDATE on a stream with an increment of 0.
        case emptyCredit(Int32)
    }

    /// The parts of a frame's head (RFC 9113 §4.1).
    private struct Head {
        let length: Int
        let type: UInt8
        let flags: UInt8
        let stream: Int32

        /// Reads the head from the low nine bytes of `bytes`, of which the lowest is the last one of the head.
        init(_ bytes: UInt128) {
            length = Int(truncatingIfNeeded: bytes >> 48) & 0xff_ffff
            type = UInt8(truncatingIfNeeded: bytes >> 40)
            flags = UInt8(truncatingIfNeeded: bytes >> 32)
            stream = Int32(truncatingIfNeeded: bytes & 0x7fff_ffff)
        }
    }

    /// The types and flags of frames, by their numbers in RFC 9113 §6 and RFC 9218 §7.1.
    private enum Number {
        static let (data, headers, priority, reset): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 2, 3)
        static let (pushPromise, windowUpdate, continuation): (UInt8, UInt8, UInt8) = (5, 8, 9)
        static let priorityUpdate: UInt8 = 16
        static let (endStream, endHeaders): (UInt8, UInt8) = (0x1, 0x4)
    }

    private static let prefaceLength = 24
    private static let headLength = 9
    /// The length of the field behind a head that is read too: the number of another stream, or the increment of a
    /// window.
    private static let fieldLength = 4

    /// The number of bytes to skip before the next head: a payload, or the client's preface.
    private var skipping: Int
    /// The bytes of the current head that were read; the last one is the lowest byte.
    private var bytes: UInt128 = 0
    private var count = 0
    private var wanted = headLength
    /// Whether a field block is not complete, so that any frame but CONTINUATION is an error, which nghttp2 reports.
    private var isInsideBlock = false
    /// Whether nghttp2 has taken every scanned frame that can close a stream.
    private(set) var isSettled = true
    /// Whether the frame whose payload is being skipped can close a stream.
    private var closes = false

    /// Creates a watch for the input from a client, which begins with the preface, or from a server.
    init(ofClient: Bool) { skipping = ofClient ? Self.prefaceLength : 0 }

    /// Notes that nghttp2 has taken all scanned bytes.
    ///
    /// A frame of which some bytes are missing has had no effect yet.
    mutating func settle() { isSettled = !closes || skipping == 0 }

    /// Scans the input up to the next finding.
    ///
    /// - Parameters:
    ///   - input: Bytes of the connection that follow those of earlier calls.
    ///   - offset: The position to start from. It moves to the end of the finding's head, or to the end of `input`.
    /// - Returns: The finding, or `nil` if there is none in the input. nghttp2 does not act on its frame before it
    ///   gets the last byte before `offset`.
    mutating func next(in input: Span<UInt8>, from offset: inout Int) -> Finding? {
        while offset < input.count {
            if skipping > 0 {
                let step = min(skipping, input.count - offset)
                skipping -= step
                offset += step
            } else {
                read(input, &offset)
                if count == wanted, let finding = finish() { return finding }
            }
        }
        return nil
    }

    /// Reads the bytes of the head that are in the input.
    private mutating func read(_ input: Span<UInt8>, _ offset: inout Int) {
        if count == 0, input.count - offset >= Self.headLength {
            let first = input.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            bytes = UInt128(first.bigEndian) << 8 | UInt128(input[offset + 8])
            count = Self.headLength
            offset += Self.headLength
            return
        }
        while count < wanted, offset < input.count {
            bytes = bytes << 8 | UInt128(input[offset])
            count += 1
            offset += 1
        }
    }

    /// Takes a complete head, and returns a finding if there is one.
    private mutating func finish() -> Finding? {
        guard wanted == Self.headLength else { return finishField() }
        let head = Head(bytes)
        closes =
            head.type == Number.reset || head.type == Number.headers && head.flags & Number.endStream != 0
        if closes { isSettled = false }
        if isInsideBlock {
            if head.type == Number.continuation { noteBlock(head) }
            return pass(head.length)
        }
        switch head.type {
        case Number.data:
            let endsStream = head.flags & Number.endStream != 0
            if endsStream { isSettled = false }
            _ = pass(head.length)
            return .data(head.stream, isEmpty: head.length == 0, endsStream: endsStream)
        case Number.headers, Number.pushPromise: noteBlock(head)
        case Number.priority, Number.priorityUpdate, Number.windowUpdate:
            // A frame of another length is refused by nghttp2 itself.
            let isWhole =
                switch head.type {
                case Number.priority: head.length == 5
                case Number.windowUpdate: head.length == Self.fieldLength && head.stream != 0
                default: head.length >= Self.fieldLength
                }
            guard isWhole else { break }
            wanted = Self.headLength + Self.fieldLength
            return nil
        default: break
        }
        return pass(head.length)
    }

    /// Takes the field behind a head: the stream that PRIORITY or PRIORITY_UPDATE names, or the increment of
    /// WINDOW_UPDATE.
    private mutating func finishField() -> Finding? {
        let head = Head(bytes >> 32)
        let named = Int32(truncatingIfNeeded: bytes & 0x7fff_ffff)
        _ = pass(head.length - Self.fieldLength)
        if head.type == Number.priorityUpdate { return .priorityUpdate(of: named, on: head.stream) }
        if head.type == Number.windowUpdate { return named == 0 ? .emptyCredit(head.stream) : nil }
        return named == head.stream && named != 0 ? .selfDependency(named) : nil
    }

    private mutating func noteBlock(_ head: Head) {
        isInsideBlock = head.flags & Number.endHeaders == 0
    }

    /// Skips a payload; the next head begins behind it.
    private mutating func pass(_ length: Int) -> Finding? {
        skipping = length
        count = 0
        wanted = Self.headLength
        return nil
    }
}
