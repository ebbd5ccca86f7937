import CZlib

/// Decodes deflate in its three wrappings, with zlib.
final class Inflate: ContentStage {
    /// A wrapping of deflate data, as the window bits that zlib expects.
    enum Wrapping: Int32 {
        /// The gzip format (RFC 1952).
        case gzip = 31
        /// The zlib format (RFC 1950).
        case zlib = 15
        /// Deflate without a wrapping (RFC 1951).
        case raw = -15
    }

    let name: String
    private var stream = z_stream()
    private var code = Z_OK
    private var isOpen = false
    /// The wrapping of the data; `nil` until the first bytes show it.
    private var wrapping: Wrapping?
    /// The bytes that came before the wrapping was known.
    private var early: [UInt8] = []

    private static let pieceBytes = 64 << 10

    /// Creates a decoder of gzip, in which several members in a row are one content (RFC 1952 §2.2).
    static func gzip() -> Inflate { Inflate("gzip", .gzip) }

    /// Creates a decoder of deflate: of zlib (RFC 9110 §8.4.1.2), or of the raw deflate that some servers send.
    static func deflate() -> Inflate { Inflate("deflate", nil) }

    /// Creates a decoder of deflate without a wrapping.
    static func raw() -> Inflate { Inflate("deflate", .raw) }

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
                // Bytes behind the end of zlib data are ignored; behind a gzip member, another one may follow.
                guard wrapping == .gzip else { return }
                inflateReset(&stream)
            }
            let before = position
            let piece = input.withUnsafeMutableBufferPointer { bytes in
                next(bytes, from: &position, count)
            }
            if !piece.isEmpty, try !use(piece) { return }
            // Z_BUF_ERROR is no failure: there was nothing left to do.
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

    /// Inflates input from `position` on, until one piece of output is full or the input ends.
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

    /// Returns `.zlib` if the bytes begin with the head of zlib (RFC 1950 §2.2), else `.raw`; `nil` if they are too
    /// few.
    private static func wrapping(of bytes: [UInt8]) -> Wrapping? {
        guard bytes.count >= 2 else { return nil }
        let isZlib = bytes[0] & 0x0f == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
        return isZlib ? .zlib : .raw
    }
}
