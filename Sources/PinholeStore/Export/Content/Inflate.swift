import CZlib

/// Deflate in its three wrappings, by zlib.
enum Inflate {
    /// How the compressed data are wrapped, as zlib's window bits.
    enum Wrapping: Int32 {
        /// RFC 1952.
        case gzip = 31
        /// RFC 1950.
        case zlib = 15
        /// RFC 1951, unwrapped.
        case raw = -15
    }

    private static let pieceBytes = 64 << 10

    /// Decodes `body`; several gzip members in a row are one content (RFC 1952 §2.2).
    static func decode(
        _ body: [UInt8],
        _ wrapping: Wrapping,
        _ limit: Int
    ) throws(ContentDecoder.Failure) -> [UInt8] {
        var body = body
        var content: [UInt8] = []
        var stream = z_stream()
        guard pinhole_inflateInit2(&stream, wrapping.rawValue) == Z_OK else { throw .malformed("deflate") }
        defer { inflateEnd(&stream) }
        var code = Z_OK
        let count = body.count
        body.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: count)
            repeat {
                if code == Z_STREAM_END { inflateReset(&stream) }
                code = append(from: &stream, to: &content)
            } while content.count <= limit
                && (code == Z_OK || (code == Z_STREAM_END && wrapping == .gzip && stream.avail_in > 0))
        }
        guard content.count <= limit else { throw .tooLong(limit: limit) }
        guard code == Z_STREAM_END else { throw .malformed(wrapping == .gzip ? "gzip" : "deflate") }
        return content
    }

    private static func append(from stream: inout z_stream, to content: inout [UInt8]) -> Int32 {
        var code = Z_OK
        let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { room, count in
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(pieceBytes)
            code = inflate(&stream, Z_NO_FLUSH)
            count = pieceBytes - Int(stream.avail_out)
        }
        content.append(contentsOf: piece)
        return code
    }
}
