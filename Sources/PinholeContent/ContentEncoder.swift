import CZlib

/// Puts the content codings of a body on again, where a file has the content and a head that names them.
///
/// Nothing is compressed: each coding can carry bytes as they are, so what a decoder gives is what the file had.
package enum ContentEncoder {
    private static let blockBytes = 0xffff

    /// The body whose content is `content`.
    ///
    /// - Parameters:
    ///   - content: The bytes that a file has.
    ///   - codings: The members of Content-Encoding in lower case, in order.
    /// - Returns: The body; `nil` where a coding is not known.
    package static func encode(_ content: [UInt8], codings: [String]) -> [UInt8]? {
        guard !content.isEmpty else { return content }
        guard codings.count <= ContentDecoder.codingLimit else { return nil }
        var body = content
        for coding in codings where coding != "identity" {
            switch coding {
            case "gzip", "x-gzip": body = gzip(body)
            case "deflate": body = zlib(body)
            case "br": body = brotli(body)
            case "zstd": body = zstandard(body)
            default: return nil
            }
        }
        return body
    }

    /// RFC 1952 around stored blocks.
    private static func gzip(_ content: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
        let check = content.withUnsafeBufferPointer {
            crc32_z(0, $0.baseAddress, z_size_t($0.count))
        }
        return head + stored(content) + little(UInt64(check), 4) + little(UInt64(content.count), 4)
    }

    /// RFC 1950 around stored blocks.
    private static func zlib(_ content: [UInt8]) -> [UInt8] {
        let check = content.withUnsafeBufferPointer {
            adler32_z(1, $0.baseAddress, z_size_t($0.count))
        }
        return [0x78, 0x01] + stored(content) + little(UInt64(check), 4).reversed()
    }

    /// RFC 1951 §3.2.4.
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        pieces(content, blockBytes) { piece, isLast in
            let count = UInt64(piece.count)
            return [isLast ? 1 : 0] + little(count, 2) + little(~count, 2)
        }
    }

    /// RFC 7932 §9.2: meta-blocks with ISUNCOMPRESSED, in a window of 64 KiB.
    private static func brotli(_ content: [UInt8]) -> [UInt8] {
        var isFirst = true
        let blocks = pieces(content, blockBytes) { piece, _ in
            // ISLAST 0, MNIBBLES 00, MLEN - 1, ISUNCOMPRESSED 1; before the first, WBITS 0.
            let bits = UInt64(piece.count - 1) << 3 | 1 << 19
            defer { isFirst = false }
            return little(isFirst ? bits << 1 : bits, 3)
        }
        // ISLAST 1, ISLASTEMPTY 1.
        return blocks + [0x03]
    }

    /// RFC 8878 §3.1.1: a single segment with its size, of raw blocks.
    private static func zstandard(_ content: [UInt8]) -> [UInt8] {
        [0x28, 0xb5, 0x2f, 0xfd, 0xe0] + little(UInt64(content.count), 8)
            + pieces(content, blockBytes) { piece, isLast in
                little(UInt64(piece.count) << 3 | (isLast ? 1 : 0), 3)
            }
    }

    private static func pieces(
        _ content: [UInt8],
        _ size: Int,
        _ head: (ArraySlice<UInt8>, Bool) -> [UInt8]
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(content.count + content.count / size * 8 + 8)
        var rest = content[...]
        repeat {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            result += head(piece, rest.isEmpty)
            result += piece
        } while !rest.isEmpty
        return result
    }

    private static func little(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }
}
