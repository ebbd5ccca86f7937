import PinholeModel

/// The frames of HTTP/2 (RFC 9113 §4, §6) for messages that were recorded.
///
/// Field lines are literals without indexing (RFC 7541 §6.2.2), so that a frame can be read without the ones before it.
enum HTTP2Frames {
    private static let frameBytes = 16 << 10

    private enum Flags {
        static let acknowledges: UInt8 = 0x1
        static let endStream: UInt8 = 0x1
        static let endHeaders: UInt8 = 0x4
    }

    /// The beginning of a connection: the sender's preface and settings, with windows as large as possible.
    static func opening(of side: Side) -> [UInt8] {
        let preface = side == .client ? Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) : []
        let initialWindow: [UInt8] = [0, 4, 0x7f, 0xff, 0xff, 0xff]
        let increment: UInt32 = 0x7fff_ffff - 0xffff
        return preface + frame(4, 0, 0, initialWindow[...]) + frame(8, 0, 0, bytes(increment)[...])
    }

    /// The acknowledgement of the other side's settings.
    static let acknowledgement = frame(4, Flags.acknowledges, 0, [])

    /// The HEADERS of a message or of its trailers, continued as often as needed.
    static func headers(_ fields: HeaderFields, stream: UInt32, endsStream: Bool) -> [UInt8] {
        var block: [UInt8] = []
        for index in fields.indices {
            let name = fields.name(at: index)
            // Names are in lower case (RFC 9113 §8.2.1); those of a head that came in HTTP/1 may not be.
            let lowercased = name.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
            block.append(0)
            append(lowercased[...], to: &block)
            append(fields.value(at: index), to: &block)
        }
        var frames: [UInt8] = []
        var rest = block[...]
        repeat {
            let part = rest.prefix(frameBytes)
            rest = rest.dropFirst(frameBytes)
            let isFirst = frames.isEmpty
            let flags = (rest.isEmpty ? Flags.endHeaders : 0) | (isFirst && endsStream ? Flags.endStream : 0)
            frames += frame(isFirst ? 1 : 9, flags, stream, part)
        } while !rest.isEmpty
        return frames
    }

    /// The DATA frames of a piece of a body; an empty piece that ends the stream is one frame.
    static func data(_ bytes: [UInt8], stream: UInt32, endsStream: Bool) -> [UInt8] {
        guard !bytes.isEmpty || endsStream else { return [] }
        var frames: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let part = rest.prefix(frameBytes)
            rest = rest.dropFirst(frameBytes)
            frames += frame(0, rest.isEmpty && endsStream ? Flags.endStream : 0, stream, part)
        } while !rest.isEmpty
        return frames
    }

    /// The RST_STREAM of an exchange that did not end (CANCEL).
    static func reset(stream: UInt32) -> [UInt8] { frame(3, 0, stream, bytes(8)[...]) }

    private static func frame(
        _ kind: UInt8,
        _ flags: UInt8,
        _ stream: UInt32,
        _ payload: ArraySlice<UInt8>
    ) -> [UInt8] {
        bytes(UInt32(payload.count)).dropFirst() + [kind, flags] + bytes(stream) + payload
    }

    /// Appends a string literal (RFC 7541 §5.2), whose length is an integer with a prefix of seven bits (§5.1).
    private static func append(_ text: ArraySlice<UInt8>, to block: inout [UInt8]) {
        var length = text.count
        if length < 0x7f {
            block.append(UInt8(length))
        } else {
            block.append(0x7f)
            length -= 0x7f
            while length >= 0x80 {
                block.append(UInt8(length & 0x7f) | 0x80)
                length >>= 7
            }
            block.append(UInt8(length))
        }
        block += text
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
