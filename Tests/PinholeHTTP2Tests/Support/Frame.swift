/// Makes frames by hand, good and bad ones.
enum Frame {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let endStream: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let priority: UInt8 = 0x20

    /// Any frame, with the true length or with another.
    static func any(
        _ type: UInt8,
        flags: UInt8 = 0,
        stream: UInt32,
        _ payload: [UInt8] = [],
        length: Int? = nil
    ) -> [UInt8] {
        let length = UInt32(length ?? payload.count)
        return [UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), type, flags]
            + bytes(stream) + payload
    }

    static func data(_ stream: UInt32, _ text: String = "", flags: UInt8 = 0) -> [UInt8] {
        any(0, flags: flags, stream: stream, Array(text.utf8))
    }

    /// HEADERS whose fields are literals that are not indexed.
    static func headers(
        _ stream: UInt32,
        _ fields: KeyValuePairs<String, String> = request,
        flags: UInt8 = endHeaders | endStream
    ) -> [UInt8] { any(1, flags: flags, stream: stream, HPACK.literals(fields)) }

    /// HEADERS of a block that is given as it is.
    static func block(_ stream: UInt32, _ block: [UInt8], flags: UInt8 = endHeaders | endStream) -> [UInt8] {
        any(1, flags: flags, stream: stream, block)
    }

    static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> [UInt8] {
        any(3, stream: stream, bytes(code))
    }

    static func settings(_ entries: KeyValuePairs<UInt16, UInt32> = [:], stream: UInt32 = 0) -> [UInt8] {
        any(
            4,
            stream: stream,
            entries.flatMap { [UInt8($0.key >> 8), UInt8($0.key & 0xff)] + bytes($0.value) }
        )
    }

    static let settingsACK = any(4, flags: 1, stream: 0)

    static func ping(_ payload: String = "pinhole?", flags: UInt8 = 0, stream: UInt32 = 0) -> [UInt8] {
        any(6, flags: flags, stream: stream, Array(payload.utf8))
    }

    static func goAway(last: UInt32, _ code: UInt32 = 0, _ debug: String = "", stream: UInt32 = 0) -> [UInt8]
    {
        any(7, stream: stream, bytes(last) + bytes(code) + Array(debug.utf8))
    }

    static func windowUpdate(_ stream: UInt32, _ increment: UInt32) -> [UInt8] {
        any(8, stream: stream, bytes(increment))
    }

    static func continuation(_ stream: UInt32, _ block: [UInt8], flags: UInt8 = endHeaders) -> [UInt8] {
        any(9, flags: flags, stream: stream, block)
    }

    static func priorityUpdate(_ target: UInt32, _ value: String, stream: UInt32 = 0) -> [UInt8] {
        any(16, stream: stream, bytes(target) + Array(value.utf8))
    }

    static func alternativeService(_ value: String, of origin: String = "", stream: UInt32 = 0) -> [UInt8] {
        any(10, stream: stream, [0, UInt8(origin.utf8.count)] + Array(origin.utf8) + Array(value.utf8))
    }

    static let request: KeyValuePairs<String, String> = [
        ":method": "GET", ":scheme": "https", ":authority": "example.org", ":path": "/",
    ]

    static func bytes(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 0xff), UInt8(number >> 8 & 0xff), UInt8(number & 0xff)]
    }
}

/// Writes header blocks by hand (RFC 7541).
enum HPACK {
    /// Literals without indexing, names and values as they are.
    static func literals(_ fields: KeyValuePairs<String, String>) -> [UInt8] {
        fields.flatMap { literal($0.key, $0.value) }
    }

    static func literal(_ name: String, _ value: String, first: UInt8 = 0) -> [UInt8] {
        [first] + string(name) + string(value)
    }

    static func string(_ text: String) -> [UInt8] {
        integer(text.utf8.count, prefix: 7) + Array(text.utf8)
    }

    /// An integer with a prefix of so many bits, the bits above it zero (RFC 7541 §5.1).
    static func integer(_ value: Int, prefix: Int) -> [UInt8] {
        let most = 1 << prefix - 1
        guard value >= most else { return [UInt8(value)] }
        var bytes = [UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// A frame that came out of the engine.
struct SeenFrame: Equatable {
    let type: UInt8
    let flags: UInt8
    let stream: UInt32
    let payload: [UInt8]

    /// Splits output into frames; the client's preface is skipped.
    static func all(in bytes: [UInt8]) -> [SeenFrame] {
        var rest = bytes[...]
        if rest.starts(with: Frame.preface) { rest = rest.dropFirst(Frame.preface.count) }
        var frames: [SeenFrame] = []
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            frames.append(
                SeenFrame(
                    type: head[3],
                    flags: head[4],
                    stream: head[5...].reduce(0) { $0 << 8 | UInt32($1) },
                    payload: Array(rest.dropFirst(9).prefix(length))
                )
            )
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }

    /// The number in the four bytes at `offset`.
    func number(at offset: Int) -> UInt32 {
        payload.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
