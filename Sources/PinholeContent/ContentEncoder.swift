import CBrotli
import CZlib
import CZstd

/// Applies the content codings that a head names to content that comes without them, from a file or the lab's origin.
///
/// The libraries compress at level 1, because the size hardly matters here.
package enum ContentEncoder {
    /// Returns the body that decodes to `content`.
    ///
    /// - Parameters:
    ///   - content: The bytes without codings.
    ///   - codings: The members of Content-Encoding in lower case, in the order in which they are applied.
    /// - Returns: The body, or `nil` if a coding is not known or its library fails.
    package static func encode(_ content: [UInt8], codings: [String]) -> [UInt8]? {
        guard !content.isEmpty else { return content }
        guard codings.count <= ContentDecoder.codingLimit else { return nil }
        var body: [UInt8]? = content
        for coding in codings where coding != "identity" {
            body = body.flatMap { content in
                switch coding {
                case "gzip", "x-gzip": deflated(content, .gzip)
                case "deflate": deflated(content, .zlib)
                case "br": brotli(content)
                case "zstd": zstandard(content)
                default: nil
                }
            }
        }
        return body
    }

    private static func deflated(_ content: [UInt8], _ wrapping: Inflate.Wrapping) -> [UInt8]? {
        var stream = z_stream()
        guard pinhole_deflateInit2(&stream, Z_BEST_SPEED, wrapping.rawValue) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        return written(atMost: Int(deflateBound(&stream, uLong(content.count)))) { room in
            guard let count = UInt32(exactly: content.count), let roomCount = UInt32(exactly: room.count)
            else { return nil }
            return content.withUnsafeBufferPointer { content in
                // zlib reads the input and does not change it.
                stream.next_in = UnsafeMutablePointer(mutating: content.baseAddress)
                stream.avail_in = count
                stream.next_out = room.baseAddress
                stream.avail_out = roomCount
                let code = deflate(&stream, Z_FINISH)
                return code == Z_STREAM_END ? Int(roomCount - stream.avail_out) : nil
            }
        }
    }

    private static func brotli(_ content: [UInt8]) -> [UInt8]? {
        written(atMost: BrotliEncoderMaxCompressedSize(content.count)) { room in
            var count = room.count
            let code = BrotliEncoderCompress(
                1,
                BROTLI_DEFAULT_WINDOW,
                BROTLI_MODE_GENERIC,
                content.count,
                content,
                &count,
                room.baseAddress
            )
            return code == BROTLI_TRUE ? count : nil
        }
    }

    private static func zstandard(_ content: [UInt8]) -> [UInt8]? {
        written(atMost: ZSTD_compressBound(content.count)) { room in
            let count = ZSTD_compress(room.baseAddress, room.count, content, content.count, 1)
            return ZSTD_isError(count) == 0 ? count : nil
        }
    }

    /// Returns the bytes that `write` puts into a buffer; `nil` if it fails.
    private static func written(
        atMost bound: Int,
        by write: (UnsafeMutableBufferPointer<UInt8>) -> Int?
    ) -> [UInt8]? {
        let body = [UInt8](unsafeUninitializedCapacity: bound) { room, count in count = write(room) ?? 0 }
        return body.isEmpty ? nil : body
    }
}
