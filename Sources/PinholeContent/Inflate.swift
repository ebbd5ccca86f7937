import CZlib

/// Deflate in its wrappings, by zlib.
final class Inflate: ContentStage {
    /// How the compressed data are wrapped, as zlib's window bits.
    enum Wrapping: Int32 {
        /// RFC 1952.
        case gzip = 31
        /// RFC 1950.
        case zlib = 15
        /// RFC 1951, unwrapped.
        case raw = -15
    }

    let name: String
    private var stream = z_stream()
    private var code = Z_OK
    private var isOpen = false
    /// `nil` until the first bytes show it.
    private var wrapping: Wrapping?
    /// What came while the wrapping was not known.
    private var early: [UInt8] = []

    private static let pieceBytes = 64 << 10

    /// A decoder of gzip; several members in a row are one content (RFC 1952 §2.2).
    static func gzip() -> Inflate { Inflate("gzip", .gzip) }

    /// A decoder of deflate: zlib (RFC 9110 §8.4.1.2), but some send raw deflate.
    static func deflate() -> Inflate { Inflate("deflate", nil) }

    private init(_ name: String, _ wrapping: Wrapping?) {
        self.name = name
        self.wrapping = wrapping
    }

    deinit { if isOpen { inflateEnd(&stream) } }

    var isAtEnd: Bool { code == Z_STREAM_END || (!isOpen && early.isEmpty) }

    func decode(
        _ input: [UInt8],
        _ use: ([UInt8]) throws(ContentDecoder.Failure) -> Bool
    ) throws(ContentDecoder.Failure) {
        var input = early.isEmpty ? input : early + input
        early = []
        guard !input.isEmpty else { return }
        if wrapping == nil {
            guard let found = Self.wrapping(of: input) else {
                early = input
                return
            }
            wrapping = found
        }
        try open()
        let count = input.count
        var position = 0
        repeat {
            if code == Z_STREAM_END {
                // What follows zlib's end is not part of it.
                guard wrapping == .gzip else { return }
                inflateReset(&stream)
            }
            let before = position
            let piece = input.withUnsafeMutableBufferPointer { bytes in
                next(bytes, from: &position, count)
            }
            if !piece.isEmpty, try !use(piece) { return }
            // Z_BUF_ERROR: nothing was left to do.
            guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw .malformed(name) }
            if piece.count < Self.pieceBytes, position == before { return }
        } while position < count || code == Z_OK
    }

    private func open() throws(ContentDecoder.Failure) {
        guard !isOpen else { return }
        guard pinhole_inflateInit2(&stream, (wrapping ?? .zlib).rawValue) == Z_OK else {
            throw .malformed(name)
        }
        isOpen = true
    }

    /// Inflates from `position` on, up to one piece.
    private func next(
        _ bytes: UnsafeMutableBufferPointer<UInt8>,
        from position: inout Int,
        _ count: Int
    ) -> [UInt8] {
        stream.next_in = bytes.baseAddress.map { $0 + position }
        stream.avail_in = UInt32(clamping: count - position)
        let given = Int(stream.avail_in)
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { room, count in
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(Self.pieceBytes)
            code = inflate(&stream, Z_NO_FLUSH)
            count = Self.pieceBytes - Int(stream.avail_out)
        }
        position += given - Int(stream.avail_in)
        stream.next_in = nil
        return piece
    }

    /// Whether the bytes begin with the head of zlib (RFC 1950 §2.2); `nil` where they are too few.
    private static func wrapping(of bytes: [UInt8]) -> Wrapping? {
        guard bytes.count >= 2 else { return nil }
        let isZlib = bytes[0] & 0x0f == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
        return isZlib ? .zlib : .raw
    }
}
